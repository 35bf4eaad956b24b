# A disk that stalls while it is played from: device mapper delays its reads for 2 s, the ring holds half of one. The starvation,
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
disk_with_set "$disk" 4 6

# All three play at once, each on a substream of its own. A card's buffer of 16384 frames holds 341 ms, the ring 500 ms, and a
# read is under way every 0.1 s.
start_play ring /mnt/set -D hw:Dummy,0,0 --ring 500ms --buffer-size 16384
start_play silence /mnt/set -D hw:Dummy,0,1 --ring 500ms --buffer-size 16384 --on-starve silence
start_play no-ring /mnt/set -D hw:Dummy,0,2 --no-ring --direct on --buffer-size 16384
wait_until_it_plays Dummy 0 1 2
now_ms() { echo $((${EPOCHREALTIME/./} / 1000)); }
switch_table stalling "$(delay 20000)"
begun=$(now_ms)
sleep 2
stall_ms=$(($(now_ms) - begun))
# A delay ends when its table goes.
switch_table stalling "$(delay 0)"

played ring
expect "ring: exit code" 1 "$code"
contains "ring" "FAIL" "$out"
expect "ring: its end" end "$(field ended_by ring)"
expect "ring: frames played" 288000 "$(field frames_played ring)"
at_least "ring: starvation episodes" 1 "$(field starvation_episodes ring)"
at_least "ring: starved, of a stall of $stall_ms ms" $(((stall_ms - 1200) * 1000000)) "$(field starved_ns ring)"
at_least "ring: xruns" 1 "$(field device_xruns ring)"
at_least "ring: longest read" $(((stall_ms - 700) * 1000000)) "$(field_in io_latency max_ns ring)"
contains "ring: the reason" "starvation" "$(cat "$results/ring.json")"
expect "ring: put down to" disk "$(cause_of starvation ring)"
contains "ring: the evidence" "the read at byte" "$(detail_of starvation ring)"

played silence
at_least "silence: fragments" 20 "$(field silent_fragments silence)"
expect "silence: its end" end "$(field ended_by silence)"

played no-ring
at_least "no ring: xruns" 1 "$(field device_xruns no-ring)"
at_least "no ring: dry" $(((stall_ms - 700) * 1000000)) "$(largest dry_ns no-ring)"
expect "no ring: put down to" disk "$(cause_of xrun no-ring)"
at_least "no ring: longest T1" $(((stall_ms - 700) * 1000000)) "$(field_in ring_read max_ns no-ring)"
expect "no ring: its end" end "$(field ended_by no-ring)"

umount /mnt
mounted=
dmsetup remove stalling
finish
