#!/usr/bin/env bash
# Measures time. A set played as a client of a JACK server of its own: what the server's graph gets is what stands in the
# files, and what does not apply there says so.
#   play_jack_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
# JACK's list of servers, in /dev/shm, has room for eight and forgets none that was killed: one of our own, where we may.
if [ -z "${own_shm:-}" ] && [ "$(id -u)" = 0 ] && unshare -m mount -t tmpfs tmpfs /dev/shm 2>/dev/null; then
  export own_shm=1
  exec unshare -m bash -c 'mount -t tmpfs tmpfs /dev/shm && exec bash "$0" "$@"' "$0" "$@"
fi
xrunlab=$1
same_samples=$3
source "$(dirname "$0")/expectations.sh"
tape=$(dirname "$same_samples")/jack_tape
if ! command -v jackd >/dev/null || [ ! -x "$tape" ]; then
  echo "needs jackd2"
  exit 77
fi
server=xrunlab-test-$$
"$xrunlab" gen "$work/set" --tracks 2 -f S16_LE -r 48k -d 2.1 -q
"$xrunlab" gen "$work/cd" --tracks 1 -f S16_LE -r 44.1k -d 1 -q

# Before there is a server: what can be told without one.
run "$xrunlab" play "$work/set" -D jack:server=$server
[ "$code" = 77 ] && { echo "needs libjack"; exit 77; }
expect "no server" 5 "$code"
contains "is told" "there is no JACK server '$server'" "$err"
refused() { # WHAT NEEDLE OPTIONS…
  local what=$1 needle=$2
  shift 2
  run "$xrunlab" play "$work/set" "$@"
  expect "$what: exit code" 2 "$code"
  contains "$what" "$needle" "$err"
}
refused "a wrong key" "there is no option 'port'" -D jack:port=1
for option in "--no-ring" "--record $work/x.trace" "-P f:70" "--no-rt" "--buffer-size 2048" "--periods 3" "--on-starve wait"; do
  # shellcheck disable=SC2086
  refused "$option" "the server calls us" -D jack:server=$server $option
done
refused "an affinity of the server's thread" "that thread is the server's" -D jack:server=$server --affinity playback=0

# Long periods: a machine that is stopped for 50 ms has no xrun.
jackd -n "$server" -r -m -d dummy -r 48000 -p 4096 >"$work/jackd.log" 2>&1 &
jackd=$!
stop_jackd() {
  kill $jackd 2>/dev/null
  wait $jackd 2>/dev/null
  rm -f /dev/shm/jack_sem.*_"$server"_*
}
trap 'stop_jackd; clean_up' EXIT
wait_for() { # FILE TEXT PROCESS
  for _ in $(seq 100); do
    grep -q "$2" "$1" 2>/dev/null && return 0
    kill -0 "$3" 2>/dev/null || return 1
    sleep 0.1
  done
  return 1
}
for _ in $(seq 50); do
  run "$xrunlab" play "$work/set" -D jack:server=$server,connect=none --dry-run
  [ "$code" = 0 ] && break
  sleep 0.1
done
if [ "$code" != 0 ] && ! kill -0 $jackd 2>/dev/null; then
  echo "jackd does not start here: $(head -1 "$work/jackd.log")"
  exit 77
fi
expect "the server is there" 0 "$code"
contains "the plan has its period" "period   4096 frames" "$out"

run "$xrunlab" play "$work/cd" -D jack:server=$server
expect "another rate" 5 "$code"
contains "another rate" "runs at 48000 Hz, the files at 44100" "$err"
run "$xrunlab" play "$work/set" -D jack:server=$server --period-size 1024
expect "another period" 5 "$code"
contains "another period" "the JACK server's period is 4096" "$err"
run "$xrunlab" play "$work/set" -D jack:server=$server -f S16_LE
expect "another format" 5 "$code"

# Sample for sample, unless the machine stood still for longer than a period: then once more.
for _ in 1 2 3; do
  rm -f "$work/tape.wav" "$work/tape.log"
  "$tape" "$server" 2 20 "$work/tape.wav" >"$work/tape.log" 2>&1 &
  taping=$!
  wait_for "$work/tape.log" ready $taping || { echo "FAILED: no tape: $(cat "$work/tape.log")"; exit 1; }
  run "$xrunlab" play "$work/set" -D jack:server=$server,connect=tape -c 2 --map direct --gain 0dB --hist --json="$work/run.json"
  kill -TERM $taping
  wait $taping
  [ "$(value_of device_xruns "$work/run.json")" = 0 ] && break
done
expect "it plays: no verdict on two seconds" 1 "$code"
said=$("$same_samples" --float "$work/tape.wav" "$work"/set/track-*.wav 2>&1)
expect "what the tape got: $said" 0 $?
contains "the summary: the card" "(a client of JACK)" "$out"
contains "the summary: what does not apply" "T2 write, T3 outside, lateness: not applicable, JACK calls us" "$out"
contains "the summary: the cycle" "cycle " "$out"
lacks "the summary: the card's buffer" "card buffer" "$out"
for key in pcm_write outside; do expect "the run file: $key" null "$(sed -n "s/^ *\"$key\": *\([a-z]*\),*$/\1/p" "$work/run.json")"; done
expect "the run file: the policy of the server's thread" SCHED_ "$(value_of policy "$work/run.json" | cut -c1-6)"
expect "the run file: the self-checks" "" "$(grep '"passed": *false' "$work/run.json")"
expect "the run file: starvations" 0 "$(value_of starvation_episodes "$work/run.json")"

run "$xrunlab" play "$work/set" -D jack:server=$server,connect=none -d 500ms --classic
expect "the listings of 2000" 2 "$(grep -c "Not applicable: JACK calls for each period" <<<"$out")"

# A server that hangs: the call that does not return is told, and nobody waits for longer.
kill -STOP $jackd
run timeout -k 1 60 "$xrunlab" play "$work/set" -D jack:server=$server,timeout=500ms
kill -CONT $jackd
expect "a server that hangs: exit code" 5 "$code"
contains "a server that hangs" "jack_client_open did not return within 500 ms" "$err"
expect "a server that hangs: one line" 1 "$(printf '%s\n' "$err" | wc -l)"

# A signal, and the end of the server, end the run; what there is is written.
"$xrunlab" play "$work/set" --loop -d 60s -D jack:server=$server,connect=none -q --json="$work/stopped.json" >"$work/stopped.out" 2>&1 &
playing=$!
sleep 1
kill -TERM $playing
wait $playing
expect "ended by a signal" 143 $?
expect "and says so" "signal 15" "$(value_of ended_by "$work/stopped.json")"
"$xrunlab" play "$work/set" --loop -d 0 -D jack:server=$server,connect=none -q --json="$work/gone.json" >"$work/gone.out" 2>&1 &
playing=$!
sleep 1
stop_jackd
wait $playing
expect "the server has gone" 5 $?
contains "and says so" "the server has ended" "$(cat "$work/gone.json")"
finish
