"""Images and compose files, read but not run: in step with `make run`, and built only from what is there."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import entrypoints
import pytest
import yaml

from backend.settings import Settings

ROOT = Path(__file__).parents[2]
DOCKER = ROOT / "docker"
DOCKERFILES = sorted(DOCKER.glob("*.Dockerfile"))
COMPOSE = sorted(DOCKER.glob("compose*.yaml"))
# Service -> the part of the entry-point table it runs, with the arguments of a worker.
PARTS = {
    "migrate": entrypoints.command("migrate"),
    "seed": entrypoints.command("seed"),
    "api": entrypoints.command("api"),
    "worker": entrypoints.worker("cpu", 2),
    "worker-gpu": entrypoints.worker("gpu", 1),
}


def instructions(path: Path) -> Iterator[tuple[str, str]]:
    """Instruction and arguments of each line of a Dockerfile."""
    for line in path.read_text().replace("\\\n", " ").splitlines():
        if line and not line.startswith("#"):
            word, rest = line.split(" ", 1)
            yield word, rest


def services(path: Path) -> dict[str, dict[str, Any]]:
    loaded: dict[str, dict[str, dict[str, Any]]] = yaml.safe_load(path.read_text())
    return loaded["services"]


def all_services() -> dict[str, dict[str, Any]]:
    return {name: service for path in COMPOSE for name, service in services(path).items()}


def is_pinned(image: str) -> bool:
    """A tag with at least two numbers, so a rebuild years later starts from the same release."""
    return re.fullmatch(r"[a-z0-9./-]+:\d+\.\d+(\.\d+)?(-[a-z0-9.-]+)?", image) is not None


def test_every_image_of_the_design_is_there() -> None:
    assert [path.name for path in DOCKERFILES] == ["api.Dockerfile", "web.Dockerfile", "worker.Dockerfile"]
    assert {"postgres", "valkey", "web", *PARTS} == set(all_services())


@pytest.mark.parametrize("path", DOCKERFILES, ids=lambda path: path.name)
def test_base_images_pin_a_version(path: Path) -> None:
    bases = [rest.split()[0] for word, rest in instructions(path) if word == "FROM"]
    assert bases
    assert all(map(is_pinned, bases)), bases


def test_images_of_services_pin_a_version() -> None:
    images = [service["image"] for service in all_services().values() if "image" in service]
    assert len(images) >= 5
    assert all(map(is_pinned, images)), images


@pytest.mark.parametrize("path", DOCKERFILES, ids=lambda path: path.name)
def test_what_is_copied_exists(path: Path) -> None:
    for word, rest in instructions(path):
        if word == "COPY" and not rest.startswith("--from="):
            for source in shlex.split(rest)[:-1]:
                assert (ROOT / source).exists(), f"{path.name} copies {source}"


@pytest.mark.parametrize(("image", "part"), [("api", "api"), ("worker", "worker")])
def test_an_image_starts_what_make_run_starts(image: str, part: str) -> None:
    commands = [json.loads(rest) for word, rest in instructions(DOCKER / f"{image}.Dockerfile") if word == "CMD"]
    assert [tuple(command) for command in commands] == [PARTS[part]]


@pytest.mark.parametrize("name", sorted(PARTS))
def test_a_service_starts_what_make_run_starts(name: str) -> None:
    assert tuple(all_services()[name]["command"]) == PARTS[name]


def test_the_entry_points_exist() -> None:
    for _, _, module in entrypoints.COMMANDS.values():
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), module


def test_settings_given_to_services_are_settings() -> None:
    known = {f"ASTERISM_{name.upper()}" for name in Settings.model_fields}
    given = {name for service in all_services().values() for name in service.get("environment", {})}
    images = {
        pair.split("=")[0]
        for path in DOCKERFILES
        for word, rest in instructions(path)
        if word == "ENV"
        for pair in rest.split()
    }
    unknown = {name for name in given | images if name.startswith("ASTERISM_")} - known
    assert not unknown


def test_a_service_waits_for_services_that_exist() -> None:
    names = set(all_services())
    for service in all_services().values():
        assert set(service.get("depends_on", {})) <= names


def test_nothing_is_published_beyond_this_machine() -> None:
    ports = [port for service in all_services().values() for port in service.get("ports", [])]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports), "there is no log-in yet"
