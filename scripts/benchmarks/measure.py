"""Runs programs, takes what they cost, and does the little arithmetic on it."""

import json
import os
import re
import resource
import statistics
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path


class MeasureError(Exception):
    """A part could not be measured; the text says why."""


@dataclass
class Cost:
    code: int
    cpu_s: float
    wall_s: float
    max_rss_bytes: int
    output: str


def raise_file_limit() -> None:
    """Thousands of tracks are as many open files; the children inherit the limit."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def run(command: list[str], accepted: tuple[int, ...] = (0,), limit_s: float = 600, output: int | None = None) -> Cost:
    """Runs a command to its end. CPU time is the kernel's account of that process and its children alone. Its output
    is kept, unless `output` sends it elsewhere."""
    with tempfile.TemporaryFile() as sink:
        begin = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                   stdout=sink if output is None else output, stderr=subprocess.STDOUT)
        watchdog = threading.Timer(limit_s, process.kill)
        watchdog.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.terminate()
            process.wait()
            raise
        finally:
            watchdog.cancel()
        wall = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        sink.seek(0)
        text = sink.read().decode(errors="replace")
    if process.returncode not in accepted:
        shown = " ".join(command[:12]) + (" …" if len(command) > 12 else "")
        raise MeasureError(f"{shown}: exit {process.returncode}\n" + text[-1500:])
    return Cost(process.returncode, usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024, text)


class Xrunlab:
    """The program under test. Each play gives its cost and its run file."""

    def __init__(self, build: Path, scratch: Path):
        self.program = str(build / "src" / "xrunlab")
        self.run_file = scratch / "run.json"

    def play(self, files: list[str], options: str, prefix: tuple[str, ...] = ()) -> tuple[Cost, dict]:
        """Exit 0 and 1 are both measurements: 1 says that the verdict is FAIL or NO VERDICT."""
        self.run_file.unlink(missing_ok=True)
        command = [*prefix, self.program, "play", *files, *options.split(), f"--json={self.run_file}"]
        cost = run(command, accepted=(0, 1))
        return cost, json.loads(self.run_file.read_text())


def google_benchmarks(program: Path, repetitions: int, min_time_s: float) -> dict[str, list[float]]:
    """Nanoseconds an iteration, one for each repetition, by benchmark; the repetitions are interleaved."""
    cost = run([str(program), "--benchmark_format=json", f"--benchmark_repetitions={repetitions}",
                "--benchmark_enable_random_interleaving=true", f"--benchmark_min_time={min_time_s}"])
    unit_ns = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
    times: dict[str, list[float]] = {}
    # What precedes the object are warnings about the machine.
    for one in json.loads(cost.output[cost.output.index("{"):cost.output.rindex("}") + 1])["benchmarks"]:
        if one["run_type"] != "iteration":
            continue
        if one.get("error_occurred"):
            raise MeasureError(f"{program.name}: {one['run_name']}: {one['error_message']}")
        name = re.sub("/(iterations:[0-9]+|manual_time|real_time)", "", one["run_name"])
        times.setdefault(name, []).append(one["real_time"] * unit_ns[one["time_unit"]])
    return times


def ratios(dividends: list[float], divisors: list[float]) -> list[float]:
    """Pair by pair: both lists are in the order in which they were measured."""
    return [a / b for a, b in zip(dividends, divisors, strict=True)]


def median(values: list[float]) -> float:
    return statistics.median(values)


def spread(values: list[float], digits: int = 1) -> str:
    """Median and range as text: 41.2 (39.9 … 45.0)."""
    low, high = min(values), max(values)
    return f"{median(values):.{digits}f} ({low:.{digits}f} … {high:.{digits}f})"
