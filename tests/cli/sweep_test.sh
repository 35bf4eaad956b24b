#!/usr/bin/env bash
# `xrunlab sweep`: plan, runs, what is recorded, going on after a signal, failures.
#   sweep_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
source "$(dirname "$0")/expectations.sh"
export XDG_STATE_HOME=$work/state
"$xrunlab" gen "$work/set" --tracks 2 -f S16_LE -d 4 -q
cd "$work" || exit 1
short=(set -d 300ms --ring 1s)

files() { # DIR: names of what is in it, hidden ones too
  (cd "$1" && find . -mindepth 1 | sed 's|^\./||' | sort | tr '\n' ' ')
}
experiment_of() { # FILE: the experiment's part on one line
  tr -d '\n ' <"$1" | sed 's/.*"experiment"://'
}

# Wrong use is refused before anything is made.
while IFS='|' read -r arguments needle; do
  # shellcheck disable=SC2086
  run "$xrunlab" sweep -o out $arguments
  expect "$arguments: exit code" 2 "$code"
  contains "$arguments" "$needle" "$err"
  expect "$arguments: stdout" "" "$out"
done <<'END'
--vary ring -- set|ring has no value
--vary ring=1s,,2s -- set|ring has an empty value
--vary ring=1s,1s -- set|the value 1s twice
--vary ring=1s --fix ring=2s -- set|ring is there twice
--vary rang=1s -- set|'rang' is no setting and no option of play
--vary json=a,b -- set|'json' of play cannot be varied
--vary ring=1s -- set --load bogus|--load
--vary load=none,read:.,rate=1MB -- set|separated by semicolons
--vary ring=1s,2s -- set --ring 3s|ring is varied or fixed, and given behind -- too
--vary input=a,b -- set|input is varied or fixed
--vary no-ring=on,maybe -- set|no-ring is on or off
--vary ring=1s -- set --json=x|--json of play cannot be given
--vary ring=1s -- set --record x|--record of play cannot be given
--vary ring=1s -- set --loop|never end
--vary ring=2M,1s -- set|ring=2M: --ring
--vary ring=1s|nothing to play
-n 0 -- set|-n: 0 is not from 1
--cooldown -1 -- set|--cooldown: '-1' is negative (give 0 or more)
--vary ring=1s,2s,1000ms -- set|ring=1s and ring=1000ms are the same
--vary io-size=64KiB,65536 -- set|io-size=64KiB and io-size=65536 are the same
--only 9 -n 1 -- set|there is no run 9
--only 1 --dry-run -- set|contradict
--resume --seed 3|stands in its sweep.json
--vary ring=1s,2s -- set --bogus|--bogus
END
run "$xrunlab" sweep -o out -- none
expect "a set that is not there: exit code" 4 "$code"
run "$xrunlab" sweep -n 1 -o deep/er/est --dry-run -- set
expect "a directory in none: exit code" 3 "$code"
contains "a directory in none" "(mkdir -p 'deep/er')" "$err"
run "$xrunlab" sweep -n 1 -o "" -- set
contains "a directory without a name" "--output has an empty value" "$err"
run "$xrunlab" sweep -n 1 -o out --dry-run -- set --help
contains "help of play" "--help of play cannot be given" "$err"
run "$xrunlab" sweep -n 1 -o out --dry-run -- set -d 300ms
contains "runs that can have no verdict" "no run can get a verdict" "$err"
run "$xrunlab" sweep --resume -o none
expect "no sweep to go on with: exit code" 4 "$code"
run "$xrunlab" sweep -o out --dry-run -- set --load read:/nope
expect "a load of a directory that is not there: exit code" 3 "$code"
contains "a load of a directory that is not there" "/nope: No such file" "$err"
expect "nothing was made" set "$(ls)"

# A dry run: the commands alone on stdout, which make the same sweep wherever they are run.
plan=(--vary ring=1s,2s --fix io=pread -n 2 --warmup 1 --cooldown 10ms --prepare 'echo "it'\''s" >>prepared' -o "it's")
run "$xrunlab" sweep "${plan[@]}" --dry-run -- set -d 300ms
expect "a dry run: exit code" 0 "$code"
expect "a dry run: commands" 6 "$(grep -c "^xrunlab sweep --only [1-6] " <<<"$out")"
contains "a dry run: what it will take" "2 combinations x 2 runs and 1 warm-up, 300 ms each and 10" "$err"
expect "a dry run makes nothing" no "$([ -e "it's" ] && echo yes || echo no)"
# In any order.
(tac <<<"$out" | sed "s|^xrunlab|$xrunlab|") >commands
run bash -e commands
expect "the commands: exit code" 0 "$code"
expect "the commands: files" "run-003.json run-004.json run-005.json run-006.json sweep.json warm-up-001.json warm-up-002.json " \
  "$(files "it's")"
expect "the commands: one sweep" 1 "$(cat "it's"/*-00?.json | grep -o '"sweep_id": *"[0-9a-f]*"' | sort -u | wc -l)"
expect "each block has both" "0:0 0:1 1:0 1:1 " "$(for file in "it's"/run-*; do
  experiment_of "$file" | sed 's/.*"block":\([0-9]*\),"combination":\([0-9]*\).*/\1:\2\n/'
done | sort | tr '\n' ' ')"
expect "--prepare before each run" 6 "$(grep -c "it's" prepared)"
run bash -e <(head -1 commands)
expect "a run that is there: exit code" 2 "$code"
contains "a run that is there" "is there already" "$err"

# A whole sweep of options of play.
run "$xrunlab" sweep --vary ring=1s,2s --vary no-fixed-buffers=off,on -n 1 --warmup 0 --cooldown 10ms --seed 7 -o whole -- \
  set -d 300ms --buffer-size 8192
expect "a sweep: exit code" 0 "$code"
expect "a sweep: runs" 4 "$(find whole -name 'run-*.json' | wc -l)"
contains "a sweep: progress" "4/4 block 1: ring=" "$err"
contains "a sweep: time left" "left" "$err"
for file in whole/run-*.json; do
  about=$(experiment_of "$file")
  expect "$file: planned" 1 "$(sed 's/.*"planned_runs":\([0-9]*\).*/\1/' <<<"$about")"
  wanted=$(sed 's/.*"key":"ring","value":"\([0-9]\)s".*/\1/' <<<"$about")
  frames=$(value_of frames <(sed -n '/"ring": {/,/}/p' "$file"))
  [ $((frames / 44100)) -ge "$wanted" ] && [ $((frames / 44100)) -lt $((wanted + 1)) ] ||
    expect "$file: its ring of ${wanted}s" "$((wanted * 44100))" "$frames"
  fixed=$(grep -c '"fixed_buffers": true' "$file")
  contains "$file: fixed buffers" "\"value\":\"$([ "$fixed" = 1 ] && echo off || echo on)\"" "$about"
  expect "$file: its command" 1 "$(grep -c '"xrunlab","play","--ring=' <(tr -d ' ' <"$file"))"
done
run "$xrunlab" sweep -n 1 -o whole -- "${short[@]}"
expect "where a sweep is: exit code" 2 "$code"
contains "where a sweep is" "--resume" "$err"
run "$xrunlab" sweep -n 1 -o whole --dry-run -- "${short[@]}"
expect "a dry run where a sweep is: exit code" 2 "$code"
run "$xrunlab" sweep -n 1 -o set -- "${short[@]}"
expect "a directory that is not empty: exit code" 2 "$code"

# At the end comes the table of compare, alone on stdout; -q leaves only that and warnings.
run "$xrunlab" sweep --vary ring=1s,2s -n 2 --warmup 1 --cooldown 0 -q -o table -- set -D null --cache keep
expect "the table: exit code" 0 "$code"
contains "the table" "4 runs by ring, baseline 1s" "$out"
expect "the table: stderr" "" "$err"
expect "the table: stdout" "$("$xrunlab" compare table)" "$out"

# Done, there is nothing to go on with; more runs are exploratory, and nothing is touched.
before=$(cat whole/run-*.json | cksum)
run "$xrunlab" sweep --resume -o whole
expect "nothing left: exit code" 0 "$code"
run "$xrunlab" sweep --resume -n 2 -o whole
expect "more runs: exit code" 0 "$code"
expect "more runs: files" 8 "$(find whole -name 'run-*.json' | wc -l)"
contains "more runs" "block 2, exploratory" "$err"
expect "the earlier runs" "$before" "$(cat whole/run-00[1-4].json | cksum)"
contains "a run beyond the plan" '"block":1,' "$(experiment_of whole/run-005.json)"

run "$xrunlab" sweep --resume -n 1 -o whole
contains "fewer runs than there are" "-n 1 is passed over: 2 runs are planned already" "$err"
run "$xrunlab" sweep --resume -n 20000 -o whole
expect "more runs than can be: exit code" 2 "$code"

# Each signal ends it in the middle; what is recorded stays, the rest is made later, each run once.
for signal in TERM HUP INT; do
  rm -rf cut
  "$xrunlab" sweep --vary ring=1s,2s -n 3 --warmup 1 --cooldown 100ms -o cut -- set -d 500ms >cut.out 2>cut.err &
  pid=$!
  for _ in $(seq 600); do [ "$(find cut -name '*-0*.json' 2>/dev/null | wc -l)" -ge 2 ] && break; sleep 0.05; done
  kill -$signal $pid
  code=0
  wait $pid || code=$?
  expect "SIG$signal: exit code" $((128 + $(kill -l $signal))) "$code"
  contains "SIG$signal: how to go on" "xrunlab sweep --resume -o 'cut' goes on with it" "$(cat cut.err)"
  expect "SIG$signal: leftovers" "" "$(find cut -name '.*' -type f)"
  recorded=$(find cut -name '*-0*.json' | sort)
  count=$(wc -l <<<"$recorded")
  [ "$count" -ge 2 ] && [ "$count" -lt 8 ] || expect "SIG$signal: recorded in the middle" "2 to 7" "$count"
  expect "SIG$signal: only whole runs" "$count" "$(xargs grep -l '"complete": true' <<<"$recorded" | wc -l)"
  # shellcheck disable=SC2086
  before=$(cat $recorded | cksum)
  if [ $signal = TERM ]; then
    run "$xrunlab" sweep --resume --dry-run -o cut
    expect "what is left" $((8 - count)) "$(wc -l <<<"$out")"
    run "$xrunlab" sweep --resume -q -o cut
    expect "going on: exit code" 0 "$code"
    expect "going on: files" 8 "$(find cut -name '*-0*.json' | wc -l)"
    # shellcheck disable=SC2086
    expect "going on: the earlier runs" "$before" "$(cat $recorded | cksum)"
  fi
done

# While one makes it another must not.
"$xrunlab" sweep -n 50 --warmup 0 --cooldown 10s -o held -- "${short[@]}" >/dev/null 2>&1 &
pid=$!
for _ in $(seq 100); do [ -e held/run-001.json ] && break; sleep 0.1; done
run "$xrunlab" sweep --resume -o held
expect "two at once: exit code" 2 "$code"
contains "two at once" "another process" "$err"
# kill -9 takes the run that goes on with it.
kill -9 $pid
wait $pid 2>/dev/null
for _ in $(seq 50); do
  left=$(pgrep -f -- "--json=held/" | wc -l)
  [ "$left" = 0 ] && break
  sleep 0.1
done
expect "kill -9: processes left" 0 "$left"

# A run that fails ends it with its exit code, and is told; later it is made again.
mkdir gone
cp set/track-001.wav gone/
run "$xrunlab" sweep --vary ring=1s,2s -n 2 --warmup 0 --cooldown 10ms --prepare '[ ! -e run ] || : >gone/track-001.wav; : >run' \
  -o failed -- gone -d 300ms
expect "a failed run: exit code" 4 "$code"
contains "a failed run" "run 2 (ring=" "$err"
contains "a failed run" "--resume -o 'failed'" "$err"
contains "what is kept of it" "exit code: 4" "$(cat failed/run-002.failed-1.txt)"
expect "what is recorded" "run-001.json run-002.failed-1.txt sweep.json " "$(files failed)"
cp set/track-001.wav gone/
rm run
run "$xrunlab" sweep --resume -o failed
expect "failing again: exit code" 4 "$code"
run "$xrunlab" sweep -n 1 --warmup 0 --prepare 'exit 9' -o unprepared -- "${short[@]}"
expect "a command that fails: exit code" 3 "$code"
contains "a command that fails" "run 1 (as it is): --prepare failed with exit code 9" "$err"

# Warnings that come with every run come once.
run "$xrunlab" sweep -n 3 --warmup 0 --cooldown 0 -o warned -- "${short[@]}" -P f:98
expect "each warning once" "" "$(grep warning <<<"$err" | sort | uniq -d)"
finish
