#!/usr/bin/env bash
# What scripts/latency-truth and scripts/bench-latency make of what they have seen: holds and samples, histograms, when two
# figures agree.
set -euo pipefail
command -v python3 >/dev/null || exit 77
python3 -B - "$1/scripts" <<'PYTHON'
import importlib.machinery
import importlib.util
import os
import sys
import tempfile


def script(name):
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), os.path.join(sys.argv[1], name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


truth = script("latency-truth")
holds = truth.read_holds("1000000 2000000\n9000000 9500000\n")
samples = [(950000, 3000), (1050000, 960000), (1150000, 860000), (9000000, 450000)]
assert truth.errors_of(holds, samples) == [(950000, 960000), (500000, 450000)], "the first within each"
assert truth.agrees(950000, 960000) and not truth.agrees(500000, 450000)
assert truth.agrees(10000, 15000) and not truth.agrees(10000, 15001), "5 us where 2 % is less"
assert truth.counted_share([(1000000, 1200000)], samples) == 1.0
assert truth.counted_share([(1000000, 1400000)], samples) == 0.5, "two of four"

bench = script("bench-latency")
text = "# Histogram\n000003 000060\n000004 000030\n000005 000000\n# Total: 000000090\n# Max Latencies: 00120\n"
text += "# Histogram Overflows: 00010\n# Thread 0: 00034\n"
read = bench.read_cyclictest(text)
assert read["count"] == 100 and read["max"] == 120
assert abs(read["p50"] - (3 + 50 / 60)) < 1e-9
assert abs(bench.interpolated({3: 60, 4: 40}, 0.8) - 4.5) < 1e-9
with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    file.write("round,thread,planned_ns,late_ns,missed\n0,0,1000,3500,0\n0,0,2000,9999,0\n0,0,3000,8999,1\n")
    file.flush()
    mine = bench.read_samples(file.name)
assert mine["count"] == 2 and mine["max"] == 9.999, "what was missed is no sample of cyclictest's"
assert bench.agree(3.0, 3.9) and not bench.agree(3.0, 4.1) and bench.agree(40, 44)
seen = iter([(100.0, 400.0), (5000.0, 4400.0), (900.0, 850.0), (9000.0, 800.0), (9000.0, 800.0)])
bench.at_the_same_time = lambda options, work: next(seen)
options = type("Options", (), {"pairs": 3, "interval": 1000})()
assert bench.measure_maxima(options, None), "a stop is seen by both, up to an interval apart"
options.pairs = 2
assert not bench.measure_maxima(options, None)
PYTHON
