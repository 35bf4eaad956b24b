# Sourced by the other scripts: steps that say what they do and how long they took, and the builds.

steps_begun=$SECONDS
failed_step=""

# step TITLE COMMAND…: runs the command; when it fails, `set -e` ends the script and failed_step names it.
step() {
  local title=$1 begun=$SECONDS
  shift
  printf '\n== %s: %s\n' "$title" "$*"
  failed_step=$title
  "$@"
  failed_step=""
  printf '== %s: %d s\n' "$title" $((SECONDS - begun))
}

# ccache makes a second build quick; it is used where it is there.
use_ccache() {
  if command -v ccache >/dev/null && [[ -z ${CMAKE_CXX_COMPILER_LAUNCHER:-} ]]; then
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache
    # Any clone of the same sources may use the results of another, precompiled headers included.
    export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
  fi
}

# build PRESET [TARGET…]: configures and builds; all targets when none is given.
build() {
  local preset=$1
  shift
  cmake --preset "$preset" --log-level=WARNING
  if (($# == 0)); then
    cmake --build --preset "$preset"
  else
    cmake --build --preset "$preset" --target "$@"
  fi
}
