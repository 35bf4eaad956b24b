#!/usr/bin/env bash
# `xrunlab disk`: on a made-up machine with LVM over RAID, NVMe over two controllers, and overlay; and on this one.
#   disk_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
source "$(dirname "$0")/expectations.sh"
needs python3
loop=
trap '[ -z "$loop" ] || losetup -d "$loop"; clean_up' EXIT

# query EXPRESSION: of the JSON object `all` in $work/.out.
query() {
  python3 -c 'import json, sys; all = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$work/.out" "$1"
}

root=$work/root
put() { # PATH TEXT
  mkdir -p "$(dirname "$root$1")"
  printf '%s\n' "$2" >"$root$1"
}
link() { # PATH TARGET
  mkdir -p "$(dirname "$root$1")"
  ln -s "$2" "$root$1"
}
device() { # HOME NUMBER
  link "/sys/class/block/${1##*/}" "../../devices/$1"
  put "/sys/devices/$1/size" 2048
  [ -z "$2" ] || put "/sys/devices/$1/dev" "$2"
  [ -z "$2" ] || link "/sys/dev/block/$2" "../../devices/$1"
}
for disk in sda:0 sdb:16; do
  home=pci/block/${disk%:*}
  device "$home" "8:${disk#*:}"
  device "$home/${disk%:*}1" "8:$((${disk#*:} + 1))"
  put "/sys/devices/$home/${disk%:*}1/partition" 1
  put "/sys/devices/$home/queue/scheduler" "none [mq-deadline] bfq"
  put "/sys/devices/$home/queue/iosched/read_expire" 500
  put "/sys/devices/$home/queue/rotational" 1
  put "/sys/devices/$home/device/model" "ST1000 "
  link "/sys/devices/virtual/block/md0/slaves/${disk%:*}1" x
done
device virtual/block/md0 9:0
put /sys/devices/virtual/block/md0/md/level raid1
device virtual/block/dm-0 253:0
put /sys/devices/virtual/block/dm-0/dm/name vg-music
link /sys/devices/virtual/block/dm-0/slaves/md0 x
put /sys/devices/virtual/block/dm-0/queue/read_ahead_kb 256
device virtual/nvme-subsystem/nvme-subsys0/nvme0n1 259:0
put /sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1/nsid 1
for controller in 0 1; do
  device "pci/nvme/nvme$controller/nvme0c${controller}n1" ""
  link "/sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme$controller" x
  put "/sys/devices/pci/nvme/nvme$controller/nvme0c${controller}n1/nsid" 1
  put "/sys/devices/pci/nvme/nvme$controller/nvme0c${controller}n1/hidden" 1
done
put /proc/self/mountinfo '1 0 0:30 / / rw - overlay overlay rw,upperdir=/u
2 1 253:0 / /my\040music rw,noatime - xfs /dev/mapper/vg-music rw,attr2
3 1 259:0 / /fast rw - ext4 /dev/nvme0n1 rw'
for file in "/my music/a.wav" "/my music/b.wav" /fast/c.wav /d.wav; do put "$file" x; done
export XRUNLAB_SYSROOT=$root

run "$xrunlab" disk "/my music/a.wav" /fast/c.wav "/my music/b.wav" /d.wav
expect "the text: exit code" 0 "$code"
expect "the text: stderr" "" "$err"
expect "the text: lines of more than 80 columns" "" "$(LC_ALL=C.UTF-8 grep -E '^.{81}' "$work/.out")"
for line in "2 files, /my music/a.wav .. /my music/b.wav" "xfs on /my music from /dev/mapper/vg-music" \
  "dm-0 -> md0 -> sda1 -> sda" "dm-0 -> md0 -> sdb1 -> sdb" "scheduled at  sda, sdb" "md raid1" "dm vg-music" \
  "/sys/class/block/dm-0/queue/read_ahead_kb" "none [mq-deadline] bfq" "read_expire=500" "rotational, ST1000" \
  "nvme0n1 -> nvme0c0n1" "nvme0n1 -> nvme0c1n1" "no block device (overlay)"; do
  contains "the text" "$line" "$out"
done

run "$xrunlab" disk /fast/c.wav "/my music/a.wav" /d.wav --json
expect "--json: exit code" 0 "$code"
expect "--json: its schema" xrunlab/disk/1 "$(query 'all["schema"]')"
expect "--json: disks" "[['nvme0c0n1', 'nvme0c1n1'], ['sda', 'sdb'], []]" "$(query '[file["disks"] for file in all["files"]]')"
expect "--json: devices, each before what it lies on" \
  "nvme0n1 nvme0c0n1 nvme0c1n1 dm-0 md0 sda1 sda sdb1 sdb" \
  "$(query '" ".join(device["name"] for device in all["devices"])')"
expect "--json: settings" "{'rotational': '1', 'scheduler': 'mq-deadline', 'iosched.read_expire': '500'}" \
  "$(query '[d["settings"] for d in all["devices"] if d["name"] == "sdb"][0]')"
expect "--json: keys" \
  "name kind number label backing_file size_bytes model rotational below schedulers settings facts" \
  "$(query '" ".join(all["devices"][0])')"
run "$xrunlab" disk /d.wav --json="$work/disk.json"
expect "--json=FILE: exit code" 0 "$code"
expect "--json=FILE: stdout" "" "$out"
contains "--json=FILE" "no block device (overlay)" "$(cat "$work/disk.json")"

# One that is not there hides no other.
run "$xrunlab" disk /nowhere.wav /d.wav "$work/none"
expect "missing files: exit code" 4 "$code"
expect "missing files: lines" 2 "$(grep -c 'xrunlab: cannot look at' "$work/.err")"
contains "missing files: the other" "no block device (overlay)" "$out"
unset XRUNLAB_SYSROOT

run "$xrunlab" disk
expect "no file: exit code" 2 "$code"
cp /dev/null "$work/input"
run "$xrunlab" disk "$work/input" --json="$work/input"
expect "an output that is the input: exit code" 2 "$code"
run "$xrunlab" disk "$work/input" --json="$work/none/x.json"
expect "an output that cannot be written: exit code" 3 "$code"
run "$xrunlab" disk /proc/self/status
expect "no disk: exit code" 0 "$code"
contains "no disk" "no block device (proc)" "$out"

# This machine, against its own tools.
run "$xrunlab" disk "$work/input" --json
expect "here: exit code" 0 "$code"
expect "here: the file system" "$(findmnt -nro FSTYPE -T "$work/input")" "$(query 'all["files"][0]["filesystem"]')"
expect "here: the mount point" "$(findmnt -nro TARGET -T "$work/input")" "$(query 'all["files"][0]["mount_point"]')"
expect "here: a disk, or a reason for none" True "$(query 'bool(all["files"][0]["disks"]) != bool(all["files"][0]["reason"])')"
expect "here: every setting has a file" "[]" "$(query '[(d["name"], s) for d in all["devices"]
  for s in [*d["settings"], *d["facts"]] if not __import__("os").path.exists(
    "/sys/class/block/%s/queue/%s" % (d["name"], s.replace("iosched.", "iosched/")))]')"

# A real loop device, where there are the rights for one.
truncate -s 1M "$work/my image"
if loop=$(losetup -f --show "$work/my image" 2>/dev/null); then
  run "$xrunlab" disk "$loop" --json
  expect "loop: its file" "$work/my image" "$(query 'all["devices"][0]["backing_file"]')"
  expect "loop: its size" 1048576 "$(query 'all["devices"][0]["size_bytes"]')"
  expect "loop: kind" loop "$(query 'all["devices"][0]["kind"]')"
  below=$(query 'all["devices"][0]["below"]')
  run "$xrunlab" disk "$work/my image" --json
  expect "loop: lies on the device of its file" "$(query 'all["files"][0]["devices"]')" "$below"
else
  loop=
fi
run "$xrunlab" disk --json= "$work"
expect "--json without its file: exit code" 2 "$code"
contains "--json without its file" "--json= names no file" "$err"
run "$xrunlab" disk ""
expect "a file without a name" 2 "$code"
run env XRUNLAB_SYSROOT=/nope "$xrunlab" disk "$work"
expect "where no mount table is: exit code" 4 "$code"
contains "where no mount table is" "/nope/proc/self/mountinfo is not there (XRUNLAB_SYSROOT names" "$err"
finish
