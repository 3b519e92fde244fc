# SPDX-License-Identifier: GPL-2.0-only
"""Reads profiles, raw or merged, as the text that llvm-profdata makes of them."""

import collections
import re
import subprocess

EXTERNAL = "** External Symbol **"
CALLS, MEMOPS = 0, 1    # kinds of value sites: InstrProfValueKind


class Function(collections.namedtuple("Function", "name counters sites")):
    """sites[kind]: for each site the (value, count) that were seen there."""

    @property
    def path(self):
        """Of the file that has a static function; others are named without."""
        return self.name.rpartition(";")[0]

    @property
    def symbol(self):
        return self.name.rpartition(";")[2]

    @property
    def targets(self):
        """Indirect call targets: (name, count) of all sites."""
        return [t for site in self.sites.get(CALLS, []) for t in site]


def text_of(profdata, *paths):
    """What llvm-profdata reads; a warning is as bad as an error."""
    done = subprocess.run([profdata, "merge", "--text", "-o", "-", *paths],
                          capture_output=True, text=True)
    if done.returncode or done.stderr:
        names = " ".join(str(p) for p in paths)
        raise SystemExit(f"{names}: {done.stderr.strip()}")
    return done.stdout


def parse_sites(lines):
    """Kinds; of each its number, sites; of each site the values; value:count."""
    sites = {}
    if not lines:
        return sites
    lines = iter(lines)
    for _ in range(int(next(lines))):
        kind = int(next(lines))
        sites[kind] = []
        for _ in range(int(next(lines))):
            values = (next(lines).rsplit(":", 1) for _ in range(int(next(lines))))
            sites[kind].append([(value, int(count)) for value, count in values])
    return sites


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
                           parse_sites(lines[end:]))
