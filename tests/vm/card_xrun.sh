# A player that is stopped until a real card has run dry meets EPIPE: it is counted, timed and recovered from, and the rest
# is played to its end.
# Modules: snd-aloop snd-dummy
source /tests/devices.sh
load snd-aloop
load snd-dummy
xrunlab gen "$work/set" --tracks 2 -r 48k -f S16_LE -d 2 -q

stopped_for_a_second() { # CARD NAME OPTIONS…
  local card=$1
  shift
  start_play "$@"
  wait_until_it_plays "$card"
  kill -STOP "$player" 2>/dev/null
  sleep 1
  kill -CONT "$player" 2>/dev/null
  played
}

# The buffer of 8192 frames holds 171 ms of the second.
for card in Dummy Loopback; do
  for how in "" --no-ring; do
    name=$card$how
    # shellcheck disable=SC2086
    stopped_for_a_second "$card" "$name" "$work/set" -D "hw:$card,0,0" --buffer-size 8192 $how
    expect "$name: exit code" 1 "$code"
    contains "$name" "FAIL" "$out"
    at_least "$name: xruns" 1 "$(field device_xruns "$name")"
    at_least "$name: how long the card was dry, of some 800 ms" 500000000 "$(largest dry_ns "$name")"
    at_least "$name: lost" 500000000 "$(field lost_ns "$name")"
    expect "$name: its end" end "$(field ended_by "$name")"
    expect "$name: frames played" 96000 "$(field frames_played "$name")"
    lacks "$name: self-check" '"card_clock","passed":false' "$(cat "$results/$name.json")"
  done
done

stopped_for_a_second Dummy stop "$work/set" -D hw:Dummy --on-xrun stop
expect "--on-xrun stop: its end" xrun "$(field ended_by stop)"
expect "--on-xrun stop: exit code" 1 "$code"
finish
