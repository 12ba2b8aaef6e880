"""What install.py decides before it runs pip or npm. The steps themselves are what every `make` runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import install
import machine
import pytest
import steps
from steps import Refused


def test_a_digest_tells_changed_moved_and_added_files_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.ts").write_text("1")
    first = install.source_digest(tmp_path)
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "b.js").write_text("2")
    assert install.source_digest(tmp_path) == first
    (tmp_path / "src" / "a.ts").rename(tmp_path / "src" / "b.ts")
    moved = install.source_digest(tmp_path)
    (tmp_path / "src" / "b.ts").write_text("2")
    assert len({first, moved, install.source_digest(tmp_path)}) == 3


def test_a_stamp_is_fresh_only_for_what_it_was_written_for(tmp_path: Path) -> None:
    install.Stamp(tmp_path / "stamp", "a").write()
    assert install.Stamp(tmp_path / "stamp", "a").fresh
    assert not install.Stamp(tmp_path / "stamp", "b").fresh
    assert not install.Stamp(tmp_path / "none", "a").fresh


def test_every_target_has_its_lock() -> None:
    for target in install.TARGETS.values():
        assert (install.ROOT / "requirements" / f"{target.lock}.lock").is_file()


def test_a_missing_compiler_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(Refused, match=r"No C\+\+ compiler \('no-such-compiler' does not run\): install one"):
        machine.check_compiler()


def test_the_first_error_of_a_failing_program_is_what_is_said(tmp_path: Path) -> None:
    code = (
        "print('error during build:'); print(); print('ERROR: no such package: left-pad')\n"
        "print('note: see above'); print('another error'); raise SystemExit(1)"
    )
    with pytest.raises(Refused, match="failed: ERROR: no such package: left-pad"):
        steps.run_logged([sys.executable, "-c", code], tmp_path / "log")
    assert "note: see above" in (tmp_path / "log").read_text()


def test_a_disk_that_fills_up_is_named(tmp_path: Path) -> None:
    code = "print('OSError: [Errno 28] No space left on device'); print('error: again'); raise SystemExit(1)"
    with pytest.raises(Refused, match="failed: the disk is full"):
        steps.run_logged([sys.executable, "-c", code], tmp_path / "log")


def test_an_unknown_target_is_refused_with_the_known_ones() -> None:
    done = subprocess.run([sys.executable, install.__file__, "fly"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.strip() == "asterism: Say what to install for: run, demo, test, lint, bench."
