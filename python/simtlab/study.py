"""Studies: `simtlab sweep` runs them, and their record is read as a frame."""
import io
import json
import os
import sqlite3
import tempfile

import pandas

from .command import command
from .errors import UsageError


def sweep(study, database=None, options=()):
    """Runs a study. Returns the path of its database.

    study: a file, or a dictionary with what the file would have; its paths are relative to the current folder. A run
    that fails is a result, in the column outcome of runs(). UsageError: the study is not valid.
    """
    if not isinstance(study, dict):
        return _sweep(os.fspath(study), database, options)
    with tempfile.NamedTemporaryFile("w", prefix="study-", suffix=".yaml", dir=".") as file:
        json.dump(study, file, indent=1)  # which is YAML, too
        file.flush()
        return _sweep(file.name, database, options)


def _sweep(study, database, options):
    chosen = ["--database", database] if database is not None else []
    said = command("sweep", *chosen, *options, "--", study, accepted=(0, 1))  # 1: runs have failed
    return os.fspath(database) if database is not None else said.split(" before: ", 1)[1].split("\n")[0]


def query(database, by=("machine", "program"), metric="cycles", where=None, normalise=None, geomean=False):
    """Means of a metric over the runs that passed, with 95 % confidence intervals, as `simtlab query` computes them."""
    words = ["--by", by if isinstance(by, str) else ",".join(by), "--metric", metric, "--format", "csv"]
    words += ["--where", where] if where is not None else []
    words += ["--normalise", normalise] if normalise is not None else []
    words += ["--geomean"] if geomean else []
    return pandas.read_csv(io.StringIO(command("query", *words, "--", database)))


def runs(database):
    """All runs of a record: a frame with a row per run. Columns: what the run is, the keys of its machine as KEY, its
    outcome, and the counters over its launches."""
    if not os.path.exists(database):
        raise UsageError("%s: there is no such database; sweep() makes it" % os.fspath(database))
    connection = sqlite3.connect("file:%s?mode=ro" % os.fspath(database), uri=True)
    try:
        frame = pandas.read_sql_query(
            "SELECT run.id AS run, program.name AS program, machine_config.name AS machine, config, arguments, size, seed,"
            " mode, outcome, status, message, run.cycles, seconds FROM run JOIN program ON program.id = run.program"
            " JOIN machine_config ON machine_config.id = run.config WHERE outcome <> 'running'", connection)
        keys = pandas.read_sql_query("SELECT config, key, value FROM config_key", connection)
        if len(keys) > 0:
            frame = frame.merge(keys.pivot(index="config", columns="key", values="value"), on="config", how="left")
        views = [row[0] for row in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'view' AND name LIKE 'totals%'")]
        totals = [pandas.read_sql_query('SELECT * FROM "%s"' % view, connection) for view in views]
    finally:
        connection.close()
    if totals:
        counters = pandas.concat(totals).drop(columns=["cycles"], errors="ignore")
        frame = frame.merge(counters, on="run", how="left", suffixes=("", " (counter)"))
    return frame.set_index("run")


def plot(frame, x, y, by=None, kind="lines", axes=None):
    """Draws the mean of column y over column x, with a line or bars for each value of column `by`. Returns matplotlib's
    axes."""
    import matplotlib.pyplot

    if kind not in ("lines", "bars"):
        raise UsageError("a plot has lines or bars, not %s" % kind)
    axes = axes if axes is not None else matplotlib.pyplot.subplots()[1]
    shown = frame.assign(**{x: pandas.to_numeric(frame[x], errors="ignore")})
    table = shown.pivot_table(index=x, columns=by, values=y) if by is not None else shown.groupby(x)[[y]].mean()
    table.plot(ax=axes, kind="bar" if kind == "bars" else "line", legend=by is not None,
               **({} if kind == "bars" else {"marker": "o"}))
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    return axes
