# How late real-time threads are woken: on the rtc, whose interrupts a timer of the kernel makes, and on the other clocks; and
# what scripts/latency-kernels puts into one table.
source /tests/devices.sh

latency() { # NAME OPTIONS…
  local name=$1
  shift
  run xrunlab latency -q --json="$results/$name.json" "$@"
}

latency rtc --clock rtc -l 100
expect "rtc: exit code" 0 "$code"
expect "rtc: clock" rtc "$(field clock rtc)"
expect "rtc: device" /dev/rtc0 "$(field device rtc)"
expect "rtc: interval, two ticks of 4096 Hz in whole ns" 488280 "$(field interval_ns rtc)"
expect "rtc: wake-ups" 100 "$(field_in latency count rtc)"
expect "rtc: its end" end "$(field ended_by rtc)"
contains "rtc: the verdict" "MEASURED" "$out"
lacks "rtc: self-checks" '"passed": false' "$(cat "$results/rtc.json")"
latency rtc-slow --clock rtc --rtc-rate 64 --ticks 4 -l 8
expect "rtc, 64 Hz, 4 ticks: interval" 62500000 "$(field interval_ns rtc-slow)"
expect "rtc, 64 Hz, 4 ticks: exit code" 0 "$code"
# Were the planned instants not those of its ticks, no wake-up would be near its own.
at_least "rtc, 64 Hz, 4 ticks: the one most in time" 1 $((31250000 - $(field_in latency min_ns rtc-slow)))
# It is one program's.
exec 9</dev/rtc0
latency rtc-busy --clock rtc -l 10
exec 9<&-
expect "rtc in use: exit code" 3 "$code"
contains "rtc in use" "another program has it open" "$err"

latency limit --stop-over 0 -i 1000
expect "--stop-over: exit code" 1 "$code"
mkdir -p /sys/kernel/tracing
mount -t tracefs tracefs /sys/kernel/tracing && {
  latency marked --stop-over 0 -i 1000
  contains "--stop-over: the line in the trace" "xrunlab: woken" "$(cat /sys/kernel/tracing/trace)"
  umount /sys/kernel/tracing
}

# For the table: some runs on each kernel, with work beside them.
run xrunlab latency -q -i 1000 -l 1000 -t all --load cpu:1,share=50% -n 3 -o "$results/table"
expect "for the table: exit code" 0 "$code"
finish
