"""The small figures: T1 against bare conversion, single operations, memory, start-up."""

from bench import Bench
from measure import google_benchmarks, median, ratios, spread
from report import print_table
from test_set import read_into_cache

MIB = 1 << 20


def _benchmarks(bench: Bench, name: str) -> dict[str, list[float]]:
    times = google_benchmarks(bench.build / "tests" / name, bench.sizes.repetitions, bench.sizes.min_time_s)
    print_table([name, "ns"], [[one, spread(values)] for one, values in sorted(times.items())])
    return times


def t1(bench: Bench) -> None:
    sizes, report = bench.sizes, bench.report
    report.begin("t1", "one fragment of 64 tracks out of the rings, and its conversion alone")
    times = _benchmarks(bench, "ring_read_bench")
    for ring, pause in ((1, 0), (5, 0), (5, 21)):
        case = f"ring_s:{ring}/pause_ms:{pause}"
        shares = ratios(times[f"BM_FragmentOfRings/{case}"], times[f"BM_ConversionAlone/{case}"])
        name = f"fragment / conversion, {ring} s ring" + (f", every {pause} ms" if pause else "")
        report.at_most(name, median(shares), spread(shares, 2), 1.5, "<= 1.5")
    files = bench.sets.tracks(sizes.tracks, sizes.paced_s)
    read_into_cache(files)
    for device, pause in (("null", 0), ("sim", 21)):
        alone = median(times[f"BM_ConversionAlone/ring_s:5/pause_ms:{pause}"]) * sizes.tracks / 64
        p50 = []
        for _ in range(sizes.repeats):
            _, record = bench.xrunlab.play(
                files, f"-D {device} --period-size 1024 --ring 5s --cache keep -d {min(10, sizes.paced_s)}s")
            p50.append(record["timers"]["ring_read"]["percentiles_ns"]["p50"])
        report.fact(f"T1 p50 of runs, -D {device}, µs", spread([one / 1e3 for one in p50]))
        shares = [one / alone for one in p50]
        report.at_most(f"T1 p50 / conversion, -D {device}", median(shares), spread(shares, 2), 1.5, "<= 1.5")


def micro(bench: Bench) -> None:
    report = bench.report
    report.begin("micro", "single operations of the playback thread, beside the clock")
    times = _benchmarks(bench, "timing_bench") | _benchmarks(bench, "ring_bench")
    clock = median(times["BM_ClockReadPair"])
    section = times["BM_SectionWithHistogramAndEventPush"]
    record = times["BM_HistogramRecord"]
    block = times["BM_BlockHandedOverAndBack"]
    report.fact("one clock read, ns", spread(times["BM_ClockRead"]))
    report.at_most("timed section, ns", median(section), spread(section), clock + 25, f"<= {clock:.1f} + 25")
    report.at_most("histogram record, ns", median(record), spread(record), 10, "<= 10")
    report.at_most("block over and back, ns", median(block), spread(block), 60, "<= 60")


def memory(bench: Bench) -> None:
    sizes, report = bench.sizes, bench.report
    report.begin("memory", f"peak of resident memory beyond the ring, {sizes.tracks} tracks, default ring")
    files = bench.sets.tracks(sizes.tracks, sizes.paced_s)
    read_into_cache(files)
    beyond = []
    for _ in range(sizes.repeats):
        cost, record = bench.xrunlab.play(files, "-D sim --cache keep -d 2s")
        beyond.append((cost.max_rss_bytes - record["ring"]["bytes"]) / MIB)
    print_table(["", "MiB"], [["ring", f"{record['ring']['bytes'] / MIB:.1f}"],
                              ["peak beyond the ring", spread(beyond)]])
    report.at_most("MiB beyond the ring", max(beyond), spread(beyond), 32, "<= 32")


def startup(bench: Bench) -> None:
    sizes, report = bench.sizes, bench.report
    report.begin("startup", f"from start to the first write, {sizes.tracks} tracks, default ring")
    files = bench.sets.tracks(sizes.tracks, sizes.paced_s)
    times: dict[str, list[float]] = {}
    for cache in ("keep", "evict"):
        for _ in range(sizes.repeats):
            if cache == "keep":
                read_into_cache(files)
            _, record = bench.xrunlab.play(files, f"-D sim --cache {cache} -d 2s")
            for key in ("startup_ns", "ring_touch_ns", "priming_ns"):
                times.setdefault(f"{key.removesuffix('_ns')}, {cache}", []).append(record[key] / 1e6)
    print_table(["", "ms"], [[name, spread(values)] for name, values in times.items()])
    for cache in ("keep", "evict"):
        values = times[f"startup, {cache}"]
        report.at_most(f"start-up ms, --cache {cache}", median(values), spread(values), 100, "< 100")
