#!/usr/bin/env bash
# The run file of a real run, and the memory of one with 64 tracks.
#   play_run_file_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
sources=$4
source "$(dirname "$0")/expectations.sh"
"$xrunlab" gen "$work/set" --tracks 64 -r 48k -d 6 -q

"$xrunlab" play "$work/set" -q --ring 1s --periods 5 --json="$work/memory.json" >"$work/memory.out" 2>&1 &
pid=$!
"$xrunlab" play "$work/set" -d 2 --ring 500ms --periods 5 -q --json="$work/run.json" >/dev/null
kb() { sed -n "s/^$1:[^0-9]*\([0-9]*\) kB/\1/p" "/proc/$pid/status" 2>/dev/null; }
resident=$(kb VmHWM)
locked=$(kb VmLck)
wait $pid
"$xrunlab" play "$work/set" -d 1 --no-ring --periods 5 -q --json="$work/no-ring.json" >/dev/null
"$xrunlab" play "$work/set" -d 1 -D null -q --json="$work/null.json" >/dev/null
"$xrunlab" play "$work/set" --loop -d 0 -q --json="$work/interrupted.json" --redact >/dev/null &
pid=$!
sleep 1
kill -INT $pid
wait $pid

first_cpu=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)
taskset -c "$first_cpu" "$xrunlab" play "$work/set" -d 1 --ring 500ms -q --json="$work/pinned.json" >/dev/null 2>&1
expect "under taskset: allowed CPUs" "$first_cpu" "$(value_of cpus_allowed "$work/pinned.json")"
[ "$(value_of cpus "$work/pinned.json")" = 1 ] ||
  contains "under taskset: the warning" "may run on CPU $first_cpu only" "$(cat "$work/pinned.json")"

count_of() { # TIMER FILE: the count of a timer in a run file
  sed -n "/\"$1\":/,/\"count\"/s/.*\"count\": *\([0-9]*\).*/\1/p" "$2" | head -1
}
for name in run no-ring; do
  file=$work/$name.json
  read_count=$(count_of ring_read "$file")
  expect "$name: T1 and T2" "$read_count" "$(count_of pcm_write "$file")"
  expect "$name: T3 is one less" "$((read_count - 1))" "$(count_of outside "$file")"
  expect "$name: self-checks that failed" 0 "$(grep -c '"passed": *false' "$file")"
  expect "$name: self-checks that passed" 3 "$(grep -c '"passed": *true' "$file")"
  expect "$name: major faults of the playback thread" 0 "$(sed -n '/"name": *"playback"/,/}/s/.*"major_faults": *\([0-9]*\).*/\1/p' "$file" | head -1)"
  switches=$(value_of context_switches "$file")
  expect "$name: the machine's context switches were counted" yes "$([ "${switches:-0}" -gt 0 ] && echo yes)"
  expect "$name: a run of its own" null "$(value_of experiment "$file")"
done

if python3 -c 'import jsonschema' 2>/dev/null; then
  for file in "$work"/*.json; do
    python3 - "$sources/data/run-1.schema.json" "$file" <<'PYTHON' || failures=$((failures + 1))
import json, sys, jsonschema
schema, run = (json.load(open(name)) for name in sys.argv[1:])
findings = list(jsonschema.Draft7Validator(schema).iter_errors(run))
for finding in findings:
    print("FAILED:", sys.argv[2], "/".join(map(str, finding.path)), finding.message)
sys.exit(bool(findings))
PYTHON
  done
else
  echo "python3-jsonschema is not installed: the run files are not validated here"
fi

# A sanitizer multiplies what a program takes.
if grep -q -a -e __asan_init -e __tsan_init "$xrunlab"; then
  echo "memory is not measured: built with a sanitizer"
else
  ring_kb=$(($(sed -n '/"ring": *{/,/}/s/.*"bytes": *\([0-9]*\).*/\1/p' "$work/memory.json" | head -1) / 1024))
  [ "${resident:-0}" -gt "$ring_kb" ] && [ "$resident" -le $((ring_kb + 32768)) ] ||
    { echo "FAILED: $resident kB resident beside a ring of $ring_kb kB and 32768 kB"; failures=$((failures + 1)); }
  [ "${locked:-0}" -le $((ring_kb + 32768)) ] ||
    { echo "FAILED: $locked kB locked beside a ring of $ring_kb kB and 32768 kB"; failures=$((failures + 1)); }
  echo "ring $ring_kb kB, resident $resident kB, locked $locked kB"
fi
finish
