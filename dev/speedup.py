#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The table of dev/speedup.

speedup.py RAW.tsv [NAME=TITLE...]

RAW.tsv has a line for each time that a workload was done: kernel, clock (exact or
wall), turn, area, workload, nanoseconds that passed, and of these the processors
were idle, and clock ticks in programs and in the kernel.  By the exact clock a
nanosecond is an instruction.  All is compared with the kernel `plain`.
"""

import collections
import csv
import math
import statistics
import sys

BASIS = "plain"
LIMIT = 2.0     # percent more that is worth a line of its own
TICK = 10_000_000   # nanoseconds, of /proc/stat

Row = collections.namedtuple(
    "Row", "kernel clock turn area workload passed idle user system")


def read(path):
    """All rows, as they were measured."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = csv.reader(file, delimiter="\t")
        if next(lines, None) != list(Row._fields):
            raise SystemExit(f"{path}: not the figures of dev/speedup")
        return [Row(*line[:5], *map(int, line[5:])) for line in lines]


def mean(ratios):
    """The geometric one."""
    return math.exp(statistics.fmean(math.log(r) for r in ratios))


def percent(ratio):
    return (ratio - 1) * 100


class Figures:
    """What each kernel took for each workload, against BASIS."""

    def __init__(self, rows):
        self.rows = rows
        self.kernels = list(dict.fromkeys(r.kernel for r in rows if r.kernel != BASIS))
        self.areas = {r.workload: r.area for r in rows}
        self.workloads = list(self.areas)

    def _rows(self, kernel, clock, workload, turn=None):
        return [r for r in self.rows if (r.kernel, r.clock, r.workload) ==
                (kernel, clock, workload) and turn in (None, r.turn)]

    def instructions(self, kernel, workload):
        """Of one time: the median, if it was done several times."""
        found = self._rows(kernel, "exact", workload)
        if not found:
            raise SystemExit(f"{kernel}: {workload} was not measured")
        return statistics.median(r.passed - r.idle for r in found)

    def exact(self, kernel, workload):
        return self.instructions(kernel, workload) / self.instructions(BASIS, workload)

    def system(self, workload):
        """The kernel's part of the work, in percent.  None if the clock did not tick
        for as long as there was work, as with what sleeps from timer to timer."""
        rows = self._rows(BASIS, "exact", workload)
        user, system = (sum(r[i] for r in rows) for i in (7, 8))
        busy = sum(r.passed - r.idle for r in rows)
        if not busy / 2 < (user + system) * TICK < busy * 2:
            return None
        return 100 * system / (user + system)

    def own(self, kernel, workload):
        """What the kernel itself took: programs take the same on each."""
        return 1 + (self.exact(kernel, workload) - 1) * 100 / max(self.system(workload), 1)

    def turns(self, kernel):
        return sorted({r.turn for r in self.rows if (r.kernel, r.clock) == (kernel, "wall")})

    def wall(self, kernel, workload):
        """One ratio for each turn: that of the fastest times in it."""
        best = lambda k, turn: min(r.passed for r in self._rows(k, "wall", workload, turn))
        return [best(kernel, t) / best(BASIS, t) for t in self.turns(kernel)]

    def mean_exact(self, kernel):
        return mean(self.exact(kernel, w) for w in self.workloads)

    def mean_own(self, kernel):
        return mean(self.own(kernel, w) for w in self.workloads if self.system(w) is not None)

    def mean_wall(self, kernel):
        """One for each turn."""
        return [mean(turn) for turn in zip(*(self.wall(kernel, w) for w in self.workloads))]

    def slower(self, kernel):
        return [w for w in self.workloads if percent(self.exact(kernel, w)) > LIMIT]


def spread(ratios):
    """Median, and the least and the most."""
    if not ratios:
        return " " * 25
    values = [percent(r) for r in (statistics.median(ratios), min(ratios), max(ratios))]
    return "{:+8.1f} ({:+6.1f} ..{:+6.1f})".format(*values)


def table(figures, titles):
    """Lines of text."""
    yield "change in percent; of wall time: median (least .. most) of all turns"
    yield ""
    head = f"{'area':<10} {'workload':<16} {'kernel':>6} {'Minstr':>8}"
    below = f"{'':<10} {'':<16} {'share':>6} {BASIS:>8}"
    for kernel in figures.kernels:
        head += f"  {titles.get(kernel, kernel):^35}"
        below += f"  {'instr':>8} {'wall time':>25}"
    yield head.rstrip()
    yield below.rstrip()
    for w in figures.workloads:
        share = figures.system(w)
        share = "?" if share is None else f"{share:.0f}%"
        line = (f"{figures.areas[w]:<10} {w:<16} {share:>6}"
                f" {figures.instructions(BASIS, w) / 1e6:8.1f}")
        for kernel in figures.kernels:
            line += (f"  {percent(figures.exact(kernel, w)):+8.1f}"
                     f" {spread(figures.wall(kernel, w))}")
        yield line.rstrip()
    line = f"{'geometric mean':<43}"
    for kernel in figures.kernels:
        line += (f"  {percent(figures.mean_exact(kernel)):+8.1f}"
                 f" {spread(figures.mean_wall(kernel))}")
    yield line.rstrip()
    line = f"{'without the programs, by the share':<43}"
    for kernel in figures.kernels:
        line += f"  {percent(figures.mean_own(kernel)):+8.1f} {'':25}"
    yield line.rstrip()
    yield ""
    for kernel in figures.kernels:
        slower = [f"{w} {percent(figures.exact(kernel, w)):+.1f}" for w in figures.slower(kernel)]
        yield (f"{titles.get(kernel, kernel)}: more than {LIMIT:.0f}% more instructions: "
               + (", ".join(slower) or "none"))


def arguments(argv):
    """Figures, and what the kernels are called."""
    if not argv:
        raise SystemExit(__doc__)
    return Figures(read(argv[0])), dict(word.split("=", 1) for word in argv[1:])


if __name__ == "__main__":
    print("\n".join(table(*arguments(sys.argv[1:]))))
