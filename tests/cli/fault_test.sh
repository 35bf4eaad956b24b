#!/usr/bin/env bash
# Measures time. Faults on demand: each shows where it should, with its length, and every page says that it was injected.
#   fault_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
same_samples=$3
source "$(dirname "$0")/expectations.sh"
"$xrunlab" gen "$work/set" --tracks 3 -f S16_LE -d 2 -q
"$xrunlab" gen "$work/flac" --tracks 2 -f S16_LE -d 2 --container flac -q
set=$work/set

max_of() { # SECTION FILE: max_ns of a timer or histogram
  sed -n "/\"$1\": *{/,/\"max_ns\"/s/.*\"max_ns\": *\([0-9]*\).*/\1/p" "$2" | head -1
}
about() { # WHAT MS PERCENT NS
  local least=$(($2 * (100 - $3) * 10000)) most=$(($2 * (100 + $3) * 10000))
  [ "${4:-0}" -ge "$least" ] && [ "$4" -le "$most" ]
}
play() { # NAME OPTIONS…
  run "$xrunlab" play "$set" -q --json="$work/$1.json" "${@:2}"
  expect "$1: fault_injected" true "$(value_of fault_injected "$work/$1.json")"
}
# A hypervisor that stops the machine spoils a run, but not three in a row.
shows() { # NAME SECTION MS PERCENT OPTIONS…
  local name=$1 section=$2 ms=$3 percent=$4
  for _ in 1 2 3; do
    play "$name" "${@:5}"
    about "$name" "$ms" "$percent" "$(max_of "$section" "$work/$name.json")" && return
  done
  echo "FAILED: $name: max of $section is $(max_of "$section" "$work/$name.json") ns, wanted $ms ms within $percent %"
  failures=$((failures + 1))
}

# What is typed wrongly is told with what there is.
refused() { # TEXT REMEDY OPTIONS…
  run "$xrunlab" play "$set" "${@:3}"
  expect "play ${*:3}: exit code" 2 "$code"
  contains "play ${*:3}" "$1" "$err"
  contains "play ${*:3}: remedy" "$2" "$err"
  expect "play ${*:3}: stdout" "" "$out"
}
refused "there is no fault 'slow'" "read-delay, short-read, eio" --fault slow:at=1s
refused "there is no key 'colour'" "its keys are p or at, ms, track" --fault read-delay:at=1s,ms=5,colour=red
refused "when is missing" "as in read-delay:at=3s" --fault read-delay:ms=5
refused "there are 3 tracks" "the last one is 2" --fault eio:at=1s,track=3
refused "every file is raw PCM" "FLAC" --fault decoder-delay:at=1s,ms=5
refused "there is no reader" "leave out --no-ring" --no-ring --fault read-delay:at=1s,ms=5
refused "but there is no --fault" "add --fault" --fault-seed 3

# The disk: a late read is in io_latency and costs the ring its length; other tracks and the card see nothing.
shows read-delay io_latency 400 5 --periods 5 -d 1500ms --ring 1s --fault read-delay:at=400ms,ms=400,track=1
expect "read-delay: exit code" 1 "$code"
contains "read-delay: the line" "NO VERDICT" "$out"
contains "read-delay: the line" "a fault was injected (read-delay:at=400ms,ms=400,track=1)" "$out"
expect "read-delay: starvations" 0 "$(value_of starvation_episodes "$work/read-delay.json")"
contains "read-delay: the account" '{"spec":"read-delay:at=400ms,ms=400,track=1","count":1,"first_ns":4' "$(cat "$work/read-delay.json")"
expect "read-delay: seed" 1 "$(value_of fault_seed "$work/read-delay.json")"
# Longer than the ring it starves the play, in T1.
shows starving ring_read 400 25 --periods 5 -d 1800ms --ring 300ms --fault read-delay:at=400ms,ms=700
expect "starving: episodes" 1 "$(value_of starvation_episodes "$work/starving.json")"

# Short reads lose nothing, with either engine.
for io in uring pread; do
  play "short-$io" --io $io --io-size 64KiB --ring 4s -c 3 --map direct -D "sim:capture=$work/short.wav" --fault short-read:p=1
  [ "$(value_of short_reads "$work/short-$io.json")" -ge 6 ] || { echo "FAILED: few short reads with $io"; failures=$((failures + 1)); }
  said=$("$same_samples" "$work/short.wav" "$set"/*.wav 2>&1) || { echo "FAILED: short-$io: $said"; failures=$((failures + 1)); }
done

# An error ends the run with file, offset, and whose doing it was.
play eio --ring 500ms --fault eio:at=400ms,track=2
expect "eio: exit code" 4 "$code"
contains "eio: file and offset" "track-003.wav: could not be read at byte " "$err"
contains "eio: whose doing" "Input/output error, injected by --fault" "$err"
expect "eio: its end" input "$(value_of ended_by "$work/eio.json")"

# The playback thread: T3, not T1, also without a ring.
for ring in "--ring 1s" --no-ring; do
  # shellcheck disable=SC2086
  shows playback outside 60 25 --periods 5 -d 1 $ring --fault playback-delay:at=400ms,ms=60
  [ "$(max_of ring_read "$work/playback.json")" -lt 50000000 ] || { echo "FAILED: playback-delay shows in T1"; failures=$((failures + 1)); }
  expect "playback-delay: starvations" 0 "$(value_of starvation_episodes "$work/playback.json")"
done

# The reader and the decoder: the ring runs dry for what the delay is longer than it.
shows reader ring_read 400 25 --periods 5 -d 1800ms --ring 300ms --fault reader-delay:at=400ms,ms=700
expect "reader: episodes" 1 "$(value_of starvation_episodes "$work/reader.json")"
set=$work/flac
shows decoder ring_read 400 25 --periods 5 -d 1800ms --ring 300ms --fault decoder-delay:at=400ms,ms=700
expect "decoder: episodes" 1 "$(value_of starvation_episodes "$work/decoder.json")"
set=$work/set

# Every page.
marked() { contains "$1" "INJECTED" "$2"; }
fault=(--fault playback-delay:at=100ms,ms=5 -d 500ms)
run "$xrunlab" play "$set" "${fault[@]}" --status-interval 200ms --record "$work/trace"
marked "the summary" "$out"
marked "the live line" "$err"
run "$xrunlab" play "$set" "${fault[@]}" --classic --hist
expect "marks of --classic --hist" 2 "$(grep -c '^INJECTED' "$work/.out")"
run "$xrunlab" play "$set" "${fault[@]}" --json
contains "JSON" '"fault_injected": true' "$out"
contains "JSON: the line" "a fault was injected (playback-delay" "$err"
run "$xrunlab" trace "$work/trace"
contains "the CSV's head line" ",fault_injected" "$(head -1 "$work/.out")"
expect "lines of the CSV without a mark" 1 "$(grep -c -v ',1$' "$work/.out")" # the head line
contains "the trace, on stderr" "no measurement" "$err"
run "$xrunlab" play "$set" -d 500ms -D sim:stall=100ms+5ms
marked "a stalled card" "$out"
contains "a stalled card" "sim:stall=100ms+5ms (once, at 100 ms)" "$(tr -s '\n ' ' ' <"$work/.out")"
run "$xrunlab" play "$set" -d 500ms --fault eio:at=20s
contains "a fault that nothing met" "was not injected" "$out"
marked "a fault that nothing met" "$out"
run "$xrunlab" play "$set" -d 500ms
lacks "an ordinary run" "INJECTED" "$out"
run "$xrunlab" play "$set" --dry-run --fault eio:at=2s
contains "--dry-run" "fault    eio:at=2s" "$out"
finish
