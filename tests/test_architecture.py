"""The rules of the tree that a linter cannot see. Each test's message says which rule was broken and where."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SYSTEMS = ROOT / "workers" / "systems"
PAGES = ROOT / "frontend" / "src" / "systems"
# What only the worker's side may load, blocked as if it were not installed.
HEAVY = ("torch", "dgl", "torch_geometric", "triton")
# The only readers of the environment, besides what launches processes.
# CXX is every build tool's own convention, no setting of ours; a copy is passed on to a child, not read.
ENVIRONMENT = re.compile(r"os\.getenv|os\.environ(?!\.get\(\"CXX\"\)|\.copy\(\))")
SETTINGS = {"backend/settings.py", "workers/core/settings.py"}
# What git ignores is no part of the tree.
IGNORED = {"node_modules", "dist", "__pycache__", "test-results"}
TARGETS = ("run", "demo", "test", "bench", "lint", "client", "lock")


def kinds() -> list[str]:
    """Every kind of job, by folder."""
    return sorted(path.parent.name for path in SYSTEMS.glob("*/spec.py"))


def pages() -> list[str]:
    return sorted(path.parent.name for path in PAGES.glob("*/page.tsx"))


def sources(*folders: str, pattern: str = "*") -> Iterator[Path]:
    """Files of the tree below the folders."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob(pattern)):
            if path.is_file() and not IGNORED & set(path.relative_to(ROOT).parts):
                yield path


def python_without(blocked: tuple[str, ...], code: str) -> subprocess.CompletedProcess[str]:
    """Run code in an interpreter where the blocked packages cannot be imported."""
    block = f"import sys; sys.modules.update(dict.fromkeys({blocked!r}))\n"
    return subprocess.run([sys.executable, "-c", block + code], cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_web_app_is_made_where_torch_and_dgl_are_not_installed(tmp_path: Path) -> None:
    code = (
        "from backend.main import create_app\nfrom backend.settings import read_settings\n"
        f"app = create_app(read_settings({{'ASTERISM_HOME': {str(tmp_path)!r}}}))\nprint(len(app.openapi()['paths']))"
    )
    done = python_without(HEAVY, code)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[-1]) > 10


def test_contracts_of_systems_load_without_torch_and_services() -> None:
    imports = "\n".join(f"import workers.systems.{kind}.spec" for kind in kinds())
    done = python_without((*HEAVY, "celery", "sqlalchemy", "fastapi", "redis"), imports)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("kind", kinds())
def test_every_system_has_the_same_inner_shape(kind: str) -> None:
    missing = [name for name in ("README.md", "spec.py", "run.py") if not (SYSTEMS / kind / name).is_file()]
    assert not missing, f"workers/systems/{kind} lacks {', '.join(missing)}"
    tests = ROOT / "tests" / "workers" / "systems" / kind
    assert list(tests.glob("test_*.py")), f"{tests.relative_to(ROOT)} holds no test"


def test_a_folder_of_systems_is_a_kind() -> None:
    folders = {path.name for path in SYSTEMS.iterdir() if path.is_dir() and path.name not in IGNORED}
    assert folders == set(kinds()), "a folder of workers/systems without spec.py"


@pytest.mark.parametrize("kind", kinds())
def test_folder_and_discriminator_are_the_same_word(kind: str) -> None:
    done = python_without(HEAVY, f"from workers.systems.{kind}.spec import SYSTEM as s; print(s.kind, s.spec.__name__)")
    assert done.returncode == 0, done.stderr
    named, class_name = done.stdout.split()
    assert named == kind
    assert class_name != "Spec", "class names go into OpenAPI, so they must be unique"


def test_every_page_of_a_system_belongs_to_a_kind() -> None:
    assert set(pages()) <= set(kinds()), f"pages without a kind: {set(pages()) - set(kinds())}"


def test_no_file_is_an_attic() -> None:
    attics = [p for p in sources("backend", "workers", "migrations", "tests", "docker", "frontend/src") if is_attic(p)]
    assert not attics, f"name the idea instead: {[str(p.relative_to(ROOT)) for p in attics]}"


def is_attic(path: Path) -> bool:
    return re.fullmatch(r"(utils?|helpers?|misc|common)(\..*)?", path.name) is not None


def test_import_contracts_are_kept() -> None:
    tool = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([tool, "--no-logo", "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("family", ["@mantine/", "vitest"])
def test_packages_of_one_family_have_one_version(family: str) -> None:
    versions = {n: v for n, v in front_end_packages().items() if n.startswith((family, f"@{family}/"))}
    assert versions
    assert len(set(versions.values())) == 1, versions


def test_front_end_versions_are_exact() -> None:
    loose = {name: v for name, v in front_end_packages().items() if not re.fullmatch(r"\d+\.\d+\.\d+", v)}
    assert not loose, f"pin exact: {loose}"


def front_end_packages() -> dict[str, str]:
    package = json.loads((ROOT / "frontend" / "package.json").read_text())
    return {**package["dependencies"], **package["devDependencies"]}


def test_the_committed_api_document_is_the_api() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "backend.openapi"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    committed = (ROOT / "frontend" / "openapi.json").read_text()
    assert json.loads(done.stdout) == json.loads(committed), "run: make client"


def test_the_generated_client_is_of_the_committed_document(tmp_path: Path) -> None:
    frontend = ROOT / "frontend"
    if not (frontend / "node_modules").is_dir():
        pytest.skip("frontend/node_modules is not installed (make install-test)")
    command = json.loads((frontend / "package.json").read_text())["scripts"]["client"].split()
    generated = tmp_path / "schema.gen.ts"
    argv = [frontend / "node_modules" / ".bin" / command[0], *command[1:-1], generated]
    done = subprocess.run(argv, cwd=frontend, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert generated.read_text() == (frontend / command[-1]).read_text(), "run: make client"


def test_locks_put_torch_first_and_the_product_needs_no_peer() -> None:
    for name in ("worker", "run", "test", "bench"):
        pins = [line for line in (ROOT / f"requirements/{name}.lock").read_text().splitlines() if line[0] != "#"]
        assert pins[0] == "torch==2.13.0", name
        assert all(re.fullmatch(r"[a-z0-9-]+==[^=+]+", pin) for pin in pins if not pin.startswith("triton")), name
        peers = [pin for pin in pins if pin.startswith(("dgl==", "torch-geometric=="))]
        assert bool(peers) == (name in ("test", "bench")), f"requirements/{name}.lock: {peers}"
    assert "torch" not in (ROOT / "requirements/web.lock").read_text(), "the web process never loads torch"


def test_every_folder_at_the_top_says_what_it_is() -> None:
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.splitlines()
    folders = {line.split("/")[0] for line in tracked if "/" in line and not line.startswith(".")}
    assert folders
    missing = [folder for folder in sorted(folders) if not (ROOT / folder / "README.md").is_file()]
    assert not missing, f"no README.md in {missing}"


def test_only_the_settings_read_the_environment() -> None:
    readers = {
        str(path.relative_to(ROOT))
        for path in sources("backend", "workers", "migrations", pattern="*.py")
        if ENVIRONMENT.search(path.read_text())
    }
    assert readers <= SETTINGS, f"read it in the settings: {sorted(readers - SETTINGS)}"


def test_no_registry_or_private_path_is_written_down() -> None:
    # Lock files name packages, never where they came from: that is the machine's own setting.
    lock = (ROOT / "frontend" / "package-lock.json").read_text()
    assert '"resolved"' not in lock, (
        "keep addresses out of package-lock.json: npm config set omit-lockfile-registry-resolved"
    )


@pytest.mark.parametrize("target", TARGETS)
def test_the_makefile_has_what_the_readme_promises(target: str) -> None:
    done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
