# What files lie on: a real partition, loop devices, device mapper and software RAID, down to the disk.
# Programs: dmsetup mkfs.ext4
# Modules: dm-mod loop raid0 mq-deadline
source /tests/devices.sh
for module in dm-mod loop raid0 mq-deadline; do modprobe "$module"; done
format() { # DEVICE DIRECTORY
  mkfs.ext4 -q -F -E nodiscard -O ^has_journal -N 64 "$1" && mkdir -p "$2" && mount -t ext4 "$1" "$2" ||
    expect "an ext4 on $1" "mounted" "an error"
}
way() { # WHAT FILE WAY…
  local what=$1 file=$2 one
  shift 2
  run xrunlab disk "$file"
  expect "$what: exit code" 0 "$code"
  expect "$what: ways" $# "$(echo "$out" | grep -c -e '->')"
  for one in "$@"; do contains "$what" " $one"$'\n' "$out"; done
}

# An MBR with one partition of 96 MiB behind the first MiB.
{
  head -c 446 /dev/zero
  printf '\0\0\0\0\x83\0\0\0\0\x08\0\0\0\0\x03\0'
  head -c 48 /dev/zero
  printf '\x55\xaa'
} | dd of=/dev/vda bs=512 conv=notrunc 2>/dev/null
blockdev --rereadpt /dev/vda
wait_for /dev/vda1
format /dev/vda1 /mnt
mounted=/mnt
way "partition" /mnt "vda1 -> vda"
contains "partition: file system" "ext4 on /mnt from /dev/vda1" "$out"
contains "partition: its size" "partition, 96 MiB" "$out"

truncate -s 24M "/mnt/one image"
truncate -s 24M /mnt/two
losetup /dev/loop0 "/mnt/one image"
losetup /dev/loop1 /mnt/two
echo mq-deadline >/sys/block/loop0/queue/scheduler
dmsetup create music --table "0 49152 linear /dev/loop0 0"
way "mapped device itself" /dev/mapper/music "dm-0 -> loop0 -> vda1 -> vda"
contains "mapped device: its name" "dm music" "$out"
contains "loop device: its file" "of /mnt/one image" "$out"
contains "loop device: its scheduler" "[mq-deadline]" "$out"
contains "loop device: has a queue" "scheduled at  loop0" "$out"
contains "loop device: settings of the scheduler" "read_expire=" "$out"

# A RAID without metadata, put together by hand: there is no mdadm here.
echo md_stripes >/sys/module/md_mod/parameters/new_array
array=/sys/block/md_stripes/md
{
  echo raid0 >$array/level && echo 2 >$array/raid_disks && echo 65536 >$array/chunk_size &&
    cat /sys/block/dm-0/dev >$array/new_dev && cat /sys/block/loop1/dev >$array/new_dev &&
    echo 0 >$array/dev-dm-0/slot && echo 1 >$array/dev-loop1/slot &&
    echo 24576 >$array/dev-dm-0/size && echo 24576 >$array/dev-loop1/size && echo active >$array/array_state
} || expect "a RAID" "put together" "an error"
format /dev/md_stripes "$work/striped"
way "RAID" "$work/striped" "md_stripes -> dm-0 -> loop0 -> vda1 -> vda" "md_stripes -> loop1 -> vda1 -> vda"
contains "RAID: its level" "md raid0" "$out"
contains "RAID: its disk" "disks         vda"$'\n' "$out"
contains "RAID: queues" "scheduled at  loop0, loop1" "$out"

umount "$work/striped"
echo clear >$array/array_state
dmsetup remove music
losetup -d /dev/loop0
losetup -d /dev/loop1
umount /mnt
mounted=
head -c 512 /dev/zero | dd of=/dev/vda conv=notrunc 2>/dev/null
blockdev --rereadpt /dev/vda
finish
