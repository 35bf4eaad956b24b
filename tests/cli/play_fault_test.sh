#!/usr/bin/env bash
# What goes wrong with files, disks and rights: one clear line, the right exit code, no hang, no crash, nothing left.
#   play_fault_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
stall_fs=$2
source "$(dirname "$0")/expectations.sh"

fails() { # WHAT CODE TEXT COMMAND…
  local what=$1 wanted=$2 text=$3
  shift 3
  run "$@"
  expect "$what: exit code" "$wanted" "$code"
  contains "$what" "$text" "$err"
  lacks "$what" "terminate called" "$err"
}

set_of() { # NAME OPTIONS…
  "$xrunlab" gen "$work/$1" --tracks 3 -f S16_LE -d 4 -q "${@:2}"
}
set_of set
"$xrunlab" gen "$work/other" --tracks 1 -r 48k -d 1 -q
file=$work/set/track-001.wav

# Inputs that are none.
fails "nothing named" 2 "name audio files or directories" "$xrunlab" play
fails "a missing file" 4 "nowhere.wav: No such file or directory" "$xrunlab" play "$work/nowhere.wav"
mkdir "$work/empty"
fails "an empty directory" 4 "a directory without audio files" "$xrunlab" play "$work/empty"
mkfifo "$work/fifo.wav"
fails "a FIFO" 4 "is a FIFO" "$xrunlab" play "$work/fifo.wav"
fails "mixed rates" 4 "44100 Hz: track-001.wav, track-002.wav, track-003.wav; 48000 Hz: track-001.wav" \
  "$xrunlab" play "$work/set" "$work/other"
contains "their remedy" "play the files of each rate by themselves" "$err"
head -c 20 "$file" >"$work/stub.wav"
fails "half a header" 4 "stub.wav" "$xrunlab" play "$work/stub.wav"
echo "no music" >"$work/text.wav"
fails "text" 4 "not an audio file" "$xrunlab" play "$work/text.wav"

# Outputs that would destroy an input, or something else that is there, are refused before anything is written.
before=$(cksum <"$file")
fails "a trace over an input" 2 "is one of the inputs" "$xrunlab" play "$work/set" -d 1 --record "$file"
fails "a run file over an input" 2 "is one of the inputs" "$xrunlab" play "$work/set" -d 1 --json="$file"
fails "a capture over an input" 2 "is one of the inputs" "$xrunlab" play "$work/set" -d 1 -D "sim:capture=$file"
fails "a trace over another file" 2 "is no trace" "$xrunlab" play "$work/set" -d 1 --record "$work/text.wav"
fails "a trace into a FIFO" 2 "is no regular file" "$xrunlab" play "$work/set" -d 1 --record "$work/fifo.wav"
expect "the input" "$before" "$(cksum <"$file")"

# Rights: as another user, from a directory that all may enter.
if [ "$(id -u)" = 0 ]; then
  chmod 755 "$work"
  mkdir -m 700 "$work/closed"
  cp "$file" "$work/closed/"
  cp "$xrunlab" "$work/program"
  chmod 755 "$work/program"
  other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  fails "a closed directory" 4 "closed: Permission denied" "${other[@]}" "$work/program" play "$work/closed"
  fails "a file in it" 4 "Permission denied" "${other[@]}" "$work/program" play "$work/closed/track-001.wav"
  fails "a run file in it" 3 "Permission denied" "${other[@]}" "$work/program" play "$file" --json="$work/closed/x.json"
  fails "a set in it" 3 "Permission denied" "${other[@]}" "$work/program" play --tracks 2 --in "$work/closed" -d 1
  fails "a trace in it" 3 "Permission denied" "${other[@]}" "$work/program" play "$file" -d 1 --record "$work/closed/t"
  fails "a capture in it" 5 "Permission denied" "${other[@]}" "$work/program" play "$file" -D "sim:capture=$work/closed/c.wav"
  rm "$work/program"
fi

# Where results cannot go, this is said before anything is played.
fails "no folder for the run file" 3 "cannot create a file for /nonexistent/x" "$xrunlab" play "$work/set" --json=/nonexistent/x
contains "its remedy" "mkdir -p '/nonexistent'" "$err"
expect "not played first" "" "$out"
fails "a folder as run file" 3 "Is a directory" "$xrunlab" play "$work/set" --json="$work/set"
fails "a trace on a full disk" 3 "No space left on device" "$xrunlab" play "$work/set" -d 1 --record /dev/full
fails "a run file on a full disk" 3 "No space left on device" "$xrunlab" play "$work/set" -d 300ms --json=/dev/full
contains "the report was printed all the same" "T1 read" "$out"
fails "stdout on a full disk" 3 "No space left on device" bash -c "'$xrunlab' play '$work/set' -d 300ms --json >/dev/full"
mkdir "$work/tiny"
if mount -t tmpfs -o size=16k tmpfs "$work/tiny" 2>/dev/null; then
  mounted=$work/tiny
  run "$xrunlab" play "$work/set" -d 2 --period-size 64 --periods 64 --record "$work/tiny/trace" --json="$work/run.json"
  expect "a trace that fills the disk: the run goes on" 1 "$code"
  contains "it is a warning" "No space left on device" "$err$out"
  expect "the run" true "$(value_of complete "$work/run.json")"
  rm -f "$work"/tiny/*
  fails "a capture that fills the disk" 5 "No space left on device" "$xrunlab" play "$work/set" -D "sim:capture=$work/tiny/c.wav"
  rm -f "$work"/tiny/*
  fails "a set larger than the disk" 3 "the set takes" "$xrunlab" play --tracks 3 --in "$work/tiny"
  expect "left of that set" "" "$(ls -A "$work/tiny")"
  head -c 16K /dev/zero >"$work/tiny/fill"
  fails "a run file on a disk that is full" 3 "No space left on device" "$xrunlab" play "$work/set" -d 300ms -q --json="$work/tiny/run.json"
  expect "left of that run file" fill "$(ls -A "$work/tiny")"
  umount "$work/tiny"
  mounted=
fi

# Open files: a soft limit is raised, a hard one is named.
"$xrunlab" gen "$work/many" --tracks 2000 -r 8k -f U8 -d 1s -q
(
  ulimit -Sn 1024
  run "$xrunlab" play "$work/many" -q --ring 100ms --period-size 256 --periods 16
  expect "2000 tracks over a soft limit" 1 "$code" # no verdict: too short
  contains "they were played" "2000 tracks" "$out"
  [ "$failures" = 0 ]
) || failures=$((failures + 1))
(
  ulimit -n 1024
  fails "2000 tracks over a hard limit" 3 "this run needs 2064 open files" "$xrunlab" play "$work/many"
  contains "its remedy" "ulimit -n 2064" "$err"
  [ "$failures" = 0 ]
) || failures=$((failures + 1))

# EIO, by each engine.
mkdir "$work/mnt"
mounted=$work/mnt
"$stall_fs" "$work/set" "$work/mnt" "eio file=track-003.wav offset=100000 times=0" >"$work/fs.out" 2>&1 &
fs=$!
for _ in $(seq 50); do grep -q ready "$work/fs.out" && break; kill -0 $fs 2>/dev/null || break; sleep 0.1; done
if grep -q ready "$work/fs.out"; then
  for how in "--io uring" "--io pread" "--no-ring"; do
    # shellcheck disable=SC2086
    fails "EIO $how" 4 "track-003.wav: could not be read at byte" "$xrunlab" play "$work/mnt" -q $how
    contains "its cause" "Input/output error; its disk" "$err"
  done
  kill -INT $fs
  wait $fs
else
  echo "EIO is not tested: $(cat "$work/fs.out")"
fi
mounted=
finish
