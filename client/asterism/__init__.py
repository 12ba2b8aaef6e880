"""Asterism from Python: `a = asterism.connect("http://127.0.0.1:8765")`. Types of the API are in `asterism.schemas`."""

from asterism.client import Asterism, connect
from asterism.datasets import Dataset, ImportFailed
from asterism.errors import ApiError, AsterismError, JobFailed, Unreachable
from asterism.frames import of_rows as frame
from asterism.job import Job
from asterism.models import Model

__all__ = [
    "ApiError",
    "Asterism",
    "AsterismError",
    "Dataset",
    "ImportFailed",
    "Job",
    "JobFailed",
    "Model",
    "Unreachable",
    "connect",
    "frame",
]
