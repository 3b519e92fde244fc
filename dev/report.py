#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Writes one HTML page that shows what is in profiles.

report.py --library DIR [--build DIR] [--tree DIR] [--profdata PROGRAM]
          [--title TEXT] -o PAGE FILE...

A FILE is the raw profile of the image after which it is named, or .profdata, where
the image of a function is told by its source (what all modules call init_module is
one function there). Without a build folder, only the sources of static functions
are known, and no lines.
"""

import argparse
import collections
import json
import pathlib

from proftext import CALLS, EXTERNAL, MEMOPS, functions, text_of
from sources import VMLINUX, Sources

HERE = pathlib.Path(__file__).resolve().parent / "page"
SHOWN = 100         # functions with their source, and sites of indirect calls
LINES = 80          # of a function's source
TARGETS = 8         # of a site


def read(profdata, paths):
    """(image or None if merged, function) of all files."""
    raw = collections.defaultdict(list)
    for path in paths:
        raw[path.stem if path.suffix == ".profraw" else None].append(path)
    for image, files in raw.items():
        for function in functions(text_of(profdata, *files)):
            yield image, function


class Table(dict):
    """Numbers names in the order in which they come."""

    def __missing__(self, name):
        self[name] = len(self)
        return self[name]


def located(profiles, sources):
    """(function, image, file, place), the hottest first"""
    rows = []
    for image, f in profiles:
        file, place = sources.place(f.path, f.symbol, image)
        rows.append((f, image or sources.image(file), file, place))
    return sorted(rows, key=lambda r: (-sum(r[0].counters), -r[0].counters[0]))


def row(function, image, file, place, files):
    """As the page wants it; where the definition is not in the file that was
    compiled, that too."""
    values = [function.symbol, image, files[file] if file else -1,
              place.line if place else 0,
              function.counters[0], sum(function.counters)]
    if place and place.file != file:
        values.append(files[place.file])
    return values


def hottest_calls(rows):
    """[caller, number of the site in it, count, [[target, file, count]...]]"""
    sites = []
    for index, (function, *_) in enumerate(rows):
        for number, values in enumerate(function.sites.get(CALLS, [])):
            count = sum(n for _, n in values)
            if count:
                sites.append((count, index, number, values))
    sites.sort(key=lambda s: (-s[0], s[1], s[2]))
    return sites


def shown_targets(values, sources):
    merged = collections.Counter()
    for name, count in values:
        merged[name] += count
    rest = sum(n for _, n in merged.most_common()[TARGETS:])
    shown = []
    for name, count in merged.most_common(TARGETS):
        path, _, symbol = name.rpartition(";")
        if name == EXTERNAL:
            symbol = "(without a name)"
        shown.append([symbol, sources.named(path) if path else "", count])
    return shown + ([["(others)", "", rest]] if rest else [])


def memops(rows):
    """[length, count]: of a range of lengths, clang counts one that stands for it"""
    lengths = collections.Counter()
    for function, *_ in rows:
        for values in function.sites.get(MEMOPS, []):
            for value, count in values:
                lengths[int(value)] += count
    return sorted([v, n] for v, n in lengths.items() if n)


def source_lines(rows, wanted, sources):
    """index: [first line, lines, are there more]"""
    shown = {}
    for index in wanted:
        place = rows[index][3]
        if place:
            first, lines = sources.lines(place, LINES)
            shown[index] = [first, "\n".join(lines), len(lines) == LINES]
    return shown


def data_of(profiles, sources, title):
    rows = located(profiles, sources)
    images = Table()
    images[VMLINUX]             # the first, even if some module is hotter
    files = Table()
    sites = hottest_calls(rows)
    wanted = dict.fromkeys([*range(min(SHOWN, len(rows))), *(s[1] for s in sites[:SHOWN])])
    table = [row(f, images[image], file, place, files) for f, image, file, place in rows]
    return {
        "title": title,
        "functions": table,
        "images": list(images),
        "files": list(files),
        "source": source_lines(rows, [i for i in wanted if table[i][5]], sources),
        "calls": [[index, number, count, shown_targets(values, sources)]
                  for count, index, number, values in sites[:SHOWN]],
        "sites": [len(sites), sum(s[0] for s in sites)],
        "memops": memops(rows),
    }


def script(path):
    return path.read_text().replace("</script", "<\\/script")


def page(data, library):
    """All in one file. What it holds must not end the element in which it is."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    parts = {
        "@STYLE@": (HERE / "page.css").read_text(),
        "@DATA@": text.replace("<", "\\u003c"),
        "@CHARTS@": script(library / "echarts/dist/echarts.min.js"),
        "@COLOURS@": script(library / "@highlightjs/cdn-assets/highlight.min.js"),
        "@PAGE@": (HERE / "page.js").read_text(),
    }
    html = (HERE / "index.html").read_text()
    for mark, part in parts.items():
        before, _, after = html.partition(mark)
        html = before + part + after
    return html


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", required=True, type=pathlib.Path)
    parser.add_argument("--build", default="")
    parser.add_argument("--tree", default="")
    parser.add_argument("--profdata", default="llvm-profdata")
    parser.add_argument("--title", default="")
    parser.add_argument("-o", dest="page", required=True, type=pathlib.Path)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    args = parser.parse_args()

    sources = Sources(args.build, args.tree,
                      nm=args.profdata.replace("llvm-profdata", "llvm-nm"))
    data = data_of(read(args.profdata, args.files), sources, args.title)
    if not data["functions"]:
        raise SystemExit("no function is in " + " ".join(map(str, args.files)))
    args.page.write_text(page(data, args.library))


if __name__ == "__main__":
    main()
