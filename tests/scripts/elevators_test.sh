#!/usr/bin/env bash
# scripts/elevators: a small sweep on a loop device; wrong use; that the scheduler is put back and the set removed.
set -euo pipefail
elevators=$1/scripts/elevators
build=$2
PATH=$PATH:/usr/sbin:/sbin
[[ -x $build/src/xrunlab ]] || exit 77
work=$(mktemp -d)
device=
clean_up() {
  mountpoint -q "$work/mnt" && umount -l "$work/mnt"
  if [[ -n $device ]]; then losetup --detach "$device"; fi
  rm -rf "$work"
}
trap clean_up EXIT
export XDG_STATE_HOME=$work/state

expect() { # CODE ARGUMENTS…
  local wanted=$1 code=0
  shift
  "$elevators" "$@" --build "$build" >"$work/out" 2>"$work/err" </dev/null || code=$?
  if [[ $code != "$wanted" ]]; then
    echo "elevators $*: exit $code, not $wanted"
    cat "$work/out" "$work/err"
    exit 1
  fi
}

expect 2 "$work/none"
expect 2 "$work" --fast
((EUID == 0)) || exit 77
truncate -s 128M "$work/image"
device=$(losetup --find --show "$work/image" 2>/dev/null) || exit 77
disk=$(basename "$device")
queue=/sys/block/$disk/queue
[[ $(<"$queue/scheduler") == *mq-deadline* && -w $queue/scheduler ]] || exit 77
mkdir "$work/mnt"
{ mkfs.ext4 -q "$device" && mount "$device" "$work/mnt"; } 2>/dev/null || exit 77

small=(--runs 1 --warmup 0 --cooldown 0 --tracks 2 --duration 1s --load-size 4MiB)
expect 0 "$work/mnt" "${small[@]}" --dry-run --out "$work/out.d"
offered=0
for name in none mq-deadline kyber bfq; do
  if grep -qw -- "$name" "$queue/scheduler"; then
    offered=$((offered + 1))
  elif ! grep -q "does not offer $name" "$work/err"; then
    echo "$name is not offered, and nothing says so"
    exit 1
  fi
done
[[ $(wc -l <"$work/out") == $((2 * offered)) ]]
before=$(cd "$queue" && grep -rs . . | sort)
expect 0 "$work/mnt" "${small[@]}" --out "$work/out.d"
[[ $(find "$work/out.d" -name 'run-*.json' | wc -l) == $((2 * offered)) ]]
[[ $(grep -l '"io_priority": *"rt:4"' "$work"/out.d/run-*.json | wc -l) == "$offered" ]]
[[ $(grep -l '"spec": *"write:' "$work"/out.d/run-*.json | wc -l) == $((2 * offered)) ]]
if [[ $(cd "$queue" && grep -rs . . | sort) != "$before" ]]; then
  echo "the settings of $disk are not as they were"
  exit 1
fi
[[ $(ls -A "$work/mnt") == lost+found ]]
