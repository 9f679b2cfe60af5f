"""Counters for Prometheus at `/metrics`. They contain nothing about a person, a photo or a hand."""

import time
from http import HTTPStatus

from flask import Blueprint, Flask, Response, current_app, g, request
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)

from webapp.operators import require_operator

blueprint = Blueprint("metrics", __name__)

# A photo takes between a tenth of a second and a few seconds, every other request far less.
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The counters of one application, in a separate registry.

    The route of a request is the pattern of its address (`/photo/<token>`), never the address itself.
    """

    def __init__(self, app: Flask) -> None:
        """Start at zero; the gauge asks `app` for the number of pending photos whenever it is read."""
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "fanlens_requests", "Requests answered.", ("method", "route", "status"), registry=self.registry
        )
        self.seconds = Histogram(
            "fanlens_request_seconds", "Time to answer.", ("route",), buckets=SECONDS, registry=self.registry
        )
        self.photos = Counter(
            "fanlens_photos", "Photos received, by outcome.", ("outcome",), registry=self.registry
        )
        self.stages = Histogram(
            "fanlens_recognition_seconds",
            "Time spent on a photo, by stage.",
            ("stage",),
            buckets=SECONDS,
            registry=self.registry,
        )
        pending = Gauge("fanlens_photos_pending", "Photos waiting to be confirmed.", registry=self.registry)
        pending.set_function(lambda: len(app.extensions["pending_photos"]))

    def read(self) -> bytes:
        """Every counter in the text format of Prometheus."""
        return generate_latest(self.registry)


def metrics() -> Metrics:
    """The counters of the application that answers this request."""
    kept: Metrics = current_app.extensions["metrics"]
    return kept


def route_of_request() -> str:
    """The pattern of the requested address, such as `/photo/<token>`; `unknown` if no route matches."""
    return "unknown" if request.url_rule is None else request.url_rule.rule


def seconds_taken() -> float:
    """Seconds since this request arrived."""
    begun: float = g.get("begun", time.perf_counter())
    return time.perf_counter() - begun


def _begin() -> None:
    g.begun = time.perf_counter()


# A client may send any word as the method, and each new one would take memory for a counter.
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def _count(response: Response) -> Response:
    counted, route = metrics(), route_of_request()
    method = request.method if request.method in METHODS else "other"
    counted.requests.labels(method, route, response.status_code).inc()
    counted.seconds.labels(route).observe(seconds_taken())
    return response


@blueprint.get("/metrics")
def read() -> Response:
    """The counters, for Prometheus."""
    require_operator()
    return Response(metrics().read(), HTTPStatus.OK, content_type=CONTENT_TYPE_LATEST)


def init_app(app: Flask) -> None:
    """Counts every request of `app`."""
    app.extensions["metrics"] = Metrics(app)
    app.before_request(_begin)
    app.after_request(_count)
    app.register_blueprint(blueprint)
