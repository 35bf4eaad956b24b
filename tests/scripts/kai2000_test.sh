#!/usr/bin/env bash
# scripts/kai2000: what it makes of three listings (those of 2000 have the shape), and the whole of it against a stand-in
# for xrunlab.
set -euo pipefail
command -v python3 >/dev/null || exit 77
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
python3 -B - "$1/scripts/kai2000" <<'PYTHON'
import importlib.machinery
import importlib.util
import sys

loader = importlib.machinery.SourceFileLoader("kai2000", sys.argv[1])
kai = importlib.util.module_from_spec(importlib.util.spec_from_loader("kai2000", loader))
loader.exec_module(kai)
BOUND_NS = 23_219_954


def run(events, t1, t3, xruns=0, episodes=()):
    """t1, t3: how many were over the bound, and the maximum in ms."""
    timer = lambda seen: {"count": events, "over": seen[0], "max_ns": int(seen[1] * 1e6)}
    return {
        "bound_ns": BOUND_NS,
        "timers": {"ring_read": timer(t1), "outside": timer(t3)},
        "counters": {"device_xruns": xruns},
        "episodes": list(episodes),
        "loads": [{"kind": "read", "bytes_per_s": 2e7, "operations_per_s": 80.0}],
    }


def episode(cause, stolen, duration_ms):
    machine = {"steal_ns": stolen}
    return {"kind": "outside", "cause": cause, "duration_ns": int(duration_ms * 1e6), "evidence": {"machine": machine}}


# The figures of 22 November 2000.
RING = run(15375, (0, 1.319), (0, 1.857))
HURT = run(296, (3, 970.847), (3, 971.222), xruns=3)
IDLE = run(5426, (1, 169.032), (1, 169.427))
lines, right = kai.judge([RING, HURT, IDLE], False)
assert right and lines[-1] == "as in 2000", lines

# A ring that does not help is no ring, unless the time was stolen.
late = run(1550, (1, 60), (1, 61), episodes=[episode("disk", 0, 61)])
lines, right = kai.judge([late, HURT, IDLE], False)
assert not right and "with the ring T1 was over the bound 1 times, 0 of them stolen time" in lines, lines
stolen = run(1550, (1, 60), (1, 61), episodes=[episode("scheduler", 40_000_000, 61)])
assert kai.judge([stolen, HURT, IDLE], False)[1]
hog = run(1550, (0, 1), (1, 61), episodes=[episode("scheduler", 0, 61)])
assert not kai.judge([hog, HURT, IDLE], False)[1], "a hog is no hypervisor"
more = run(1550, (9, 60), (9, 61), episodes=[episode("scheduler", 40_000_000, 61)])
assert not kai.judge([more, HURT, IDLE], False)[1], "an episode of three fragments excuses three"

# Idle: few, that is 1 of 200.
assert kai.judge([RING, HURT, run(1000, (5, 60), (5, 60))], False)[1]
lines, right = kai.judge([RING, HURT, run(1000, (5, 60), (6, 60))], False)
assert not right and any(line.startswith("idle T3 was over the bound 6 times in 1000") for line in lines), lines

# Load that hurts nothing is no fault, but it is said, with figures; so it is when only one timer or no xrun tells.
for calm in [run(296, (0, 2), (0, 2)), run(296, (3, 970), (0, 2), xruns=3), run(296, (3, 970), (3, 971))]:
    lines, right = kai.judge([RING, calm, IDLE], False)
    text = "\n".join(lines)
    assert right and "load cannot hurt this disk" in text and "read 20 MB/s" in text, text
    assert "--disk 10MiB" in text and "as in 2000" not in text, text
assert "a slower --disk" in "\n".join(kai.judge([RING, run(296, (0, 2), (0, 2)), IDLE], True)[0])
PYTHON

# The whole: three runs in the right order, and what they are given.
mkdir -p "$tree/build/src"
cat >"$tree/build/src/xrunlab" <<'STAND_IN'
#!/usr/bin/env python3
import json, os, sys
if sys.argv[1] == "gen":
    os.mkdir(sys.argv[-1])
    sys.exit(0)
with open(os.environ["CALLS"], "a") as calls:
    print(*(one for one in sys.argv[1:] if not one.startswith("--json=")), file=calls)
if os.environ["FAIL"] != "no":
    sys.exit(f"xrunlab: {os.environ['FAIL']}")
hurt = "--no-ring" in sys.argv and "--load" in sys.argv
timer = {"count": 1000, "over": 3 if hurt else 0, "max_ns": 900_000_000 if hurt else 1_000_000}
file = next(one for one in sys.argv if one.startswith("--json="))[7:]
episode = {"kind": "xrun", "cause": "disk", "duration_ns": 800_000_000, "evidence": {"detail": "its reads took long"}}
run = {
    "bound_ns": 23219954,
    "timers": {"ring_read": timer, "outside": timer},
    "counters": {"device_xruns": 2 if hurt else 0},
    "episodes": [episode] if hurt else [],
    "loads": [],
    "threads": [{"name": "playback", "policy": "SCHED_FIFO"}],
    "verdict_line": "FAIL" if hurt else "PASS",
}
json.dump(run, open(file, "w"))
print("Timer-1:")
sys.exit(1 if hurt else 0)
STAND_IN
chmod +x "$tree/build/src/xrunlab"

# expect FAIL CODE TEXT…
expect() {
  local output code=0 text
  output=$(CALLS=$tree/calls FAIL=$1 "$source_dir/scripts/kai2000" --build "$tree/build" 2>&1) || code=$?
  for text in "${@:3}"; do
    if [[ $code != "$2" || $output != *"$text"* ]]; then
      printf 'got exit %s, and not "%s" in\n%s\n' "$code" "$text" "$output"
      exit 1
    fi
  done
}
source_dir=$1
expect no 0 $'loaded, ring, SCHED_FIFO\n\nTimer-1:' $'disk: 1 xrun; the worst 0.8 s: its reads took long' \
  $'idle, no ring, SCHED_FIFO' $'as in 2000'
load='--load read:.,jobs=8,bs=1MiB,size=256MiB --load write:.,size=256MiB --load exec:.'
diff - "$tree/calls" <<CALLS
play set --classic -d 36s --buffer-size 4096 --ring 524288 $load
play set --classic -d 24s --buffer-size 4096 --no-ring $load
play set --classic -d 24s --buffer-size 4096 --no-ring
CALLS
expect "no disk" 1 "kai2000: xrunlab: no disk"
left=$(find "$tree/build" -name 'kai2000-*')
[[ -z $left ]] || { echo "left behind: $left" && exit 1; }
