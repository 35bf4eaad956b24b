#!/usr/bin/env bash
# kill -9 at a random moment of a process that changes a loop device's settings; `xrunlab restore` brings back every
# value. XRUNLAB_KILLS says how often (10). Needs root and a free loop device.
#   restore_killed_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
change=$(dirname "$3")/change_settings
source "$(dirname "$0")/expectations.sh"
kills=${XRUNLAB_KILLS:-10}
export XDG_STATE_HOME=$work/state
truncate -s 16M "$work/image"
device=$(PATH=$PATH:/usr/sbin:/sbin losetup --find --show "$work/image" 2>/dev/null) || exit 77
disk=$(basename "$device")
queue=/sys/block/$disk/queue
values() { (cd "$queue" && grep -rs . . | sort); }
as_made=$(values)

detach() {
  # A loop device keeps its settings for the next one who uses it.
  for setting in scheduler nr_requests read_ahead_kb; do
    value=$(sed -n "s|^\./$setting:||p" <<<"$as_made")
    case $value in *"["*) value=${value#*[} value=${value%]*} ;; esac
    echo "$value" >"$queue/$setting"
  done
  losetup --detach "$device"
  clean_up
}
PATH=$PATH:/usr/sbin:/sbin
trap detach EXIT
if ! grep -q mq-deadline "$queue/scheduler" || [ ! -w "$queue/scheduler" ]; then exit 77; fi

until_it_changes() {
  local attempt
  for attempt in $(seq 1500); do
    grep -qs changed "$work/.changed" && return
    kill -0 "$changer" 2>/dev/null || break
    sleep 0.02
  done
  expect "change_settings" changed "$(cat "$work/.changed")"
}

# Tuned by hand, so that a switch of the scheduler and back would lose it.
echo mq-deadline >"$queue/scheduler"
echo 100 >"$queue/iosched/read_expire"
echo 50 >"$queue/nr_requests"
echo 512 >"$queue/read_ahead_kb"
before=$(values)
contains "tuned" "iosched/read_expire:100" "$before"

different=0
for number in $(seq "$kills"); do
  "$change" "$disk" >"$work/.changed" 2>&1 &
  changer=$!
  # Every third time at any moment of its start, too: before the journal, while it is written, at the first change.
  ((number % 3 == 0)) || until_it_changes
  sleep "0.$(printf %03d $((RANDOM % 100)))"
  kill -KILL "$changer" 2>/dev/null || expect "change_settings" running "$(cat "$work/.changed")"
  wait "$changer" 2>/dev/null
  [ "$(values)" = "$before" ] || different=$((different + 1))
  run "$xrunlab" restore
  expect "restore: exit code" 0 "$code"
  expect "every value" "$before" "$(values)"
  [ "$failures" = 0 ] || break
done
echo "$kills killed, $different of them had left something changed"
[ "$kills" -lt 10 ] || [ "$different" -gt 0 ] || expect "something was left changed" "once at least" never

# Ended in the ordinary way it puts all back by itself.
"$change" "$disk" scheduler=bfq iosched.slice_idle=0 read_ahead_kb=64 >"$work/.changed" 2>&1 &
changer=$!
until_it_changes
contains "bfq" "[bfq]" "$(cat "$queue/scheduler")"
run "$change" "$disk" nr_requests=9
expect "a second process: exit code" 3 "$code"
contains "a second process" "the settings of $disk are being changed by another process" "$err"
kill -TERM "$changer" 2>/dev/null
wait "$changer" 2>/dev/null
expect "after SIGTERM" "$before" "$(values)"
finish
