"""Runs the parts that were asked for. Called by scripts/bench, which says what the options mean."""

import argparse
import signal
import sys
import tempfile
from pathlib import Path

import cpu
import headers
import limits
import micro
import throughput
from bench import Bench, Sizes, quick_sizes
from measure import MeasureError, Xrunlab, raise_file_limit
from report import Report
from test_set import SetStore

PARTS = {
    "cpu-unpaced": cpu.unpaced,
    "cpu-paced": cpu.paced,
    "throughput": throughput.throughput,
    "max-tracks": limits.max_tracks,
    "slow-disk": limits.slow_disk,
    "t1": micro.t1,
    "micro": micro.micro,
    "memory": micro.memory,
    "startup": micro.startup,
    "inspect": headers.inspect,
}


def parse_arguments(source: Path) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/bench")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--dir", type=Path, default=source / "build" / "bench")
    parser.add_argument("--build", type=Path, default=source / "build" / "release")
    parser.add_argument("--pairs", type=int)
    parser.add_argument("parts", nargs="*", metavar="PART")
    arguments = parser.parse_args()
    unknown = [part for part in arguments.parts if part not in PARTS]
    if unknown:
        parser.error(f"no part {', '.join(unknown)}; there are {', '.join(PARTS)}")
    return arguments


def run_parts(bench: Bench, parts: list[str]) -> None:
    for part in parts:
        try:
            PARTS[part](bench)
        except (MeasureError, OSError, KeyError, ValueError) as error:
            bench.report.failed(str(error) or repr(error))


def main() -> int:
    source = Path(__file__).resolve().parent.parent.parent
    arguments = parse_arguments(source)
    sizes = quick_sizes() if arguments.quick else Sizes()
    if arguments.pairs:
        sizes.pairs = sizes.throughput_pairs = sizes.inspect_pairs = arguments.pairs
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    raise_file_limit()
    arguments.dir.mkdir(parents=True, exist_ok=True)
    report = Report(arguments.quick)
    report.print_machine()
    with tempfile.TemporaryDirectory(prefix="run-", dir=arguments.dir) as scratch:
        xrunlab = Xrunlab(arguments.build, Path(scratch))
        sets = SetStore(xrunlab, Path(scratch))
        bench = Bench(xrunlab, sets, report, sizes, arguments.build, Path(scratch), source)
        try:
            run_parts(bench, arguments.parts or list(PARTS))
        except KeyboardInterrupt:
            print("\ninterrupted", file=sys.stderr)
            return 130
        finally:
            sets.remove_all()
            report.print_summary()
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
