#!/usr/bin/env bash
# What scripts/truth makes of what it has seen: names, lengths and clean stretches, each at its limit.
set -euo pipefail
command -v python3 >/dev/null || exit 77
python3 -B - "$1/scripts/truth" <<'PYTHON'
import importlib.machinery
import importlib.util
import sys

loader = importlib.machinery.SourceFileLoader("truth", sys.argv[1])
truth = importlib.util.module_from_spec(importlib.util.spec_from_loader("truth", loader))
loader.exec_module(truth)


def shortcomings(misnamed, wrong_lengths=0, unclean=()):
    """Twenty of each cause, of which so many are named otherwise, by cause."""
    matrix = {cause: {cause: 20 - misnamed.get(cause, 0)} for cause in truth.CAUSES}
    lengths = {cause: [True] * 10 for cause in truth.CAUSES}
    lengths["disk"] += [False] * wrong_lengths
    return truth.shortcomings(matrix, lengths, list(unclean), truth.CAUSES, 20)


def episode(cause, stolen):
    return {"kind": "xrun", "cause": cause, "evidence": {"detail": "", "machine": {"steal_ns": stolen}}}


assert len(truth.CAUSES) == 7
assert shortcomings({}) == []
assert shortcomings({"disk": 3, "card": 3, "input": 1}) == [], "133 of 140, 17 of 20"
assert shortcomings({"disk": 3, "card": 3, "input": 2}) == ["132 named right, at least 133 must be"]
assert shortcomings({"disk": 4}) == ["disk: 16 named right, at least 17 must be"]
assert shortcomings({}, wrong_lengths=1) == ["disk: 1 of 11 lengths wrong"]
assert len(shortcomings({}, unclean=[episode("disk", 0)])) == 1
assert truth.is_clean(episode("unknown", 0)) and truth.is_clean(episode("scheduler", 10_000_000))
assert truth.is_clean(episode("scheduler", None)), "the kernel does not tell"
assert not truth.is_clean(episode("scheduler", 0)) and not truth.is_clean(episode("disk", 10_000_000))
PYTHON
