"""Studies: `simtlab sweep` runs them, and their record is read as a frame."""
import os
import sqlite3
import subprocess

import pandas

from .errors import Error


def sweep(study, database=None, options=()):
    """Runs a study file. Returns the path of its database. Error: a run has failed, or the study is not valid."""
    command = [os.environ.get("SIMTLAB_COMMAND", "simtlab"), "sweep", *options]
    if database is not None:
        command += ["--database", os.fspath(database)]
    done = subprocess.run(command + [os.fspath(study)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Error((done.stderr.strip() or done.stdout.strip()))
    return os.fspath(database) if database is not None else done.stdout.split("before: ")[-1].split("\n")[0]


def runs(database):
    """All runs of a record: a frame with a row per run. Columns: what the run is, the keys of its machine as KEY, its
    outcome, and the counters over its launches."""
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


def plot(frame, x, y, by=None, axes=None):
    """Draws the mean of column y over column x, one line for each value of column `by`. Returns matplotlib's axes."""
    import matplotlib.pyplot

    axes = axes if axes is not None else matplotlib.pyplot.subplots()[1]
    for name, part in frame.groupby(by) if by is not None else [(None, frame)]:
        line = part.assign(**{x: pandas.to_numeric(part[x], errors="ignore")}).groupby(x)[y].mean()
        axes.plot(line.index, line.values, marker="o", label=name)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if by is not None:
        axes.legend(title=by)
    return axes
