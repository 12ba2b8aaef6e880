"""The vertex programs of the layers, one a file, written in the language of `workers/compiler/README.md`."""
