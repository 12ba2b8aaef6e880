"""Templates with what they take on the bundled dataset they suggest."""

from __future__ import annotations

from backend.catalog.schemas import TemplateItem
from backend.jobs.checks import find_dataset
from backend.models.validations import work_of
from backend.seed import bundled_id
from workers.core.storage import Storage
from workers.datasets.bundled import CATALOG
from workers.zoo.templates import Template
from workers.zoo.validate import validate


def described(template: Template, storage: Storage) -> TemplateItem:
    """The template, checked against its dataset where that has been seeded."""
    info = find_dataset(storage, bundled_id(template.dataset))
    found = validate(template.doc, info)
    work = work_of(found, info)
    return TemplateItem(
        name=template.name,
        title=template.title,
        kind=template.kind,
        description=template.description,
        paper=template.paper,
        doc=template.doc,
        task=template.task,
        training=template.training,
        dataset=template.dataset,
        dataset_id=bundled_id(template.dataset),
        dataset_title=CATALOG[template.dataset].title,
        vertices=info.vertices if info else None,
        arcs=info.arcs if info else None,
        parameters=found.parameters,
        work=work,
        train_s=work.epoch_s * template.training["epochs"] if work else None,
    )
