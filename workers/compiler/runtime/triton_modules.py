"""Generated Triton sources as Python modules: Triton reads a kernel's text from the file it stands in.

A file is named by its content and appears by rename, so several processes may share a folder. Machine code is kept by
Triton itself (TRITON_CACHE_DIR).
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType


@dataclass
class TritonModules:
    """Modules of sources in `folder`, each imported once a process."""

    folder: Path
    _loaded: dict[str, ModuleType] = field(default_factory=dict)

    def load(self, sources: Sequence[str]) -> list[ModuleType]:
        """One module a source, in order."""
        return [self._module(source) for source in sources]

    def _module(self, source: str) -> ModuleType:
        name = hashlib.sha256(source.encode()).hexdigest()
        if name not in self._loaded:
            self._loaded[name] = _imported(f"asterism_kernel_{name}", self._written(name, source))
        return self._loaded[name]

    def _written(self, name: str, source: str) -> Path:
        path = self.folder / name[:2] / f"{name}.py"
        if not path.exists() or path.read_text() != source:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, draft = tempfile.mkstemp(dir=path.parent, suffix=".py")
            with os.fdopen(handle, "w") as file:
                file.write(source)
            Path(draft).replace(path)
        return path


def _imported(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
