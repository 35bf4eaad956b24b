#!/usr/bin/env bash
# `xrunlab capacity`: what it refuses, prints, keeps and leaves; the search itself is tested without a card.
#   capacity_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
source "$(dirname "$0")/expectations.sh"
mkdir "$work/disk"
disk=$work/disk
export TMPDIR=$work/tmp
mkdir "$TMPDIR"
# The shortest trial that can have a verdict; half a second of card buffer, for hypervisors that stop now and then.
short=(-d 10s --ring 500ms --buffer-size 24000 --confirm 1)

left_nothing() { # WHAT
  expect "$1: files left in DIR" "" "$(ls -A "$disk")"
  expect "$1: run files left" "" "$(ls -A "$TMPDIR")"
}

: >"$work/file"
run "$xrunlab" capacity "$work/file" --dry-run
expect "a file as DIR: exit code" 2 "$code"
contains "a file as DIR" "is no directory" "$err"

# Refused before anything is written, by us or by play.
while read -r wanted needle options; do
  # shellcheck disable=SC2086
  run "$xrunlab" capacity "$disk" $options
  expect "capacity $options: exit code" "$wanted" "$code"
  contains "capacity $options" "$needle" "$err"
  expect "capacity $options: stdout" "" "$out"
done <<'END'
2 --by --by disk
2 48k/24 --set 48k/24
2 too -d 5s
2 18 -d 15s --ring 6s
2 null -D null
2 --confirm --confirm 0
2 --tracks --tracks 4
2 --record --record x
2 --record-last --record-last 60s
2 -n -n 3 -o x
2 --fault --fault eio:at=3s
2 contradict --buffer-size 8192 --periods 4
2 --ring --by ring --ring 20MiB
2 cold --cache keep
2 --table --table --by ring
2 --max-tracks --by ring --max-tracks 4
2 twice --table --formats 48k/24/1,48k/24/1
2 --rings --table --ring 2s
2 --fragments --table --period-size 64
2 --formats --table --set 96k/24/1
5 no-such-card -D no-such-card
2 affinity --affinity playback=4096
END
left_nothing "what is refused"
run "$xrunlab" capacity "$work/none"
expect "a directory that is not there" 3 "$code"
contains "a directory that is not there" "$work/none" "$err"
run "$xrunlab" capacity ""
expect "a directory without a name" 2 "$code"
run "$xrunlab" capacity "$disk" --dry-run --max-tracks 40
expect "--dry-run" 0 "$code"
contains "--dry-run: the size" "at most 40 (" "$out"
contains "--dry-run: the time" "trials of 30 s" "$out"
run "$xrunlab" capacity "$disk" --dry-run --by ring --tracks 1
# 4 reads of 4 KiB are 5461 frames of three bytes.
contains "--dry-run: the rings" "from 436906 frames down to 5461" "$out"
run "$xrunlab" capacity "$disk" --dry-run --by fragment --buffer-size 5000
contains "--dry-run: the fragments" "from 2048 frames down to 16" "$out"
run "$xrunlab" capacity "$disk" --dry-run -D no-such-card
expect "--dry-run of what play refuses" 5 "$code"
left_nothing "--dry-run"
run "$xrunlab" capacity "$disk" --by ring --tracks 10000 -d 2h --ring 5s
expect "a set that does not fit" 2 "$code"
contains "a set that does not fit" "are free in" "$err"

# A whole search: no edge up to two tracks. A busy machine may fail a trial, but never leave one out.
code=0
timeout -k 5 90 "$xrunlab" capacity "$disk" "${short[@]}" --max-tracks 2 --on-xrun stop --runs "$work/runs" \
  --json="$work/n.json" >"$work/.out" 2>"$work/.err" || code=$?
out=$(cat "$work/.out")
err=$(cat "$work/.err")
case $code in 0 | 1) ;; *) expect "a search: exit code" "0 or 1" "$code: $err" ;; esac
contains "a search: what is written is said before" "writing 2 tracks" "$err"
contains "a search" "xrunlab " "$out"
contains "a search: the line" "N " "$(tail -2 <<<"$out")"
expect "its kind" capacity "$(value_of kind "$work/n.json")"
trials=$(grep -c '"run_file": ".*/runs/' "$work/n.json")
[ "$trials" -ge 1 ] || expect "trials with a run file" "at least 1" "$trials"
first=$(ls "$work/runs" | grep -v check | head -1)
contains "the run file of the first trial" "-2.json" "$first"
expect "it is a run of play" 2 "$(grep -o '"path": *"[^"]*track-[0-9]*.wav"' "$work/runs/$first" | sort -u | wc -l)"
if [ "$code" = 0 ]; then
  expect "tracks" 2 "$(value_of tracks "$work/n.json")"
  contains "why no more" "max-tracks 2" "$(tail -2 <<<"$out" | tr '\n' ' ')"
fi
left_nothing "a search"
run "$xrunlab" capacity "$disk" "${short[@]}" --runs "$work/runs"
expect "run files are never overwritten" 2 "$code"

# What is kept is used again. A signal ends a search at once; it prints what it knew and removes what was not to be kept.
"$xrunlab" capacity "$disk" "${short[@]}" --max-tracks 2 --keep --json >"$work/n.json" 2>"$work/err" &
pid=$!
for _ in $(seq 300); do [ -n "$(find "$disk" -name xrunlab-set.json)" ] && pgrep -P $pid >/dev/null && break; sleep 0.1; done
sleep 2
kill -INT $pid
code=0
wait $pid || code=$?
expect "interrupted: exit code" 130 "$code"
expect "interrupted: complete" false "$(value_of complete "$work/n.json")"
expect "interrupted: what was to be kept" 2 "$(find "$disk" -name 'track-*.wav' | wc -l)"
"$xrunlab" capacity "$disk" "${short[@]}" --max-tracks 3 >/dev/null 2>"$work/err" &
pid=$!
for _ in $(seq 300); do [ "$(find "$disk" -name 'track-*.wav' | wc -l)" -gt 2 ] && break; sleep 0.1; done
contains "what was kept is used again" "writing 1 track," "$(cat "$work/err")"
sleep 2
kill -KILL $pid
wait $pid 2>/dev/null
for _ in $(seq 100); do [ "$(find "$disk" -name 'track-*.wav' | wc -l)" = 2 ] && break; sleep 0.1; done
expect "killed: only what was kept is left" 2 "$(find "$disk" -name 'track-*.wav' | wc -l)"
for _ in $(seq 50); do [ -z "$(ls -A "$TMPDIR")" ] && break; sleep 0.1; done
expect "killed: run files left" "" "$(ls -A "$TMPDIR")"
finish
