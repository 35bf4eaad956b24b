# Real-time rights as a login gives them: none, and rtprio 50 with a memlock limit of 64 KiB. The right warnings, and the
# policy as it is read back. And no right to the card.
# Modules: snd-dummy
source /tests/devices.sh
xrunlab gen "$work/set" --tracks 2 -r 48k -f S16_LE -d 300ms -q
chmod 755 "$work"
chmod 777 "$results"

as_player() { # NAME LIMITS OPTIONS…
  local name=$1 limits=$2
  shift 2
  # shellcheck disable=SC2086
  run prlimit $limits setpriv --reuid=player --regid=player --init-groups \
    xrunlab play "$work/set" -q --json="$results/$name.json" --buffer-size 16384 "$@"
}

as_player none "--rtprio=0 --memlock=8388608" --ring 20s
expect "no limits set: exit code, of a run too short for a verdict" 1 "$code"
contains "no limits set: priority" "no SCHED_FIFO priority 70: the limit is 0 (RLIMIT_RTPRIO); put \"@audio - rtprio 95\"" "$err"
contains "no limits set: memory" "locked in memory" "$err"
contains "no limits set: memory, the remedy" "memlock unlimited" "$err"
expect "no limits set: policy" SCHED_OTHER "$(field policy none)"
expect "no limits set: priority" 0 "$(field priority none)"
expect "no limits set: its end" end "$(field ended_by none)"
as_player none-strict "--rtprio=0 --memlock=unlimited" --strict --cache keep --direct off
expect "no limits set, --strict: exit code" 3 "$code"
contains "no limits set, --strict" "no SCHED_FIFO priority 70" "$err"

as_player some "--rtprio=50 --memlock=65536"
contains "rtprio 50: priority" "priority 70 lowered to 50, the limit of this login (RLIMIT_RTPRIO)" "$err"
contains "memlock 64 KiB: memory" "beyond the limit of 64 KiB (RLIMIT_MEMLOCK)" "$err"
expect "rtprio 50: policy" SCHED_FIFO "$(field policy some)"
expect "rtprio 50: priority" 50 "$(field priority some)"
expect "rtprio 50: the limit" 50 "$(field rtprio_limit some)"
expect "memlock 64 KiB: the limit" 65536 "$(field memlock_limit_bytes some)"
at_least "memlock 64 KiB: not exceeded" 0 $((65536 - $(field locked_bytes some)))
expect "rtprio 50: its end" end "$(field ended_by some)"
as_player enough "--rtprio=50 --memlock=unlimited" -P f:50 --strict --cache keep --direct off
expect "what the limits allow, --strict: exit code" 1 "$code"
expect "what the limits allow: stderr" "" "$err"
expect "what the limits allow: policy" SCHED_FIFO "$(field policy enough)"
expect "what the limits allow: memory" all "$(field mlock enough)"

# The device files are root's; in the group audio it plays.
load snd-dummy
as_player closed "--rtprio=50 --memlock=unlimited" -D hw:0
expect "no right to the card: exit code" 5 "$code"
contains "no right to the card" "no right to use it" "$err"
contains "no right to the card: the remedy" "usermod -aG audio" "$err"
as_player closed-name "--rtprio=50 --memlock=unlimited" -D hw:Dummy
contains "no right to the card, by its name" "no right to use it" "$err"
chgrp audio /dev/snd/*
chmod 660 /dev/snd/*
run prlimit --rtprio=50 setpriv --reuid=player --regid=player --groups=audio \
  xrunlab play "$work/set" -q -D hw:Dummy -P f:50 --no-mlock --buffer-size 16384 --json="$results/group.json"
expect "in the group audio: its end" end "$(field ended_by group)"
modprobe -r snd-dummy
finish
