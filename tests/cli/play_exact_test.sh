#!/usr/bin/env bash
# What the card accepts is what stands in the files, sample for sample, whatever happens meanwhile. After an xrun a
# card has lost what it had not played, but every frame is given to it once, in order: that is what the capture shows.
#   play_exact_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
stall_fs=$2
same_samples=$3
source "$(dirname "$0")/expectations.sh"

gen() { # DIRECTORY OPTIONS…
  "$xrunlab" gen "$work/$1" --tracks 1 -q "${@:2}"
}
# Integers of all widths, in several containers, 9 channels; lengths differ and are no multiples of a fragment.
gen a -f U8 -d 1.3 --channels 1 --signal ramp
gen b -f S16_LE -d 2.1 --channels 2 --container rf64 --signal ramp
gen c -f S24_3LE -d 1.9 --channels 3 --container w64 --signal ramp
gen d -f S32_LE -d 1.7 --channels 2 --container aiff --signal ramp
gen e -f S32_LE -d 2.0 --channels 1 --signal noise
gen f -f FLOAT_LE -d 2.1 --channels 2 --container wav --signal ramp
gen g -f U8 -d 0.9 --channels 3 --container aiff --signal ramp
integers=$work/[a-e]/track-001.*
all=$work/[a-g]/track-001.*

same() { # WHAT OPTIONS-OF-SAME_SAMPLES CAPTURE SOURCES…
  local what=$1
  shift
  local said
  said=$("$same_samples" "$@" 2>&1) || { echo "FAILED: $what: $said"; failures=$((failures + 1)); }
}

play() { # NAME OPTIONS…; an exit code above 1 is no verdict of a short run
  code=0
  timeout -k 5 30 "$xrunlab" play -q -c 10 --map direct -D "sim:capture=$work/$1.wav" "${@:2}" \
    >"$work/$1.out" 2>&1 || code=$?
  [ "$code" -le 1 ] || { echo "FAILED: $1: exit code $code: $(cat "$work/$1.out")"; failures=$((failures + 1)); }
}

# The plain ways through the disk path, side by side.
play ring $integers --json="$work/ring.json" &
play small-ring $integers --ring 20000 --io-size 4KiB --period-size 300 --fragment 700 --periods 16 &
play no-ring $integers --no-ring &
play pread $integers --io pread --direct off --cache keep --ring 300ms &
play packed $integers -f S24_3LE &
wait
for name in ring small-ring no-ring pread; do same "$name" "$work/$name.wav" $integers; done
expect "the path of 32-bit integers" int32 "$(value_of samples "$work/ring.json")"

timeout 30 "$xrunlab" play -q -c 14 --map direct -D "sim:capture=$work/float.wav" $all --json="$work/float.json" >/dev/null
same "through floats" --float "$work/float.wav" $all
expect "the path of mixed formats" float32 "$(value_of samples "$work/float.json")"

# Narrow sources are exact on a narrower card, too.
timeout 30 "$xrunlab" play -q -c 3 --map direct -f S16_LE -D "sim:capture=$work/narrow.wav" "$work"/[ab]/track* >/dev/null
same "16 bits" "$work/narrow.wav" "$work/a/track-001.wav" "$work"/b/track-001.*

# The decoder gives the same samples as the raw file of the same seed.
gen flac -f S24_3LE -d 1.5 --channels 2 --container flac
gen raw -f S24_3LE -d 1.5 --channels 2
timeout 30 "$xrunlab" play -q -c 2 --map direct -D "sim:capture=$work/decoded.wav" "$work/flac" >/dev/null
same "FLAC" "$work/decoded.wav" "$work/raw/track-001.wav"

# A hundred frames play a hundred frames; --loop repeats without a gap.
gen short -f S16_LE -r 44100 -d 2267us --signal ramp
timeout 30 "$xrunlab" play -q -c 1 --map direct -D "sim:capture=$work/short.wav" "$work/short" >/dev/null
same "100 frames" "$work/short.wav" "$work/short/track-001.wav"
expect "size of 100 frames" 480 "$(stat -c %s "$work/short.wav")"
timeout 30 "$xrunlab" play -q -c 1 --map direct --loop -d 22676us -D "sim:capture=$work/loop.wav" "$work/short" >/dev/null
expect "ten passes of it" "$(for _ in 1 2 3 4 5 6 7 8 9 10; do tail -c 400 "$work/short.wav"; done | cksum)" \
  "$(tail -c +81 "$work/loop.wav" | head -c 4000 | cksum)"

# Xruns: the program is stopped until the card has run dry, twice.
for how in "--ring 500ms" "--no-ring"; do
  "$xrunlab" play -q -c 10 --map direct -D "sim:capture=$work/xrun.wav" $how $integers --json="$work/xrun.json" >/dev/null 2>&1 &
  pid=$!
  for _ in 1 2; do
    sleep 0.6
    kill -STOP $pid
    sleep 0.3
    kill -CONT $pid
  done
  wait $pid
  xruns=$(value_of device_xruns "$work/xrun.json")
  [ "${xruns:-0}" -ge 1 ] || { echo "FAILED: no xrun with $how"; failures=$((failures + 1)); }
  same "after xruns with $how" "$work/xrun.wav" $integers
done

# Starvation: reads of two files stall for longer than the ring lasts.
mkdir "$work/stalled" "$work/mnt"
for name in a b c d e; do
  for file in "$work/$name"/track-001.*; do cp "$file" "$work/stalled/$name.${file##*.}"; done
done
mounted=$work/mnt
stalling() { # starts the file system; it stays until `release`
  "$stall_fs" "$work/stalled" "$work/mnt" "stall file=b.wav offset=120000 for=700ms" \
    "stall file=d.aiff offset=300000 for=600ms" >"$work/fs.out" 2>&1 &
  fs=$!
  for _ in $(seq 50); do
    grep -q ready "$work/fs.out" && return 0
    kill -0 $fs 2>/dev/null || return 1
    sleep 0.1
  done
  return 1
}
release() {
  kill -INT $fs
  wait $fs
}
at_least_one() { # KEY NAME
  [ "$(value_of "$1" "$work/$2.json")" -ge 1 ] || { echo "FAILED: $2: no $1"; failures=$((failures + 1)); }
}
if stalling; then
  play starved "$work/mnt" --ring 200ms --json="$work/starved.json"
  release
  at_least_one starved_reads starved
  contains "a starved run" "FAIL" "$(cat "$work/starved.out")"
  same "after starvation" "$work/starved.wav" "$work"/stalled/*
  stalling
  play allowed "$work/mnt" --ring 200ms --max-starved 99 --max-xruns 99 --json="$work/allowed.json"
  release
  expect "starvation that is allowed: reasons" "" "$(grep -E 'starvation episodes?, [0-9]+ allowed' "$work/allowed.json")"
  # What is missing is silence, and the card is kept fed; the material comes later, but whole.
  stalling
  play silenced "$work/mnt" --ring 200ms --on-starve silence --periods 4 --json="$work/silenced.json"
  release
  at_least_one silent_fragments silenced
  same "between silences" --silences 1024 "$work/silenced.wav" "$work"/stalled/*
  contains "silent fragments as captured" ", $(value_of silent_fragments "$work/silenced.json") silent fragments" \
    "$("$same_samples" --silences 1024 "$work/silenced.wav" "$work"/stalled/*)"
  stalling
  play waited "$work/mnt" --no-ring --json="$work/waited.json"
  release
  at_least_one device_xruns waited
  same "after xruns by the disk" "$work/waited.wav" "$work"/stalled/*
else
  echo "starvation is not tested: $(cat "$work/fs.out")"
fi
mounted=

# ALSA's own file PCM, which ends in its null PCM, gets the same bytes.
timeout 30 "$xrunlab" play -q -c 10 --map direct -f S32_LE -D "file:FILE=$work/alsa.raw,FORMAT=raw" $integers >/dev/null
cmp <(tail -c +81 "$work/ring.wav") "$work/alsa.raw" || failures=$((failures + 1))
finish
