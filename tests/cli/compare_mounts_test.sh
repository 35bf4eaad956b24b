#!/usr/bin/env bash
# Two mounts of the stalling file system, one of which takes 100 times as long for each read: with ten
# real runs on each, `compare` calls the slower one worse, and the faster one better.
#   compare_mounts_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
stall_fs=$2
source "$(dirname "$0")/expectations.sh"
[ -w /dev/fuse ] || exit 77
"$xrunlab" gen "$work/set" --tracks 2 -r 48k -f S16_LE -d 6s -q
servers=()
take_down() {
  for server in "${servers[@]}"; do kill "$server" 2>/dev/null && wait "$server"; done
  clean_up
}
trap take_down EXIT

mount_with() { # NAME LATENCY
  mkdir "$work/$1"
  "$stall_fs" "$work/set" "$work/$1" "stall times=0 for=$2" >"$work/$1.out" 2>&1 &
  servers+=($!)
  for _ in $(seq 100); do
    grep -q ready "$work/$1.out" && return
    sleep 0.05
  done
  exit 77
}
mount_with fast 3ms
mount_with slow 300ms

# Both at once, so that whatever else the machine does hits them alike. Short runs have no verdict: --include.
play_on() { # NAME NUMBER
  "$xrunlab" play "$work/$1" -q -d 1200ms --ring 2s --io-size 16KiB --buffer-size 5120 --cache keep \
    --json="$work/runs-$1/$2.json" >/dev/null 2>&1
}
mkdir "$work/runs-fast" "$work/runs-slow"
for number in $(seq 10); do
  play_on fast "$number" &
  other=$!
  play_on slow "$number"
  wait "$other"
done

run "$xrunlab" compare "$work/runs-fast" "$work/runs-slow" --by directory --include --fail-if 'ring_needed worse'
expect "the slower one: exit code" 1 "$code"
contains "the slower one is worse" "runs-slow: worse: ratio" "$err"
contains "ten each" "10 runs each" "$err"
run "$xrunlab" compare "$work/runs-fast" "$work/runs-slow" --by directory --include --baseline "$work/runs-slow"
contains "the faster one is better" "better: ratio 0." "$out"
finish
