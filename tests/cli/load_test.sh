#!/usr/bin/env bash
# Load on demand: `xrunlab load SPEC…` and `xrunlab play --load SPEC`; none of it outlives xrunlab.
#   load_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
source "$(dirname "$0")/expectations.sh"
"$xrunlab" gen "$work/set" --tracks 2 -f S16_LE -d 4 -q
mkdir "$work/load" "$work/fio"

# Processes whose command line names TEXT, and with WORD that too. What greps must not find itself.
processes_with() { # TEXT [WORD]
  printf '%s\n' "$1" >"$work/.text"
  printf '%s\n' "${2:-$1}" >"$work/.word"
  local files
  mapfile -t files < <(grep -laFf "$work/.text" /proc/[0-9]*/cmdline 2>/dev/null)
  [ ${#files[@]} = 0 ] || grep -laFf "$work/.word" "${files[@]}" 2>/dev/null | sed 's|/proc/||; s|/cmdline||'
}
becomes() { # WHAT COUNT TEXT [WORD]: that many processes within 20 s
  local count
  for _ in $(seq 200); do
    count=$(processes_with "${@:3}" | wc -l)
    [ "$count" = "$2" ] && return
    sleep 0.1
  done
  expect "$1: processes" "$2" "$count"
}

# Specs are refused before anything is started, with the key.
while read -r spec needle; do
  for command in "play $work/set --load" load; do
    # shellcheck disable=SC2086
    run "$xrunlab" $command "$spec"
    expect "$command $spec: exit code" 2 "$code"
    contains "$command $spec" "$needle" "$err"
    expect "$command $spec: stdout" "" "$out"
  done
done <<'END'
disk:/tmp 'disk'
read DIR
read:/tmp,rat=1MB 'rat'
read:/tmp,rate=2M 2MiB
cpu:none 'none'
cpu:1,share=9 share
record:/tmp tracks
fio JOBFILE
END
run "$xrunlab" play "$work/set" --load-seed x
expect "a seed that is none" 2 "$code"

# Every kind of our own works, tells what it did, and leaves nothing.
run "$xrunlab" load "read:$work/load,size=8MiB,rate=2MB" "write:$work/load,size=8MiB,rate=2MB,fsync" cpu:1,share=0.3 \
  fault:1,size=4MiB "exec:$work/load,size=128MiB" "record:$work/load,tracks=2,size=8MiB" -d 3
expect "all kinds: exit code" 0 "$code"
contains "all kinds: at work" "at work: read:" "$err"
flat=$(tr -s ' \n' ' ' <<<"$out")
for text in "reads/s" "of 2.00 MB/s" "writes/s" "of 0.30 CPUs" "page faults/s" "programs/s" "0 overruns"; do
  contains "all kinds" "$text" "$flat"
done
lacks "all kinds" DEAD "$out"
expect "all kinds: files left" "" "$(ls -A "$work/load")"
becomes "all kinds" 0 "$work/load"
run "$xrunlab" load cpu:1,share=0.1 -d 300ms -q
expect "-q: exit code" 0 "$code"
expect "-q: output" "" "$out$err"
run "$xrunlab" load "read:$work/none" -d 1
expect "a directory that is not there: exit code" 3 "$code"
contains "a directory that is not there" "none: No such file or directory" "$err"

# SIGINT is the intended end, and the terminal's does not reach the load itself; SIGTERM is told by the exit code.
for signal in INT TERM; do
  "$xrunlab" load "fault:1,size=7MiB" >"$work/out" 2>"$work/err" &
  pid=$!
  becomes "before SIG$signal" 1 fault:1,size=7MiB load-worker
  for _ in $(seq 200); do grep -q "at work" "$work/err" && break; sleep 0.1; done
  kill -$signal $pid
  code=0
  wait $pid || code=$?
  [ $signal = INT ] && expect "SIGINT: exit code" 0 "$code" || expect "SIGTERM: exit code" 143 "$code"
  contains "SIG$signal: what was achieved" "page faults/s" "$(cat "$work/out")"
  becomes "after SIG$signal" 0 fault:1,size=7MiB load-worker
done

# Started with a real-time policy it is ordinary all the same.
if [ "$(id -u)" = 0 ] && command -v chrt >/dev/null && chrt -f 1 true 2>/dev/null; then
  chrt -f 1 "$xrunlab" load cpu:1,share=0.11 -d 20 -q &
  pid=$!
  becomes "under chrt" 1 cpu:1,share=0.11 load-worker
  worker=$(processes_with cpu:1,share=0.11 load-worker)
  contains "its policy" SCHED_OTHER "$(chrt -p "$worker")"
  kill -9 $pid
  wait $pid 2>/dev/null
  becomes "after kill -9" 0 cpu:1,share=0.11 load-worker
fi

# fio's workers are in sessions of their own; they die with a killed xrunlab too.
if command -v fio >/dev/null; then
  cat >"$work/job.fio" <<END
[global]
directory=$work/fio
rw=randread
size=1m
ioengine=psync
rate=256k
time_based
runtime=\${RUNTIME}
[job]
numjobs=2
END
  RUNTIME=1000 "$xrunlab" load "fio:$work/job.fio" -q &
  pid=$!
  # xrunlab, the guard, the keeper, fio and its two workers.
  becomes "fio" 6 "$work/job.fio"
  kill -9 $pid
  wait $pid 2>/dev/null
  becomes "fio after kill -9 of xrunlab" 0 "$work/job.fio"

  # What it says when it is told to end is kept in the run file.
  RUNTIME=1000 run "$xrunlab" play "$work/set" -d 2 -q --load "fio:$work/job.fio" --json="$work/run.json"
  expect "play under fio: exit code" 1 "$code" # too short for a verdict
  contains "the verdict line" ", load fio:$work/job.fio, " "$out"
  contains "what fio printed" "IOPS" "$(grep '"output"' "$work/run.json")"
  expect "at work to the end" true "$(value_of alive "$work/run.json")"

  # A load that ends before the run takes the verdict away.
  RUNTIME=2 run "$xrunlab" play "$work/set" -q --load cpu:1,share=0.1 --load "fio:$work/job.fio" --json="$work/run.json"
  expect "a load that ends: exit code" 3 "$code"
  contains "a load that ends" "NO VERDICT" "$out"
  contains "a load that ends" "was dead: fio:$work/job.fio: it ended with exit code 0" "$out"
  contains "the run file" "it ended with exit code 0" "$(value_of load_error "$work/run.json")"
  # It ends the run, when it happens and not at its end.
  RUNTIME=3 run "$xrunlab" play "$work/set" -q --loop -d 25 --load "fio:$work/job.fio" --json="$work/run.json"
  expect "a load that ends: exit code" 3 "$code"
  contains "a load that ends" "by load; the load 'fio:$work/job.fio' was dead: it ended with exit code 0" "$out"
  contains "a load that ends: stderr" "xrunlab: the load 'fio:$work/job.fio' was dead: it ended with exit code 0" "$err"
  expect "the run file" load "$(value_of ended_by "$work/run.json")"
  expect "the run file" false "$(value_of complete "$work/run.json")"
  played=$(value_of frames_played "$work/run.json")
  [ "${played:-0}" -gt 0 ] && [ "$played" -lt $((20 * 44100)) ]
  expect "frames until then: ${played:-none}" 0 $?

  run "$xrunlab" play "$work/set" -d 1 --load "fio:$work/none.fio"
  expect "a job file that is not there: exit code" 3 "$code"
  contains "a job file that is not there" "is dead: it ended" "$err"
  expect "nothing was played" "" "$out"
else
  echo "fio is not tested: it is not installed"
fi
if ! command -v stress-ng >/dev/null; then
  run "$xrunlab" load "stress-ng:--cpu 1" -d 1
  expect "stress-ng that is not there: exit code" 3 "$code"
  contains "its remedy" "apt-get install stress-ng" "$err"
fi

# A run under load: the set's own rate is recorded, the figures stand in summary and run file.
run "$xrunlab" play "$work/set" -d 2 --load "record:$work/load,tracks=3,size=8MiB" --load-seed 5 --json="$work/run.json"
expect "recording meanwhile: exit code" 1 "$code"
contains "recording meanwhile" "of 0.265 MB/s" "$(tr -s ' \n' ' ' <<<"$out")"
contains "the run file" '"spec": "record:'"$work"'/load,tracks=3,size=8MiB,set=44100/16/1", "seed": 5, "alive": true' \
  "$(tr -d '\n' <"$work/run.json" | tr -s ' ' | sed 's/":"/": "/g; s/,"/, "/g; s/":/": /g; s/  / /g')"
expect "the load's files" "" "$(ls -A "$work/load")"

# A recording that is held up for longer than its ring holds has lost something, however fast it writes afterwards: its card
# would not have waited.
"$xrunlab" load "record:$work/load,tracks=1,set=8k/8/1,size=1MiB" -d 12 >"$work/out" 2>"$work/err" &
pid=$!
becomes "a recording" 1 tracks=1,set=8k/8/1 load-worker
worker=$(processes_with tracks=1,set=8k/8/1 load-worker)
for _ in $(seq 100); do grep -q "at work" "$work/err" && break; sleep 0.1; done
kill -STOP "$worker"
sleep 7
kill -CONT "$worker"
code=0
wait $pid || code=$?
expect "a recording held up: exit code" 1 "$code"
contains "a recording held up" " overrun" "$(cat "$work/out")"
lacks "a recording held up" " 0 overruns" "$(tr '\n' ' ' <"$work/out")"

# The process that keeps the loads is killed, and they with it: that is the end of the run, and it tells what there is.
"$xrunlab" play "$work/set" -q --loop -d 25 --load cpu:1,share=0.12 --json="$work/run.json" >"$work/out" 2>"$work/err" &
pid=$!
becomes "before the guard is killed" 1 cpu:1,share=0.12 load-worker
sleep 1.5
kill -9 "$(tr -d ' ' <"/proc/$pid/task/$pid/children")"
code=0
wait $pid || code=$?
expect "the guard is killed: exit code" 3 "$code"
contains "the guard is killed" "NO VERDICT" "$(cat "$work/out")"
contains "the guard is killed" "the load 'cpu:1,share=0.12' was dead: the guard process cannot be reached" "$(cat "$work/err")"
expect "the guard is killed: ended by" load "$(value_of ended_by "$work/run.json")"
becomes "after the guard was killed" 0 cpu:1,share=0.12 load-worker

# What cannot be reached is a warning, or an error with --strict.
many=$(($(nproc) * 8))
run "$xrunlab" play "$work/set" -d 300ms -q --load "cpu:$many,share=1"
contains "too many CPUs" "CPUs of the $many.00 that it was to take" "$err"
run "$xrunlab" play "$work/set" -d 300ms -q --strict --load "cpu:$many,share=1"
expect "too many CPUs with --strict: exit code" 3 "$code"

# --dry-run starts nothing, but looks for a load's directory; a relative directory of a load is hidden by --redact.
run "$xrunlab" play "$work/set" --dry-run --load "read:$work/none"
expect "--dry-run: exit code" 3 "$code"
contains "--dry-run" "none: No such file or directory" "$err"
run "$xrunlab" play "$work/set" --dry-run --load "read:$work/load"
expect "--dry-run, all there: exit code" 0 "$code"
expect "--dry-run: files left" "" "$(ls -A "$work/load")"
(
  cd "$work" || exit 1
  mkdir -p private/takes
  "$xrunlab" play set -d 300ms -q --redact --load write:private/takes,size=1MiB,rate=100kB --json=hidden.json >/dev/null
)
contains "--redact" "write:takes," "$(cat "$work/hidden.json")"
lacks "--redact" "private" "$(cat "$work/hidden.json")"
finish
