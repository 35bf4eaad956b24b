#!/usr/bin/env bash
# scripts/fuzz: wrong use is refused before anything is built, and tells which targets there are.
set -euo pipefail
code=0
said=$("$1/scripts/fuzz" 10 nonsense 2>&1) || code=$?
[[ $code == 2 && $said == *"there are audio_header"* ]] || { echo "exit $code: $said" && exit 1; }
for wrong in --all 10s; do
  code=0
  said=$("$1/scripts/fuzz" "$wrong" 2>&1) || code=$?
  [[ $code == 2 && $said == *"scripts/fuzz [--no-install]"* ]] || { echo "$wrong: exit $code: $said" && exit 1; }
done
