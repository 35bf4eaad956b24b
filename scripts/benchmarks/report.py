"""What is printed: tables while measuring, and all figures against their targets at the end."""

import os
import time
from dataclasses import dataclass
from pathlib import Path


def print_table(header: list[str], rows: list[list[str]], text_columns: tuple[int, ...] = (0,)) -> None:
    """Text stands to the left, figures to the right."""
    lines = [header, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    for line in lines:
        cells = [text.ljust(width) if column in text_columns else text.rjust(width)
                 for column, (text, width) in enumerate(zip(line, widths))]
        print("  " + "  ".join(cells).rstrip())
    print(flush=True)


def print_findings(rows: list[list[str]]) -> None:
    """A name and a sentence each."""
    print_table(["", ""], rows, text_columns=(0, 1))


@dataclass
class Figure:
    part: str
    name: str
    measured: str
    target: str
    outcome: str


class Report:
    def __init__(self, quick: bool):
        self.quick = quick
        self.part = ""
        self.figures: list[Figure] = []
        self.failures: list[str] = []

    @staticmethod
    def print_machine() -> None:
        models = [line.partition(":")[2].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")]
        load = os.getloadavg()[0]
        print(f"\nmeasured on {time.strftime('%Y-%m-%d')}: {os.cpu_count()} x {models[0] if models else 'unknown CPU'}, "
              f"Linux {os.uname().release}, load {load:.1f}")
        if load > 0.5:
            print("  warning: the machine is not quiet; figures are worth little")

    def begin(self, part: str, title: str) -> None:
        self.part = part
        print(f"\n== {part}: {title}", flush=True)

    def at_most(self, name: str, value: float, measured: str, limit: float, target: str, aim: float = 0) -> None:
        outcome = "missed" if value > limit else "aim reached" if value <= aim else "reached"
        self.figures.append(Figure(self.part, name, measured, target, outcome))

    def at_least(self, name: str, value: float, measured: str, limit: float, target: str,
                 aim: float = float("inf")) -> None:
        outcome = "missed" if value < limit else "aim reached" if value >= aim else "reached"
        self.figures.append(Figure(self.part, name, measured, target, outcome))

    def fact(self, name: str, measured: str, target: str = "", reached: bool | None = None) -> None:
        outcome = {None: "", True: "reached", False: "missed"}[reached]
        self.figures.append(Figure(self.part, name, measured, target, outcome))

    def failed(self, why: str) -> None:
        self.failures.append(self.part)
        self.fact("could not be measured", why.splitlines()[0][:60])
        print(f"  {self.part} could not be measured: {why}", flush=True)

    def print_summary(self) -> None:
        print("\n== figures: median (lowest … highest)" + (" -- QUICK: they mean nothing" if self.quick else ""))
        print_table(["part", "figure", "measured", "target", ""],
                    [[one.part, one.name, one.measured, one.target, "" if self.quick else one.outcome]
                     for one in self.figures],
                    text_columns=(0, 1, 4))
