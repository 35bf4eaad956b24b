# `xrunlab cards` asks real drivers what they accept, names who holds a busy card, and lists what play then opens.
# Programs: aplay
# Modules: snd-aloop snd-dummy
source /tests/devices.sh

unload_cards
run xrunlab cards
expect "without a card: exit code" 0 "$code"
contains "without a card" "sim " "$out"
lacks "without a card: those of the kernel" "hw:" "$out"
contains "without a card: the way out" "snd-dummy" "$out"
xrunlab cards --json="$results/none.json"
expect "without a card: cards in the kernel" 0 "$(value_of card_count "$results/none.json")"

load snd-aloop
load snd-dummy
run xrunlab cards
expect "exit code" 0 "$code"
expect "stderr" "" "$err"
contains "the simulated card comes first" "sim " "$(printf '%s\n' "$out" | sed -n 2p)"
contains "a card by its id" "hw:Dummy,0" "$out"
contains "its formats" "formats U8 S16_LE" "$out"
contains "the other card" "hw:Loopback,0" "$out"
xrunlab cards --json="$results/cards.json"
expect "cards in the kernel" 2 "$(value_of card_count "$results/cards.json")"
contains "it knows the kernel's sound" '"kernel_has_sound":true' "$(tr -d ' \n' <"$results/cards.json")"

run xrunlab doctor "$work"
contains "doctor asks the cards, too" "OK   card             hw:Dummy,0: " "$out"

# What it says is what play is granted and refused.
run xrunlab cards --json -D hw:Dummy
expect "one card: exit code" 0 "$code"
printf '%s\n' "$out" >"$results/dummy.json"
most=$(value_of channels_most "$results/dummy.json")
xrunlab gen "$work/set" --tracks 1 -r 48k -f S16_LE -d 300ms -q
run xrunlab play -D hw:Dummy --dry-run "$work/set" -c "$most"
expect "as many channels as it says: exit code" 0 "$code"
run xrunlab play -D hw:Dummy --dry-run "$work/set" -c $((most + 1))
expect "one channel more: exit code" 5 "$code"

aplay -q -D hw:Loopback,0,0 -t raw -f S16_LE -c 2 -r 48000 /dev/zero 2>"$work/holder" &
holder=$!
for _ in $(seq 50); do
  grep -q owner_pid /proc/asound/Loopback/pcm0p/sub0/status && break
  sleep 0.1
done
run xrunlab cards -D hw:Loopback,0,0
contains "who holds it" "aplay (process $holder) holds it" "$out"
kill "$holder"
wait "$holder"

run xrunlab cards -D hw:Nothing
expect "a card that is not there: exit code" 5 "$code"
modprobe -r snd-aloop snd-dummy
finish
