# The API; also what migrates the database and seeds the bundled datasets. No torch in here.
FROM python:3.11.13-slim-bookworm

WORKDIR /asterism
COPY requirements/web.lock requirements/web.lock
RUN pip install --no-cache-dir -r requirements/web.lock
COPY migrations migrations
COPY workers workers
COPY backend backend

RUN useradd --create-home --uid 10001 asterism && mkdir /state && chown asterism /state
USER asterism
ENV ASTERISM_HOME=/state ASTERISM_BIND=0.0.0.0 PORT=8765 PYTHONUNBUFFERED=1
EXPOSE 8765
CMD ["python", "-m", "backend"]
