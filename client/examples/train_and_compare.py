"""From a template to a comparison, cell by cell. Start an installation with `make run` first."""

# %% Connect
import os

import asterism

a = asterism.connect(os.environ.get("ASTERISM_URL", "http://127.0.0.1:8765"))
print([worker.id for worker in a.workers()])

# %% Templates: models to start from, each with the settings of its paper
for template in a.templates.list():
    print(f"{template.name:12} {template.title:28} {template.paper}")

# %% Train one on a bundled graph, and watch its curves
start = a.templates.get("gcn")
gcn = a.jobs.train(start, dataset="ds_karate", name="GCN", epochs=60, patience=0, compare=["passes_off"])
for point in gcn.live():
    if point.step % 20 == 0:
        print(point.step, {name: round(value, 3) for name, value in point.values.items() if value is not None})
gcn.wait()

# %% A model of your own: start from a template, change a setting, keep a version, train that version
model = a.models.create("my GAT", template="gat")
doc = model.draft().doc
next(node for node in doc.nodes if node.id == "gat1").params = {"out_features": 4, "heads": 4}
model.save(doc)
model.keep("4 heads of 4")
print(model.diff(1, "draft").same)
gat = a.jobs.train(model, dataset="ds_karate", name="GAT", epochs=60, patience=0).wait()

# %% Compare the two
runs = a.jobs.frame([gcn, gat])
print(runs[[c for c in runs if c.startswith("metric.")]].T)
curves = a.jobs.metrics_frame([gcn, gat])
print(curves["val_accuracy"].unstack("job").tail(3))

# %% What the compiler's passes are worth: the same model trained again with all of them off
print(gcn.comparison_frame()[["epoch_s", "peak_memory_bytes", "test_accuracy"]])

# %% Where the time went, kernel by kernel
print(gcn.kernels_frame()[["node_id", "phase", "name", "time_s"]].head(5))

# %% The trained model, as a file that needs only torch
print([file.name for file in gcn.artifacts()])

# %% A mistake is told with its place
try:
    a.jobs.train(model, dataset="ds_nowhere")
except asterism.ApiError as error:
    print(error.code, [problem.message for problem in error.errors])
a.close()
