# SPDX-License-Identifier: GPL-2.0-only
"""Where a function's source is, and in which image: without debug info.

A profile says the file of static functions only.  What was compiled for which
module is in the build folder (kbuild's .cmd and .mod files), and ctags knows the
lines of what is defined there.
"""

import collections
import os
import pathlib
import re
import subprocess

Place = collections.namedtuple("Place", "file line end static")

# A system call is defined by a macro, which makes several functions of it.
SYSCALL = r"--regex-C=/^(COMPAT_)?SYSCALL_DEFINE[0-6]\((\w+)/\1sys_\2/f/"
SYSCALL_PARTS = re.compile(r"^__(?:x64|ia32|se|do)_(compat_)?sys_")
VMLINUX = "vmlinux"
# What boots or unpacks a kernel, and its vdso, have functions of the same names.
PROFILED = re.compile(r"^savedcmd_.* -fprofile-(generate|use)", re.M)


def defined(nm, obj):
    """Names of the functions of an object that another does not override."""
    done = subprocess.run([nm, "--defined-only", "--format=posix", obj],
                          capture_output=True, text=True)
    lines = (line.split() for line in done.stdout.splitlines())
    return {words[0] for words in lines if len(words) > 1 and words[1] == "T"}


def only(*choices):
    """The first of the first choice that is about one file."""
    for places in choices:
        if len({p.file for p in places}) == 1:
            return places[0]
    return None


class Sources:
    def __init__(self, build, tree, nm="llvm-nm", ctags="ctags"):
        self.nm = nm
        self.roots = [root(r) + "/" for r in (tree, build) if r
                      for root in (os.path.abspath, os.path.realpath)]
        self.found = {}         # name of file: where it is
        self.compiled = {}      # those that are not only included: object
        self.symbols = {}       # of objects
        self.module = {}        # file: module that it is linked into
        self.tags = collections.defaultdict(list)
        self.texts = {}
        if build:
            self.read_build(pathlib.Path(os.path.abspath(build)))
            self.read_tags(ctags)

    def named(self, path):
        """The path as it is in the kernel, wherever tree and build folder are."""
        for root in self.roots:
            if path.startswith(root):
                return path[len(root):]
        path = os.path.normpath(path)
        if path in self.found:
            return path
        # of another machine's folder: as much of its end as is known here
        parts = path.lstrip("/").split("/")
        for i in range(1, len(parts) - 1):
            rest = "/".join(parts[i:])
            if rest in self.found:
                return rest
        return path

    def read_build(self, build):
        source_of = {}      # object: file
        for cmd in build.rglob(".*.cmd"):
            text = cmd.read_text()
            source = re.search(r"^source_(\S+) := (\S+)", text, re.M)
            if not source or not PROFILED.search(text):
                continue
            source_of[source[1]] = self.add(build, source[2])
            self.compiled[source_of[source[1]]] = build / source[1]
            for included in re.findall(r"^ +(\S+\.[ch]) \\$", text, re.M):
                self.add(build, included)
        for mod in build.rglob("*.mod"):
            if mod.is_file():
                for obj in mod.read_text().split():
                    if obj in source_of:
                        self.module[source_of[obj]] = mod.stem.replace("-", "_")

    def add(self, build, path):
        path = os.path.normpath(build / path)   # as it is if it is absolute
        name = self.named(path)
        self.found[name] = pathlib.Path(path)
        return name

    def read_tags(self, ctags):
        files = {str(p): name for name, p in self.found.items()
                 if name.endswith((".c", ".h")) and p.is_file()}
        done = subprocess.run(
            [ctags, "--options=NONE", "-f", "-", "--excmd=number", "--sort=no",
             "--languages=C", "--langmap=C:.c.h", "--c-kinds=f", "--fields=e",
             "--fields-C={properties}", SYSCALL, "-L", "-"],
            input="\n".join(files), capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{ctags}: {done.stderr.strip()}")
        for line in done.stdout.splitlines():
            if line.startswith("!"):
                continue
            symbol, path, rest = line.split("\t", 2)
            end = re.search(r"\tend:(\d+)", rest)
            self.tags[symbol].append(Place(files[path], int(rest.split(";")[0]),
                                           int(end[1]) if end else 0,
                                           "static" in rest))

    def image(self, file):
        return self.module.get(file, VMLINUX)

    def has(self, file, symbol):
        """If it was compiled into the object of that file."""
        obj = self.compiled[file]
        if obj not in self.symbols:
            self.symbols[obj] = defined(self.nm, obj)
        return symbol in self.symbols[obj]

    def place(self, path, symbol, image=None):
        """The file with which it was compiled, and where it is defined.

        They differ for what is in a header or another file that is included.  None
        if not known: for what a macro defines, there is a file but no line.
        """
        tag = SYSCALL_PARTS.sub(lambda m: ("COMPAT_" if m[1] else "") + "sys_",
                                symbol.partition(".llvm.")[0])
        places = self.tags.get(tag, ())
        if path:
            file = self.named(path)
            return file, only([p for p in places if p.file == file],
                              [p for p in places if p.file not in self.compiled])
        places = [p for p in places if not p.static]
        compiled = [p for p in places if p.file in self.compiled]
        place = only([p for p in compiled if self.image(p.file) == image], compiled)
        if not place:   # one of several for different configurations, or included
            place = only([p for p in compiled if self.has(p.file, symbol)],
                         [p for p in places if p.file.endswith(".c")], places)
        return place.file if place else None, place

    def lines(self, place, most):
        """The definition, with the type if that is on a line before: (first, lines)"""
        if place.file not in self.texts:
            self.texts[place.file] = self.found[place.file].read_text(
                errors="replace").splitlines()
        text = self.texts[place.file]
        first = place.line - 1
        while first and re.match(r"^[A-Za-z_][^;{}:]*$", text[first - 1]):
            first -= 1
        last = place.end or next(
            (i for i in range(place.line, len(text) + 1) if text[i - 1].startswith("}")),
            place.line)
        return first + 1, text[first:min(last, first + most)]
