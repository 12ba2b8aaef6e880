"""Fixtures for every test: migrated databases of both kinds, a broker, the API and the whole stack.

Nothing here is a mock. A test that needs a database asks for `database_url` and runs on SQLite and on PostgreSQL; one
that needs the API asks for `api`; one that needs running jobs asks for `either_stack`,
or shares its folder's installation.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import pytest
import redis
from playwright.sync_api import Browser, BrowserContext, Page

from tests.servers import databases
from tests.servers.api import serve
from tests.servers.browser import NoBrowser, chromium
from tests.servers.postgres import Unavailable, create_database, drop_database, postgres
from tests.servers.stack import Stack, running
from tests.servers.valkey import valkey
from workers.core import numerics

# Before anything loads torch: what jobs are told that share a machine, as tests and the jobs they start do.
os.environ.update(numerics.told(jobs_at_once=2) | os.environ.copy())

# Triton's kernels run in its interpreter, which has to be chosen before anything imports Triton.
os.environ.setdefault("TRITON_INTERPRET", "1")

# Compiled kernels are kept by content: tests, the stacks they start and later runs build each once. Tests of the
# folder itself have their own; `pytest --cache-clear` empties this one.
os.environ.setdefault("ASTERISM_KERNEL_CACHE", str(Path(__file__).parents[1] / ".pytest_cache" / "d" / "kernels"))

# A copy of this database is what every PostgreSQL test gets.
TEMPLATE = "migrated"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with pages first, then those with services, so that no process begins a long file when the others are done.

    `--no-loadscope-reorder` keeps this order where processes share the tests.
    """
    longest = Counter(item.path for item in items)
    items.sort(key=lambda item: (_reach(item.path), -longest[item.path], str(item.path)))


def _reach(path: Path) -> int:
    folders = path.relative_to(databases.ROOT / "tests").parts
    return 0 if folders[0] == "e2e" else 1 if folders[0] in ("backend", "client", "docker") else 2


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a PostgreSQL server, without a database name. Skips where there is none; in CI it must be there."""
    try:
        with postgres() as server:
            yield server
    except Unavailable as reason:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"PostgreSQL: {reason}")


@pytest.fixture(scope="session")
def migrated_postgres(postgres_server: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    url = create_database(postgres_server, TEMPLATE)
    databases.migrate(url, tmp_path_factory.mktemp("migrate-postgres"))
    return postgres_server


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("migrate-sqlite")
    databases.migrate(f"sqlite:///{home}/migrated.db", home)
    return home / "migrated.db"


@pytest.fixture
def sqlite_url(migrated_sqlite: Path, tmp_path: Path) -> str:
    """The URL of a migrated SQLite database of this test's own."""
    shutil.copy(migrated_sqlite, tmp_path / "asterism.db")
    return f"sqlite:///{tmp_path}/asterism.db"


@pytest.fixture
def postgres_url(migrated_postgres: str) -> Iterator[str]:
    """The URL of a migrated PostgreSQL database of this test's own."""
    name = f"test_{uuid4().hex}"
    yield create_database(migrated_postgres, name, TEMPLATE)
    drop_database(migrated_postgres, name)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
def database_url(request: pytest.FixtureRequest) -> str:
    """The URL of a migrated database: the test runs on SQLite and on PostgreSQL."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture(scope="session")
def valkey_server() -> Iterator[str]:
    with valkey() as url:
        yield url


@pytest.fixture
def broker_url(valkey_server: str) -> str:
    """The URL of an empty Valkey."""
    with redis.Redis.from_url(valkey_server) as client:
        client.flushall()
    return valkey_server


@pytest.fixture
def api(tmp_path: Path, database_url: str, broker_url: str) -> Iterator[httpx.Client]:
    """An HTTP client on the real app, served in this process; no worker runs. On SQLite and on PostgreSQL."""
    with serve(tmp_path, database_url, broker_url) as url, httpx.Client(base_url=url, timeout=30) as client:
        yield client


@pytest.fixture
def sqlite_api(tmp_path: Path, sqlite_url: str, broker_url: str) -> Iterator[httpx.Client]:
    """The same on SQLite alone, for what does not touch the database in a way of its own."""
    with serve(tmp_path, sqlite_url, broker_url) as url, httpx.Client(base_url=url, timeout=30) as client:
        yield client


@pytest.fixture
def either_stack(tmp_path: Path, database_url: str, broker_url: str) -> Iterator[Stack]:
    """API and one CPU worker as processes: the test runs on SQLite and on PostgreSQL."""
    with running(tmp_path, database_url, broker_url) as stack:
        yield stack


# A module at a time: Playwright keeps an event loop running in this thread, which other tests must not meet.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Headless Chromium. Skips where there is none or the front end is not built; in CI both must be there."""
    try:
        with chromium() as browser:
            yield browser
    except NoBrowser as reason:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"browser: {reason}")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of its own context, 1440 by 900; the test fails when it asked another machine for anything."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    with staying_local(context):
        yield context.new_page()


@contextmanager
def staying_local(context: BrowserContext) -> Iterator[None]:
    """Close the browser profile at the end, and fail when one of its pages asked another machine for anything."""
    outside: list[str] = []
    context.on("request", lambda request: None if is_local(request.url) else outside.append(request.url))
    yield
    context.close()
    assert not outside, f"requests that leave the machine: {outside}"


def is_local(url: str) -> bool:
    return urlsplit(url).hostname in {"127.0.0.1", "localhost", None}


@pytest.fixture(scope="session")
def test_data() -> Path:
    """The folder of real datasets named by ASTERISM_TEST_DATA."""
    folder = os.environ.get("ASTERISM_TEST_DATA", "")
    if not folder or not Path(folder).is_dir():
        pytest.skip("ASTERISM_TEST_DATA names no folder with the real datasets")
    return Path(folder).resolve()
