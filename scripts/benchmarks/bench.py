"""What every part is given: the program, the sets, the sizes and where the figures go."""

from dataclasses import dataclass
from pathlib import Path

from measure import Xrunlab
from report import Report
from test_set import SetStore


@dataclass
class Sizes:
    """Full sizes, or with --quick sizes that only show that a part works."""
    tracks: int = 64
    unpaced_s: int = 60
    paced_s: int = 30
    pairs: int = 5
    throughput_pairs: int = 15
    choosing_repeats: int = 3
    most_tracks: tuple[int, ...] = (2048, 4096)
    most_tracks_s: int = 15
    slow_rate: str = "10MiB"
    slow_tracks: int = 84
    slow_s: int = 60
    slow_fio_s: int = 30
    repetitions: int = 9
    min_time_s: float = 0.2
    repeats: int = 5
    inspect_files: int = 2000
    inspect_pairs: int = 7


def quick_sizes() -> Sizes:
    # A window under 10 s or three rings has no verdict; fio reads whole blocks only, so a track holds more than 1 MiB.
    return Sizes(tracks=8, unpaced_s=8, paced_s=2, pairs=1, throughput_pairs=2, choosing_repeats=1,
                 most_tracks=(32,), most_tracks_s=12, slow_rate="2MiB", slow_tracks=24, slow_s=16, slow_fio_s=3,
                 repetitions=2, min_time_s=0.01, repeats=1, inspect_files=50, inspect_pairs=1)


@dataclass
class Bench:
    xrunlab: Xrunlab
    sets: SetStore
    report: Report
    sizes: Sizes
    build: Path
    scratch: Path
    source: Path


def in_turn(pair: int, measurements: list) -> None:
    """Calls all, in an order that turns around from pair to pair: nobody is always the first."""
    for measurement in measurements if pair % 2 == 0 else reversed(measurements):
        measurement()
