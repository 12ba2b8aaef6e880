"""Everything there is to see, on an installation with something in it: pages, tabs, states of the editor, dialogs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from playwright.sync_api import Page, expect

import asterism

Step = Callable[[Page], None]
# Nothing that loads is left: no skeleton, no request for data that ended within the last 150 ms, fonts and motion done.
STILL = """() => {
    const loading = document.querySelector('.skeleton, [aria-busy="true"]');
    const asked = performance.getEntriesByType('resource').map((r) => r.responseEnd || Infinity);
    const newest = Math.max(0, ...asked.filter(Number.isFinite));
    const ends = (animation) => animation.effect?.getTiming().iterations !== Infinity;
    const moving = document.getAnimations().some((a) => a.playState === 'running' && ends(a));
    return !loading && !moving && document.fonts.status === 'loaded' && performance.now() - newest > 150;
}"""
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@dataclass(frozen=True)
class Furnished:
    """What `furnish` put there, by the part it plays."""

    trained: str
    other: str
    failed: str
    waiting: str
    model: str
    broken: str
    over_relations: str
    relational: str


@dataclass(frozen=True)
class View:
    """A picture's name, the address to open, and what to do there before looking."""

    name: str
    path: str
    steps: tuple[Step, ...] = ()


def furnish(a: asterism.Asterism, epochs: int = 30, passes: Sequence[str] = ()) -> Furnished:
    """Trained models, one over relations, jobs that failed or wait, a model with versions and one with a fault.

    `passes` are those whose worth the first job measures; a run takes some seconds.
    """
    study = {"passes": list(passes), "epochs": 10} if passes else None
    start = a.templates.get("gat")
    model = a.models.create("gat-karate", template="gat")
    model.keep("as the paper")
    doc = model.draft().doc
    next(n for n in doc.nodes if n.id == "gat1").params = {"out_features": 4, "heads": 4, "attention_dropout": 0.6}
    model.save(doc)
    model.keep("4 heads of 4")
    jobs = [
        a.jobs.train(
            start, dataset="ds_karate", name="GAT", epochs=epochs, patience=0, compare=["passes_off"], pass_study=study
        ),
        a.jobs.train(a.templates.get("gcn"), dataset="ds_karate", name="GCN", epochs=epochs, patience=0),
        a.jobs.train(a.templates.get("rgcn"), name="R-GCN", epochs=epochs, patience=0),
    ]
    relational = a.models.create("rgcn-library", template="rgcn")
    failed = a.jobs.run({"kind": "toy", "mode": "blame", "name": "bad features"})
    waiting = a.jobs.run({"kind": "toy", "device": "gpu", "name": "waits for a GPU"})
    broken = a.models.create("unfinished", template="gcn")
    doc = broken.draft().doc
    next(n for n in doc.nodes if n.id == "gcn1").params = {"out_features": -3}
    broken.save(doc)
    for job in (*jobs, failed):
        job.wait(timeout_s=600, check=False)
    assert all(job.state == "succeeded" for job in jobs), [job.state_reason for job in jobs]
    return Furnished(
        trained=jobs[0].id, other=jobs[1].id, failed=failed.id, waiting=waiting.id, model=model.id, broken=broken.id,
        over_relations=jobs[2].id, relational=relational.id,
    )  # fmt: skip


def press(role: str, name: str) -> Step:
    return lambda page: page.get_by_role(role, name=name).first.click()  # type: ignore[arg-type]


def choose(field: str, option: str) -> Step:
    def step(page: Page) -> None:
        page.get_by_role("combobox", name=field).click()
        page.get_by_role("option", name=option).click()

    return step


def select(node: str) -> Step:
    return lambda page: page.locator(f'[data-id="{node}"] .layer-head').click()


def keys(*presses: str) -> Step:
    def step(page: Page) -> None:
        for key in presses:
            page.keyboard.press(key)

    return step


def every_view(ids: Furnished) -> list[View]:
    """All of them."""
    trained, model, related = f"/jobs/{ids.trained}", f"/models/{ids.model}", f"/models/{ids.relational}"
    tabs = ("overview", "metrics", "logs", "profile", "compare", "artifacts", "events")
    docks = ("code", "ir", "kernels", "passes", "problems")
    return [
        View("home", "/"),
        View("palette", "/", (keys("Control+K"),)),
        View("models", "/models"),
        View("new-model", "/models", (press("button", "New model"),)),
        View("editor", model),
        View("editor-layer", model, (select("gat1"),)),
        *(View(f"editor-{dock}", f"{model}?dock={dock}", (select("gat1"),)) for dock in docks),
        View("editor-model-code", f"{model}?dock=model"),
        View("editor-keys", model, (keys("?"),)),
        View("editor-program", f"{model}?open=gat1&dock=closed"),
        View("versions", f"{model}/versions?from=1&to=2"),
        View("import", "/models?new=import"),
        View("editor-problem", f"/models/{ids.broken}?dock=problems"),
        View("templates", "/templates"),
        View("datasets", "/datasets"),
        View("dataset", "/datasets/ds_karate"),
        View("dataset-new", "/datasets/new"),
        View("jobs", "/jobs"),
        View("jobs-none", "/jobs?q=nothing-has-this-name"),
        View("job-new", "/jobs/new"),
        View("job-new-train", "/jobs/new?kind=seastar&template=gat"),
        View("job-new-generic", "/jobs/new?kind=toy"),
        *(View(f"job-{tab}", f"{trained}?tab={tab}") for tab in tabs),
        View("job-failed", f"/jobs/{ids.failed}"),
        View("job-waiting", f"/jobs/{ids.waiting}"),
        View("job-waiting-logs", f"/jobs/{ids.waiting}?tab=logs"),
        View("job-missing", "/jobs/job_00000000000000000000000000"),
        View("compare", f"/compare?jobs={ids.trained},{ids.other}"),
        View("compare-none", "/compare"),
        View("relations-dataset", "/datasets/ds_library"),
        View("relations-editor", f"{related}?dataset=ds_library&dock=closed"),
        View("relations-stitched", f"{related}?dataset=ds_library&dock=stitch", (select("rgcn1"),)),
        View("relations-train", "/jobs/new?kind=hgl&template=rgcn", (choose("Type", "Sampled"),)),
        *(View(f"relations-job-{tab}", f"/jobs/{ids.over_relations}?tab={tab}") for tab in ("overview", "profile")),
        View("cluster", "/cluster"),
        View("nowhere", "/nothing/here"),
        View("docs", "/docs"),
    ]


def look_at(page: Page, url: str, view: View) -> None:
    """Open a view and wait until it is drawn."""
    page.goto(url + view.path)
    if "/models/" in view.path and "/versions" not in view.path:
        expect(page.get_by_label("Model canvas").or_(page.get_by_label("Program canvas"))).to_be_visible()
    else:
        expect(page.get_by_role("heading").first).to_be_visible()
    settle(page)
    for step in view.steps:
        step(page)
        settle(page)


def settle(page: Page) -> None:
    """Wait until the page asks for nothing more, no skeleton stands in for an answer, and what came is drawn."""
    page.wait_for_function(STILL)
    page.evaluate(DRAWN)
