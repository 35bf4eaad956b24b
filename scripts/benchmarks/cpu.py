"""CPU time for one track and second of audio, from the page cache: as fast as it goes, and paced by a card."""

import subprocess
from collections.abc import Callable

import peers
from bench import Bench, in_turn
from measure import median, ratios, run, spread
from report import print_table
from test_set import read_into_cache

Costs = dict[str, list[float]]


def _measure_in_turn(bench: Bench, contenders: dict[str, Callable[[], float]], track_seconds: float) -> Costs:
    """CPU µs a track-second of every contender, interleaved."""
    costs: Costs = {name: [] for name in contenders}

    def take(name: str) -> None:
        costs[name].append(contenders[name]() / track_seconds * 1e6)

    for pair in range(bench.sizes.pairs):
        in_turn(pair, [lambda name=name: take(name) for name in contenders])
    return costs


def _print_costs(costs: Costs, reference: str) -> None:
    rows = []
    for name, values in costs.items():
        rows.append([name, spread(values), spread(ratios(values, costs[reference]), 2)])
    print_table(["", "CPU µs a track-second", f"ratio to {reference}"], rows)


def unpaced(bench: Bench) -> None:
    sizes = bench.sizes
    bench.report.begin("cpu-unpaced", f"{sizes.tracks} tracks of {sizes.unpaced_s} s, warm cache, no pacing")
    files = bench.sets.tracks(sizes.tracks, sizes.unpaced_s)
    read_into_cache(files)

    def ours(ring: str) -> Callable[[], float]:
        return lambda: bench.xrunlab.play(files, f"-D null --cache keep --ring {ring}")[0].cpu_s

    one, five = "xrunlab, 1 s ring", "xrunlab, 5 s ring"
    costs = _measure_in_turn(bench, {
        one: ours("1s"),
        five: ours("5s"),
        "ecasound": lambda: run(peers.ecasound_unpaced(files)).cpu_s,
        "sox -m": lambda: run(peers.sox_mix(files)).cpu_s,
        "copying alone": lambda: run(peers.copy_alone(files), output=subprocess.DEVNULL).cpu_s,
    }, sizes.tracks * sizes.unpaced_s)
    _print_costs(costs, one)
    report = bench.report
    report.at_most("µs a track-second, 1 s ring", median(costs[one]), spread(costs[one]), 55, "<= 55 (aim 40)", 40)
    report.fact("µs a track-second, 5 s ring", spread(costs[five]))
    times_less = ratios(costs["ecasound"], costs[one])
    report.at_least("ecasound / xrunlab, 1 s ring", median(times_less), spread(times_less), 10, ">= 10 (aim 14)", 14)
    report.fact("xrunlab, 1 s ring / copying alone", spread(ratios(costs[one], costs["copying alone"])))
    report.fact("sox -m / xrunlab, 1 s ring", spread(ratios(costs["sox -m"], costs[one])))


def paced(bench: Bench) -> None:
    sizes = bench.sizes
    bench.report.begin("cpu-paced", f"{sizes.tracks} tracks of {sizes.paced_s} s, warm cache, in real time")
    files = bench.sets.tracks(sizes.tracks, sizes.paced_s)
    read_into_cache(files)
    dropouts = 0
    trace = bench.scratch / "trace"

    def ours(more: str) -> Callable[[], float]:
        def measure() -> float:
            nonlocal dropouts
            cost, record = bench.xrunlab.play(
                files, "-D sim --period-size 1024 --ring 5s -P f:70 --cache keep " + more)
            dropouts += record["counters"]["dropouts"]
            trace.unlink(missing_ok=True)
            return cost.cpu_s
        return measure

    plain, recording = "xrunlab", "xrunlab --record"
    costs = _measure_in_turn(bench, {
        plain: ours(""),
        recording: ours(f"--record {trace}"),
        "ecasound": lambda: run(peers.ecasound_paced(files)).cpu_s,
    }, sizes.tracks * sizes.paced_s)
    _print_costs(costs, plain)
    report = bench.report
    report.at_most("µs a track-second", median(costs[plain]), spread(costs[plain]), 95, "<= 95")
    report.at_most("µs a track-second, --record", median(costs[recording]), spread(costs[recording]), 105, "<= 105")
    times_less = ratios(costs["ecasound"], costs[plain])
    report.at_least("ecasound / xrunlab", median(times_less), spread(times_less), 12, ">= 12 (aim 18)", 18)
    report.fact("dropouts in all runs of xrunlab", str(dropouts))
