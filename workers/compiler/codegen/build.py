"""Compile kernels with the machine's C++ compiler and keep them: a folder of shared objects named by what is in them.

A key covers the source, the flags, the compiler's version and the processor's features, so a changed machine or
compiler never loads a stale kernel. A file ends in the SHA-256 of what precedes it: a torn or edited entry is noticed
before it is loaded, and built again. New entries appear by rename, so several processes may share a folder.

BuildError          a kernel could not be built; shows the compiler's message
  NoCompiler        there is no C++ compiler
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

WIDE_VECTORS = ("-mprefer-vector-width=512",) if platform.machine() in ("x86_64", "AMD64") else ()
FLAGS = (
    "-std=c++17",
    "-O3",
    "-march=native",
    *WIDE_VECTORS,
    "-fno-math-errno",  # lets sqrt be one instruction; infinities and NaN keep their meaning
    "-fno-trapping-math",
    "-fno-signed-zeros",
    "-fassociative-math",  # lets a sum over features end in a tree; which one is fixed when the kernel is compiled
    "-fopenmp",
    "-shared",
    "-fPIC",
)
COMPILERS = ("g++", "c++", "clang++")
TIME_LIMIT_S = 300
DIGEST_BYTES = 32


Announce = Callable[[int, int], None]
_ANNOUNCE: ContextVar[Announce] = ContextVar("announce", default=lambda _done, _total: None)


@contextmanager
def announced(tell: Announce) -> Iterator[None]:
    """Have `tell(done, total)` called for each kernel that is ready, of those one program asks for at a time."""
    token = _ANNOUNCE.set(tell)
    try:
        yield
    finally:
        _ANNOUNCE.reset(token)


class BuildError(RuntimeError):
    """A kernel could not be built."""


class NoCompiler(BuildError):
    """There is no C++ compiler on this machine."""


@dataclass
class BuildReport:
    """What loading some kernels took."""

    compiled: int = 0
    cached: int = 0
    seconds: float = 0.0


@dataclass
class KernelCache:
    """Compiled kernels in `folder`; loaded ones stay loaded for the life of the process."""

    folder: Path
    report: BuildReport = field(default_factory=BuildReport)
    _loaded: dict[str, ctypes.CDLL] = field(default_factory=dict)

    def __reduce__(self) -> tuple[type[KernelCache], tuple[Path]]:
        return KernelCache, (self.folder,)

    def load(self, sources: Sequence[str]) -> list[ctypes.CDLL]:
        """One library a source, in order; missing ones are compiled side by side. Raises BuildError."""
        start = time.perf_counter()
        keys = [key(source) for source in sources]
        missing = {k: source for k, source in zip(keys, sources, strict=True) if k not in self._loaded}
        with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            waiting = {pool.submit(self._get, k, source): k for k, source in missing.items()}
            for done, found in enumerate(as_completed(waiting), start=1):
                self._loaded[waiting[found]] = found.result()
                _ANNOUNCE.get()(done, len(waiting))
        self.report.seconds += time.perf_counter() - start
        return [self._loaded[k] for k in keys]

    def path(self, source: str) -> Path:
        """Where the compiled `source` is kept."""
        return self._path(key(source))

    def _path(self, name: str) -> Path:
        return self.folder / name[:2] / f"{name}.so"

    def _get(self, name: str, source: str) -> ctypes.CDLL:
        path = self._path(name)
        if _intact(path):
            self.report.cached += 1
        else:
            self._build(path, source)
            self.report.compiled += 1
        return ctypes.CDLL(str(path))

    def _build(self, path: Path, source: str) -> None:
        try:
            self._build_in(path, source)
        except OSError as error:
            raise BuildError(f"cannot keep kernels in {self.folder} ({error}); set ASTERISM_KERNEL_CACHE") from error

    def _build_in(self, path: Path, source: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            text, binary = Path(folder) / "kernel.cpp", Path(folder) / "kernel.so"
            text.write_text(source)
            _compile(text, binary)
            whole = binary.read_bytes()
            binary.write_bytes(whole + hashlib.sha256(whole).digest())
            binary.replace(path)


def key(source: str) -> str:
    """What decides the machine code of `source`, hashed."""
    parts = (source, " ".join(FLAGS), compiler_version(), cpu_features())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@lru_cache(maxsize=1)
def compiler() -> str:
    """Path of the C++ compiler: $CXX or the first of COMPILERS that exists. Raises NoCompiler."""
    names = (*filter(None, [os.environ.get("CXX")]), *COMPILERS)
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        raise NoCompiler(f"no C++ compiler found (looked for {', '.join(names)}); install g++ to run generated kernels")
    return found


@lru_cache(maxsize=1)
def compiler_version() -> str:
    return subprocess.run([compiler(), "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


@lru_cache(maxsize=1)
def cpu_features() -> str:
    """The processor's instruction sets, as Linux names them; empty where they cannot be read."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(("flags", "Features"))), "")


def _intact(path: Path) -> bool:
    try:
        data = path.read_bytes()
    except OSError:
        return False
    body, digest = data[:-DIGEST_BYTES], data[-DIGEST_BYTES:]
    return len(data) > DIGEST_BYTES and hashlib.sha256(body).digest() == digest


def _compile(text: Path, binary: Path) -> None:
    command = [compiler(), *FLAGS, str(text), "-o", str(binary)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)
    if done.returncode != 0:
        raise BuildError(f"{' '.join(command[:1])} failed on a generated kernel:\n{done.stderr[-4000:]}")
