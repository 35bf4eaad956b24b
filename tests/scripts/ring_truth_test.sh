#!/usr/bin/env bash
# A short form of scripts/ring-truth: what what-if predicts is what real runs find, for two stalls.
set -u
XRUNLAB=$2/src/xrunlab STALL_FS=$2/tests/fixtures/stall_fs timeout -k 5 110 "$1/scripts/ring-truth" 2 7
