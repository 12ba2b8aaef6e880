"""Errors are one exception with code, places and request id; repeating is safe, and only done where it is."""

from __future__ import annotations

import pytest
from processes import free_port

import asterism
from tests.client.lossy import losing
from tests.servers.stack import Stack
from tests.workers.toy import until

pytestmark = pytest.mark.services


def test_a_refusal_says_code_place_and_request(a: asterism.Asterism, site: Stack) -> None:
    with pytest.raises(asterism.ApiError) as caught:
        a.jobs.train(a.templates.get("gcn"), dataset="ds_nowhere", epochs=3)
    error = caught.value
    assert (error.status, error.code) == (422, "spec_invalid")
    assert [(e.pointer, e.code) for e in error.errors] == [("/spec/dataset", "dataset_missing")]
    assert error.request_id
    until(lambda: error.request_id in site.log("api"))  # written once the answer is on its way
    assert error.request_id in str(error)


def test_a_field_that_does_not_exist_is_named(a: asterism.Asterism) -> None:
    with pytest.raises(asterism.ApiError, match="epoch: Extra inputs"):
        a.jobs.train(a.templates.get("gcn"), epoch=3)


def test_nobody_at_the_address_is_said_at_once() -> None:
    with pytest.raises(asterism.Unreachable, match="Is Asterism running there"):
        asterism.connect(f"127.0.0.1:{free_port()}")


def test_a_lost_answer_does_not_start_a_second_job(a: asterism.Asterism, site: Stack) -> None:
    with losing(site.port, lose=2) as relay, asterism.Asterism(relay.url) as shaky:
        job = shaky.jobs.run({"kind": "toy", "name": "only-once"})
        sent = list(relay.requests)
    assert len(sent) == 3, "the request went out three times"
    assert [found.id for found in a.jobs.list(q="only-once")] == [job.id]


def test_what_is_not_known_to_be_safe_is_sent_once(a: asterism.Asterism, site: Stack) -> None:
    model = a.models.create("not-twice", template="gcn")
    with losing(site.port, lose=1) as relay, asterism.Asterism(relay.url) as shaky:
        shaky_model = asterism.Model.of(shaky.api, model.model_dump(mode="json"))
        with pytest.raises(asterism.Unreachable):
            shaky_model.rename("once")
        assert len(relay.requests) == 1


def test_a_key_of_ones_own_finds_the_job_again(a: asterism.Asterism) -> None:
    spec = {"kind": "toy", "steps": 1}
    assert a.jobs.run(spec, key="nightly-17").id == a.jobs.run(spec, key="nightly-17").id
    assert a.jobs.run(spec).id != a.jobs.run(spec).id
