#!/usr/bin/env python3
"""Runs `replay explore` on the workers of a dask.distributed cluster.

Each task explores one unit of the search until it has found --budget universes; the units that it leaves become tasks. Results are kept in --out,
and each counts once, so a unit of a worker that was lost is simply explored again. Stop it and start it again: it goes on with what is left.
The same `replay` and the same program, at the same paths, have to be on all machines. Files of units and results travel over the cluster, so
no folder has to be shared. At the end, it prints what `replay explore --merge` says.

    explore_dask.py --out results --workers 4 -- counter.erl --max-stall none
    explore_dask.py --out results --scheduler tcp://head:8786 -- counter.erl
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

RESULT, UNIT, WHOLE = ".result.json", ".unit", "whole"


def explore(replay, program, name, unit, options):
    """On a worker: explores a unit (None: from the start). Returns the files of its result by name, the result last."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "out")
        command = [replay, "explore", *program, "--out", str(out), *options]
        if unit is not None:
            path = pathlib.Path(folder, name + UNIT)
            path.write_bytes(unit)
            command += ["--unit", str(path)]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        # 1: a universe fails, which is an answer.
        if done.returncode not in (0, 1):
            raise RuntimeError(f"unit {name}: {done.stderr.strip()}")
        result = name + RESULT
        names = sorted(os.listdir(out), key=lambda one: one == result)
        return {one: out.joinpath(one).read_bytes() for one in names}


def keep(out, files):
    """Writes files that appear when they are complete. A result is written once, after its units."""
    for name, content in files.items():
        path = out / name
        if not path.exists():
            beside = out / f".{name}.{os.getpid()}.tmp"
            beside.write_bytes(content)
            beside.rename(path)


def left(out, names):
    """The units without a result, going from result to result."""
    known, names = set(), list(names)
    while names:
        name = names.pop()
        if name in known:
            continue
        known.add(name)
        result = out / (name + RESULT)
        if result.exists():
            names += [unit for unit, _ in json.loads(result.read_bytes())["left"]]
        else:
            yield name


def run(client, args):
    from dask.distributed import as_completed

    options = ["--budget", str(args.budget), "--split", str(args.split), "--jobs", str(args.jobs)]
    tries, names, finished = {}, {}, 0
    running = as_completed()

    def begin(name):
        unit = None if name == WHOLE else (args.out / (name + UNIT)).read_bytes()
        key = f"explore-{name}-{tries.get(name, 0)}"
        future = client.submit(explore, args.replay, args.program, name, unit, options, key=key, pure=False)
        names[future.key] = name
        running.add(future)

    for name in left(args.out, [WHOLE]):
        begin(name)
    for future in running:
        name = names.pop(future.key)
        if future.status == "finished":
            keep(args.out, future.result())
            finished += 1
            for new in left(args.out, [name]):
                begin(new)
        else:
            # Dask gives the tasks of a lost worker to others, and gives a task up when several workers were lost with it.
            tries[name] = tries.get(name, 0) + 1
            error = future.exception()
            if isinstance(error, RuntimeError) or tries[name] > args.retries:
                raise SystemExit(f"explore_dask.py: {error}")
            begin(name)
        if not args.quiet:
            print(f"\r{finished} units explored, {len(names)} left ", end="", file=sys.stderr, flush=True)
    if not args.quiet:
        print(file=sys.stderr)


def main():
    about, _, example = __doc__.partition("\n\n    ")
    parse = argparse.ArgumentParser(
        description=about, epilog="    " + example, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parse.add_argument("--out", type=pathlib.Path, required=True, metavar="DIR", help="the folder of results")
    parse.add_argument("--scheduler", metavar="ADDRESS", help="a scheduler that runs, for example tcp://head:8786")
    parse.add_argument("--workers", type=int, default=os.cpu_count(), metavar="N", help="without --scheduler: start N workers here")
    parse.add_argument("--budget", type=int, default=2000, metavar="N", help="universes of a task (default: 2000)")
    parse.add_argument("--split", type=int, default=16, metavar="N", help="tasks that one leaves, at most (default: 16)")
    parse.add_argument("--jobs", type=int, default=1, metavar="N", help="threads of a task (default: 1)")
    parse.add_argument("--retries", type=int, default=10, metavar="N", help="how often a unit is begun again that was lost with workers (default: 10)")
    parse.add_argument("--replay", default="replay", metavar="PATH", help="the tool on the workers (default: replay)")
    parse.add_argument("--quiet", action="store_true", help="no progress on standard error")
    parse.add_argument("program", nargs="+", metavar="PROGRAM", help="after --: FILE.erl or TRACE, and options of the search")
    args = parse.parse_args()
    from dask.distributed import Client, LocalCluster

    args.out.mkdir(parents=True, exist_ok=True)
    cluster = None if args.scheduler else LocalCluster(n_workers=args.workers, threads_per_worker=1, dashboard_address=None)
    with Client(args.scheduler or cluster) as client:
        run(client, args)
    if cluster:
        cluster.close()
    raise SystemExit(subprocess.run([args.replay, "explore", *args.program, "--merge", str(args.out)]).returncode)


if __name__ == "__main__":
    main()
