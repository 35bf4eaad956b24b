#!/bin/bash
# Installs the ALSA plug-in to a temporary prefix, lets aplay play a WAV file to it, and compares what the simulated
# card captured with the file, sample by sample.
#   alsa_plugin_test.sh BUILD_DIR LIBRARY_DIR     exit 77: aplay is missing
set -euo pipefail

build_dir=$1
library_dir=$2
command -v aplay >/dev/null || { echo "aplay is missing: apt-get install alsa-utils"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build_dir" --prefix "$work/prefix" --component alsa-plugin >"$work/install.log"
library=$work/prefix/$library_dir/alsa-lib/libasound_module_pcm_xrunlab.so
[ -f "$library" ] || { echo "not installed: $library"; exit 1; }

# Little-endian numbers of 2 and 4 bytes.
le16() { printf "\\x$(printf %02x $(($1 & 255)))\\x$(printf %02x $(($1 >> 8 & 255)))"; }
le32() { le16 $(($1 & 65535)); le16 $(($1 >> 16 & 65535)); }

# Whole periods, because aplay fills the last one with silence.
channels=3 rate=96000 period=1024 periods=40
size=$((periods * period * channels * 4))
head -c "$size" /dev/urandom >"$work/samples"
{
  printf RIFF; le32 $((36 + size)); printf 'WAVEfmt '; le32 16
  le16 1; le16 $channels; le32 $rate; le32 $((rate * channels * 4)); le16 $((channels * 4)); le16 32
  printf data; le32 "$size"; cat "$work/samples"
} >"$work/source.wav"

cat >"$work/asound.conf" <<CONF
pcm_type.xrunlab.lib "$library"
pcm.simcard {
  type xrunlab
  channels $channels
  formats "S32_LE"
  period 256
  ppm -50
  stall [ "100ms+30ms" "200ms+30ms" ]
  capture "$work/card.wav"
}
pcm.broken { type xrunlab  chanels 2 }
CONF
export ALSA_CONFIG_PATH=$work/asound.conf

timeout 60 aplay -q -D simcard --period-size=$period --buffer-size=$((16 * period)) "$work/source.wav"

header=80
captured=$(stat -c %s "$work/card.wav")
[ "$captured" -eq $((header + size)) ] || { echo "captured $((captured - header)) bytes of $size"; exit 1; }
cmp "$work/samples" <(tail -c +$((header + 1)) "$work/card.wav")

# What the card does not have is refused in the words of the option's parser.
if timeout 60 aplay -q -D broken "$work/source.wav" 2>"$work/errors"; then
  echo "an unknown key was accepted"
  exit 1
fi
grep -q "no option 'chanels'" "$work/errors" || { cat "$work/errors"; exit 1; }
echo "aplay played $((periods * period)) frames of $channels channels, captured exactly"
