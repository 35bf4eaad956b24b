#!/usr/bin/env bash
# Measures time. The truth: each fault that can be made is made alone, at a known time, and must be named.
#   cause_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
stall_fs=$2
source "$(dirname "$0")/expectations.sh"
"$xrunlab" gen "$work/set" --tracks 4 -f S16_LE -d 4 -q
cpus=$(nproc)
hog=

# A FIFO hog holds the last CPU for some ms, again and again, until it is killed.
cat >"$work/hog.py" <<'PYTHON'
import os, sys, time
cpu, burn, pause = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
os.sched_setaffinity(0, {cpu})
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(90))
print("ready", flush=True)
while True:
    time.sleep(pause)
    end = time.monotonic() + burn
    while time.monotonic() < end:
        pass
PYTHON

start_hog() { # BURN PAUSE: false where it is not possible
  [ "$cpus" -ge 2 ] && command -v python3 >/dev/null || return 1
  python3 "$work/hog.py" $((cpus - 1)) "$1" "$2" >"$work/hog.out" 2>/dev/null &
  hog=$!
  for _ in $(seq 50); do grep -q ready "$work/hog.out" && return 0; kill -0 $hog 2>/dev/null || break; sleep 0.1; done
  hog=
  return 1
}
end_hog() {
  [ -z "$hog" ] || kill "$hog"
  wait "$hog" 2>/dev/null
  hog=
}

# Kind, cause and detail of the longest episode of a run file, one a line: of what the hypervisor adds, none is as long.
longest() { # FILE
  python3 - "$1" <<'PYTHON'
import json, sys
episodes = json.load(open(sys.argv[1]))["episodes"]
episodes.sort(key=lambda episode: (episode["kind"] == "end", episode["duration_ns"]))
for episode in episodes[-1:]:
    print(episode["kind"], episode["cause"], episode["duration_ns"] // 1000000, episode["evidence"]["detail"], sep="\n")
PYTHON
}

# Plays and looks at the longest episode, at most three times: a machine that was stopped meanwhile spoils a run.
names() { # WHAT KIND CAUSE OPTIONS…
  local what=$1 kind=$2 cause=$3
  shift 3
  for _ in 1 2 3; do
    rm -f "$work/run.json"
    run "$xrunlab" play -q --json="$work/run.json" "$@"
    { read -r got_kind; read -r got_cause; read -r got_ms; read -r detail; } < <(longest "$work/run.json")
    [ "$got_kind $got_cause" = "$kind $cause" ] && break
  done
  expect "$what" "$kind $cause" "${got_kind:-none} ${got_cause:-}"
  got_cause=
}

needs python3

for _ in 1 2 3; do
  names "a card that stands still" pcm_write card "$work/set" -d 1200ms --buffer-size 8192 -D sim:stall=400ms+300ms
  [ "${got_ms:-0}" -ge 290 ] && [ "$got_ms" -le 345 ] && break
done
contains "its detail" "the card took no frames" "${detail:-}"
[ "${got_ms:-0}" -ge 290 ] && [ "$got_ms" -le 345 ]
expect "its duration, 300 ms and a fragment: ${got_ms:-}" 0 $?

cp -r "$work/set" "$work/cut"
(sleep 0.8; truncate -s 140000 "$work/cut/track-002.wav") &
run "$xrunlab" play -q --json="$work/run.json" "$work/cut" --ring 300ms --cache keep
wait
expect "a file that is cut" "end input" "$(longest "$work/run.json" | sed -n 1,2p | paste -sd' ')"
contains "its name" "track-002.wav: the file ended at byte" "$(longest "$work/run.json")"

# No real fault makes a thread sleep of itself, so nothing is blamed; that it was injected is said. A sanitizer's own memory
# makes page faults on the playback thread, which are then to blame.
if ! grep -q -a -e __asan_init -e __tsan_init "$xrunlab"; then
  names "an injected delay" xrun unknown "$work/set" -d 1300ms --buffer-size 4096 --fault playback-delay:at=400ms,ms=400
  contains "its detail" "; injected then: playback-delay:at=400ms,ms=400" "${detail:-}"
fi

mkdir "$work/mnt"
mounted=$work/mnt
"$stall_fs" "$work/set" "$work/mnt" >"$work/fs.out" 2>&1 &
fs=$!
for _ in $(seq 50); do grep -q ready "$work/fs.out" && break; kill -0 $fs 2>/dev/null || break; sleep 0.1; done
if grep -q ready "$work/fs.out"; then
  for how in "--io uring --ring 300ms" "--io pread --ring 300ms" "--no-ring"; do
    # Armed anew for each try: the first read behind this offset is held.
    for _ in 1 2 3; do
      echo "stall file=track-003.wav offset=60000 for=900ms" >"$work/mnt/.stall_fs"
      # shellcheck disable=SC2086
      rm -f "$work/run.json"
      run "$xrunlab" play -q "$work/mnt" $how -d 1500ms --json="$work/run.json" --buffer-size 4096
      { read -r got_kind; read -r got_cause; read -r got_ms; read -r detail; } < <(longest "$work/run.json")
      [ "${got_cause:-}" = disk ] && break
    done
    expect "a read that is held, $how" disk "${got_cause:-none}"
    [ "$how" = --no-ring ] || contains "which, $how" "track-003.wav: the read at byte" "${detail:-}"
    [ "$how" = --no-ring ] || expect "an episode of" starvation "${got_kind:-none}"
    got_cause=
  done
  kill -INT $fs
  wait $fs
else
  echo "a held read is not tested: $(cat "$work/fs.out")"
fi
mounted=

if start_hog 0.12 0.6; then
  names "a hog on the playback thread's CPU" xrun scheduler "$work/set" -d 1800ms -P f:70 --affinity playback=$((cpus - 1))
  contains "its detail" "ready but not run" "${detail:-}"
  # In a mount namespace of its own, so that nothing stays mounted.
  if unshare -m mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null; then
    run unshare -m sh -c 'mount -t tracefs tracefs /sys/kernel/tracing && exec "$@"' sh \
      "$xrunlab" play -q --blame --json="$work/run.json" "$work/set" -d 1800ms -P f:70 --affinity playback=$((cpus - 1))
    expect "--blame" "xrun scheduler" "$(longest "$work/run.json" | sed -n 1,2p | paste -sd' ')"
    contains "who ran" "python3 ($hog) ran on its processor" "$(longest "$work/run.json")"
    expect "instances left behind" "" \
      "$(unshare -m sh -c 'mount -t tracefs tracefs /sys/kernel/tracing && ls /sys/kernel/tracing/instances')"
  else
    echo "--blame is not tested: tracefs cannot be mounted"
  fi
  end_hog
  if start_hog 0.7 0.9; then
    names "a hog on the reader's CPU" starvation reader "$work/set" -d 2500ms --ring 200ms --io-size 4KiB --affinity reader=$((cpus - 1)),playback=0
    contains "its detail" "the reader came" "${detail:-}"
    end_hog
  fi
else
  echo "the scheduler is not tested: it takes two CPUs, SCHED_FIFO and python3"
fi

if [ ! -e /sys/kernel/tracing/instances ]; then
  run "$xrunlab" play -q --blame -d 300ms "$work/set" --json="$work/run.json"
  contains "--blame without tracefs says so" "--blame: who ran instead cannot be seen: tracefs is not mounted" "$err"
  run "$xrunlab" play -q --blame --strict -d 300ms "$work/set"
  expect "and is an error with --strict" 3 "$code"
fi
finish
