# A worker for any kind of device: kernels are generated as C++ and compiled at run time, hence the compiler.
FROM python:3.11.13-slim-bookworm

RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /asterism
COPY requirements/worker.lock requirements/worker.lock
RUN pip install --no-cache-dir -r requirements/worker.lock
COPY workers workers

RUN useradd --create-home --uid 10001 asterism && mkdir /state && chown asterism /state
USER asterism
ENV ASTERISM_HOME=/state PYTHONUNBUFFERED=1
CMD ["python", "-m", "workers", "--device", "cpu", "--slots", "2"]
