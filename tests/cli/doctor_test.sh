#!/usr/bin/env bash
# `xrunlab doctor`: on a made-up machine that is set up, on the same without some of it, on an empty one, and on this one.
#   doctor_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
source "$(dirname "$0")/expectations.sh"

root=$work/root
put() { # PATH TEXT
  mkdir -p "$(dirname "$root$1")"
  printf '%b\n' "$2" >"$root$1"
}
narrow() { # WHAT: no line of $work/.out is wider than a mail
  expect "$1: lines of more than 80 columns" "" "$(LC_ALL=C.UTF-8 grep -E '^.{81}' "$work/.out")"
}
put /proc/self/limits 'Max locked memory unlimited unlimited bytes
Max open files 1024 65536 files
Max realtime priority 95 95
Max realtime timeout unlimited unlimited us'
put /proc/self/status 'Uid:\t7\t7\t7\t7\nGroups:\t29\nCapEff:\t0\nSeccomp:\t0'
put /etc/group audio:x:29:
put /etc/security/limits.d/audio.conf '@audio - rtprio 95'
put /proc/sys/kernel/osrelease 6.1.0-rt
put /proc/sys/kernel/version '#1 SMP PREEMPT_RT'
put /proc/sys/vm/swappiness 60
put /proc/self/mountinfo '1 0 8:0 / / rw,relatime - ext4 /dev/sda rw\n2 1 0:20 / /dev/shm rw - tmpfs tmpfs rw'
put /music/a.wav x
export XRUNLAB_SYSROOT=$root

run "$xrunlab" doctor /music
expect "set up: exit code" 0 "$code"
expect "set up: stderr" "" "$err"
narrow "set up"
for line in "OK   rtprio           priorities up to 95" "OK   preemption       PREEMPT_RT" "WARN swappiness       60:" \
  "mend: sudo sysctl vm.swappiness=10" "n-a  governor" "0 FAIL, 1 WARN," "; WARN: swappiness"; do
  contains "set up" "$line" "$out"
done
run "$xrunlab" doctor -q /music
expect "-q: what is not well" 1 "$(grep -c '^[WFOn][-A-Za-z]* *[a-z-]* ' <<<"$(grep -E '^(OK|WARN|FAIL|n-a) ' "$work/.out")")"
run "$xrunlab" doctor /music --json
expect "--json: exit code" 0 "$code"
expect "--json: its schema" xrunlab/doctor/1 "$(value_of schema "$work/.out")"
expect "--json: how many are WARN" 1 "$(value_of warn "$work/.out")"
expect "--json: checks" 26 "$(grep -c '"check"' "$work/.out")"
run "$xrunlab" doctor /music -P f:96
contains "a priority above the limit" "WARN rtprio" "$out"

sed -i 's/priority 95 95/priority 0 0/' "$root/proc/self/limits"
run "$xrunlab" doctor /music --json="$work/doctor.json"
expect "no real-time right: exit code" 1 "$code"
expect "no real-time right: stdout" "" "$out"
expect "no real-time right: how many are FAIL" 1 "$(value_of fail "$work/doctor.json")"
contains "no real-time right" "log in again" "$(cat "$work/doctor.json")"

mkdir -p "$work/empty/music"
XRUNLAB_SYSROOT=$work/empty run "$xrunlab" doctor /music
expect "a machine that tells nothing: exit code" 0 "$code"
contains "a machine that tells nothing" "0 FAIL, 0 WARN, 0 OK, 26 n-a" "$out"
narrow "a machine that tells nothing"
unset XRUNLAB_SYSROOT

run "$xrunlab" doctor "$work"
case $code in 0 | 1) ;; *) expect "here: exit code" "0 or 1" "$code" ;; esac
expect "here: stderr" "" "$err"
expect "here: each check at least once" 26 "$(grep -E '^(OK|WARN|FAIL|n-a) ' "$work/.out" | awk '{print $2}' | sort -u | wc -l)"
narrow "here"
run "$xrunlab" doctor "$work/none"
expect "a directory that is not there: exit code" 4 "$code"
for priority in f:100 o; do
  run "$xrunlab" doctor -P "$priority" "$work"
  expect "-P $priority: exit code" 2 "$code"
done
run "$xrunlab" doctor "$work" --json="$work/none/doctor.json"
expect "an output that cannot be written: exit code" 3 "$code"
finish
