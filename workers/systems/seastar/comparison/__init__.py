"""The layers that DGL and PyG have of ours, the job's model in them, and each pass off by itself."""
