"""Who may ask, what every answer carries, and what a repeated request does."""

from __future__ import annotations

import gzip
import json
import threading
from pathlib import Path

import httpx
import pytest

from tests.servers.api import serve
from tests.workers.toy import until

MODEL = {"name": "safety"}


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "127.0.0.1.evil.example", ""])
def test_foreign_host_names_are_refused(sqlite_api: httpx.Client, host: str) -> None:
    answer = sqlite_api.get("/api/v1/jobs", headers={"Host": host})
    assert (answer.status_code, answer.json()["code"]) == (403, "host_not_allowed")


@pytest.mark.parametrize("host", ["localhost:1", "127.0.0.1", "[::1]:8765", "LOCALHOST"])
def test_this_machines_names_are_served(sqlite_api: httpx.Client, host: str) -> None:
    assert sqlite_api.get("/api/v1/jobs", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://localhost.evil.example"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_pages_of_other_origins_are_refused(sqlite_api: httpx.Client, origin: str, method: str) -> None:
    answer = sqlite_api.request(method, "/api/v1/models", headers={"Origin": origin}, json=MODEL)
    assert (answer.status_code, answer.json()["code"]) == (403, "origin_not_allowed")


def test_our_own_pages_are_served(sqlite_api: httpx.Client) -> None:
    origin = str(sqlite_api.base_url).rstrip("/")
    assert sqlite_api.post("/api/v1/models", headers={"Origin": origin}, json=MODEL).status_code == 201


def test_every_answer_has_its_id_and_safety_headers(sqlite_api: httpx.Client) -> None:
    for path in ("/api/v1/jobs", "/api/v1/nope", "/healthz"):
        headers = sqlite_api.get(path).headers
        assert headers["x-request-id"].startswith("req_")
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe-eval" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    assert sqlite_api.get("/healthz", headers={"X-Request-Id": "mine-1"}).headers["x-request-id"] == "mine-1"
    forged = sqlite_api.get("/healthz", headers={"X-Request-Id": "a b"}).headers["x-request-id"]
    assert forged.startswith("req_")


@pytest.mark.parametrize("accept", ["*/*", "text/html,application/xhtml+xml"])
def test_an_unknown_address_under_api_is_a_problem_also_for_a_browser(sqlite_api: httpx.Client, accept: str) -> None:
    answer = sqlite_api.get("/api/v1/nope", headers={"Accept": accept})
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")


def test_a_wrong_method_is_a_problem_naming_the_right_ones(sqlite_api: httpx.Client) -> None:
    answer = sqlite_api.put("/api/v1/jobs")
    assert (answer.status_code, answer.headers["content-type"]) == (405, "application/problem+json")
    assert "GET" in answer.headers["allow"] or "POST" in answer.headers["allow"]


def test_a_body_over_the_limit_is_refused(tmp_path: Path, sqlite_url: str, broker_url: str) -> None:
    with serve(tmp_path, sqlite_url, broker_url, max_body_bytes=1000) as url, httpx.Client(base_url=url) as client:
        answer = client.post("/api/v1/jobs", json={"spec": {"kind": "x" * 2000}})
        assert (answer.status_code, answer.headers["content-type"]) == (413, "application/problem+json")
        assert client.post("/api/v1/jobs", json={"spec": {}}).status_code == 422


def test_the_character_nul_is_refused_everywhere(api: httpx.Client) -> None:
    for answer in (
        api.get("/api/v1/jobs", params={"q": "a\0"}),
        api.get("/api/v1/models/mdl_%00"),
        api.post("/api/v1/models", json={"name": "a\0b"}),
    ):
        assert (answer.status_code, "NUL" in answer.json()["detail"]) == (400, True)


def test_a_repeated_request_happens_once(api: httpx.Client) -> None:
    headers = {"Idempotency-Key": "form-1"}
    first = api.post("/api/v1/models", headers=headers, json=MODEL)
    second = api.post("/api/v1/models", headers=headers, json=MODEL)
    assert (first.status_code, second.status_code) == (201, 201)
    assert second.json() == first.json()
    assert second.headers["idempotent-replayed"] == "true"
    assert second.headers.get("location") == first.headers.get("location")
    assert "idempotent-replayed" not in first.headers
    other = api.post("/api/v1/models", headers={"Idempotency-Key": "form-2"}, json=MODEL)
    assert other.json()["id"] != first.json()["id"]


def test_two_clicks_at_once_make_one_thing(api: httpx.Client) -> None:
    answers: list[httpx.Response] = []

    def click() -> None:
        answers.append(api.post("/api/v1/models", headers={"Idempotency-Key": "double"}, json={"name": "clicked"}))

    threads = [threading.Thread(target=click) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {a.status_code for a in answers} <= {201, 409}
    assert len({a.json()["id"] for a in answers if a.status_code == 201}) == 1
    names = [m["name"] for m in api.get("/api/v1/models").json()["items"]]
    assert names.count("clicked") == 1


def test_a_key_stands_for_one_request(sqlite_api: httpx.Client) -> None:
    headers = {"Idempotency-Key": "k"}
    assert sqlite_api.post("/api/v1/models", headers=headers, json=MODEL).status_code == 201
    answer = sqlite_api.post("/api/v1/models", headers=headers, json={"name": "another"})
    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_reused")


def test_a_refused_request_frees_its_key(sqlite_api: httpx.Client) -> None:
    headers = {"Idempotency-Key": "k"}
    assert sqlite_api.post("/api/v1/models", headers=headers, json={"nome": 1}).status_code == 422
    assert sqlite_api.post("/api/v1/models", headers=headers, json=MODEL).status_code == 201


def test_a_key_of_strange_characters_is_refused(sqlite_api: httpx.Client) -> None:
    answer = sqlite_api.post("/api/v1/models", headers={"Idempotency-Key": "a b"}, json=MODEL)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_idempotency_key")


def test_the_pages_are_served_with_caching_and_deep_links(tmp_path: Path, sqlite_url: str, broker_url: str) -> None:
    dist = tmp_path / "dist"
    (dist / "assets").mkdir(parents=True)
    (dist / "index.html").write_text("<!doctype html><title>Asterism</title>")
    (dist / "assets" / "app-1a2b.js").write_text("export {}")
    with serve(tmp_path, sqlite_url, broker_url, frontend=dist) as url, httpx.Client(base_url=url) as client:
        page = {"Accept": "text/html"}
        for path in ("/", "/jobs/job_x", "/models/mdl_y?tab=code"):
            answer = client.get(path, headers=page)
            assert (answer.status_code, "Asterism" in answer.text) == (200, True)
            assert answer.headers["cache-control"] == "no-cache"
        asset = client.get("/assets/app-1a2b.js")
        assert asset.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert client.get("/assets/gone.js").status_code == 404
        nope = client.get("/api/v1/nope", headers=page)
        assert (nope.status_code, nope.json()["status"]) == (404, 404)


def test_the_pages_come_as_they_were_packed(tmp_path: Path, sqlite_url: str, broker_url: str) -> None:
    dist, script = tmp_path / "dist", b"export const x = 1;\n" * 200
    (dist / "assets").mkdir(parents=True)
    (dist / "index.html").write_text("<!doctype html><title>Asterism</title>")
    for name in ("both", "gzip-only", "plain"):
        (dist / "assets" / f"{name}.js").write_bytes(script)
    (dist / "assets" / "both.js.br").write_bytes(b"as brotli has it")
    for name in ("both", "gzip-only"):
        (dist / "assets" / f"{name}.js.gz").write_bytes(gzip.compress(script))
    with serve(tmp_path, sqlite_url, broker_url, frontend=dist) as url, httpx.Client(base_url=url) as client:

        def asked(name: str, accepted: str) -> tuple[str | None, bytes]:
            with client.stream("GET", f"/assets/{name}.js", headers={"Accept-Encoding": accepted}) as answer:
                assert answer.headers["content-type"].startswith("text/javascript")
                assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
                assert "accept-encoding" in answer.headers["vary"].lower()
                return answer.headers.get("content-encoding"), b"".join(answer.iter_raw())

        assert asked("both", "gzip, deflate, br") == ("br", b"as brotli has it")
        for name, accepted in (("both", "gzip, br;q=0"), ("gzip-only", "gzip, br"), ("plain", "gzip, br")):
            encoding, content = asked(name, accepted)
            assert (encoding, gzip.decompress(content)) == ("gzip", script)
        assert asked("both", "identity") == (None, script)


def test_the_description_is_a_page_of_our_own(sqlite_api: httpx.Client) -> None:
    page = sqlite_api.get("/docs").text
    assert "/api/v1/jobs/{job_id}/cancel" in page
    assert "http://" not in page
    assert "https://" not in page
    assert "Wait and ask again" in sqlite_api.get("/docs/problems/idempotency-running").text


def test_the_log_is_json_with_the_requests_id(sqlite_api: httpx.Client, caplog: pytest.LogCaptureFixture) -> None:
    from workers.core.logs import JsonFormatter, bind

    with caplog.at_level("INFO", logger="asterism.http"):
        answer = sqlite_api.get("/api/v1/queue")
        # The line is written when the answer has left, so it may come a moment later.
        record = until(lambda: next((r for r in caplog.records if "/queue" in r.getMessage()), None))
    with bind(request_id=answer.headers["x-request-id"], job_id="job_1"):
        line = json.loads(JsonFormatter().format(record))
    assert (line["status"], line["route"], line["job_id"]) == (200, "/queue", "job_1")
    assert line["request_id"] == answer.headers["x-request-id"]
