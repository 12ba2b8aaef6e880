"""Jobs from Python: started, followed over broken lines, acted on; what they leave is read."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import asterism
from asterism.follow import Follower
from tests.e2e.line import line_to
from tests.servers.stack import Stack

pytestmark = pytest.mark.services


def test_every_point_comes_once_and_the_iterator_ends_with_the_job(a: asterism.Asterism) -> None:
    job = a.jobs.run({"kind": "toy", "steps": 40, "step_s": 0.02}, labels={"team": "graphs"})
    assert [point.step for point in job.live()] == list(range(1, 41))
    assert job.wait().state == "succeeded"
    assert job.labels == {"team": "graphs"}
    assert [point.step for point in job.live()] == list(range(1, 41)), "also from the beginning, after the end"


def test_a_cut_line_loses_no_event_and_repeats_none(a: asterism.Asterism, site: Stack) -> None:
    job_id = a.jobs.run({"kind": "toy", "steps": 120, "step_s": 0.05}).id
    with line_to(site.port) as line, asterism.Asterism(line.url) as far:
        points = far.jobs.get(job_id).live()
        seen = [next(points).step for _ in range(10)]
        for _ in range(3):
            line.cut()
            mending = threading.Timer(0.7, line.mend)
            mending.start()
            seen += [next(points).step for _ in range(10)]
            mending.join()
        seen += [point.step for point in points]
    assert seen == list(range(1, 121))


def test_a_restarted_server_is_picked_up_again(a: asterism.Asterism, site: Stack) -> None:
    points = a.jobs.run({"kind": "toy", "steps": 80, "step_s": 0.05}).live()
    seen = [next(points).step for _ in range(5)]
    rest = threading.Thread(target=lambda: seen.extend(point.step for point in points))
    rest.start()
    site.stop_api()
    site.start_api()
    rest.join(timeout=120)
    assert seen == list(range(1, 81))


def test_more_missed_events_than_the_server_replays_are_read_from_its_journal(a: asterism.Asterism) -> None:
    job = a.jobs.run({"kind": "toy", "steps": 100, "step_s": 0.03}).wait()
    ids = [event.seq for event in job.events()]
    late = Follower(a.api, job.id, seen=ids[1])
    assert list(late._stream()) == [], "the server asks to load everything anew"
    assert [event.seq for event in late] == ids[2:]
    assert ids == sorted(set(ids))


def test_a_failure_is_raised_with_its_reason_and_the_job_runs_again(a: asterism.Asterism) -> None:
    job = a.jobs.run({"kind": "toy", "mode": "blame"})
    with pytest.raises(asterism.JobFailed, match=r"features\.csv, row 7"):
        job.wait(timeout_s=60)
    again = job.retry().wait(timeout_s=60, check=False)
    assert (again.state, again.attempt) == ("failed", 2)


def test_a_job_is_cancelled_cloned_and_forgotten(a: asterism.Asterism) -> None:
    job = a.jobs.run({"kind": "toy", "mode": "sleep", "steps": 2000, "step_s": 0.1})
    with pytest.raises(TimeoutError, match="it goes on"):
        job.wait(timeout_s=0.3)
    assert job.cancel().wait(timeout_s=60, check=False).state == "cancelled"
    copy = job.clone()
    assert copy.labels == {"cloned-from": job.id}
    copy.cancel().wait(timeout_s=60, check=False)
    job.delete()
    assert job.id not in [j.id for j in a.jobs.list(kind="toy", state="cancelled")]


def test_logs_and_files_are_read(a: asterism.Asterism, tmp_path: Path) -> None:
    job = a.jobs.run({"kind": "toy", "mode": "files"}).wait()
    assert [file.name for file in job.artifacts()] == ["report.txt", "kernels/row_0.cpp"]
    assert job.download("kernels/row_0.cpp", tmp_path).read_text() == "int main() {}\n"
    assert job.download("report.txt", tmp_path / "mine.txt").name == "mine.txt"
    with pytest.raises(asterism.ApiError, match="artifact_not_found"):
        job.download("nothing.txt", tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir() if p.suffix != ".part") == ["mine.txt", "row_0.cpp"]
    chatty = a.jobs.run({"kind": "toy", "mode": "chatter", "steps": 1500}).wait()
    lines = [line.text for line in chatty.logs(q="of 1500")]
    assert [int(text.split()[1]) for text in lines] == list(range(1, 1501))
    assert [line.text for line in chatty.logs(level="warning")] == ["a warning"]


def test_series_and_runs_are_frames(a: asterism.Asterism) -> None:
    jobs = [a.jobs.run({"kind": "toy", "steps": n}).wait() for n in (4, 6)]
    frame = jobs[0].metrics_frame()
    assert list(frame.index) == [1, 2, 3, 4]
    assert list(frame["loss"]) == pytest.approx([1, 1 / 2, 1 / 3, 1 / 4])
    assert frame.attrs["total"] == 4
    both = a.jobs.metrics_frame([job.id for job in jobs])
    assert len(both.loc[jobs[1].id]) == 6
    runs = a.jobs.frame(jobs)
    assert list(runs["steps"]) == [4, 6]
    assert runs.loc[jobs[1].id, "metric.loss"] == pytest.approx(1 / 6)
    assert all(frame.empty for frame in (jobs[0].kernels_frame(), jobs[0].comparison_frame(), jobs[0].passes_frame()))


def test_points_reach_the_script_while_the_job_runs(a: asterism.Asterism) -> None:
    job = a.jobs.run({"kind": "toy", "steps": 60, "step_s": 0.05})
    point = next(job.live())
    assert not job.refresh().finished, "the first point came before the last was made"
    assert point.values["loss"] == 1.0
    job.cancel()


def test_a_template_over_relations_is_no_job_for_other_kinds(a: asterism.Asterism) -> None:
    with pytest.raises(asterism.ApiError, match="works over relations"):
        a.jobs.train(a.templates.get("rgcn"), kind="seastar", dataset="ds_karate")
