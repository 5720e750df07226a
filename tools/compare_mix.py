#!/usr/bin/env python3
"""Runs the tests of mix projects under `mix test` and under `tracer test`, and compares the result of each test.

Each project is copied into --scratch. A formatter is added to its test helper, the same for both, so the results come from ExUnit itself. In exercises
of Exercism (with `.meta/config.json`), the example takes the place of the solution, and pending tests run. The failure texts are compared, too, and
told apart from other results: they may hold times and pids. A project that has no copy in deps/ of what it depends on cannot run: nothing is fetched.

    compare_mix.py --scratch /tmp/exercism --results exercism.json exercism-elixir/exercises/practice/*
    compare_mix.py --scratch /tmp/libraries --verify-every 1 libraries/*
"""

import argparse
import base64
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import time

FEW = 8  # differences that are printed of a project

FORMATTER = """
defmodule RetellResults do
  use GenServer
  def init(_), do: {:ok, []}
  def handle_cast({:test_finished, test}, all), do: {:noreply, [one(test) | all]}

  def handle_cast({:module_finished, %{state: {:failed, failures}} = module}, all),
    do: {:noreply, [{inspect(module.name), "", "failed", inspect(Enum.map(failures, &banner/1))} | all]}

  def handle_cast({:suite_finished, _}, all) do
    lines = for {module, name, status, text} <- all, do: Enum.map_join([module, name, status, text], "\\t", &Base.encode64/1)
    File.write!(PLACE, Enum.join(lines, "\\n"))
    {:noreply, all}
  end

  def handle_cast(_, all), do: {:noreply, all}

  defp one(test) do
    {status, text} =
      case test.state do
        nil -> {"passed", ""}
        {:failed, failures} -> {"failed", Enum.map_join(failures, "\\n", &banner/1)}
        {:skipped, why} -> {"skipped", inspect(why)}
        {:excluded, why} -> {"excluded", inspect(why)}
        {:invalid, _} -> {"invalid", ""}
      end

    {inspect(test.module), Atom.to_string(test.name), status, text}
  end

  defp banner({kind, reason, stack}) do
    Exception.format_banner(kind, reason, stack)
  rescue
    _ -> "no banner"
  end
end

ExUnit.configure(formatters: [ExUnit.CLIFormatter, RetellResults], seed: 0)
"""


def prepare(project, place, results):
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(project, place, symlinks=True, ignore=shutil.ignore_patterns("_build", "_traces", ".git"))
    config = place / ".meta" / "config.json"
    if config.exists():
        files = json.loads(config.read_text())["files"]
        for example, solution in zip(files.get("example") or files.get("exemplar", []), files["solution"]):
            shutil.copyfile(place / example, place / solution)
    helper = place / "test" / "test_helper.exs"
    text = helper.read_text() if helper.exists() else "ExUnit.start()\n"
    if config.exists():
        text = re.sub(r"exclude: :pending,?", "exclude: [],", text)
    helper.write_text(text + FORMATTER.replace("PLACE", json.dumps(str(results))))


def run(command, place, log, timeout):
    """Runs a command; returns the code of its end and the seconds of processor time and of the clock."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with open(log, "wb") as out:
        try:
            code = subprocess.run(command, cwd=place, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=timeout, check=False, env={**os.environ, "HEX_OFFLINE": "1"}).returncode
        except subprocess.TimeoutExpired:
            code = "timeout"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return code, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.monotonic() - began


def read(results):
    """The results by module and name, or nothing where the run came to no end."""
    if not results.exists():
        return {}
    found = {}
    for line in results.read_text().splitlines():
        module, name, status, text = (base64.b64decode(part).decode(errors="replace") for part in line.split("\t"))
        found[module, name] = (status, text)
    results.unlink()
    return found


def compare(project, options, number):
    place = options.scratch / project.name
    results = options.scratch / (project.name + ".results")
    told = {"name": project.name, "same": 0, "texts": [], "differ": []}
    prepare(project, place, results)
    logs = options.scratch / "logs"
    logs.mkdir(exist_ok=True)
    mix, mix_log = ["mix", "test", "--seed", "0", "--include", "pending"], logs / (project.name + ".mix")
    run(mix, place, mix_log, options.timeout)
    results.unlink(missing_ok=True)
    told["mix"] = run(mix, place, mix_log, options.timeout)
    right = read(results)
    traces = place / "_traces"
    own, own_log = [options.tracer, "test", "--keep", "all", "--traces", str(traces)], logs / (project.name + ".tracer")
    told["first"] = run(own, place, own_log, options.timeout)
    if options.twice:
        results.unlink(missing_ok=True)
        shutil.rmtree(traces, ignore_errors=True)
        told["tracer"] = run(own, place, own_log, options.timeout)
    else:
        told["tracer"] = told["first"]
    ours = read(results)
    told["tests"] = len(right)
    for test in sorted(right.keys() | ours.keys()):
        one, other = right.get(test), ours.get(test)
        if one is None or other is None or one[0] != other[0]:
            told["differ"].append([*test, one, other])
        else:
            told["same"] += 1
            if one[1] != other[1]:
                told["texts"].append([*test, one[1], other[1]])
    if options.verify_every and number % options.verify_every == 0:
        told["verify"] = [run([options.replay, "verify", str(trace)], place, logs / (project.name + ".verify"), options.timeout)[0] for trace in sorted(traces.glob("*.trace"))]
    if not options.keep:
        shutil.rmtree(place, ignore_errors=True)
    return told


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects", nargs="+", type=pathlib.Path)
    parser.add_argument("--tracer", default="tracer")
    parser.add_argument("--replay", default="replay")
    parser.add_argument("--scratch", type=pathlib.Path, required=True, help="a folder for the copies and the logs")
    parser.add_argument("--results", type=pathlib.Path, help="write what was found into this file, as lines of JSON")
    parser.add_argument("--verify-every", type=int, default=10, metavar="N", help="run `replay verify` on the traces of each N-th project; 0 for none")
    parser.add_argument("--timeout", type=float, default=600, metavar="SECONDS")
    parser.add_argument("--twice", action="store_true", help="run `tracer test` twice, so that its time is without compiling")
    parser.add_argument("--keep", action="store_true", help="keep the copies")
    options = parser.parse_args()
    options.scratch = options.scratch.resolve()
    options.scratch.mkdir(parents=True, exist_ok=True)
    everything = []
    for number, project in enumerate(options.projects):
        told = compare(project.resolve(), options, number)
        everything.append(told)
        if options.results:
            with open(options.results, "a") as out:
                out.write(json.dumps(told) + "\n")
        times = " ".join(f"{name} {told[name][1]:.1f} s" for name in ("mix", "first", "tracer"))
        verify = f" verify {told['verify']}" if "verify" in told else ""
        print(f"{told['name']}: {told['same']} of {told['tests']} tests same, {len(told['texts'])} other texts; {times}{verify}", flush=True)
        for module, name, one, other in told["differ"][:FEW]:
            print(f"    {module}: {name}: mix {one}, tracer {other}", flush=True)
    total, same = sum(one["tests"] for one in everything), sum(one["same"] for one in everything)
    ratio = sum(one["tracer"][1] for one in everything) / max(sum(one["mix"][1] for one in everything), 1e-9)
    verified = [code for one in everything for code in one.get("verify", [])]
    print(f"{same} of {total} tests same; processor time {ratio:.1f} times that of mix; {verified.count(0)} of {len(verified)} traces verified")


if __name__ == "__main__":
    main()
