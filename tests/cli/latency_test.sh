#!/usr/bin/env bash
# `xrunlab latency`: its forms of output, its clocks, rounds, the limit, what it refuses, how it ends; `-n -o`,
# also of `play`.
#   latency_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
source "$(dirname "$0")/expectations.sh"
latency() { run "$xrunlab" latency -i 1000 -l 50 "$@"; }

# The table, and its last line alone.
latency
expect "a run: exit code" 0 "$code"
for text in "round 1       50" "wait        nanosleep, every 1 ms, 50 wake-ups" "MEASURED 50 wake-ups every 1 ms"; do
  contains "a run" "$text" "$out"
done
latency -q -t all --rounds 2 --pause 0 --json="$work/run.json" --record "$work/samples.csv"
expect "all CPUs: exit code" 0 "$code"
expect "all CPUs: one line" 1 "$(wc -l <<<"$out")"
cpus=$(sed -n 's/^Cpus_allowed_list:\s*//p' /proc/self/status)
expect "all CPUs: kind" latency "$(value_of kind "$work/run.json")"
wanted=$((50 * 2 * $(nproc)))
contains "all CPUs ($cpus)" "$wanted wake-ups every 1 ms in 2 rounds" "$out"
expect "--record: lines" $((wanted + 1)) "$(wc -l <"$work/samples.csv")"
run "$xrunlab" latency --clock sim --period-size 48 -d 50ms --json
expect "a card: exit code" 0 "$code"
contains "a card" '"interval_ns": 1000000,' "$out"
contains "a card" "MEASURED 50 wake-ups" "$err"
run "$xrunlab" latency --clock timerfd -i 1ms -d 20ms -q --burn 30% --hist
expect "timerfd: exit code" 0 "$code"
contains "timerfd: --hist" "lateness of wake-ups: 20 samples" "$out"

if [ "$(cat /proc/sys/kernel/sched_rt_runtime_us)" = 950000 ]; then
  latency -q --burn 96%
  contains "more than a real-time thread may have" "leaves real-time threads 95 %" "$err"
fi
# What it refuses, with the remedy.
while IFS='|' read -r options wanted needle; do
  # shellcheck disable=SC2086
  run "$xrunlab" latency -l 10 $options
  expect "$options: exit code" "$wanted" "$code"
  contains "$options" "$needle" "$err"
  expect "$options: stdout" "" "$out"
done <<'END'
-i 1000001|2|1000001us
-i 1us|2|10us to 1h
-i 0.5|2|0.5us, or 0.5ms
--stop-over 200.5|2|200.5us
-t 0|2|-t
-t 2 --clock sim|2|wakes one thread only
--clock sim -i 1000|2|--period-size
--clock null|2|never waits
--clock rtc:/dev/rtc-there-is-none|77|--clock nanosleep
--rtc-rate 1000|2|powers of two
--burn 120%|2|--burn
--load-seed 3|2|there is no --load
--dma-latency 1h|2|--dma-latency: '1h' is over
--burn half|2|0.5 or 50%
--burn 0.001|2|1% to 99%
--clock rtc:|2|which rtc
--ticks 4|2|give --clock rtc
--period-size 64 --clock timerfd|2|give --clock sim
--record same --json=./same|2|another name
-t 0 -o made-for-nothing|2|-t
-d 1s|2|leave one of them out
--clock file:/dev/null,raw|2|never waits
--affinity 4096|2|no such CPU
--cyclictest --json|2|--json=FILE
-n 2|2|-o DIR
-n 2 -o x --record y|2|leave -n out
--clock hw:there-is-none|5|hw:there-is-none
END
[ ! -e made-for-nothing ]
expect "the directory of a run that was refused" 0 $?
run "$xrunlab" latency -l 10 --stop-over ""
expect "an empty value: exit code" 2 "$code"
contains "an empty value" "--stop-over has an empty value" "$err"
# A file of samples that cannot be written is not whole, which no script may miss.
(
  trap '' XFSZ
  ulimit -f 8
  run "$xrunlab" latency -l 2000 -i 100 -q --record "$work/cut.csv"
  expect "samples that are cut: exit code" 3 "$code"
  contains "samples that are cut" "cut.csv is cut: File too large" "$err"
  [ "$failures" = 0 ]
) || failures=$((failures + 1))
# Microseconds without a unit; a limit that nothing keeps, and one that all do.
latency --stop-over 0 -q
expect "--stop-over 0: exit code" 1 "$code"
contains "--stop-over 0" "FAIL " "$out"
latency --stop-over 1h -q
expect "--stop-over 1h: exit code" 0 "$code"
contains "--stop-over 1h" "PASS 50 wake-ups" "$out"

# Ended by hand, also within a long interval.
for signal in INT TERM; do
  timeout -s "$signal" 1 "$xrunlab" latency -i 20s -l 10 -q --json="$work/cut.json" >"$work/out" 2>&1
  expect "$signal: exit code" 124 $?
  expect "$signal: complete" false "$(value_of complete "$work/cut.json")"
done

# Repeated: a file of each run, by kind, kernel and time; nothing is overwritten.
latency -q -n 3 -o "$work/runs"
expect "-n 3: exit code" 0 "$code"
expect "-n 3, quiet: stderr" "" "$err"
expect "-n 3: files" 3 "$(find "$work/runs" -type f | wc -l)"
expect "-n 3: names" 3 "$(find "$work/runs" -name "latency-$(uname -r)-20*Z*.json" | wc -l)"
latency -q -n 2 -o "$work/runs"
expect "-n 2 more: files" 5 "$(find "$work/runs" -type f | wc -l)"
# What a killed run has left gets its name with the next; a draft of a process that lives is left alone.
mkdir "$work/left"
cp "$(find "$work/runs" -type f | head -1)" "$work/left/.run-999999999.json"
cp "$work/left/.run-999999999.json" "$work/left/.run-$$.json"
echo "{" >"$work/left/.run-999999998.json"
latency -q -o "$work/left"
expect "a killed run: exit code" 0 "$code"
contains "a killed run" "is of a run that was killed" "$err"
contains "a draft that is none" "999999998.json is left as it is" "$err"
expect "a killed run: named" 2 "$(find "$work/left" -name "latency-*.json" | wc -l)"
expect "a living one: left" 2 "$(find "$work/left" -name ".run-*.json" | wc -l)"
"$xrunlab" gen "$work/set" --tracks 1 -f S16_LE -d 100ms -q
run "$xrunlab" play "$work/set" -q -n 2 -o "$work/plays" --cache keep
expect "play -n 2: exit code, of runs too short for a verdict" 1 "$code"
expect "play -n 2: names" 2 "$(find "$work/plays" -name "play-$(uname -r)-20*Z*.json" | wc -l)"
finish
