# The machine is reset while settings are changed: the journal is on the disk, and after the reboot `restore` tells what
# the reboot has undone, and what it could not bring back, and writes nothing.
# Programs: mkfs.ext4
# Modules: mq-deadline bfq
source /tests/devices.sh
queue=/sys/block/vda/queue
export XDG_STATE_HOME=/mnt/state
modprobe mq-deadline
modprobe bfq

if [ ! -e "$results/was_reset" ]; then
  mkfs.ext4 -q -F -E nodiscard /dev/vda 65536 && mount -t ext4 /dev/vda /mnt || expect "a disk" "mounted" "an error"
  # So it was tuned, in no configuration file: a reboot loses it, whatever a run does.
  echo mq-deadline >"$queue/scheduler"
  echo 4096 >"$queue/read_ahead_kb"
  swappiness=$(cat /proc/sys/vm/swappiness)
  echo "$swappiness" >"$results/swappiness"
  change_settings vda scheduler=bfq nr_requests=64 vm.swappiness=7 >"$results/changed" 2>&1 &
  wait_for "$results/changed"
  for attempt in $(seq 100); do
    grep -q changed "$results/changed" && break
    sleep 0.1
  done
  expect "before the reset: change_settings" changed "$(cat "$results/changed")"
  contains "before the reset: the scheduler" "[bfq]" "$(cat "$queue/scheduler")"
  expect "before the reset: swappiness" 7 "$(cat /proc/sys/vm/swappiness)"
  run xrunlab cards -D sim
  expect "before the reset: nobody complains" "" "$err"
  [ "$failures" = 0 ] || finish
  # At once, and nothing is written to the disk before: what no fsync has brought there is lost.
  touch "$results/was_reset" /results/reset
  echo 1 >/proc/sys/kernel/sysrq
  echo b >/proc/sysrq-trigger
  sleep 60
fi

mount -t ext4 /dev/vda /mnt || expect "the disk" "mounted" "an error"
mounted=/mnt
scheduler=$(cat "$queue/scheduler")
read_ahead=$(cat "$queue/read_ahead_kb")
run xrunlab cards -D sim
contains "after the reset: another command" "was cut off before the machine was booted anew (xrunlab restore" "$err"
run xrunlab restore
cp "$work/.out" "$results/restore.txt"
expect "restore: exit code" 0 "$code"
expect "restore: stderr" "" "$err"
contains "restore" "the machine was booted since" "$out"
contains "restore" "vda scheduler was mq-deadline, bfq was set" "$out"
contains "restore" "vm.swappiness was $(cat "$results/swappiness"), 7 was set: the reboot has undone it" "$out"
contains "restore: what had been tuned by hand" "vda read_ahead_kb was 4096; since the reboot it is $read_ahead" "$out"
expect "nothing is written: the scheduler" "$scheduler" "$(cat "$queue/scheduler")"
expect "nothing is written: read-ahead" "$read_ahead" "$(cat "$queue/read_ahead_kb")"
run xrunlab restore
expect "told once" "no settings are left changed" "$out"
finish
