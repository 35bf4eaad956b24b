# A disk that fails while it is played from, by device mapper: the run ends with exit code 4, names file and byte, and is
# put down to the input.
# Programs: dmsetup mkfs.ext4
# Modules: dm-mod dm-flakey snd-dummy
source /tests/devices.sh
load snd-dummy
sectors=$(blockdev --getsz /dev/vda)
dmsetup create failing --table "0 $sectors linear /dev/vda 0" || expect "dmsetup" 0 $?
disk_with_set /dev/mapper/failing 2 12

failed_on() { # NAME
  played "$1"
  expect "$1: exit code" 4 "$code"
  contains "$1: what" "could not be read at byte" "$err"
  contains "$1: its cause" "Input/output error; its disk" "$err"
  expect "$1: its end" input "$(field ended_by "$1")"
  expect "$1: complete" false "$(field complete "$1")"
  expect "$1: put down to" input "$(cause_of end "$1")"
  contains "$1: the evidence" "could not be read at byte" "$(detail_of end "$1")"
  at_least "$1: frames played until then" 24000 "$(field frames_played "$1")"
}
sound="0 $sectors linear /dev/vda 0"

# flakey: well for a second, failing for a minute.
start_play flakey /mnt/set -D hw:Dummy --ring 500ms --buffer-size 16384
wait_until_it_plays Dummy
switch_table failing "0 $sectors flakey /dev/vda 0 1 60"
failed_on flakey
switch_table failing "$sound"

# Two at once, each on a substream of its own.
start_play error /mnt/set -D hw:Dummy,0,0 --ring 500ms --io pread --buffer-size 16384
start_play no-ring /mnt/set -D hw:Dummy,0,1 --no-ring --direct on --buffer-size 16384
wait_until_it_plays Dummy 0 1
switch_table failing "0 $sectors error"
failed_on error
failed_on no-ring
switch_table failing "$sound"

play mended /mnt/set -D hw:Dummy -d 300ms --buffer-size 16384
expect "when it is mended: its end" duration "$(field ended_by mended)"
umount /mnt
mounted=
dmsetup remove failing
finish
