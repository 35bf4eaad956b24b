"""Sets of test tracks: written once, shared by the parts that want the same, removed at the end."""

from pathlib import Path

from measure import MeasureError, Xrunlab, run

RATE_HZ = 48_000
TRACK_BYTES_PER_S = RATE_HZ * 3  # one track: mono, 24 bits


class SetStore:
    def __init__(self, xrunlab: Xrunlab, directory: Path):
        self.xrunlab = xrunlab
        self.directory = directory
        self.written: list[Path] = []

    def tracks(self, count: int, seconds: int) -> list[str]:
        """Files of a set of `count` tracks, `seconds` long, in order."""
        path = self.directory / f"{count}x{seconds}s"
        if path not in self.written:
            print(f"  writing {count} tracks of {seconds} s, {count * seconds * TRACK_BYTES_PER_S / 1e6:.0f} MB",
                  flush=True)
            self.written.append(path)
            run([self.xrunlab.program, "gen", str(path), "--tracks", str(count), "-d", f"{seconds}s",
                 "-r", str(RATE_HZ), "-f", "S24_3LE", "-q"], limit_s=1800)
        return sorted(str(file) for file in path.glob("track-*.wav"))

    def remove(self, count: int, seconds: int) -> None:
        self._remove(self.directory / f"{count}x{seconds}s")

    def remove_all(self) -> None:
        for path in list(self.written):
            self._remove(path)

    def _remove(self, path: Path) -> None:
        self.written.remove(path)
        if path.exists():
            run([self.xrunlab.program, "gen", "--remove", str(path), "-q"])
            if path.exists():
                path.rmdir()


def read_into_cache(files: list[str]) -> None:
    """Reads all files once, so that the page cache holds them."""
    need = sum(Path(file).stat().st_size for file in files)
    if need > 0.8 * memory_available():
        raise MeasureError(f"{need / 1e9:.1f} GB of files do not fit into the page cache of this machine")
    for file in files:
        with open(file, "rb", buffering=0) as stream:
            while stream.read(1 << 20):
                pass


def memory_available() -> int:
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return 0
