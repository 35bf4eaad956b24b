# A disk that fails while it is played from, by device mapper: the run ends with exit code 4, names file and byte, and is
# put down to the input.
# Programs: dmsetup mkfs.ext4
# Modules: dm-mod dm-flakey snd-dummy
source /tests/devices.sh
load snd-dummy
sectors=$(blockdev --getsz /dev/vda)
dmsetup create failing --table "0 $sectors linear /dev/vda 0" || expect "dmsetup" 0 $?
disk_with_set /dev/mapper/failing 2 12

fails() { # NAME TABLE OPTIONS…
  start_play "$1" /mnt/set -D hw:Dummy "${@:3}" --buffer-size 16384
  wait_until_it_plays Dummy
  switch_table failing "$2"
  played
  switch_table failing "0 $sectors linear /dev/vda 0"
  expect "$1: exit code" 4 "$code"
  contains "$1: what" "could not be read at byte" "$err"
  contains "$1: its cause" "Input/output error; its disk" "$err"
  expect "$1: its end" input "$(field ended_by "$1")"
  expect "$1: complete" false "$(field complete "$1")"
  expect "$1: put down to" input "$(cause_of end "$1")"
  contains "$1: the evidence" "could not be read at byte" "$(detail_of end "$1")"
  at_least "$1: frames played until then" 24000 "$(field frames_played "$1")"
}
# flakey: well for a second, failing for a minute.
fails flakey "0 $sectors flakey /dev/vda 0 1 60" --ring 500ms
fails error "0 $sectors error" --ring 500ms --io pread
fails no-ring "0 $sectors error" --no-ring --direct on

play mended /mnt/set -D hw:Dummy -d 1 --buffer-size 16384
expect "when it is mended: its end" duration "$(field ended_by mended)"
umount /mnt
mounted=
dmsetup remove failing
finish
