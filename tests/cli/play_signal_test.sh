#!/usr/bin/env bash
# A signal ends a run at once, with report and run file, also while a read hangs.
#   play_signal_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
stall_fs=$2
same_samples=$3
source "$(dirname "$0")/expectations.sh"
"$xrunlab" gen "$work/set" --tracks 3 -f S16_LE -d 12 -q

now_ms() { echo $(($(date +%s%N) / 1000000)); }

# Starts the program, sends the signal and waits: $code, $report_ms from the signal to the whole run file.
interrupt() { # SIGNAL AFTER COMMAND…
  local signal=$1 after=$2
  shift 2
  rm -f "$work/run.json"
  "$@" --json="$work/run.json" >"$work/out" 2>"$work/err" &
  local pid=$!
  sleep "$after"
  local sent
  sent=$(now_ms)
  kill "-$signal" $pid
  code=0
  wait $pid || code=$?
  exit_ms=$(($(now_ms) - sent))
  report_ms=$(($(date -r "$work/run.json" +%s%N 2>/dev/null || echo 0) / 1000000 - sent))
}

interrupted() { # WHAT CODE LIMIT_MS
  expect "$1: exit code" "$2" "$code"
  expect "$1: complete" false "$(value_of complete "$work/run.json")"
  contains "$1: the report" "incomplete" "$(cat "$work/out")"
  [ "$report_ms" -ge 0 ] && [ "$report_ms" -le "$3" ] ||
    { echo "FAILED: $1: the run file was whole after $report_ms ms, at most $3"; failures=$((failures + 1)); }
}

# How long the program needs to start and to end anyway on this machine, beside the 200 ms allowed.
before=$(now_ms)
"$xrunlab" play "$work/set" -d 50ms -q --json="$work/run.json" >/dev/null
limit=$((200 + $(now_ms) - before))

interrupt INT 1 "$xrunlab" play "$work/set" -c 3 --map direct -D "sim:capture=$work/int.wav"
interrupted "SIGINT while playing" 130 $limit
expect "what was played until then" 0 "$("$same_samples" --begins "$work/int.wav" "$work"/set/*.wav >"$work/same"; echo $?)"
interrupt TERM 1 "$xrunlab" play "$work/set" --no-ring
interrupted "SIGTERM without ring" 143 $limit
interrupt INT 1 "$xrunlab" play "$work/set" --loop -d 0 -q
expect "SIGINT of an endless run: exit code of a run too short for a verdict" 1 "$code"
expect "SIGINT of an endless run: complete" true "$(value_of complete "$work/run.json")"
interrupt INT 1 "$xrunlab" play "$work/set" --loop -d 1m -q
expect "SIGINT of a loop with an end" 130 "$code"
# Everything is in the card, which plays for another ten seconds: the drain must not hold the report, and the
# playback thread comes to its own end (it would be missing in the run file).
interrupt INT 1 "$xrunlab" play "$work/set" -d 10s --buffer-size 480000 --ring 11s
interrupted "SIGINT while draining" 130 $limit
expect "SIGINT while draining: ended by" "signal 2" "$(value_of ended_by "$work/run.json")"
expect "SIGINT while draining: the playback thread" 1 "$(grep -c '"name": *"playback"' "$work/run.json")"

# The set of --tracks goes with the program, whatever ends it.
mkdir "$work/in"
interrupt INT 2 "$xrunlab" play --tracks 3 --set 48k/16/1 -d 8 --in "$work/in"
expect "SIGINT with a set: exit code" 130 "$code"
expect "SIGINT with a set: left" "" "$(ls -A "$work/in")"
"$xrunlab" play --tracks 16 -d 200 --set 96k/24/2 --in "$work/in" -q >/dev/null 2>"$work/err" &
pid=$!
for _ in $(seq 100); do
  [ -n "$(ls -A "$work/in")" ] && break
  sleep 0.02
done
kill -INT $pid 2>/dev/null
code=0
wait $pid || code=$?
# Where there is no room for 2 GB it was refused before.
[ "$code" = 130 ] || grep -q "the set takes" "$work/err" || {
  echo "FAILED: SIGINT while the set is written: exit code $code"
  failures=$((failures + 1))
}
[ "$code" != 130 ] || expect "SIGINT while the set is written: what it says" \
  "xrunlab: interrupted while the set was written; nothing was played" "$(cat "$work/err")"
expect "SIGINT while the set is written: left" "" "$(ls -A "$work/in")"
# Also kill -9, while it is written and while it plays.
gone() { # WHAT
  for _ in $(seq 100); do
    [ -z "$(ls -A "$work/in")" ] && break
    sleep 0.1
  done
  expect "kill -9 $1: left" "" "$(ls -A "$work/in")"
}
"$xrunlab" play --tracks 16 -d 60 --in "$work/in" -q >/dev/null 2>&1 &
pid=$!
for _ in $(seq 500); do
  [ -n "$(ls -A "$work/in")" ] && break
  sleep 0.01
done
expect "kill -9 while the set is written: there" 1 "$(ls -A "$work/in" | wc -l)"
kill -9 $pid
wait $pid 2>/dev/null
gone "while the set is written"
"$xrunlab" play --tracks 2 -d 20 --in "$work/in" --status-interval 200ms >/dev/null 2>"$work/err" &
pid=$!
for _ in $(seq 100); do
  ls "$work"/in/*/track-002.wav >/dev/null 2>&1 && [ -s "$work/err" ] && break
  sleep 0.1
done
contains "kill -9 while it plays: there" track-002.wav "$(ls "$work"/in/*)"
kill -9 $pid
wait $pid 2>/dev/null
gone "while it plays"

run "$xrunlab" play --tracks 2 -d 1 --in "$work/in" -D no-such-card
expect "an error with a set: exit code" 5 "$code"
expect "an error with a set: left" "" "$(ls -A "$work/in")"

# A read that hangs for longer than anybody waits. The process itself may have to wait for the kernel.
hang() { # FAULT
  "$stall_fs" "$work/set" "$work/mnt" "$1" >"$work/fs.out" 2>&1 &
  fs=$!
  for _ in $(seq 50); do grep -q ready "$work/fs.out" && return 0; kill -0 $fs 2>/dev/null || return 1; sleep 0.1; done
  return 1
}
mkdir "$work/mnt"
mounted=$work/mnt
if hang "stall file=track-002.wav offset=100000 for=5s"; then
  interrupt INT 2 "$xrunlab" play "$work/mnt" --ring 500ms
  interrupted "SIGINT while starved" 130 $limit
  kill -INT $fs && wait $fs
  hang "stall file=track-002.wav offset=60000 for=5s"
  interrupt INT 1 "$xrunlab" play "$work/mnt"
  interrupted "SIGINT while priming" 130 $limit
  kill -INT $fs && wait $fs
  for how in "--no-ring" "--io pread --ring 500ms"; do
    hang "stall file=track-002.wav offset=100000 for=5s"
    # shellcheck disable=SC2086
    interrupt INT 2 "$xrunlab" play "$work/mnt" $how
    interrupted "SIGINT in a pread ($how)" 130 $limit
    contains "it says so ($how)" "a read still hangs" "$(cat "$work/out" "$work/err")"
    kill -INT $fs && wait $fs
  done
  hang "stall file=track-002.wav offset=60000 for=4s"
  timeout -s INT 2 "$xrunlab" play "$work/mnt" --no-ring -q -o "$work/hung" >"$work/out" 2>&1
  contains "a hang with -o" "a read still hangs" "$(cat "$work/out")"
  expect "a hang with -o: its run file" 1 "$(find "$work/hung" -name "play-*.json" | wc -l)"
  expect "a hang with -o: nothing else" 1 "$(find "$work/hung" -type f | wc -l)"
  kill -INT $fs && wait $fs
else
  echo "hanging reads are not tested: $(cat "$work/fs.out")"
fi
mounted=
finish
