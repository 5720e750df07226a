#!/usr/bin/env python3
"""Records the programs of runs.txt and keeps what `replay why` says of each: why.py BIN OUT [SIZE…]   (BIN holds tracer and replay; sizes s, m, l)

A person then holds the first paragraphs against the TRUTH.md of each set: right, weaker, absent or false. See README.md.
"""
import os, resource, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 8_000_000_000
SECONDS = 120  # of the processor: other work on the machine does not count


def run(arguments, out):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))

    begun = time.time()
    child = subprocess.Popen(arguments, stdout=out, stderr=subprocess.STDOUT, preexec_fn=limit)
    _, status, used = os.wait4(child.pid, 0)
    cost = f"wall {time.time() - begun:.1f} s, processor {used.ru_utime + used.ru_stime:.1f} s, {used.ru_maxrss // 1024} MB"
    return os.waitstatus_to_exitcode(status), cost


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    tools, out = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    sizes = sys.argv[3:] or ["s", "m", "l"]
    os.makedirs(out, exist_ok=True)
    os.chdir(out)
    for row in open(os.path.join(HERE, "runs.txt")):
        if row.startswith("#"):
            continue
        kind, name, size, load, seed, schedule, _ = row.split()
        if size not in sizes:
            continue
        module = f"{name}_{size}"
        source = open(os.path.join(HERE, kind, "programs", f"{name}.tpl")).read()
        for old, new in [("@MOD@", module), ("@M@", module), ("@LOAD@", load), ("@N@", load)]:
            source = source.replace(old, new)
        folder = os.path.join(out, kind)
        os.makedirs(folder, exist_ok=True)
        os.chdir(folder)
        file = module + (".exs" if name == "rooms_ex" else ".erl")
        open(file, "w").write(source)
        order = [] if schedule == "-" else ["--schedule", schedule]
        with open(os.devnull, "w") as nowhere:
            code, _ = run([f"{tools}/tracer", "run", "-q", file, "--seed", seed, *order, "-o", f"{module}.bin"], nowhere)
        if code == 0:
            print(kind, module, "did not fail under seed", seed, "any more", flush=True)
            continue
        with open(f"{module}.txt", "w") as said:
            code, cost = run([f"{tools}/replay", "why", f"{module}.bin"], said)
        print(kind, module, cost, f"exit {code}", flush=True)


main()
