#!/usr/bin/env bash
# `xrunlab restore`, on a machine that is made of files: what a killed run leaves, what a reboot undoes.
#   restore_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
change=$(dirname "$3")/change_settings
source "$(dirname "$0")/expectations.sh"
export XRUNLAB_SYSROOT=$work/machine XDG_STATE_HOME=$work/state
machine=$XRUNLAB_SYSROOT
queue=$machine/sys/class/block/sda/queue
journals=$XDG_STATE_HOME/xrunlab

put() { # FILE VALUE
  mkdir -p "$(dirname "$1")"
  echo "$2" >"$1"
}
put "$queue/scheduler" "mq-deadline"
put "$queue/nr_requests" 62
put "$queue/read_ahead_kb" 128
put "$queue/iosched/read_expire" 120
put "$queue/../diskseq" 3
put "$queue/../size" 4096
put "$machine/proc/sys/vm/swappiness" 60
put "$machine/proc/sys/kernel/random/boot_id" first-boot
values() { (cd "$machine" && grep -r . sys proc/sys/vm | sort); }
before=$(values)

changer=
change() { # KEY=VALUE…
  rm -f "$work/.changed" # what an earlier one said
  "$change" sda "$@" >"$work/.changed" 2>&1 &
  changer=$!
  for _ in $(seq 600); do
    grep -qs changed "$work/.changed" && return
    kill -0 "$changer" 2>/dev/null || break
    sleep 0.05
  done
  expect "change_settings $*" changed "$(cat "$work/.changed")"
}
end_with() { # SIGNAL; its exit code in $ended
  ended=0
  kill -"$1" "$changer"
  wait "$changer" 2>/dev/null || ended=$?
}
same() { expect "$1: every value" "$before" "$(values)"; }

run "$xrunlab" restore
expect "nothing is left: exit code" 0 "$code"
expect "nothing is left" "no settings are left changed" "$out$err"

change nr_requests=64 read_ahead_kb=512 vm.swappiness=10
expect "changed" "64 512 10" "$(cat "$queue/nr_requests" "$queue/read_ahead_kb" "$machine/proc/sys/vm/swappiness" | xargs)"
run "$xrunlab" cards -D sim
expect "while it runs: nobody complains" "" "$err"
run "$xrunlab" restore
expect "while it runs: exit code" 3 "$code"
contains "while it runs" "a process that still runs" "$out"
contains "while it runs" "end the process" "$err"
expect "while it runs: nothing is put back" 64 "$(cat "$queue/nr_requests")"
run "$change" sda nr_requests=9
expect "a second process: exit code" 3 "$code"
contains "a second process" "the settings of sda are being changed by another process" "$err"

end_with KILL
for command in "cards -D sim" "gen $work/set --tracks 1 -d 100ms -q" "inspect $work/set"; do
  run "$xrunlab" $command
  expect "$command: exit code" 0 "$code"
  expect "$command: stderr" "xrunlab: settings of sda, vm are left changed by a run that was killed (xrunlab restore puts them back)" "$err"
done
run "$change" sda nr_requests=9
contains "a run on what is left changed" "xrunlab restore puts them back" "$err"
run "$xrunlab" restore --dry-run
expect "--dry-run: exit code" 0 "$code"
contains "--dry-run" "sda nr_requests is 64, was 62" "$out"
expect "--dry-run: nothing is put back" 64 "$(cat "$queue/nr_requests")"
run "$xrunlab" restore
expect "restore: exit code" 0 "$code"
expect "restore: stderr" "" "$err"
contains "restore" "sda, vm: changed by process $changer at 20" "$out"
contains "restore" "sda nr_requests is 64, put back to 62" "$out"
contains "restore" "vm.swappiness is 10, put back to 60" "$out"
expect "restore: how much" 4 "$(wc -l <"$work/.out")"
same "restore"
expect "restore: no journal is left" "" "$(ls "$journals")"
run "$xrunlab" cards -D sim
expect "after restore: stderr" "" "$err"

for signal in INT TERM HUP; do # as a sweep is ended by hand, by a script, with its terminal
  change nr_requests=64 vm.swappiness=10
  end_with "$signal"
  expect "$signal: exit code" 0 "$ended"
  same "$signal"
  expect "$signal: no journal is left" "" "$(ls "$journals")"
done
# A sanitizer would write a report of the second.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0
for signal in ABRT SEGV; do
  change nr_requests=64
  end_with "$signal"
  [ "$ended" -gt 0 ] || expect "$signal: exit code" "that of a signal" "$ended"
  same "$signal"
  expect "$signal: no journal is left" "" "$(ls "$journals")"
done

# The machine was switched off: read_ahead_kb came back as the kernel makes it, not as it had been tuned.
change nr_requests=64 read_ahead_kb=512
end_with KILL
put "$machine/proc/sys/kernel/random/boot_id" second-boot
put "$queue/nr_requests" 62
put "$queue/read_ahead_kb" 256
run "$xrunlab" cards -D sim
contains "after a reboot" "cut off before the machine was booted anew" "$err"
run "$xrunlab" restore
expect "after a reboot: exit code" 0 "$code"
contains "after a reboot" "sda nr_requests was 62, 64 was set: the reboot has undone it" "$out"
contains "after a reboot" "sda read_ahead_kb was 128, 512 was set; since the reboot it is 256: \`echo 128 >/sys/class/block/sda/queue/read_ahead_kb\`" "$out"
expect "after a reboot: nothing is written" 256 "$(cat "$queue/read_ahead_kb")"
run "$xrunlab" restore
expect "after a reboot: told once" "no settings are left changed" "$out"
put "$queue/read_ahead_kb" 128

# What cannot be put back is said, and kept until it is given up.
change nr_requests=64 read_ahead_kb=512
end_with KILL
mv "$queue/nr_requests" "$queue/gone"
run "$xrunlab" restore
expect "a setting is gone: exit code" 3 "$code"
contains "a setting is gone" "sda nr_requests is not readable, was 62" "$err"
contains "a setting is gone" "restore --forget" "$err"
expect "a setting is gone: the others are put back" 128 "$(cat "$queue/read_ahead_kb")"
run "$xrunlab" restore --forget
expect "--forget: exit code" 0 "$code"
expect "--forget: no journal is left" "" "$(ls "$journals")"
mv "$queue/gone" "$queue/nr_requests"
put "$queue/nr_requests" 62

# Journals from outside: no path of theirs is followed.
hostile() { # WHAT LINE…
  printf 'xrunlab settings journal 1\nboot\tsecond-boot\npid\t9\nbegun\tnow\n%b' "$2" >"$journals/settings-9.journal"
  run "$xrunlab" restore
  expect "$1: exit code" 3 "$code"
  contains "$1" "is no journal of changed settings: line 5" "$err"
  run "$xrunlab" cards -D sim
  contains "$1: another command" "is no journal of changed settings" "$err"
}
put "$machine/sys/class/block/etc/passwd" root
hostile "a path in a journal" 'found\tqueue\t../block/etc\t\tpasswd\tme\n'
hostile "a path as a name" 'found\tqueue\tsda\t\t../../etc/passwd\tme\n'
hostile "a path as a scheduler" 'found\tqueue\tsda\t../x\tread_expire\t1\n'
hostile "a line of something else" 'rm\t-rf\n'
expect "nothing was written" root "$(cat "$machine/sys/class/block/etc/passwd")"
rm -r "$machine/sys/class/block/etc"
printf 'xrunlab settings journal 1\nboot\tsecond-boot\npid\t9\nbegun\tnow\nfound\tvm\t\t\tswappiness\t1\n' >"$journals/settings-9.journal"
chmod 666 "$journals/settings-9.journal"
run "$xrunlab" restore
expect "a journal that anybody can write: exit code" 3 "$code"
contains "a journal that anybody can write" "is not believed" "$err"
rm "$journals/settings-9.journal"
same "in the end"

run "$xrunlab" restore --forget --dry-run
expect "--forget --dry-run: exit code" 2 "$code"
finish
