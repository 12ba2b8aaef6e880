"""What can go wrong with a job. The message is for the user and says what to do next.

JobError                the job cannot go on, and one line says why
├── UnknownKind         no system of that name is installed
├── DatasetMissing      a dataset the job names is not there
├── UploadMissing       an upload the job names is not there
├── WrongGraph          a dataset the job names is of the other kind, heterogeneous or not
├── GraphInvalid        parts of a heterogeneous graph contradict each other
└── Fenced              the attempt is over: another has taken the job, or it was cancelled or lost
"""

from __future__ import annotations


class JobError(Exception):
    """The job cannot go on. Raise it with one line that says why and what to do; the user sees it as the reason."""


class UnknownKind(JobError):
    """No system of that name is installed."""

    def __init__(self, kind: str, known: tuple[str, ...]) -> None:
        super().__init__(f"There is no system called {kind!r}; installed: {', '.join(known) or 'none'}.")


class DatasetMissing(JobError, KeyError):
    """The dataset is not in storage."""

    def __init__(self, dataset_id: str) -> None:
        super().__init__(f"Dataset {dataset_id!r} is not in storage; it may have been deleted. Choose another one.")

    def __str__(self) -> str:  # KeyError would show the message's repr.
        return str(self.args[0])


class UploadMissing(JobError):
    """The upload is not in storage."""

    def __init__(self, upload_id: str) -> None:
        super().__init__(f"Upload {upload_id!r} is not in storage; it may have expired. Upload the files again.")


class WrongGraph(JobError):
    """The dataset is heterogeneous where it must not be, or the other way round."""

    def __init__(self, name: str, is_: str, needed: str) -> None:
        super().__init__(
            f"Dataset {name!r} is {is_}, and this job needs {needed}. Choose another dataset or kind of job."
        )


class GraphInvalid(JobError):
    """Parts of a heterogeneous graph contradict each other."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what}. {remedy}")
        self.what, self.remedy = what, remedy

    def __reduce__(self) -> tuple[object, ...]:  # The default would call __init__ with the finished message alone.
        return type(self), (self.what, self.remedy)


class Fenced(JobError):
    """A process of an attempt that is over tried to write."""

    def __init__(self, job_id: str, attempt: int) -> None:
        super().__init__(f"Job {job_id} has moved on from attempt {attempt}.")
