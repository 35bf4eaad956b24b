#!/usr/bin/env bash
# Pictures of runs: drawn by gnuplot from what the run file holds, and refusals that destroy nothing.
#   plot_test.sh XRUNLAB STALL_FS SAME_SAMPLES SOURCES
set -u
xrunlab=$1
source "$(dirname "$0")/expectations.sh"
"$xrunlab" gen "$work/set" --tracks 2 -f S16_LE -d 2 -q
"$xrunlab" play -q "$work/set" --ring 500ms --json="$work/run.json" --record "$work/run.trace" >/dev/null 2>&1
"$xrunlab" play -q "$work/set" --json="$work/other.json" >/dev/null 2>&1
"$xrunlab" play -q "$work/set" -D null --no-ring --json="$work/null.json" >/dev/null 2>&1

# What is refused before anything is drawn, with or without gnuplot.
refused() { # WHAT CODE NEEDLE ARGUMENTS…
  local what=$1 wanted=$2 needle=$3
  shift 3
  run "$xrunlab" plot "$@"
  expect "$what: exit code" "$wanted" "$code"
  contains "$what" "$needle" "$err"
  expect "$what: one line" 1 "$(printf '%s\n' "$err" | wc -l)"
}
refused "another ending" 2 "no picture's" "$work/run.json" -o "$work/x.pdf"
refused "no ending" 2 "no picture's" "$work/run.json" -o -
refused "nothing asked for" 2 "output" "$work/run.json"
cp "$work/run.json" "$work/keep.png"
refused "a file that is no picture" 2 "is there already and is no PNG picture" "$work/run.json" -o "$work/keep.png"
cmp -s "$work/run.json" "$work/keep.png"
expect "and it is still there" 0 $?
refused "the run file itself" 2 "is one of the inputs" "$work/keep.png" -o "$work/keep.png"
refused "a directory that is not there" 3 "mkdir -p" "$work/run.json" -o "$work/none/x.png"
refused "no run file" 4 "" "$work/run.trace" -o "$work/x.png"
refused "none there" 4 "cannot be read" "$work/none.json" -o "$work/x.png"
refused "the record of another run" 4 "is not the record of this run" "$work/other.json" --record "$work/run.trace" -o "$work/x.png"
run env PATH=/nowhere "$xrunlab" plot "$work/run.json" -o "$work/x.png"
expect "without gnuplot: exit code" 77 "$code"
contains "without gnuplot" "apt install gnuplot-nox" "$err"
expect "nothing was written" "keep.png" "$(cd "$work" && echo *.png)"

if command -v gnuplot >/dev/null; then
  touch "$work/run.png"
  run "$xrunlab" plot "$work/run.json" -o "$work/run.png"
  expect "a picture" 0 "$code"
  expect "what gnuplot says" "" "$err"
  expect "is a PNG" "$(printf '\x89PNG')" "$(head -c 4 "$work/run.png")"
  expect "its size" "00000320000001f4" "$(head -c 24 "$work/run.png" | tail -c 8 | od -An -tx1 | tr -d ' \n')"
  run "$xrunlab" plot "$work/run.json" -o "$work/run.png"
  expect "a picture is replaced by one" 0 "$code"

  run "$xrunlab" plot "$work/run.json" --record "$work/run.trace" -o "$work/run.SVG"
  expect "with the record" 0 "$code"
  for text in "T1 read" "T2 write" "T3 outside" "bound 23.2ms" "ring left, ms" "card left, ms" "low water" "(record)" \
    "since the card started"; do
    expect "the picture's text: $text" 1 "$(grep -qF "$text" "$work/run.SVG" && echo 1)"
  done
  run "$xrunlab" plot "$work/null.json" -o "$work/null.svg"
  expect "an unpaced run without a ring" 0 "$code"
  expect "has no ring and no card" "" "$(grep -E "ring left|card left" "$work/null.svg")"

  # Neither file names nor the run's texts are commands: of gnuplot, of a shell, of fontconfig's mark-up.
  evil="x'; system(\"touch pwned\"); '\`touch pwned\`"
  sed "s/\"verdict_line\": \"/&'; system('touch pwned'); \`touch pwned\` @x {20 x}/" "$work/run.json" >"$work/$evil.json"
  (cd "$work" && run "$xrunlab" plot "$evil.json" -o "$evil.svg" && [ "$code" = 0 ])
  expect "hostile names" 0 $?
  expect "run nothing" "" "$(find "$work" -name pwned)"
  expect "and stand as they are" 1 "$(grep -qF "{20 x}" "$work/$evil.svg" && echo 1)"
else
  echo "gnuplot is not installed: no picture is drawn here"
fi
finish
