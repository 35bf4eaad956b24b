# A disk that stalls while it is played from: device mapper delays its reads for 2.5 s, the ring holds one. The starvation,
# the long reads and the xrun that follows from it are seen, timed, and put down to the disk.
# Programs: dmsetup mkfs.ext4
# Modules: dm-mod dm-delay snd-dummy
source /tests/devices.sh
load snd-dummy
disk=/dev/mapper/stalling
sectors=$(blockdev --getsz /dev/vda)
delay() { # MILLISECONDS
  echo "0 $sectors delay /dev/vda 0 $1"
}
dmsetup create stalling --table "$(delay 0)" || expect "dmsetup" 0 $?
disk_with_set "$disk" 4 5

now_ms() { echo $((${EPOCHREALTIME/./} / 1000)); }
stalled() { # NAME OPTIONS…
  local begun
  start_play "$@"
  wait_until_it_plays Dummy
  switch_table stalling "$(delay 20000)"
  begun=$(now_ms)
  sleep 2.5
  stall_ms=$(($(now_ms) - begun))
  # A delay ends when its table goes.
  switch_table stalling "$(delay 0)"
  played
}

# A card's buffer of 16384 frames holds 341 ms, the ring 1 s, and a read is under way every 0.17 s.
stalled ring /mnt/set -D hw:Dummy --ring 1s --buffer-size 16384
expect "ring: exit code" 1 "$code"
contains "ring" "FAIL" "$out"
expect "ring: its end" end "$(field ended_by ring)"
expect "ring: frames played" 240000 "$(field frames_played ring)"
at_least "ring: starvation episodes" 1 "$(field starvation_episodes ring)"
at_least "ring: starved, of a stall of $stall_ms ms" $(((stall_ms - 1700) * 1000000)) "$(field starved_ns ring)"
at_least "ring: xruns" 1 "$(field device_xruns ring)"
at_least "ring: longest read" $(((stall_ms - 700) * 1000000)) "$(field_in io_latency max_ns ring)"
contains "ring: the reason" "starvation" "$(cat "$results/ring.json")"
expect "ring: put down to" disk "$(cause_of starvation ring)"
contains "ring: the evidence" "the read at byte" "$(detail_of starvation ring)"

stalled silence /mnt/set -D hw:Dummy --ring 1s --buffer-size 16384 --on-starve silence
at_least "silence: fragments" 20 "$(field silent_fragments silence)"
expect "silence: its end" end "$(field ended_by silence)"

stalled no-ring /mnt/set -D hw:Dummy --no-ring --direct on --buffer-size 16384
at_least "no ring: xruns" 1 "$(field device_xruns no-ring)"
at_least "no ring: dry" $(((stall_ms - 700) * 1000000)) "$(largest dry_ns no-ring)"
expect "no ring: put down to" disk "$(cause_of xrun no-ring)"
at_least "no ring: longest T1" $(((stall_ms - 700) * 1000000)) "$(field_in ring_read max_ns no-ring)"
expect "no ring: its end" end "$(field ended_by no-ring)"

umount /mnt
mounted=
dmsetup remove stalling
finish
