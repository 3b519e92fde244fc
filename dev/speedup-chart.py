#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The chart of dev/speedup, by matplotlib.

speedup-chart.py RAW.tsv OUT [NAME=TITLE...]

Makes OUT.svg and OUT.png.
"""

import statistics
import sys

import matplotlib
matplotlib.use("Agg")
# pylint: disable=wrong-import-position
from matplotlib import pyplot

import speedup

COLOURS = ["#1b6ca8", "#e08e1b", "#5b9a3c"]
HEIGHT = 0.8     # of all bars of a workload


def labels(figures):
    """From top to bottom; the mean is last."""
    return [f"{w}  ({figures.areas[w]})" for w in figures.workloads] + ["geometric mean"]


def places(figures, number):
    """Where the bars of a kernel are."""
    height = HEIGHT / len(figures.kernels)
    return [i + height * (number + 0.5) - HEIGHT / 2 for i in range(len(figures.workloads) + 1)]


def exact_bars(axes, figures, kernel, number, title):
    """One bar for each workload, and one for the mean."""
    values = [speedup.percent(figures.exact(kernel, w)) for w in figures.workloads]
    values.append(speedup.percent(figures.mean_exact(kernel)))
    drawn = axes.barh(places(figures, number), values, HEIGHT * 0.9 / len(figures.kernels),
                      color=COLOURS[number], label=title)
    axes.bar_label(drawn, [f"{value:+.1f}" for value in values], padding=3, fontsize=8)


def wall_spread(axes, figures, kernel, number):
    """A point and a line for each."""
    wall = [figures.wall(kernel, w) for w in figures.workloads] + [figures.mean_wall(kernel)]
    middle = [speedup.percent(statistics.median(w)) for w in wall]
    axes.errorbar(middle, places(figures, number), fmt="o", markersize=3.5, linewidth=1,
                  color=COLOURS[number],
                  xerr=[[m - speedup.percent(min(w)) for m, w in zip(middle, wall)],
                        [speedup.percent(max(w)) - m for m, w in zip(middle, wall)]])


def dress(axes, count):
    """What both halves have in common."""
    axes.axhline(count - 1.5, color="#999999", linewidth=0.8)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.grid(axis="x", color="#dddddd")
    axes.set_axisbelow(True)
    axes.set_xlabel("change in percent against the plain kernel")
    axes.margins(x=0.12)
    axes.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def chart(figures, titles):
    """Instructions on the left; wall time, if it was measured, on the right."""
    pyplot.rcParams["svg.hashsalt"] = "pgo"     # the same figures, the same file
    count = len(figures.workloads) + 1
    timed = all(figures.turns(kernel) for kernel in figures.kernels)
    size = (11.5 if timed else 8, 1.6 + count * (0.12 + 0.2 * len(figures.kernels)))
    figure, halves = pyplot.subplots(1, 1 + timed, sharey=True, squeeze=False, figsize=size,
                                     width_ratios=[3, 2][:1 + timed])
    left = halves[0][0]
    for number, kernel in enumerate(figures.kernels):
        exact_bars(left, figures, kernel, number, titles.get(kernel, kernel))
        if timed:
            wall_spread(halves[0][1], figures, kernel, number)
    for axes in halves[0]:
        dress(axes, count)
    left.set_yticks(range(count), labels(figures), fontsize=9)
    left.get_yticklabels()[-1].set_fontweight("bold")
    left.set_ylim(count - 0.5, -0.6)
    left.set_title("instructions of kernel and program, exact", fontsize=10)
    if timed:
        halves[0][1].set_title("wall time under emulation: median, least, most", fontsize=10)
    figure.suptitle("What workloads take that the kernel was not trained with: left is faster")
    figure.legend(loc="lower center", ncol=3, frameon=False)
    figure.tight_layout(rect=(0, 0.3 / size[1], 1, 1))
    return figure


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    out = sys.argv.pop(2)
    drawing = chart(*speedup.arguments(sys.argv[1:]))
    drawing.savefig(out + ".svg", metadata={"Date": None})
    drawing.savefig(out + ".png", dpi=150)
