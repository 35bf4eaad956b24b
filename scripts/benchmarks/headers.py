"""What it takes to see what many files are, against reading their first page."""

import os
import subprocess

import peers
from bench import Bench, in_turn
from measure import median, ratios, run, spread
from report import print_table


def _evict(files: list[str]) -> None:
    """Out of the page cache; names and inodes stay known."""
    for file in files:
        descriptor = os.open(file, os.O_RDONLY)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def _cold_ms(files: list[str], command: list[str]) -> float:
    _evict(files)
    return run(command, output=subprocess.DEVNULL).wall_s * 1e3


def inspect(bench: Bench) -> None:
    sizes, report = bench.sizes, bench.report
    report.begin("inspect", f"{sizes.inspect_files} files with cold headers")
    files = bench.sets.tracks(sizes.inspect_files, 1)
    ours: list[float] = []
    theirs: list[float] = []
    for pair in range(sizes.inspect_pairs):
        in_turn(pair, [lambda: ours.append(_cold_ms(files, [bench.xrunlab.program, "inspect", *files, "--json"])),
                       lambda: theirs.append(_cold_ms(files, peers.head_of(files)))])
    print_table(["", "ms"], [["xrunlab inspect", spread(ours)], ["head -c 4096", spread(theirs)]])
    shares = ratios(ours, theirs)
    report.at_most("xrunlab / head", median(shares), spread(shares, 2), 2, "<= 2")
    bench.sets.remove(sizes.inspect_files, 1)
