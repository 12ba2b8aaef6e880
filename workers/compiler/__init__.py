"""The vertex-centric compiler: a library that turns vertex programs into kernels."""
