# A player that is stopped until a real card has run dry meets EPIPE: it is counted, timed and recovered from, and the rest
# is played to its end. All of them wait more than they compute, so they play at once, each on a substream of its own.
# Modules: snd-aloop snd-dummy
source /tests/devices.sh
load snd-aloop
load snd-dummy
xrunlab gen "$work/set" --tracks 2 -r 48k -f S16_LE -d 2 -q

# The buffer of 8192 frames holds 171 ms of the second.
declare -A again=()
stopped_for_a_second() { # NAME CARD SUBSTREAM OPTIONS…
  again[$1]=$*
  start_play "$1" "$work/set" -D "hw:$2,0,$3" --buffer-size 8192 "${@:4}"
  {
    wait_until_it_plays "$2" "$3"
    kill -STOP "$player"
    sleep 1
    kill -CONT "$player"
  } &
}
stopped_for_a_second dummy Dummy 0
stopped_for_a_second dummy-no-ring Dummy 1 --no-ring
stopped_for_a_second stop Dummy 2 --on-xrun stop
stopped_for_a_second loopback Loopback 0
stopped_for_a_second loopback-no-ring Loopback 1 --no-ring

for name in dummy dummy-no-ring loopback loopback-no-ring; do
  played "$name"
  # On a busy host the timers of an emulated card may come late by more than a period, which is no verdict: once more, alone.
  if [[ $out == *"card_clock failed"* ]]; then
    # shellcheck disable=SC2086
    stopped_for_a_second ${again[$name]}
    played "$name"
  fi
  expect "$name: exit code" 1 "$code"
  contains "$name" "FAIL" "$out"
  at_least "$name: xruns" 1 "$(field device_xruns "$name")"
  at_least "$name: how long the card was dry, of some 800 ms" 500000000 "$(largest dry_ns "$name")"
  at_least "$name: lost" 500000000 "$(field_in counters lost_ns "$name")"
  expect "$name: its end" end "$(field ended_by "$name")"
  expect "$name: frames played" 96000 "$(field frames_played "$name")"
  contains "$name: self-check" '"name":"card_clock","passed":true' "$(tr -d ' \n' <"$results/$name.json")"
done
played stop
expect "--on-xrun stop: its end" xrun "$(field ended_by stop)"
expect "--on-xrun stop: exit code" 1 "$code"
finish
