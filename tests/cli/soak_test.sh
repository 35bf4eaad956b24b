#!/usr/bin/env bash
# Eight hours, in virtual time: memory stays flat. And what --record-last keeps of a run.
#   soak_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
source "$(dirname "$0")/expectations.sh"
needs python3
"$xrunlab" gen "$work/set" --tracks 2 -f S16_LE -d 2 -q
run "$xrunlab" play -q "$work/set" --loop -d 2s --period-size 8192 --record "$work/run.trace"

# KiB of a replay of so long, at the most.
memory_of() { # HOURS
  python3 - "$xrunlab" "$work" "$1" <<'PYTHON'
import resource, subprocess, sys
program, work, hours = sys.argv[1:]
subprocess.run([program, "replay", work + "/run.trace", "--virtual", "-q", "-d", hours + "h", "--on-starve", "silence",
                "--record", work + "/long.trace", "--record-last", "1s"],
               stdout=open(work + "/long.txt", "w"), stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PYTHON
}
one=$(memory_of 1)
size_of_one=$(stat -c %s "$work/long.trace")
eight=$(memory_of 8)
contains "eight hours were played" "tracks 8 h" "$(cat "$work/long.txt")"
# That nothing grows while it plays, to the page, is tested in tests/engine. The report, made at the end, lists 2,880 windows
# instead of 360. A sanitizer keeps what is freed.
if ! grep -q -a -e __asan_init -e __tsan_init "$xrunlab"; then
  [ $((eight - one)) -le 1024 ]
  expect "memory after eight hours and after one: $eight KiB, $one KiB" 0 $?
fi
[ "$(stat -c %s "$work/long.trace")" -le $((size_of_one * 2)) ]
expect "the trace keeps its last second: $(stat -c %s "$work/long.trace") bytes, $size_of_one" 0 $?

run "$xrunlab" play -q "$work/set" --loop --ring 300ms --fault read-delay:at=2500ms,ms=700,track=1 -d 12s \
  --record "$work/last.trace" --record-last 1s
run "$xrunlab" replay "$work/last.trace" --virtual
expect "pieces are no run" 4 "$code"
contains "what to do with them" "xrunlab repro" "$err"
contains "the reason" "is of pieces of a run (--record-last)" "$err"
run "$xrunlab" what-if "$work/last.trace"
expect "nor has it other rings" 4 "$code"
run "$xrunlab" repro "$work/last.trace" -o "$work/case"
contains "an episode is in them" "in the record  starvation of" "$out"
expect "and can be seen" 0 "$code"
run "$xrunlab" play -q "$work/set" -d 1500ms --record "$work/short.trace" --record-last 60s
run "$xrunlab" replay "$work/short.trace" --virtual -q
lacks "a run shorter than the window is whole" "is of pieces" "$err"
run "$xrunlab" play -q "$work/set" --record-last 1s
expect "--record-last without --record" 2 "$code"
finish
