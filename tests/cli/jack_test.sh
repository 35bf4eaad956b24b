#!/usr/bin/env bash
# Measures time. `xrunlab jack` on jackd's dummy driver: what is counted, what becomes of clients that hang, and that
# nothing of it outlives xrunlab.
#   jack_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
source "$(dirname "$0")/expectations.sh"

# Without JACK: what is not there is named.
run env PATH="$work" "$xrunlab" jack --clients 1 -d 1
expect "without jackd: exit code" 77 "$code"
contains "without jackd" "apt-get install" "$err"

# Refused before anything is started.
while read -r options needle; do
  # shellcheck disable=SC2086
  run "$xrunlab" jack $options
  expect "jack $options: exit code" 2 "$code"
  contains "jack $options" "$needle" "$err"
  expect "jack $options: stdout" "" "$out"
done <<'END'
--server=net no server
--topology=ring topology
--clients=62 62
--clients=60,--ports=40 ports
--burn=x share
--duration=0 above
END

if ! command -v jackd >/dev/null || ! ldconfig -p | grep -q 'libjack\.so\.0'; then
  echo "not tested further: jackd or libjack is not installed"
  [ "$failures" = 0 ] && exit 77
  finish
fi

# All that this test starts, and what that starts, has it in its environment.
export XRUNLAB_JACK_TEST=$$
ours() { # comm of each process of ours that is xrunlab, a part of it, or jackd
  local file
  for file in $(grep -lsz "^XRUNLAB_JACK_TEST=$$\$" /proc/[0-9]*/environ 2>/dev/null); do
    case $(cat "${file%environ}comm" 2>/dev/null) in jackd | xrunlab*) echo "${file//[^0-9]/}" ;; esac
  done
}
# The registry is that of all JACK servers, and stays; so does their database of properties while one runs.
memory() { ls /dev/shm | grep -v -e '^jack-shm-registry$' -e '^jack_db' | sort; }
memory_before=$(memory)
nothing_left() { # WHAT: within 20 s no process of ours, no shared memory
  local left=
  for _ in $(seq 200); do
    left=$(ours && comm -13 <(echo "$memory_before") <(memory))
    [ -z "$left" ] && return
    sleep 0.1
  done
  expect "$1: what is left" "" "$left"
}
client() { # NUMBER: the process of that client, once it is there
  local file
  for _ in $(seq 200); do
    for file in $(ours); do
      [ "$(tr '\0' ' ' <"/proc/$file/cmdline" 2>/dev/null)" = "xrunlab jack-client $1 " ] && echo "$file" && return
    done
    sleep 0.1
  done
}

# The table: the rows of 2004 in their order, and what was counted.
run "$xrunlab" jack --clients 4 --ports 2 --topology chain --period-size 256 -d 1s --warmup 200ms --json="$work/run.json"
expect "a short run: exit code" 1 "$code"
contains "a short run" "4 clients, 2 ports each way, chain, 256 frames at 44100 Hz" "$(tr -s ' \n' ' ' <<<"$out")"
rows=$(grep -oE '^(Timeout Rate|XRUN Rate|Driver Late Rate|Delay Rate \(>[a-z0-9 ]*\)|Delay Maximum|Cycle Maximum|Average [-A-Za-z/ ]* (Load|Rate))' <<<"$out" | paste -sd,)
expect "rows" "Timeout Rate,XRUN Rate,Driver Late Rate,Delay Rate (>spare time),Delay Rate (>1000 usecs),Delay Maximum,Cycle Maximum,Average DSP Load,Average CPU System Load,Average CPU User Load,Average CPU Nice Load,Average CPU I/O Wait Load,Average CPU IRQ Load,Average CPU Soft-IRQ Load,Average Interrupt Rate,Average Context-Switch Rate,Average CPU Steal Load" "$rows"
expect "kind" jack "$(value_of kind "$work/run.json")"
expect "complete" true "$(value_of complete "$work/run.json")"
# 1 s of 256 frames are 172 cycles; a machine that is stopped now and then makes fewer, and waits longer for a pause.
cycles=$(value_of cycles "$work/run.json")
[ "$cycles" -ge 20 ] && [ "$cycles" -le 500 ]
expect "cycles: $cycles" 0 $?
nothing_left "a short run"

# Again and again: a run file of each, named, and a table of them.
run "$xrunlab" jack --clients 1 --ports 1 --period-size 512 -d 300ms --warmup 50ms -q -n 2 -o "$work/runs"
expect "twice: exit code" 1 "$code"
expect "twice: files" "jack jack" "$(cd "$work/runs" && for file in *; do value_of kind "$file"; done | paste -sd' ')"
expect "twice: named by kind, kernel and time" 2 "$(ls "$work/runs" | grep -cE "^jack-$(uname -r | tr -c 'A-Za-z0-9.+_\n-' _)-[0-9]{8}T[0-9]{6}Z(-2)?\.json$")"
run "$xrunlab" jack -n 2 --clients 1
expect "-n without -o" 2 "$code"
run "$xrunlab" compare "$work/runs" --include
contains "twice: compared" "2 runs of kind jack" "$out"
nothing_left "twice"

# A client that hangs and one that dies are named, do not hold up the others, and fail the run.
"$xrunlab" jack --clients 3 --ports 1 --period-size 512 -d 4s --warmup 200ms --json="$work/run.json" >"$work/out" 2>&1 &
pid=$!
client 3 >/dev/null
sleep 1
kill -STOP "$(client 2)"
kill -KILL "$(client 1)"
code=0
wait $pid || code=$?
expect "clients that fail: exit code" 1 "$code"
flat=$(tr -s ' \n' ' ' <"$work/out")
contains "a client that dies" "client 1 failed: ended by signal 9" "$flat"
contains "a client that hangs" "client 2 failed: no cycle for 1" "$flat"
lacks "the third" "client 3 failed" "$flat"
contains "failed clients" "Failed Clients . . . . . . . : 2" "$flat"
contains "the timeout" '"count":1' "$(grep -m1 -A1 '"timeouts"' "$work/run.json" | tr -d ' \n')"
nothing_left "clients that fail"

# Killed, it leaves no server, no client and no shared memory.
"$xrunlab" jack --clients 3 --ports 1 -d 60s >/dev/null 2>&1 &
pid=$!
client 3 >/dev/null
kill -9 $pid
wait $pid 2>/dev/null
nothing_left "kill -9"

# A client that works twice as long as it may: what the server calls not finished is what is counted, and what the
# clients were told of, which is counted apart, is the same within one. Noise may spoil it.
for attempt in 1 2 3; do
  run "$xrunlab" jack --clients 1 --ports 1 --period-size 256 --burn 200% -d 2s --warmup 200ms --json="$work/run.json"
  expect "a client that is late: exit code" 1 "$code"
  xruns=$(sed -n '/"xruns": {/{n;s/[^0-9]//gp;q}' "$work/run.json")
  late=$(sed -n '/"driver_late": {/{n;s/[^0-9]//gp;q}' "$work/run.json")
  told=$(value_of xrun_callbacks "$work/run.json")
  apart=$((xruns + late - told))
  [ "$xruns" -ge 3 ] && [ "${apart#-}" -le 1 ] && break
done
[ "$xruns" -ge 3 ] && [ "${apart#-}" -le 1 ]
expect "$xruns xruns of the client, $late of the driver, $told told" 0 $?

# One by one; where no client is late all fit.
run "$xrunlab" jack --ramp --clients 2 --ports 1 --period-size 1024 --ramp-step 300ms --load cpu:1,share=0.1
contains "a ramp" " fit" "$out"
contains "a ramp under load" "load cpu:1,share=0.1" "$(tr -s ' \n' ' ' <<<"$out")"
contains "a ramp" "clients cycles DSP %" "$(tr -s ' ' <<<"$out")"

# A server that is not there, and clients as a load.
JACK_DEFAULT_SERVER=xrunlab-none run "$xrunlab" jack --server running --clients 1 -d 1s --timeout 5s
expect "no running server: exit code" 5 "$code"
contains "no running server" "no JACK server can be used: " "$err"
contains "no running server: why" "jack_client_open failed" "$err"
run "$xrunlab" load jack:clients=2,ports=1,period=512 -d 1s
expect "as a load: exit code" 0 "$code"
contains "as a load" "client cycles/s" "$(tr -s ' \n' ' ' <<<"$out")"
"$xrunlab" gen "$work/set" --tracks 1 -f S16_LE -d 1 -q
run "$xrunlab" play "$work/set" --load jack:clients=1,ports=1,period=256,burn=200% --json="$work/beside.json"
contains "beside play" "client cycles/s, " "$(tr -s ' \n' ' ' <<<"$out")"
late=$(grep -o '"kind":"jack".*' "$work/beside.json" | grep -o '"xruns":[0-9]*' | tr -dc 0-9)
[ "${late:-0}" -ge 1 ]
expect "beside play: $late xruns of a client that is always late" 0 $?
nothing_left "as a load"
finish
