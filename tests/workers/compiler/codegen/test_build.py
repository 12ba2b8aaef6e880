"""The folder of compiled kernels: found again, rebuilt when damaged, shared by processes."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from workers.compiler.codegen import build
from workers.compiler.codegen.build import BuildError, KernelCache, NoCompiler, announced

SOURCE = 'extern "C" int asterism_kernel() {{ return {}; }}\n'
IN_A_PROCESS = """
import sys
from pathlib import Path
from workers.compiler.codegen.build import KernelCache
[library] = KernelCache(Path(sys.argv[1])).load([sys.argv[2]])
print(library.asterism_kernel())
"""


def answer(cache: KernelCache, number: int) -> int:
    [library] = cache.load([SOURCE.format(number)])
    return int(library.asterism_kernel())


def test_a_kernel_is_compiled_once_and_found_again(tmp_path: Path) -> None:
    first, second = KernelCache(tmp_path), KernelCache(tmp_path)
    assert [answer(first, 1), answer(first, 1), answer(second, 1)] == [1, 1, 1]
    assert (first.report.compiled, first.report.cached) == (1, 0)
    assert (second.report.compiled, second.report.cached) == (0, 1)
    assert first.report.seconds > second.report.seconds > 0


@pytest.mark.parametrize("damage", [b"", b"not a library", None])
def test_a_damaged_entry_is_built_again(damage: bytes | None, tmp_path: Path) -> None:
    path = KernelCache(tmp_path).path(SOURCE.format(2))
    answer(KernelCache(tmp_path), 2)
    whole = path.read_bytes()
    path.unlink()  # what is loaded stays mapped
    path.write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    again = KernelCache(tmp_path)
    assert answer(again, 2) == 2
    assert again.report.compiled == 1
    assert path.stat().st_size == len(whole)


def test_an_edited_entry_is_not_loaded(tmp_path: Path) -> None:
    path = KernelCache(tmp_path).path(SOURCE.format(3))
    answer(KernelCache(tmp_path), 3)
    edited = bytearray(path.read_bytes())
    edited[len(edited) // 2] ^= 1
    path.unlink()
    path.write_bytes(edited)
    again = KernelCache(tmp_path)
    assert answer(again, 3) == 3
    assert again.report.compiled == 1


def test_whoever_waits_is_told_how_far_it_is(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    cache = KernelCache(tmp_path)
    with announced(lambda done, total: told.append((done, total))):
        cache.load([SOURCE.format(n) for n in (5, 6, 7)])
        cache.load([SOURCE.format(n) for n in (7, 8)])
    cache.load([SOURCE.format(9)])
    assert told == [(1, 3), (2, 3), (3, 3), (1, 1)]


def test_processes_share_a_folder_at_the_same_time(tmp_path: Path) -> None:
    command = [sys.executable, "-c", IN_A_PROCESS, str(tmp_path), SOURCE.format(4)]
    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(lambda _: subprocess.run(command, capture_output=True, text=True, check=True), range(3)))
    assert [d.stdout.strip() for d in done] == ["4", "4", "4"]
    assert [p.suffix for p in tmp_path.rglob("*") if p.is_file()] == [".so"]


def test_many_kernels_come_back_in_order(tmp_path: Path) -> None:
    libraries = KernelCache(tmp_path).load([SOURCE.format(k % 3) for k in range(6)])
    assert [library.asterism_kernel() for library in libraries] == [0, 1, 2, 0, 1, 2]


def test_flags_and_compiler_are_part_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = build.key(SOURCE)
    monkeypatch.setattr(build, "FLAGS", (*build.FLAGS, "-g"))
    flagged = build.key(SOURCE)
    monkeypatch.setattr(build, "compiler_version", lambda: "another compiler")
    assert len({before, flagged, build.key(SOURCE)}) == 3


def test_the_compilers_message_is_shown(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="no_such_name"):
        KernelCache(tmp_path).load(['extern "C" int asterism_kernel() { return no_such_name; }'])


def test_a_missing_compiler_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("CXX", raising=False)
    build.compiler.cache_clear()
    try:
        with pytest.raises(NoCompiler, match=r"looked for g\+\+, c\+\+, clang\+\+\); install g\+\+"):
            build.compiler()
    finally:
        monkeypatch.undo()
        build.compiler.cache_clear()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(BuildError, match=r"cannot keep kernels in .*file .*ASTERISM_KERNEL_CACHE"):
        KernelCache(tmp_path / "file").load([SOURCE.format(6)])


def test_libraries_are_plain_shared_objects(tmp_path: Path) -> None:
    answer(KernelCache(tmp_path), 5)
    assert ctypes.CDLL(str(KernelCache(tmp_path).path(SOURCE.format(5)))).asterism_kernel() == 5
