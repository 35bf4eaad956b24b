"""Where it ends: the most tracks from the page cache, and a disk that is just fast enough or just too slow."""

import math

import peers
from bench import Bench
from measure import Cost, median, run
from report import print_findings
from test_set import TRACK_BYTES_PER_S, read_into_cache

# Five periods of 1024 frames, 107 ms: keeps the pauses of a virtual machine out of the result.
CARD = "-D sim --period-size 1024 --buffer-size 5120"


def _keeps_up(played: Cost, started: Cost, seconds: float) -> tuple[bool, str]:
    """ecasound has no verdict: it keeps up when its disk server warns of no underrun and `seconds` more of audio
    took that long (what a run of one second takes is its start-up)."""
    underruns = played.output.count("Underrun in reading")
    took = played.wall_s - started.wall_s
    return underruns == 0 and took < 1.05 * seconds, f"{underruns} underruns, {took:.1f} s for {seconds:.0f} s"


def max_tracks(bench: Bench) -> None:
    sizes = bench.sizes
    seconds = sizes.most_tracks_s
    bench.report.begin("max-tracks", f"{', '.join(map(str, sizes.most_tracks))} tracks of {seconds} s from the cache, 1 s ring")
    most = max(sizes.most_tracks)
    files = bench.sets.tracks(most, seconds)
    rows = []
    for count in sizes.most_tracks:
        some = files[:count]
        read_into_cache(some)
        cost, record = bench.xrunlab.play(some, f"{CARD} --ring 1s --cache keep")
        rows.append([f"xrunlab, {count} tracks", record["verdict_line"]])
        started = run(peers.ecasound_paced(some, 1))
        played = run(peers.ecasound_paced(some, seconds - 1))
        kept_up, how = _keeps_up(played, started, seconds - 2)
        rows.append([f"ecasound, {count} tracks", ("keeps up: " if kept_up else "falls behind: ") + how])
        target = "PASS or MARGINAL" if count == sizes.most_tracks[0] else "aim: PASS or MARGINAL"
        bench.report.fact(f"xrunlab, {count} tracks", record["verdict"], target, cost.code == 0)
        bench.report.fact(f"ecasound, {count} tracks", "keeps up" if kept_up else "falls behind")
    print_findings(rows)
    bench.sets.remove(most, seconds)


def slow_disk(bench: Bench) -> None:
    sizes = bench.sizes
    bench.report.begin("slow-disk", f"a disk throttled to {sizes.slow_rate}/s, direct, {sizes.slow_s} s each")
    files = bench.sets.tracks(sizes.slow_tracks, sizes.slow_s + 4)
    throttle = (str(bench.source / "scripts" / "slow-disk"), "--dir", str(bench.sets.directory), sizes.slow_rate, "--")
    output = bench.scratch / "fio.json"
    speeds = [peers.fio_bytes_per_s(
        [*throttle, *peers.fio(files, output, "64k", 8, "roundrobin", sizes.slow_fio_s)], output) for _ in range(3)]
    enough = median(speeds) / TRACK_BYTES_PER_S
    print(f"  fio: {median(speeds) / 1e6:.2f} MB/s, enough for {enough:.1f} tracks", flush=True)
    bench.report.fact("rate by fio", f"{median(speeds) / 1e6:.2f} MB/s = {enough:.1f} tracks")
    rows = []
    for share, rounded in ((0.96, math.floor), (1.06, math.ceil)):
        count = rounded(share * enough)
        for ring in ("1s", "5s"):
            cost, record = bench.xrunlab.play(
                files[:count], f"{CARD} --direct on --ring {ring} -d {sizes.slow_s}s", throttle)
            name = f"{share} R = {count} tracks, {ring} ring"
            rows.append([name, record["verdict_line"]])
            if share < 1:
                bench.report.fact(name, record["verdict"], "PASS or MARGINAL", cost.code == 0)
            else:
                found = record["verdict"] + (", not sustained" if record["sustained"] is False else "")
                bench.report.fact(name, found, "FAIL, not sustained", found == "FAIL, not sustained")
    print_findings(rows)
