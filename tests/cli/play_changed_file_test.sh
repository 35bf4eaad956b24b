#!/usr/bin/env bash
# Files that change while they play: cut or overwritten, the run ends and names file and place; renamed over, removed or
# appended to, what was opened is played to its end.
#   play_changed_file_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
same_samples=$3
source "$(dirname "$0")/expectations.sh"

"$xrunlab" gen "$work/set" --tracks 3 -f S16_LE -d 4 -q
"$xrunlab" gen "$work/flac" --tracks 2 -f S16_LE -d 4 --container flac -q
"$xrunlab" gen "$work/other" --tracks 1 -f S16_LE -d 4 --seed 2 -q
other=$work/other/track-001.wav
ring="--ring 300ms --cache keep"

# Plays a copy of a set and does something to it after 0.8 s, when its ring is long full and its end far away.
changed() { # SET COMMAND OPTIONS…
  rm -rf "$work/copy" "$work/copy.json"
  cp -r "$work/$1" "$work/copy"
  (sleep 0.8; cd "$work/copy" && eval "$2") &
  run "$xrunlab" play "$work/copy" -q --json="$work/copy.json" "${@:3}"
  wait
}
ends() { # WHAT TEXT
  expect "$1: exit code" 4 "$code"
  contains "$1" "$2" "$err"
  expect "$1: lines" 1 "$(printf '%s\n' "$err" | wc -l)"
  expect "$1: complete" false "$(value_of complete "$work/copy.json")"
  expect "$1: ended by" input "$(value_of ended_by "$work/copy.json")"
}

for how in "$ring" "--no-ring" "--ring 300ms --io pread --cache keep"; do
  # shellcheck disable=SC2086
  changed set "truncate -s 100000 track-002.wav" $how
  ends "cut $how" "track-002.wav: ended at byte"
  # shellcheck disable=SC2086
  changed set "dd if='$other' of=track-002.wav conv=notrunc status=none" $how
  ends "overwritten $how" "track-002.wav: was overwritten while it was played, at frame"
  contains "its place" ", byte " "$err"
  # Cut first, then written: reading may meet the end before the new content is there.
  # shellcheck disable=SC2086
  changed set "cp '$other' track-002.wav" $how
  ends "written anew $how" "track-002.wav: "
done

# What was in the ring when reading met the end is played, no more: the end comes within one ring length.
# shellcheck disable=SC2086
changed set "truncate -s 100000 track-002.wav" $ring
cut_at=$(sed 's/.*ended at byte \([0-9]*\).*/\1/' <<<"$err")
played=$(value_of frames_played "$work/copy.json")
[ $((44 + 2 * played)) -le "$cut_at" ] && [ $((44 + 2 * (played + 2048))) -gt "$cut_at" ] || {
  echo "FAILED: cut at byte $cut_at, but $played frames were played"
  failures=$((failures + 1))
}

# shellcheck disable=SC2086
changed flac "truncate -s 200000 track-002.flac" $ring
ends "FLAC cut" "track-002.flac: "
# shellcheck disable=SC2086
changed flac "dd if=track-001.flac of=track-002.flac conv=notrunc status=none" $ring
ends "FLAC overwritten" "track-002.flac: "
# shellcheck disable=SC2086
changed set "dd if='$other' of=track-001.wav conv=notrunc status=none" --loop -d 0 $ring
ends "overwritten in an endless run" "track-001.wav: was overwritten"

plays_on() { # WHAT COMMAND
  # shellcheck disable=SC2086
  changed set "$2" -c 3 --map direct -D "sim:capture=$work/capture.wav" $ring
  expect "$1: error" "" "$err"
  expect "$1: complete" true "$(value_of complete "$work/copy.json")"
  expect "$1: samples" 0 "$("$same_samples" "$work/capture.wav" "$work"/set/*.wav >/dev/null; echo $?)"
}
plays_on "removed" "rm -r '$work/copy'"
plays_on "renamed over" "cp '$other' '$work/new' && mv '$work/new' track-002.wav"
plays_on "appended to" "cat '$other' >>track-002.wav"
plays_on "touched" "touch track-002.wav && chmod 600 track-002.wav"
finish
