#!/usr/bin/env bash
# The options of `xrunlab play` that change what a run does, prints or exits with.
#   play_options_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
source "$(dirname "$0")/expectations.sh"
"$xrunlab" gen "$work/set" --tracks 3 -f S16_LE -d 3 -q
set=$work/set

for bad in "-c 0" "-f S20_LE" "--period-size none" "--periods 0" "--map sideways" "--gain loud" "--ring 2M" "--ring soon" \
  "--io aio" "--io-size 5s" "--queue-depth 0" "--direct maybe" "--cache lose" "-d soon" "-d 0" "-P f:100" "-P x:1" \
  "--reader-priority z" "--io-priority rt:9" "--affinity playback=4096" "--affinity nobody=0" "--dma-latency 1.5" \
  "--on-xrun panic" "--max-xruns -1" "--on-starve cry" "--bound soon" "--bogus" "--tracks 2" "--tracks none" \
  "--set 48k/24" "--no-rt -P f:70" "--sqpoll --io pread" "--ring 100 --io-size 256KiB" "-D sim:colour=red" "-D sim:stall=5"; do
  # shellcheck disable=SC2086
  run "$xrunlab" play "$set" $bad
  expect "play $bad: exit code" 2 "$code"
  [ -n "$err" ] || { echo "FAILED: play $bad says nothing"; failures=$((failures + 1)); }
  expect "play $bad: stdout" "" "$out"
done
# Two options of which one would undo the other: both are named.
while read -r first second; do
  # shellcheck disable=SC2086
  run "$xrunlab" play "$set" $second --dry-run $first
  expect "play $first $second: exit code" 2 "$code"
  contains "play $first $second" "${first%%=*}" "$err"
  contains "play $first $second" "${second%% *}" "$err"
done <<'END'
--no-ring --ring 5s
--no-ring --io-size auto
--no-ring --queue-depth 32
--no-ring --sqpoll
--no-ring --on-starve silence
--buffer-size=8192 --periods 4
--quiet --verbose
END
run "$xrunlab" play "$set" --no-ring --on-starve wait --buffer-size 8192 --dry-run
expect "what --no-ring and --buffer-size go with" 0 "$code"
# One that cannot act in this run.
while read -r text options; do
  # shellcheck disable=SC2086
  run "$xrunlab" play "$set" $options
  expect "play $options: exit code" 2 "$code"
  contains "play $options" "$text" "$err"
done <<'END'
unpaced -D null --on-xrun stop
unpaced -D plug:null --on-xrun stop
unpaced -D null --max-xruns 3
decoded --affinity decoder=0
--no-ring --affinity reader=0 --no-ring
END
run "$xrunlab" play "$set" -D no-such-card
expect "a card that is not there" 5 "$code"
contains "its remedy" "aplay -L" "$err"
run "$xrunlab" play "$set" -D sim:channels=2 -c 4
expect "more channels than the card has" 5 "$code"
run "$xrunlab" play "$set" -D sim:rate=96000
expect "another rate than the card has" 5 "$code"
contains "what that card has" "periods of 1 " "$err"
run "$xrunlab" play "$set" --map direct -c 2
expect "fewer card channels than the files have: exit code" 2 "$code"
contains "its remedy" "give -c 3" "$err"

# What is asked for is checked, but nothing is played or written.
run "$xrunlab" play "$set" --dry-run --json="$work/dry.json" --record "$work/dry.trace" -D "sim:capture=$work/dry.wav"
expect "--dry-run: exit code" 0 "$code"
contains "--dry-run" "nothing was played" "$out"
contains "--dry-run" "ring     " "$out"
expect "--dry-run: files written" "" "$(ls "$work" | grep dry)"
run "$xrunlab" play --tracks 4 --dry-run --in "$work"
contains "--dry-run of a set" "nothing was written" "$out"
contains "--dry-run of a set" "ring     " "$out"
expect "--dry-run of a set: files written" "" "$(ls "$work" | grep xrunlab-)"
# ... and all that a run would refuse is refused.
dry_refused() { # CODE NEEDLE OPTIONS...
  local wanted=$1 needle=$2
  shift 2
  run "$xrunlab" play --dry-run "$@"
  expect "--dry-run $*: exit code" "$wanted" "$code"
  contains "--dry-run $*" "$needle" "$err"
  expect "--dry-run $*: stdout" "" "$out"
}
for what in "$set" "--tracks 2"; do
  # shellcheck disable=SC2086
  {
    dry_refused 2 "no such CPU" $what --affinity playback=4096
    dry_refused 2 "--status-interval" $what --status-interval soon
    dry_refused 3 "none/run.json" $what --json="$work/none/run.json"
    dry_refused 3 "--record" $what --record "$work/none/trace"
    dry_refused 5 "capture=" $what -D "sim:capture=$work/none/c.wav"
    dry_refused 5 "no-such-card" $what -D no-such-card
    dry_refused 2 "blocks" $what --ring 100 --io-size 256KiB
    dry_refused 2 "--map direct" $what --map direct -c 1
  }
done
dry_refused 3 "--in DIR" --tracks 2 --in "$work/none"
dry_refused 3 "--in DIR" --tracks 2 --in "$set/track-001.wav"
dry_refused 3 "free" --tracks 1000 --set 48k/32/16 -d 20m --in "$work"

# The program itself.
run "$xrunlab" foo
expect "a command that is not there: exit code" 2 "$code"
contains "a command that is not there" "'foo' is unknown" "$err"
run "$xrunlab" --bogus
expect "an option that is not there: exit code" 2 "$code"
contains "an option that is not there" "'--bogus' is unknown" "$err"
run "$xrunlab" play --bogus "$set"
contains "an option that play does not have" "--bogus" "$err"
contains "an option that play does not have: the remedy" "xrunlab play --help" "$err"
run "$xrunlab"
expect "no command: exit code" 2 "$code"
contains "no command" "the commands are" "$err"
expect "no command: stdout" "" "$out"
for flag in --help -h --version; do
  run "$xrunlab" "$flag"
  expect "$flag: exit code" 0 "$code"
  contains "$flag" "xrunlab" "$out"
  expect "$flag: stderr" "" "$err"
done
for command in "" play gen inspect trace; do
  # shellcheck disable=SC2086
  run "$xrunlab" $command --help
  expect "$command --help: lines of more than 80 columns" "" "$(LC_ALL=C.UTF-8 grep -E '^.{81}' "$work/.out")"
done

# Runs side by side; each result is looked at below.
play() { # NAME OPTIONS…
  local name=$1 code=0
  shift
  timeout -k 5 30 "$xrunlab" play "$set" "$@" >"$work/$name.out" 2>"$work/$name.err" || code=$?
  echo "$code" >"$work/$name.code"
}
code_of() { cat "$work/$1.code"; }
play classic -d 1 --classic &
play hist -d 1 --hist &
play json -d 1 --json &
play redact -d 1 --redact --json="$work/redact.json" &
play quiet -d 1 -q &
play status -d 1500ms --status-interval 500ms &
play loop --loop -d 3500ms -q --json="$work/loop.json" --ring 500ms &
play null -D null -q &
play trace -d 1 -q --record "$work/trace" &
wait
# A looped file that is shorter than a block, or than a fragment: the ring is as long as asked, and hardly used.
for frames in 100 1000; do
  "$xrunlab" gen "$work/short-$frames" --tracks 2 -d "$((frames * 1000000 / 44100 - 1))us" -q
  "$xrunlab" play "$work/short-$frames" --loop -d 2 --buffer-size 8192 -q --json="$work/short.json" >/dev/null
  ring=$(sed -n '/"ring": *{/,/}/s/.*"frames": *\([0-9]*\).*/\1/p' "$work/short.json" | head -1)
  needed=$(value_of ring_needed_frames "$work/short.json")
  [ "$ring" -ge 220500 ] || { echo "FAILED: looping $frames frames: a ring of $ring"; failures=$((failures + 1)); }
  [ "$needed" -le $((ring / 2)) ] ||
    { echo "FAILED: looping $frames frames: needed $needed of $ring"; failures=$((failures + 1)); }
done
cut_numbers() { sed 's/[0-9][0-9.]*sec/Nsec/; s/: [0-9][0-9.]*/: N/'; }
block='Number of events: N
Events over bound: N (Nsec)
Events under bound: N (Nsec)
Min duration in seconds: N
Max duration in seconds: N
Average duration in seconds: N'
expect "--classic" "Timer-1:
$block

Timer-2:
$block

Timer-3:
$block" "$(cut_numbers <"$work/classic.out")"
contains "--classic: the bound" "(0.02321900sec)" "$(cat "$work/classic.out")"
contains "--hist" "T2" "$(cat "$work/hist.out")"
expect "--json: first and last letter" "{}" "$(head -c 1 "$work/json.out")$(tail -n 1 "$work/json.out")"
expect "-q: lines" 1 "$(wc -l <"$work/quiet.out")"
lacks "--redact: paths" "$work" "$(cat "$work/redact.json")"
lacks "--redact: host" "\"$(uname -n)\"" "$(cat "$work/redact.json")"
expect "--status-interval: lines" yes "$([ "$(wc -l <"$work/status.err")" -ge 2 ] && echo yes)"
expect "--loop: complete" true "$(value_of complete "$work/loop.json")"
expect "--loop -d: frames" 154350 "$(value_of frames_played "$work/loop.json")"
expect "-D null: exit code" 0 "$(code_of null)"
contains "-D null" "THROUGHPUT" "$(cat "$work/null.out")"
contains "the trace as CSV" "," "$("$xrunlab" trace "$work/trace" --to csv | head -3)"
cat "$work/trace" "$work/trace" >"$work/two"
run "$xrunlab" trace "$work/two" --to csv
expect "two traces in one file: exit code" 4 "$code"
contains "two traces in one file" "but the file goes on behind it" "$err"
expect "the first one's events" "$("$xrunlab" trace "$work/trace" --to csv | cksum)" "$(cksum <"$work/.out")"

# Xruns, made by stopping the program until the card has run dry.
stopped() { # NAME OPTIONS…
  local name=$1
  shift
  "$xrunlab" play "$set" -q --json="$work/$name.json" "$@" >"$work/$name.out" 2>"$work/$name.err" &
  local pid=$!
  sleep 1
  kill -STOP $pid
  sleep 0.4
  kill -CONT $pid
  local code=0
  wait $pid || code=$?
  echo "$code" >"$work/$name.code"
}
stopped xrun-stop --on-xrun stop &
stopped xrun-fails --periods 5 &
stopped xrun-allowed --max-xruns 1000 &
wait
expect "--on-xrun stop: ended by" xrun "$(value_of ended_by "$work/xrun-stop.json")"
expect "--on-xrun stop: exit code" 1 "$(code_of xrun-stop)"
contains "xruns over the limit" "FAIL" "$(cat "$work/xrun-fails.out")"
expect "xruns over the limit: exit code" 1 "$(code_of xrun-fails)"
lacks "--max-xruns 1000" "FAIL" "$(cat "$work/xrun-allowed.out")"

# --strict: each fallback is an error of its kind.
run "$xrunlab" play "$set" -q -d 500ms --ring 1KiB
contains "a ring that is too small" "xrunlab: warning: asked for a ring of 170 frames a track, the least is 8192 (4 reads" "$err"
run "$xrunlab" play "$set" --strict --ring 1KiB
expect "--strict, a ring that is too small: exit code" 3 "$code"
run "$xrunlab" play "$set" --dry-run --ring 8192
lacks "the least ring" "asked for a ring" "$out$err"
run "$xrunlab" play "$set" --strict -D sim:period=1000 --period-size 1024
expect "--strict, another period: exit code" 5 "$code"
contains "--strict names the way out" "--strict" "$err"
run "$xrunlab" play "$set" -q -d 500ms -D sim:period=1000 --period-size 1024
contains "-q, another period" "xrunlab: warning: asked for a period of 1024 frames" "$err"
expect "-q, another period: lines on stdout" 1 "$(wc -l <"$work/.out")"
run bash -c "ulimit -r 0; exec setpriv --reuid=65534 --regid=65534 --clear-groups true"
if [ "$code" = 0 ]; then
  chmod 755 "$work"
  cp "$xrunlab" "$work/program"
  user=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all)
  run bash -c "ulimit -r 0; exec ${user[*]} '$work/program' play '$set' --strict -d 1 --cache keep --no-mlock"
  expect "--strict, no real-time rights: exit code" 3 "$code"
  run bash -c "ulimit -r 0; exec ${user[*]} '$work/program' play '$set' -d 500ms -q"
  expect "the same without --strict goes on" 1 "$code"
  run bash -c "ulimit -l 64; exec ${user[*]} '$work/program' play '$set' --strict -d 1 --no-rt"
  expect "--strict, a small memlock limit: exit code" 3 "$code"
fi
head -c 200000 "$set/track-001.wav" >"$work/short.wav"
run "$xrunlab" play "$work/short.wav" --strict
expect "--strict, a file shorter than its header: exit code" 4 "$code"
run "$xrunlab" play "$work/short.wav" -q -d 500ms
expect "the same without --strict plays" 1 "$code"

# Filling a card's buffer that is larger than the rings starves nobody: nothing is heard yet.
run "$xrunlab" play "$set" -q --loop -d 1 --cache keep --buffer-size 400000 --ring 8000 --json="$work/filling.json"
expect "starvations while the card is filled" 0 "$(value_of starvation_episodes "$work/filling.json")"

# What cannot take effect is refused.
for pair in "--no-ring --io uring" "--no-ring --reader-priority f:5" "--io pread --queue-depth 64" "--load-seed 3"; do
  # shellcheck disable=SC2086
  run "$xrunlab" play "$set" --dry-run $pair
  expect "$pair: exit code" 2 "$code"
done

# Links: to what has no path, and to what is not there yet.
expect "--json to a pipe by its link" "run/1" "$("$xrunlab" play "$set" -q -d 300ms -D null --json=/dev/stdout | grep -oE 'run/1')"
ln -s later.json "$work/link.json"
run "$xrunlab" play "$set" -q -d 300ms -D null --json="$work/link.json"
expect "--json to a link that leads nowhere yet: exit code" 0 "$code"
contains "the file that it names" "run/1" "$(cat "$work/later.json")"
finish
