"""Command lines of the programs that xrunlab is measured against, as their manuals give them."""

import json
from pathlib import Path

from measure import run

STEREO = "-f:s24_le,2,48000"
# Every input is mono in a chain of its own; all chains are mixed into one stereo output, 1024 frames at a time.
ECASOUND_UNPACED = ["ecasound", "-q", "-b:1024"]
# The disk server reads ahead in a thread of its own, the engine runs with SCHED_FIFO 50. Level 7 lets warnings of
# underruns through.
ECASOUND_PACED = ["ecasound", "-d:7", "-z:db", "-B:rt", "-r:50", "-b:1024"]


def _chains(files: list[str]) -> list[str]:
    chains = [STEREO]
    for number, file in enumerate(files, start=1):
        chains += [f"-a:{number}", "-i", file]
    return chains + ["-a:all", STEREO]


def ecasound_unpaced(files: list[str]) -> list[str]:
    return ECASOUND_UNPACED + _chains(files) + ["-o", "null"]


def ecasound_paced(files: list[str], seconds: float | None = None) -> list[str]:
    """To the device that takes time as a card does; to the end of the files, or for a time."""
    length = [] if seconds is None else [f"-t:{seconds}"]
    return ECASOUND_PACED + length + _chains(files) + ["-o", "rtnull"]


def sox_mix(files: list[str]) -> list[str]:
    return ["sox", "-m", *files, "-n"]


def copy_alone(files: list[str]) -> list[str]:
    """What the kernel's copy out of the page cache costs on this machine: nobody who reads files is cheaper."""
    return ["cat", *files]


def head_of(files: list[str]) -> list[str]:
    """One page of each file: whoever wants to know what they are must read that much."""
    return ["head", "-c", "4096", *files]


def fio(files: list[str], output: Path, io_size: str, depth: int, order: str, seconds: int = 0) -> list[str]:
    """One job reads all files, of one directory, with O_DIRECT through io_uring, cold; `order` is how it goes over
    them. Base names, because fio takes at most 4096 characters."""
    timed = ["--time_based", f"--runtime={seconds}"] if seconds > 0 else []
    return ["fio", "--name=read", "--readonly", "--rw=read", "--direct=1", "--invalidate=1", "--ioengine=io_uring",
            f"--iodepth={depth}", f"--bs={io_size}", f"--file_service_type={order}", *timed,
            "--directory=" + str(Path(files[0]).parent).replace(":", "\\:"),
            "--filename=" + ":".join(Path(file).name for file in files),
            "--output-format=json", f"--output={output}"]


def fio_bytes_per_s(command: list[str], output: Path) -> float:
    run(command)
    text = output.read_text()
    output.unlink()
    return float(json.loads(text[text.index("{"):])["jobs"][0]["read"]["bw_bytes"])
