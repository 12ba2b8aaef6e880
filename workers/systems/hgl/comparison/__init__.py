"""The layers over relations that DGL and PyG have of ours, and the job's model in them."""
