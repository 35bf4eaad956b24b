#!/usr/bin/env bash
# scripts/slow-disk: wrong use, exit codes, clean-up, and that reads are as slow as asked.
set -euo pipefail
slow_disk=$1/scripts/slow-disk
directory=$(mktemp -d "$2/slow-disk-XXXXXX")
trap 'rm -rf "$directory"' EXIT

# expect CODE ARGUMENTS…
expect() {
  local wanted=$1 code=0
  shift
  "$slow_disk" "$@" </dev/null >"$directory/output" 2>&1 || code=$?
  if [[ $code != "$wanted" ]]; then
    echo "slow-disk $*: exit $code, not $wanted"
    cat "$directory/output"
    exit 1
  fi
}

expect 2 10MiB
expect 2 10M -- true
expect 2 0 -- true
expect 2 --dir "$directory/none" 10MiB -- true
expect 77 --dir /proc 10MiB -- true

code=0
"$slow_disk" --dir "$directory" 4MiB -- true || code=$?
if ((code == 3 || code == 77)); then exit 77; fi
expect 7 --dir "$directory" 4MiB -- sh -c 'exit 7'

# Two seconds' worth. A busy machine only makes it slower, so the least duration is all that can be asserted; the
# throttle lets the first slice of 100 ms through at once.
dd if=/dev/urandom of="$directory/data" bs=256k count=32 conv=fsync status=none
if ! dd if="$directory/data" of=/dev/null bs=256k count=1 iflag=direct status=none; then exit 77; fi
begun=$(date +%s%N)
expect 0 --dir "$directory" 4MiB -- dd if="$directory/data" of=/dev/null bs=256k iflag=direct status=none
took_ms=$((($(date +%s%N) - begun) / 1000000))
if ((took_ms < 1600)); then
  echo "8 MiB at 4 MiB/s took only $took_ms ms"
  exit 1
fi

group=$("$slow_disk" --dir "$directory" 4MiB -- grep -o 'slow-disk-[0-9]*' /proc/self/cgroup 2>/dev/null)
left=$(find /sys/fs/cgroup -maxdepth 2 -name "$group" 2>/dev/null || true)
if [[ -z $group || -n $left ]]; then
  echo "the command ran in '$group'; left behind: '$left'"
  exit 1
fi
