#!/usr/bin/env bash
# A run that starved is recorded; its replays starve in the same way, on no disk at all.
#   replay_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
source "$(dirname "$0")/expectations.sh"
needs python3
"$xrunlab" gen "$work/set" --tracks 4 -f S16_LE -d 5 -q

# The longest episode: kind, cause, track, ms.
longest() { # FILE
  python3 - "$1" <<'PYTHON'
import json, sys
episodes = json.load(open(sys.argv[1]))["episodes"]
episodes.sort(key=lambda episode: episode["duration_ns"])
for episode in episodes[-1:]:
    print(episode["kind"], episode["cause"], episode["evidence"]["track"], episode["duration_ns"] // 1000000)
PYTHON
}
# A machine that was stopped meanwhile spoils a run, so it is recorded up to three times.
for _ in 1 2 3; do
  rm -f "$work/run.json"
  run "$xrunlab" play -q "$work/set" --ring 300ms --fault read-delay:at=1s,ms=700,track=2 -d 3s --buffer-size 4096 \
    --record "$work/run.trace" --json="$work/run.json"
  read -r kind cause track ms < <(longest "$work/run.json")
  [ "${kind:-} ${cause:-} ${track:-}" = "starvation disk 2" ] && break
done
expect "the recorded run" "starvation disk 2" "${kind:-none} ${cause:-} ${track:-}"
same_episode() { # WHAT FILE
  local got got_ms
  read -r got got_ms < <(longest "$2" | awk '{ print $1 "-" $2 "-" $3, $4 }')
  expect "$1" "$kind-$cause-$track" "$got"
  [ $((got_ms - ms)) -le 24 ] && [ $((ms - got_ms)) -le 24 ]
  expect "$1, within a fragment of ${ms} ms: ${got_ms}" 0 $?
}

# Fragments, and the longest T1.
takes_of() { # FILE
  python3 -c 'import json,sys; run=json.load(open(sys.argv[1]))
print(run["counters"]["fragments"], run["timers"]["ring_read"]["max_ns"])' "$1"
}

run "$xrunlab" replay "$work/run.trace" --virtual -q --json="$work/first.json"
expect "a starvation is a broken limit" 1 "$code"
contains "it is no measurement" "NO VERDICT" "$out"
contains "of what" "a replay of run.trace is no measurement" "$out"
run "$xrunlab" replay "$work/run.trace" --virtual -q --json="$work/second.json"
cmp "$work/first.json" "$work/second.json"
expect "two replays in virtual time" 0 $?
same_episode "in virtual time" "$work/first.json"
expect "its kind" replay "$(value_of kind "$work/first.json")"

run "$xrunlab" replay "$work/run.trace" --virtual
contains "its playback" "playback    in virtual time, memory locked" "$out"

# Whatever else delayed the recorded run, a card that fell dry for one, is played again too.
run "$xrunlab" replay "$work/run.trace" --virtual -q --ring 2s --json="$work/larger.json"
expect "with a larger ring nothing starves" 0 "$(value_of starvation_episodes "$work/larger.json")"
for _ in 1 2 3; do
  run "$xrunlab" replay "$work/run.trace" -q --json="$work/real.json"
  [ "$(longest "$work/real.json" | cut -d' ' -f1-3)" = "starvation disk 2" ] && break
done
same_episode "in real time" "$work/real.json"

run "$xrunlab" what-if "$work/run.trace" --ring 100ms..2s --json="$work/what-if.json"
expect "what-if finds a ring" 0 "$code"
contains "and says so" "smallest ring that does not starve" "$out"
contains "and what it assumes" "each read takes as long as it took in the record" "$out"
safe=$(python3 -c 'import json,sys
d=json.load(open(sys.argv[1])); print(d["smallest_safe"][0]["ring_frames"] * 1000 // d["rate_hz"])' "$work/what-if.json")
[ "$safe" -ge 600 ] && [ "$safe" -le 1500 ]
expect "about as long as the read took: $safe ms" 0 $?
run "$xrunlab" what-if "$work/run.trace" --ring 100ms..300ms --period-size 256,1024
expect "none in the range" 1 "$code"
contains "is said" "no ring up to the largest would have been enough, period 256" "$out"

run "$xrunlab" repro "$work/run.trace" -o "$work/case"
expect "repro" 0 "$code"
contains "what it shows" "played again   starvation of" "$out"
expect "what is in it" "README.txt record.trace run.json" "$(cd "$work/case" && echo *)"
run "$xrunlab" replay "$work/case/record.trace" --virtual -q --json="$work/case.json"
same_episode "the case" "$work/case.json"
lacks "its names" "track-003.wav" "$(cat "$work/case/run.json")"
contains "are numbers" '"track-003"' "$(cat "$work/case/run.json")"
run "$xrunlab" repro "$work/run.trace" -o "$work/case"
expect "a directory that is there" 2 "$code"
run "$xrunlab" repro "$work/run.trace" -o "$work/named" --keep-names
contains "names that are kept" '"track-003.wav"' "$(cat "$work/named/run.json")"

# A card that holds more than the ring: what a replay fills it with at once took half a second in the record.
for _ in 1 2 3; do
  rm -rf "$work/large.trace" "$work/large-case"
  run "$xrunlab" play -q "$work/set" --ring 300ms --fault read-delay:at=2s,ms=900,track=2 --buffer-size 24000 --record "$work/large.trace"
  run "$xrunlab" repro "$work/large.trace" -o "$work/large-case"
  [ "$code" = 0 ] && break
done
contains "a case with a large card buffer" "played again   starvation of" "$out"
run "$xrunlab" what-if "$work/run.trace" --ring 1s..1s --period-size 4096 --buffer-size 128
contains "the card buffer that was granted" "period 4096, card buffer 8192" "$out"

run "$xrunlab" replay "$work/run.trace" --cache evict
expect "an option of the disk" 2 "$code"
run "$xrunlab" replay "$work/run.json" --virtual
expect "no trace" 4 "$code"
contains "is told in a line" "not a trace file of xrunlab" "$err"
run "$xrunlab" play -q "$work/set" --no-ring -d 600ms --buffer-size 8192 --record "$work/no-ring.trace" \
  --json="$work/no-ring.json"
run "$xrunlab" replay "$work/no-ring.trace" --virtual -q --json="$work/no-ring-again.json"
expect "a record without a ring: fragments and longest read" "$(takes_of "$work/no-ring.json")" \
  "$(takes_of "$work/no-ring-again.json")"
run "$xrunlab" replay "$work/no-ring.trace" --virtual --ring 1s
expect "it gets no ring" 2 "$code"
contains "for a reason" "recorded with --no-ring" "$err"
run "$xrunlab" what-if "$work/no-ring.trace"
expect "nor another one" 4 "$code"
# The decoder was held up: so it is again, in virtual time, in real time and in the case that is cut out.
"$xrunlab" gen "$work/coded" --tracks 2 --container flac -f S16_LE -d 3 -q
for _ in 1 2 3; do
  rm -f "$work/run.json"
  run "$xrunlab" play -q "$work/coded" --ring 300ms --fault decoder-delay:at=800ms,ms=700 -d 2s --buffer-size 4096 \
    --record "$work/coded.trace" --json="$work/run.json"
  read -r kind cause track ms < <(longest "$work/run.json")
  [ "${kind:-} ${cause:-}" = "starvation decoder" ] && break
done
expect "the recorded run of coded tracks" "starvation decoder" "${kind:-none} ${cause:-}"
run "$xrunlab" replay "$work/coded.trace" --virtual -q --json="$work/first.json"
same_episode "coded tracks in virtual time" "$work/first.json"
run "$xrunlab" replay "$work/coded.trace" --virtual -q --json="$work/second.json"
cmp "$work/first.json" "$work/second.json"
expect "two replays of coded tracks" 0 $?
for _ in 1 2 3; do
  run "$xrunlab" replay "$work/coded.trace" -q --json="$work/real.json"
  [ "$(longest "$work/real.json" | cut -d' ' -f1-3)" = "starvation decoder $track" ] && break
done
same_episode "coded tracks in real time" "$work/real.json"
run "$xrunlab" repro "$work/coded.trace" -o "$work/coded-case"
expect "a case of coded tracks" 0 "$code"
run "$xrunlab" what-if "$work/coded.trace" --ring 100ms..2s
expect "another ring for coded tracks" 0 "$code"
run "$xrunlab" play -q "$work/set" -D null -d 300ms --record "$work/null.trace"
run "$xrunlab" replay "$work/null.trace" --virtual
expect "a record of an unpaced card" 4 "$code"
contains "has nothing late in it" "nothing in it could be late" "$err"
head -c 3000 "$work/run.trace" >"$work/cut.trace"
run "$xrunlab" replay "$work/cut.trace" --virtual -q
contains "a cut record" "cut off at byte" "$err"
run "$xrunlab" repro "$work/cut.trace" -o "$work/cut"
expect "a case of a cut record" 4 "$code"
contains "is not said to be sound" "the record is cut off before its episodes were written" "$err"
finish
