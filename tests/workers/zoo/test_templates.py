"""Templates are sound, carry their papers' settings and can be trained as they are."""

from __future__ import annotations

import pytest

from tests.workers.zoo.documents import dataset_for
from workers.catalog import systems
from workers.datasets.bundled import CATALOG
from workers.training.spec import Training
from workers.zoo.goal import document_goal
from workers.zoo.templates import TEMPLATES, Template
from workers.zoo.validate import validate

rows = pytest.mark.parametrize("template", TEMPLATES.values(), ids=list(TEMPLATES))


@rows
def test_a_template_has_no_problems(template: Template) -> None:
    assert validate(template.doc).problems == ()
    assert validate(template.doc, dataset_for(template.task["type"])).problems == ()


@rows
def test_its_training_settings_are_settings_of_a_training_job(template: Template) -> None:
    assert Training.model_validate(template.training).patience > 0
    document = {"model": template.doc.model_dump(), "dataset": template.dataset, "task": template.task}
    assert systems()[template.kind].spec.model_validate(document).task.type == template.task["type"]  # type: ignore[attr-defined]


@rows
def test_its_dataset_is_bundled(template: Template) -> None:
    assert template.dataset in CATALOG


@rows
def test_its_task_is_what_its_output_is_for(template: Template) -> None:
    assert document_goal(validate(template.doc).steps) == template.task["type"].removeprefix("kg_")


@rows
def test_every_node_has_a_place_of_its_own(template: Template) -> None:
    assert not template.doc.layout, "the canvas places what says no positions"
