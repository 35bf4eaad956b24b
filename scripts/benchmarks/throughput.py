"""How fast a set comes off the disk, direct and cold, against the best that fio does with the same files."""

import itertools

import peers
from bench import Bench, in_turn
from measure import MeasureError, median, ratios, spread
from report import print_table

FIO_CONFIGURATIONS = [(size, depth, order) for (size, depth), order in itertools.product(
    [("256k", 8), ("1M", 8), ("1M", 32)], ["roundrobin", "sequential"])]
# Ring and size of a read; a ring has at least four blocks.
OUR_CONFIGURATIONS = [("5s", "128KiB"), ("10s", "256KiB"), ("20s", "512KiB"), ("30s", "1MiB")]


def _ours(bench: Bench, files: list[str], configuration: tuple[str, str]) -> float:
    """Bytes a second, priming included, as the run file has them."""
    ring, io_size = configuration
    _, record = bench.xrunlab.play(
        files, f"-D null --direct on --cache evict --ring {ring} --io-size {io_size} --queue-depth 32")
    if not record["io"]["direct"]:
        raise MeasureError("direct reads are not possible in this directory: choose another --dir")
    return record["throughput"]["bytes_per_s"]


def _fios(bench: Bench, files: list[str], configuration: tuple[str, int, str]) -> float:
    output = bench.scratch / "fio.json"
    return peers.fio_bytes_per_s(peers.fio(files, output, *configuration), output)


def _choose(bench: Bench, files: list[str], measure, configurations: list) -> tuple:
    """The configuration with the best median; repeats are interleaved."""
    speeds: dict[tuple, list[float]] = {one: [] for one in configurations}
    for _ in range(bench.sizes.choosing_repeats):
        for one in configurations:
            speeds[one].append(measure(bench, files, one) / 1e6)
    print_table(["candidate", "MB/s"], [[" ".join(map(str, one)), spread(values, 0)] for one, values in speeds.items()])
    return max(configurations, key=lambda one: median(speeds[one]))


def _sign_interval(values: list[float]) -> tuple[float, float]:
    """Of 15 values the 4th to the 12th: they enclose the true median with 96 %. Other counts: the same shares."""
    ordered = sorted(values)
    skipped = len(ordered) * 3 // 15
    return ordered[skipped], ordered[-1 - skipped]


def throughput(bench: Bench) -> None:
    sizes = bench.sizes
    bench.report.begin("throughput", f"{sizes.tracks} tracks of {sizes.unpaced_s} s, direct and cold")
    files = bench.sets.tracks(sizes.tracks, sizes.unpaced_s)
    their_best = _choose(bench, files, _fios, FIO_CONFIGURATIONS)
    our_best = _choose(bench, files, _ours, OUR_CONFIGURATIONS)
    ours: list[float] = []
    theirs: list[float] = []
    for pair in range(sizes.throughput_pairs):
        in_turn(pair, [lambda: ours.append(_ours(bench, files, our_best) / 1e6),
                       lambda: theirs.append(_fios(bench, files, their_best) / 1e6)])
    shares = ratios(ours, theirs)
    low, high = _sign_interval(shares)
    print_table(["", "MB/s"], [[f"xrunlab, ring {our_best[0]}, io-size {our_best[1]}", spread(ours, 0)],
                               [f"fio, {their_best[0]}, depth {their_best[1]}, {their_best[2]}", spread(theirs, 0)]])
    report = bench.report
    report.fact("xrunlab MB/s", spread(ours, 0))
    report.fact("fio MB/s", spread(theirs, 0))
    report.at_least("xrunlab / fio", median(shares), spread(shares, 3), 0.95, ">= 0.95")
    report.fact("the same, sign interval", f"{low:.3f} … {high:.3f}", "reaches 0.95", high >= 0.95)
