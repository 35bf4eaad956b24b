#!/usr/bin/env bash
# `xrunlab compare`: what it reads, groups and prints, what it refuses, and its exit codes.
#   compare_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
source "$(dirname "$0")/expectations.sh"
needs python3
cd "$work" || exit 1
"$xrunlab" gen set --tracks 1 -r 48k -f S16_LE -d 1s -q
"$xrunlab" play set -q -d 300ms --json=template.json >/dev/null

# make DIR SCHEDULER COMBINATION RUNS FRAMES [KEY=VALUE...]: run files of a sweep, made from a real one.
make() {
  python3 - "$@" <<'PYTHON'
import json, os, sys
directory, scheduler, combination, runs, frames = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])
os.makedirs(directory, exist_ok=True)
for block in range(runs):
    run = json.load(open("template.json"))
    run.update(verdict="PASS", complete=True, start=f"{directory} {combination} {block}",
               ring_needed_frames=frames + 100 * ((block * 7) % 10))
    run["window"]["exposure_ns"] = 60_000_000_000
    run["ring"]["low_water_frames"] = 90_000
    for track in run["inputs"]:
        track["io_scheduler"] = scheduler
    run["experiment"] = dict(sweep_id="s", seed=1, block=block, combination=combination, planned_runs=runs, warmup=False,
                             varied=[dict(key="scheduler", value=scheduler, found="mq-deadline", acts=True)], fixed=[])
    for change in sys.argv[6:]:
        key, value = change.split("=", 1)
        part = run
        for name in key.split(".")[:-1]:
            part = part[name]
        part[key.split(".")[-1]] = json.loads(value)
    json.dump(run, open(f"{directory}/{combination}-{block}.json", "w"))
PYTHON
}

make sweep none 0 10 10000
make sweep mq-deadline 1 10 10020
make sweep bfq 2 10 20000
echo '{"schema": "another"}' >sweep/plan.json
echo 'no run' >sweep/notes.txt

run "$xrunlab" compare sweep
expect "a sweep: exit code" 0 "$code"
expect "a sweep: stderr" "" "$err"
contains "the title" "30 runs by scheduler, baseline mq-deadline, ring_needed decides" "$out"
contains "worse" "bfq             worse: ratio 1.9" "$out"
contains "no difference" "none            no difference shown (ratio " "$out"
contains "ten each" "10 runs each" "$out"
for label in runs seconds PASS dropouts "ring needed" "ring low water" "T1 read" "T2 write" "T3 out" "disk read" "read MB/s" \
  "CPU a track" "interrupts/s" "switches/s" "CPU system" "CPU user" "CPU iowait" "CPU irq" "CPU softirq" "CPU steal"; do
  contains "a row" "
$label" "$out"
done
expect "no line is wider than 80 columns" 0 "$(python3 -c 'print(sum(len(line) > 80 for line in open(0).read().split("\n")))' <"$work/.out")"

run "$xrunlab" compare --by scheduler --fail-if 'xruns > 0' sweep
expect "options before what they are about" 0 "$code"
run "$xrunlab" compare sweep --format json
expect "json" "worse signed-rank 30" "$(python3 -c 'import json, sys; all = json.load(open(sys.argv[1]))
last = all["groups"][2]["judgement"]; print(last["finding"], last["test"], sum(g["runs"] for g in all["groups"]))' "$work/.out")"
run "$xrunlab" compare sweep --format csv
expect "csv: lines" 4 "$(grep -c . "$work/.out")"
run "$xrunlab" compare sweep --format markdown
contains "markdown" "|  | none | mq-deadline (baseline) | bfq |" "$out"

# --fail-if: true is 1, absent is 1, unknown is 2.
run "$xrunlab" compare sweep --fail-if 'ring_needed worse'
expect "worse: exit code" 1 "$code"
contains "worse: why" "xrunlab: failed: ring_needed worse: bfq: worse: ratio 1.9" "$err"
run "$xrunlab" compare sweep --fail-if 'xruns > 0' --fail-if 'ring_needed > 2s'
expect "limits that are kept" 0 "$code"
run "$xrunlab" compare sweep --fail-if 'ring_needed > 300ms'
expect "a limit that is broken" 1 "$code"
run "$xrunlab" compare sweep/0-*.json sweep/1-*.json --fail-if 'ring_needed worse'
expect "no difference" 0 "$code"
run "$xrunlab" compare sweep/?-[012].json --fail-if 'ring_needed worse'
expect "too few: exit code" 1 "$code"
contains "too few" "needs 7 runs each, has 3" "$out"
contains "too few: why" "absent: none: needs 7 runs each, has 3" "$err"
run "$xrunlab" compare sweep/0-0.json --fail-if 'ring_needed worse'
expect "one group" 1 "$code"
run "$xrunlab" compare sweep --fail-if 'colour > 2'
expect "an unknown figure" 2 "$code"
contains "an unknown figure" "'colour' is no figure (one of: ring_needed " "$err"
run "$xrunlab" compare sweep --metric headroom --fail-if 'ring_needed worse'
expect "two figures that decide" 2 "$code"
run "$xrunlab" compare sweep --by colour
expect "an unknown key" 2 "$code"
for by in , scheduler, scheduler,scheduler; do
  run "$xrunlab" compare sweep --by "$by"
  expect "--by $by" 2 "$code"
  contains "--by $by" "--by: " "$err"
done
run "$xrunlab" compare sweep --min-effect 2x
expect "no share" 2 "$code"
run "$xrunlab" compare sweep --min-effect 200%
lacks "a large least effect" "worse: ratio" "$out"

# What does not count, and what cannot be read.
make torn none 0 1 10000 'complete=false'
run "$xrunlab" compare torn
expect "no run counts: exit code" 1 "$code"
contains "no run counts" "left out        1 run: incomplete" "$out"
run "$xrunlab" compare torn --include
expect "--include" 0 "$code"
make mixed none 0 10 10000 'io.engine="pread"'
make mixed bfq 2 10 20000
run "$xrunlab" compare mixed
contains "something else differs too" "confounded by engine" "$out"
contains "what" "differs too     engine: io_uring (10 runs); pread (10 runs)" "$out"
head -c 2000 sweep/0-0.json >torn/cut.json
run "$xrunlab" compare torn --include
expect "a damaged file of a directory" 0 "$code"
contains "a damaged file of a directory" "is not JSON, or cut off" "$(tr -s ' \n' ' ' <"$work/.out")"
run "$xrunlab" compare torn/cut.json
expect "a damaged file" 4 "$code"
run "$xrunlab" compare set
expect "a directory without run files" 4 "$code"
run "$xrunlab" compare nowhere.json
expect "no file" 4 "$code"
contains "no file" "nowhere.json: cannot be read: No such file or directory" "$err"
run "$xrunlab" compare
expect "nothing named" 2 "$code"
for option in --metric --baseline; do
  run "$xrunlab" compare "$work" $option ""
  expect "$option without a word" 2 "$code"
done
finish
