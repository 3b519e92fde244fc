#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Says what is in raw profiles, one image after the other.

summary.py [--tree DIR] [--profdata PROGRAM] FILE.profraw...

The names of static functions begin with the path that was given to the
compiler; --tree is taken off it.
"""

import argparse
import collections
import pathlib

from proftext import EXTERNAL, functions, text_of

TOP = 10


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
