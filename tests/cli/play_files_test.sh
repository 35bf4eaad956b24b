#!/usr/bin/env bash
# Every kind of audio file: the card gets its samples and no others, or one line says why not and what to do.
#   play_files_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
field_files=$(dirname "$3")/field_files
source "$(dirname "$0")/expectations.sh"
field=$work/field
mkdir "$field"
"$field_files" "$field" >"$work/table"

played() { # NAME CHANNELS FRAMES OPTIONS…: plays it and compares what the card got
  local name=$1 channels=$2 frames=$3
  shift 3
  run "$xrunlab" play -q --map direct -c "$channels" -f S32_LE -D "sim:capture=$work/capture.wav" "$@" "$field/$name"
  [ "$code" -le 1 ] || { echo "FAILED: $name $*: exit code $code: $err"; failures=$((failures + 1)); }
  tail -c +81 "$work/capture.wav" | cmp - <(head -c $((4 * channels * frames)) "$field/$name.s32") ||
    { echo "FAILED: $name $*: other samples"; failures=$((failures + 1)); }
  rm -f "$work/capture.wav"
}

refused() { # WHAT TEXT COMMAND…: exit code 4, the text, and a remedy in brackets, in one line
  local what=$1 text=$2
  shift 2
  run "$@"
  expect "$what: exit code" 4 "$code"
  contains "$what" "$text" "$err"
  expect "$what: lines" 1 "$(printf '%s\n' "$err" | wc -l)"
}

strictly() { # NAME TEXT: what is a warning is exit code 4 with --strict
  run "$xrunlab" play --strict --cache keep --no-mlock -D null "$field/$1"
  expect "$1 --strict: exit code" 4 "$code"
  contains "$1 --strict" "$2" "$err"
}

check() { # NAME CHANNELS FRAMES FRAMES-IGNORING-THE-LENGTH TEXT
  if [ "$3" = 0 ]; then
    refused "$1" "$5" "$xrunlab" play "$field/$1"
  else
    played "$1" "$2" "$3"
    contains "$1: its warning" "$5" "$err"
    [ -n "$5" ] || expect "$1: warnings" "" "$(printf '%s' "$err" | grep "$1")"
    [ -z "$5" ] || strictly "$1" "$5"
  fi
  if [ "$4" != "$3" ]; then played "$1" "$2" "$4" --ignore-length; fi
}

# Some at once, each in a directory of its own: most of the time goes by in waiting.
while IFS=$'\t' read -r name channels frames ignoring text; do
  while [ "$(jobs -rp | wc -l)" -ge 6 ]; do wait -n; done
  (
    work=$work/$name
    mkdir "$work"
    check "$name" "$channels" "$frames" "$ignoring" "$text"
    [ "$failures" = 0 ] || touch "$work/failed"
  ) &
done <"$work/table"
wait
failures=$(find "$work" -name failed | wc -l)
[ "$(wc -l <"$work/table")" -ge 90 ] || { echo "FAILED: few files"; failures=$((failures + 1)); }

# What lies beyond full scale is counted, in the summary too.
run "$xrunlab" play --map direct -c 1 -D sim --json="$work/beyond.json" "$field/beyond.wav"
expect "clipped samples" 2 "$(value_of clipped_samples "$work/beyond.json")"
contains "clipped samples in the summary" "clipped     2 samples beyond full scale" "$out"
run "$xrunlab" play -D null "$field/unknown.flac"
contains "a length that is not known" "length unknown" "$out"

# Names: what they are made of matters nowhere, and JSON gives them back.
mkdir "$work/names"
cd "$work/names" || exit 1
latin=$'caf\xe9.wav'
lines=$'two\nlines.wav'
for name in "-dash.wav" "with blank, comma.wav" "$latin" "$lines"; do cp "$field/odd-bytes.wav" "./$name"; done
run "$xrunlab" play -q -D null --json="$work/names.json" -- "-dash.wav" "with blank, comma.wav" "$latin" "$lines"
expect "odd names: exit code" 0 "$code"
contains "an odd name in a warning" 'two\nlines.wav: the last frame is incomplete' "$err"
for name in '"-dash.wav"' '"with blank, comma.wav"' '"two\nlines.wav"' $'"caf\xef\xbf\xbdE9.wav"'; do
  contains "a name in the run file" "$name" "$(grep '"path"' "$work/names.json")"
done
run "$xrunlab" play -D null .
expect "a directory of odd names" 0 "$code"

# What is no regular file, or is not to be had.
plain=$field/plain.wav
refused "standard input" "standard input is not seekable" "$xrunlab" play - <"$plain"
refused "a pipe as /dev/stdin" "is a FIFO: not seekable" bash -c "cat '$plain' | '$xrunlab' play /dev/stdin"
refused "/dev/null" "is a character device: not seekable" "$xrunlab" play /dev/null
ln -s b.wav a.wav
ln -s a.wav b.wav
refused "a loop of links" "a.wav: Too many levels of symbolic links" "$xrunlab" play a.wav
refused "a directory with it" "a.wav: Too many levels of symbolic links" "$xrunlab" play .
finish
