# Disks that need a set time for each read: null_blk and scsi_debug with 20 ms. No read is seen to be quicker.
# Programs: mkfs.ext4
# Modules: configfs null_blk scsi_debug sd_mod
source /tests/devices.sh

plays_slowly() { # NAME DEVICE
  disk_with_set "$2" 2 1
  play "$1" /mnt/set --buffer-size 16384
  expect "$1: its end" end "$(field ended_by "$1")"
  expect "$1: the disk" "${2#/dev/}" "$(field block_device "$1")"
  at_least "$1: reads" 4 "$(field reads "$1")"
  at_least "$1: the shortest read" 20000000 "$(field_in io_latency min_ns "$1")"
  umount /mnt
  mounted=
}

modprobe configfs
modprobe null_blk nr_devices=0 || expect "null_blk" 0 $?
mount -t configfs config /sys/kernel/config
null=/sys/kernel/config/nullb/nullb0
mkdir "$null"
for setting in memory_backed=1 size=64 irqmode=2 completion_nsec=20000000 power=1; do
  echo "${setting#*=}" >"$null/${setting%=*}" || expect "null_blk: $setting" 0 $?
done
wait_for /dev/nullb0
plays_slowly null_blk /dev/nullb0
echo 0 >"$null/power"
rmdir "$null"
umount /sys/kernel/config
modprobe -r null_blk

modprobe sd_mod
modprobe scsi_debug dev_size_mb=64 ndelay=20000000 || expect "scsi_debug" 0 $?
wait_for /dev/sda
plays_slowly scsi_debug /dev/sda
modprobe -r scsi_debug
finish
