#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Says what is in raw profiles, one image after the other.

summary.py [--tree DIR] [--profdata PROGRAM] FILE.profraw...

The names of static functions begin with the path that was given to the
compiler; --tree is taken off it.
"""

import argparse
import collections
import re
import pathlib
import subprocess

TOP = 10
EXTERNAL = "** External Symbol **"

Function = collections.namedtuple("Function", "name counters targets")


def text_of(profdata, path):
    """What llvm-profdata reads; a warning is as bad as an error."""
    done = subprocess.run([profdata, "merge", "--text", "-o", "-", path],
                          capture_output=True, text=True)
    if done.returncode or done.stderr:
        raise SystemExit(f"{path}: {done.stderr.strip()}")
    return done.stdout


def parse_values(lines):
    """Indirect call targets: (name, count) of all sites."""
    targets = []
    if not lines:
        return targets
    lines = iter(lines)
    for _ in range(int(next(lines))):
        kind = int(next(lines))
        for _ in range(int(next(lines))):
            for _ in range(int(next(lines))):
                value, count = next(lines).rsplit(":", 1)
                if kind == 0:
                    targets.append((value, int(count)))
    return targets


def functions(text):
    """A function is a block: name, hash, number of counters, counters, values.

    Before the name of a static one is its file's, up to LLVM 17 with a colon.
    """
    text = re.sub(r"(\.[chS]):(?=[A-Za-z_])", r"\1;", text)
    for block in text.split("\n\n"):
        lines = [l for l in block.splitlines() if l and l[0] not in "#:"]
        if len(lines) > 3:
            end = 3 + int(lines[2])
            yield Function(lines[0], [int(n) for n in lines[3:end]],
                           parse_values(lines[end:]))


def shown(name, tree):
    """function (path)"""
    if name == EXTERNAL:
        return "(not instrumented, or of another image)"
    path, _, function = name.rpartition(";")
    return f"{function} ({path.removeprefix(tree)})" if path else function


def print_image(name, funcs, tree):
    ran = sum(any(f.counters) for f in funcs)
    total = sum(sum(f.counters) for f in funcs)
    print(f"\n{name}: {len(funcs):,} functions, {ran:,} ran, {total:,} counts")

    hot = sorted((f for f in funcs if any(f.counters)),
                 key=lambda f: -sum(f.counters))[:TOP]
    if hot:
        print(f"  {'counts':>15} {'entered':>13}  hottest functions")
    for f in hot:
        print(f"  {sum(f.counters):>15,} {f.counters[0]:>13,}  {shown(f.name, tree)}")

    calls = collections.Counter()
    for f in funcs:
        for target, count in f.targets:
            if count:
                calls[target, f.name] += count
    if calls:
        print(f"  {'calls':>15} {'':>13}  hottest indirect calls")
    for (target, caller), count in calls.most_common(TOP):
        print(f"  {count:>15,} {'':>13}  {shown(target, tree)}"
              f" from {caller.rpartition(';')[2]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", default="")
    parser.add_argument("--profdata", default="llvm-profdata")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    args = parser.parse_args()

    # vmlinux first, then the modules by name
    for path in sorted(args.files, key=lambda p: (p.stem != "vmlinux", p.stem)):
        print_image(path.stem, list(functions(text_of(args.profdata, path))),
                    args.tree.rstrip("/") + "/")


if __name__ == "__main__":
    main()
