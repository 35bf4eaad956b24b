#!/usr/bin/env bash
# `xrunlab sweep` over settings of a loop device: each run has its own, and all are put back, at the end,
# after a signal, and by `xrunlab restore` after kill -9 at a random moment (XRUNLAB_KILLS times, 3). Needs root and a
# free loop device.
#   sweep_settings_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
source "$(dirname "$0")/expectations.sh"
kills=${XRUNLAB_KILLS:-3}
PATH=$PATH:/usr/sbin:/sbin
export XDG_STATE_HOME=$work/state
truncate -s 64M "$work/image"
device=$(losetup --find --show "$work/image" 2>/dev/null) || exit 77
disk=$(basename "$device")
queue=/sys/block/$disk/queue
as_made=$(cat "$queue/scheduler" 2>/dev/null)

detach() {
  mountpoint -q "$work/mnt" && umount -l "$work/mnt"
  as_made=${as_made#*[}
  echo "${as_made%]*}" >"$queue/scheduler"
  losetup --detach "$device"
  clean_up
}
trap detach EXIT
if ! grep -q mq-deadline "$queue/scheduler" || [ ! -w "$queue/scheduler" ]; then exit 77; fi
mkdir "$work/mnt"
{ mkfs.ext4 -q "$device" && mount "$device" "$work/mnt"; } 2>/dev/null || exit 77
echo mq-deadline >"$queue/scheduler"
echo 100 >"$queue/iosched/read_expire"
echo 50 >"$queue/nr_requests"
values() { (cd "$queue" && grep -rs . . | sort); }
before=$(values)
same() { expect "$1: every value of $disk" "$before" "$(values)"; }
cd "$work" || exit 1
"$xrunlab" gen mnt/set --tracks 2 -f S16_LE -d 4 -q
quick=(--warmup 0 --cooldown 10ms)
setting_of() { # FILE KEY: value, found and acts of a setting in a run file
  tr -d '\n ' <"$1" | grep -o "\"key\":\"$2\",[^}]*" | sed 's/"[a-z]*"://g; s/"//g' | cut -d, -f1-4
}

# What cannot act, and what no device takes.
while IFS='|' read -r wanted arguments needle; do
  # shellcheck disable=SC2086
  run "$xrunlab" sweep -o out -n 1 "${quick[@]}" $arguments
  expect "$arguments: exit code" "$wanted" "$code"
  contains "$arguments" "$needle" "$err"
  same "$arguments"
  expect "$arguments: nothing is made" no "$([ -e out ] && echo yes || echo no)"
done <<'END'
2|--vary read_ahead_kb=64,512 -- mnt/set -d 300ms|direct reads
2|--vary scheduler=none,mq-deadline --vary io-priority=none,rt:4 -- mnt/set -d 300ms|scheduler=none, io-priority=rt:4: io-priority=rt:4 cannot act
2|--vary scheduler=none,mq-deadline --fix iosched.read_expire=50 -- mnt/set -d 300ms|which has no read_expire
2|--vary nr_requests=many,few -- mnt/set -d 300ms|nr_requests
3|--vary scheduler=none,such -- mnt/set -d 300ms|mq-deadline
3|--fix nr_requests=99999999 -- mnt/set -d 300ms|nr_requests
END

# A dry run finds what can be found without setting it.
while IFS='|' read -r fix needle; do
  run "$xrunlab" sweep --fix "$fix" -n 1 --dry-run -o out -- mnt/set -d 300ms
  expect "a dry run of $fix: exit code" 3 "$code"
  contains "a dry run of $fix" "$needle" "$err"
done <<'END'
scheduler=such|it offers
iosched.read_expire=soon|it is 100 now
END

# Each run has its own values, whatever the one before had, and knows them.
run "$xrunlab" sweep --vary scheduler=all --fix nr_requests=40 -n 2 "${quick[@]}" -o all --prepare \
  "cat $queue/scheduler $queue/nr_requests | tr '\n' ' ' >>seen; echo >>seen" -- mnt/set -d 300ms
expect "all schedulers: exit code" 0 "$code"
same "all schedulers"
offered=$(tr -d '[]' <"$queue/scheduler" | wc -w)
expect "all schedulers: runs" $((2 * offered)) "$(find all -name 'run-*.json' | wc -l)"
for scheduler in none mq-deadline; do
  expect "$scheduler was in force" 2 "$(grep -c "\[$scheduler\].* 40 $" seen)"
  expect "$scheduler: known to its runs" 2 \
    "$(for file in all/run-*; do setting_of "$file" scheduler; done | grep -c "^scheduler,$scheduler,mq-deadline,true$")"
  expect "$scheduler: as play saw it" 2 "$(grep -l "\"io_scheduler\": *\"$scheduler\"" all/run-* | wc -l)"
done
expect "what is fixed" "nr_requests,40,50,true" "$(setting_of all/run-001.json nr_requests)"

# Forced, what cannot act is run and marked.
run "$xrunlab" sweep --vary scheduler=none,mq-deadline --vary io-priority=none,rt:4 --vary iosched.fifo_batch=8 --force-inert \
  -n 1 "${quick[@]}" -o forced -- mnt/set -d 300ms
expect "--force-inert: exit code" 0 "$code"
same "--force-inert"
for file in forced/run-*.json; do
  scheduler=$(setting_of "$file" scheduler | cut -d, -f2)
  priority=$(setting_of "$file" io-priority | cut -d, -f2)
  acts=$([ "$scheduler $priority" = "none rt:4" ] && echo false || echo true)
  expect "$file: io-priority" "io-priority,$priority,null,$acts" "$(setting_of "$file" io-priority)"
  contains "$file: its reads" "\"io_priority\": \"$priority\"" "$(sed 's/":"/": "/' "$file")"
  expect "$file: fifo_batch acts" "$([ "$scheduler" = none ] && echo false || echo true)" \
    "$(setting_of "$file" iosched.fifo_batch | cut -d, -f4)"
done

# What the kernel made of a value is what stands in the run file, with what was asked; equal values are said.
most=$(cat "$queue/max_hw_sectors_kb")
run "$xrunlab" sweep --vary "max_sectors_kb=$most,$((most + 1000))" -n 1 "${quick[@]}" -o granted -- mnt/set -d 300ms
case $code in
  0)
    for file in granted/run-*.json; do
      expect "$file: a value granted otherwise" "max_sectors_kb,$most" "$(setting_of "$file" max_sectors_kb | cut -d, -f1-2)"
    done
    expect "what was asked" 1 "$(cat granted/run-* | tr -d '\n ' | grep -o "\"asked\":\"$((most + 1000))\"" | wc -l)"
    expect "a warning in its run file" 1 "$(cat granted/run-* | grep -c "max_sectors_kb is $most where")"
    contains "equal values" "are the same here: $most" "$err"
    ;;
  *) contains "a kernel that refuses it" "max_sectors_kb" "$err" ;;
esac
same "a value granted otherwise"

sweep_in_background() {
  rm -rf cut
  "$xrunlab" sweep --vary scheduler=none,mq-deadline --vary nr_requests=30,60 -n 20 "${quick[@]}" -o cut -- mnt/set -d 200ms \
    >cut.out 2>cut.err &
  pid=$!
}
for signal in TERM HUP; do
  sweep_in_background
  for _ in $(seq 600); do [ "$(find cut -name 'run-*.json' 2>/dev/null | wc -l)" -ge 2 ] && break; sleep 0.05; done
  kill -$signal $pid
  code=0
  wait $pid || code=$?
  expect "SIG$signal: exit code" $((128 + $(kill -l $signal))) "$code"
  same "SIG$signal"
done

# One made elsewhere at the same time waits for nobody: it says who has the disk.
sweep_in_background
for _ in $(seq 600); do [ -e cut/run-001.json ] && break; sleep 0.05; done
run "$xrunlab" sweep --vary scheduler=none,mq-deadline -n 1 -o other -- mnt/set -d 200ms
expect "two sweeps of one disk: exit code" 3 "$code"
contains "two sweeps of one disk" "another process" "$err"
kill -TERM $pid
wait $pid
same "two sweeps of one disk"

different=0
for number in $(seq "$kills"); do
  sweep_in_background
  for _ in $(seq 200); do [ -e cut/sweep.json ] && break; sleep 0.05; done
  sleep "$((RANDOM % 2)).$(printf %03d $((RANDOM % 1000)))"
  kill -KILL $pid
  wait $pid 2>/dev/null
  [ "$(values)" = "$before" ] || different=$((different + 1))
  run "$xrunlab" restore
  expect "restore: exit code" 0 "$code"
  same "kill -9, number $number"
  [ "$failures" = 0 ] || break
done
echo "$kills killed, $different of them had left something changed"
run "$xrunlab" sweep --resume -q --dry-run -o cut
expect "it can be gone on with: exit code" 0 "$code"
finish
