# Every I/O scheduler of the kernel can be chosen for a disk, is played from, and stands in the run file.
# Programs: mkfs.ext4
# Modules: mq-deadline bfq kyber-iosched
source /tests/devices.sh
modprobe mq-deadline
modprobe bfq
modprobe kyber-iosched
queue=/sys/block/vda/queue/scheduler
disk_with_set /dev/vda 2 1
for scheduler in none mq-deadline kyber bfq; do
  echo "$scheduler" >"$queue"
  contains "$scheduler is chosen" "[$scheduler]" "$(cat "$queue")"
  play "$scheduler" /mnt/set -d 300ms --buffer-size 16384
  expect "$scheduler: its end" duration "$(field ended_by "$scheduler")"
  expect "$scheduler: as found" "$scheduler" "$(field io_scheduler "$scheduler")"
  expect "$scheduler: the disk" vda "$(field block_device "$scheduler")"
  expect "$scheduler: the file system" ext4 "$(field filesystem "$scheduler")"
  at_least "$scheduler: bytes from the disk" 100000 "$(field device_read_bytes "$scheduler")"
done
echo none >"$queue"
finish
