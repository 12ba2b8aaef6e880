"""What this machine offers to jobs, found without torch."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import psutil

VERSIONED = ("asterism", "torch", "numpy", "celery")


def devices(kind: str) -> list[dict[str, Any]]:
    """The devices of a kind; empty where there is none."""
    return [_cpu()] if kind == "cpu" else _gpus()


def versions() -> dict[str, str]:
    """Versions of what decides how jobs run here."""
    found = {"python": platform.python_version()}
    for package in VERSIONED:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _cpu() -> dict[str, Any]:
    cores = len(os.sched_getaffinity(0))
    return {
        "kind": "cpu",
        "name": _cpu_name(),
        "index": 0,
        "cores": cores,
        "memory_bytes": psutil.virtual_memory().total,
    }


def _cpu_name() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
            return next(names, platform.machine())
    except OSError:
        return platform.machine()


def _gpus() -> list[dict[str, Any]]:
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return []
    query = [tool, "--query-gpu=index,name,memory.total", "--format=csv,noheader,nounits"]
    done = subprocess.run(query, capture_output=True, text=True, check=False, timeout=30)
    rows = (
        [line.split(", ") for line in done.stdout.splitlines() if line.count(", ") == 2] if done.returncode == 0 else []
    )
    return [
        {"kind": "gpu", "name": name, "index": int(index), "cores": None, "memory_bytes": int(mib) * 2**20}
        for index, name, mib in rows
    ]
