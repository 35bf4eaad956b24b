#!/usr/bin/env bash
# The command line of `xrunlab gen`: gen_test.sh PATH_TO_XRUNLAB
set -u
xrunlab=$1
source "$(dirname "$0")/expectations.sh"

out=$("$xrunlab" gen "$work/set" --tracks 2 -r 44.1k -f s16_le -d 250ms --channels 2 --signal ramp 2>"$work/err")
expect "a plain run" 0 $?
expect "stderr of a run without a terminal" "" "$(cat "$work/err")"
contains "the summary" "2 tracks of 11025 frames (0.250 s), 44100 Hz, S16_LE, 2 channels each" "$out"
contains "the summary" "seed 1" "$out"
contains "the summary" "MB/s" "$out"
expect "the size of a track" 44144 "$(stat -c %s "$work/set/track-002.wav")"

err=$("$xrunlab" gen "$work/set" 2>&1 >/dev/null)
expect "a set in the way" 2 $?
contains "its remedy" "--force" "$err"
expect "quiet prints" "" "$("$xrunlab" gen "$work/set" --tracks 1 -d 0.1 --force -q 2>&1)"
expect "files left after overwriting" "track-001.wav xrunlab-set.json" "$(ls "$work/set" | xargs)"

contains "removal" "1 files removed" "$("$xrunlab" gen --remove "$work/set")"
expect "the directory made for the set" "" "$(ls "$work/set" 2>/dev/null)"
"$xrunlab" gen --remove "$work" 2>/dev/null
expect "no manifest" 4 $?

for bad in "-f S20" "-d soon" "--layout heap" "--signal hum" "--container mp3" "--tracks none" "--bogus" "--seed -1" "--seed 18446744073709551616" "--seed 1x" "-q -v"; do
  # shellcheck disable=SC2086
  "$xrunlab" gen "$work/bad" $bad >/dev/null 2>&1
  expect "gen $bad" 2 $?
done
expect "nothing made by bad usage" "" "$(ls "$work" | grep bad)"
touch "$work/file"
"$xrunlab" gen "$work/file" >/dev/null 2>&1
expect "a file as directory" 2 $?
"$xrunlab" gen -h >/dev/null
expect "help" 0 $?

(ulimit -Sn 128; "$xrunlab" gen "$work/many" --tracks 200 -d 10ms --layout interleaved -q)
expect "more files than the soft limit" 0 $?
"$xrunlab" gen --remove "$work/many" -q
err=$(ulimit -n 128; "$xrunlab" gen "$work/many" --tracks 200 -d 10ms --layout interleaved 2>&1)
expect "more files than the hard limit" 3 $?
contains "the number needed" "needs 264 open files" "$err"

# Long enough that the signal comes first; it is removed before it has grown.
"$xrunlab" gen "$work/long" --tracks 16 -d 1200 --layout interleaved --force >/dev/null 2>&1 &
pid=$!
for _ in $(seq 200); do
  [ -e "$work/long/.track-016.wav.xrunlab-part" ] && break
  sleep 0.05
done
kill -TERM "$pid"
wait "$pid"
expect "exit after SIGTERM" 143 $?
expect "left after SIGTERM" "err file" "$(ls -A "$work" | xargs)"

finish
