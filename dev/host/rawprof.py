#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Raw profiles, read by the format's rules and compared.

Guarantees that every byte of a file is accounted for: two files that compare
as equal differ in nothing but the FREEDOMS below. The tables know nothing of
kernel/pgo/profraw.h; where they and it disagree, one of them is wrong.

  compare LLVM OURS               the same but for the freedoms?
  capped LOST LLVM LLVM255 OURS   the same but for values beyond the limit of a
                                  site, LOST calls at all?
  flips LLVM OURS                 is each byte of ours looked at? Every one that is
                                  changed must be found, but for the freedoms
  layout LLVM BITS                the tables as macros of C, for a major release
  freedoms                        what may differ, and why
"""

import struct
import sys

# Source: compiler-rt/include/profile/InstrProfData.inc, LLVM 13 to 23.
# A field is: name, type, the first raw version that has it. Q I H are of 64, 32
# and 16 bits, P is a pointer, K stands for one H of each value kind.
HEADER = (
    ("magic", "Q", 7),
    ("version", "Q", 7),
    ("binary_ids_size", "Q", 7),
    ("num_data", "Q", 7),
    ("padding_before_counters", "Q", 7),
    ("num_counters", "Q", 7),
    ("padding_after_counters", "Q", 7),
    ("num_bitmap_bytes", "Q", 9),
    ("padding_after_bitmap", "Q", 9),
    ("num_uniform_counters", "Q", 11),
    ("padding_after_uniform_counters", "Q", 11),
    ("uniform_counters_delta", "Q", 11),
    ("names_size", "Q", 7),
    ("counters_delta", "Q", 7),
    ("bitmap_delta", "Q", 9),
    ("names_delta", "Q", 7),
    ("num_vtables", "Q", 10),
    ("vnames_size", "Q", 10),
    ("value_kind_last", "Q", 7),
)
RECORD = (
    ("name_ref", "Q", 7),
    ("func_hash", "Q", 7),
    ("counter_ptr", "P", 7),
    ("uniform_counter_ptr", "P", 11),
    ("bitmap_ptr", "P", 9),
    ("function_ptr", "P", 7),
    ("values", "P", 7),
    ("num_counters", "I", 7),
    ("num_value_sites", "K", 7),
    ("wave_size", "H", 11),
    ("num_bitmap_bytes", "I", 9),
)
SIZES = {"Q": 8, "I": 4, "H": 2}
MAGIC = {0xFF6C70726F667281: 64, 0xFF6C70726F665281: 32}
VERSION_MASK = 0xFFFF           # of "version"; the rest are variant bits
# Release -> raw version
RELEASES = {13: 7, 14: 8, 15: 8, 16: 8, 17: 8, 18: 9, 19: 10, 20: 10, 21: 10,
            22: 10, 23: 11}
TARGET = 0                      # value kind of indirect calls
OUTSIDE = -1                    # a target that no record has

FREEDOMS = {
    "counter_ptr": "an address (7) or an offset (8 and later) in memory of which"
    " only the difference to counters_delta matters; compared as the offset of"
    " the first counter in the file",
    "counters_delta": "see counter_ptr",
    "bitmap_delta": "only used for records with bitmaps, which C has none of"
    " without -fcoverage-mcdc",
    "names_delta": "an address that no reader uses; ours is 0",
    "function_ptr": "only asked whether it equals a target; LLVM's is an"
    " address, ours an id; compared as the number of the first record with it",
    "values": "an address that no reader uses; ours is 0",
    "record_tail": "behind the last member of a record: on 32 bits LLVM writes"
    " what happens to lie behind the last record of the section",
    "targets": "values of indirect calls, see function_ptr; compared as the"
    " number of the record. Those of no record have no name for the reader:"
    " ours are one value at the end if they are outside of the image, compared"
    " as the sum of all of them, at the end",
    "never": "LLVM goes on to write values that were reset and not seen since,"
    " with a count of 0; ours has none of them",
    "binary_ids": "raw version 7: LLVM 13 does not pad them, and its own reader"
    " fails when they are padded; ours has none",
    "room": "zeros at the end, which readers skip: ours has room for a value of"
    " every node, so that its size does not change",
}


class Malformed(Exception):
    pass


def need(truth, what):
    if not truth:
        raise Malformed(what)


def align(n, to):
    return (n + to - 1) // to * to


def kinds(version):
    return 3 if version >= 10 else 2


def layout(fields, version, bits):
    """Name -> (offset, size) of each field; the end of the last; the size"""
    places, pos = {}, 0
    for name, kind, since in fields:
        if version < since:
            continue
        count = kinds(version) if kind == "K" else 1
        size = SIZES.get("H" if kind == "K" else kind, bits // 8)
        pos = align(pos, size)
        places[name] = (pos, size * count)
        pos += size * count
    return places, pos, align(pos, 8)


class Profile:
    """A raw profile, as parts: what they are, and their bytes without freedoms"""

    def __init__(self, data):
        self.data = data
        self.pos = 0
        self.parts = []         # (label, bytes)
        self.free = set()       # positions of bytes that may be anything
        magic, version = struct.unpack_from("<QQ", self.take_at(0, 16))
        need(magic in MAGIC, "magic %#x" % magic)
        self.bits = MAGIC[magic]
        self.version = version & VERSION_MASK
        need(self.version in RELEASES.values(), "raw version %d" % self.version)
        self.sites = []         # (record, kind, site, [(value, count)])
        self.read_header()
        self.read_binary_ids()
        self.read_records()
        self.read_counters()
        self.read_names()
        self.read_values()
        need(not any(self.data[self.pos:]), "junk at the end")
        need((len(self.data) - self.pos) % 8 == 0, "an end that is not aligned")

    def take_at(self, pos, size):
        need(size >= 0 and pos + size <= len(self.data), "the file is too short")
        return self.data[pos:pos + size]

    def take(self, size):
        taken = self.take_at(self.pos, size)
        self.pos += size
        return taken

    def part(self, label, data):
        self.parts.append((label, bytes(data)))

    def set_free(self, base, at, size):
        self.free.update(range(base + at, base + at + size))

    def padding(self, label, size):
        padding = self.take(size)
        need(not any(padding), "%s is not zero" % label)
        self.part(label, padding)

    def fields(self, table, raw):
        places, _, _ = layout(table, self.version, self.bits)
        return {name: int.from_bytes(raw[at:at + size], "little")
                for name, (at, size) in places.items()}

    def read_header(self):
        places, _, size = layout(HEADER, self.version, self.bits)
        self.header = self.fields(HEADER, self.take(size))
        for name, value in self.header.items():
            if name in ("counters_delta", "bitmap_delta", "names_delta"):
                value = 0
            if name == "binary_ids_size" and self.version == 7:
                value = 0
            self.part("header %s" % name, struct.pack("<Q", value))
        if "bitmap_delta" in places:
            self.set_free(0, *places["bitmap_delta"])

    def read_binary_ids(self):
        ids = self.take(self.header["binary_ids_size"])
        if self.version > 7:
            self.part("binary ids", ids)

    def read_records(self):
        places, used, size = layout(RECORD, self.version, self.bits)
        start = self.pos
        raw = [self.take(size) for _ in range(self.header["num_data"])]
        self.records = [self.fields(RECORD, record) for record in raw]
        self.functions = {}
        for i, record in enumerate(self.records):
            self.functions.setdefault(record["function_ptr"], i)
        self.functions[0] = OUTSIDE
        for i in range(len(raw)):
            self.part_record(i, bytearray(raw[i]), places, used)
            self.set_free(start + i * size, used, size - used)
            self.set_free(start + i * size, *places["function_ptr"])

    def part_record(self, i, raw, places, used):
        record = self.records[i]
        compared = {
            "counter_ptr": self.counter_offset(i),
            "function_ptr": self.functions[record["function_ptr"]],
            "values": 0,
        }
        for name, (at, size) in places.items():
            value = compared.get(name, record[name])
            self.part("record %d %s" % (i, name),
                      value.to_bytes(8, "little", signed=value < 0))
            raw[at:at + size] = bytes(size)
        need(not any(raw[:used]), "a hole in record %d" % i)

    def counter_offset(self, i):
        """As the reader of the version finds the counters of record i: in 64
        bits, whatever the width"""
        _, _, size = layout(RECORD, self.version, self.bits)
        delta = self.header["counters_delta"]
        if self.version > 7:
            delta -= i * size
        offset = (self.records[i]["counter_ptr"] - delta) % (1 << 64)
        end = offset + 8 * self.records[i]["num_counters"]
        need(offset % 8 == 0 and end <= 8 * self.header["num_counters"],
             "counters of record %d" % i)
        return offset

    def read_counters(self):
        self.padding("padding before counters",
                     self.header["padding_before_counters"])
        for i in range(self.header["num_counters"]):
            self.part("counter %d" % i, self.take(8))
        self.padding("padding after counters",
                     self.header["padding_after_counters"])
        for name in ("bitmap_bytes", "uniform_counters", "vtables"):
            need(not self.header.get("num_" + name), "%s in C" % name)
        need(not self.header.get("vnames_size"), "names of vtables in C")
        for name in ("bitmap", "uniform_counters"):
            name = "padding_after_" + name
            self.padding(name, self.header.get(name, 0))

    def read_names(self):
        size = self.header["names_size"]
        self.part("names", self.take(size))
        self.padding("padding after names", align(size, 8) - size)

    def read_values(self):
        for i, record in enumerate(self.records):
            if record["num_value_sites"]:
                self.read_block(i, record["num_value_sites"])

    def read_block(self, i, packed):
        start = self.pos
        total, present = struct.unpack("<II", self.take(8))
        sites = [packed >> 16 * kind & 0xFFFF for kind in range(kinds(self.version))]
        expected = [kind for kind, num in enumerate(sites) if num]
        need(present == len(expected), "kinds of values of record %d" % i)
        self.part("record %d value kinds" % i, struct.pack("<I", present))
        for kind in expected:
            self.read_kind(i, kind, sites[kind])
        need(self.pos - start == total, "size of the values of record %d" % i)

    def read_kind(self, i, kind, num):
        label = "record %d kind %d " % (i, kind)
        is_kind, is_num = struct.unpack("<II", self.take(8))
        need((is_kind, is_num) == (kind, num), label + "head")
        counts = self.take(num)
        self.padding(label + "padding", align(num + 8, 8) - num - 8)
        for site, count in enumerate(counts):
            values = [struct.unpack("<QQ", self.take(16)) for _ in range(count)]
            self.part_site(i, kind, site, values)

    def part_site(self, i, kind, site, values):
        if kind == TARGET:
            values = [(self.functions.get(value, OUTSIDE), count)
                      for value, count in values]
            lost = sum(count for value, count in values if value == OUTSIDE)
            values = [pair for pair in values if pair[0] != OUTSIDE]
            values.append((OUTSIDE, lost))
        values = [pair for pair in values if pair[1]]
        self.sites.append((i, kind, site, values))

    def no_address(self):
        """What must hold for ours alone: pointers are 0 or ids"""
        need(self.header["names_delta"] == 0, "names_delta is not 0")
        for record in self.records:
            need(record["function_ptr"] < 1 << 24, "a function's address")
            need(record["values"] == 0, "an address of values")


def differences(one, two):
    """What differs between two lists of (label, what)"""
    if len(one) != len(two):
        yield "%d parts, %d parts" % (len(one), len(two))
    for (label, what), (other, that) in zip(one, two):
        if label != other or what != that:
            shown = [x.hex() if isinstance(x, bytes) else x for x in (what, that)]
            yield "%s: %s; %s: %s" % (label, shown[0], other, shown[1])


def site_parts(profile):
    return [("record %d kind %d site %d" % site[:3], site[3])
            for site in profile.sites]


def report(found):
    found = list(found)
    for line in found[:20]:
        print(line)
    return 1 if found else 0


def read(path):
    with open(path, "rb") as file:
        return file.read()


def compared(llvm, ours):
    ours.no_address()
    yield from differences(llvm.parts, ours.parts)
    yield from differences(site_parts(llvm), site_parts(ours))


def compare(llvm, ours):
    return report(compared(Profile(read(llvm)), Profile(read(ours))))


def is_found(llvm, data):
    try:
        return any(compared(llvm, Profile(data)))
    except Malformed:
        return True


def flips(llvm, ours):
    llvm, data = Profile(read(llvm)), read(ours)
    free, found = Profile(data).free, []
    for pos in set(range(len(data))) - free:
        for bit in 0, 7:
            flipped = bytearray(data)
            flipped[pos] ^= 1 << bit
            if not is_found(llvm, bytes(flipped)):
                found.append("bit %d of byte %d is not looked at" % (bit, pos))
    return report(found)


def total(values):
    return sum(count for _, count in values)


def wrong_site(lost, capped, wide, ours):
    """
    Values that LLVM kept within its limit, and within one that holds all of
    those that are called often; and ours. LLVM lets a new value at a full site
    take one from the rarest: the sum falls by one a call. Who keeps the first
    values instead has them as LLVM has them when there is no need to choose.
    """
    if ours == capped:
        return None
    if [value for value, _ in ours] != [value for value, _ in capped]:
        return "other values"
    if ours != wide[:len(ours)]:
        return "other counts than without the limit"
    if total(ours) != total(capped) + lost:
        return "%d lost, not %d" % (total(ours) - total(capped), lost)
    return None


def compare_capped(lost, llvm, wide, ours):
    llvm, wide, ours = [Profile(read(path)) for path in (llvm, wide, ours)]
    ours.no_address()
    found = list(differences(llvm.parts, ours.parts))
    found += differences(llvm.parts, wide.parts)
    for (label, one), (_, two), (_, three) in zip(
            site_parts(llvm), site_parts(wide), site_parts(ours)):
        wrong = wrong_site(int(lost), one, two, three)
        if wrong:
            found.append("%s: %s: %s, %s, %s" % (label, wrong, one, two, three))
    return report(found)


def shifted(values, base):
    """Values of an image whose records begin at @base among those of all"""
    return [(value if value == OUTSIDE else value + base, count)
            for value, count in values]


def joined_site(kind, alone, base, together):
    """What differs but for targets that have no name in the image alone"""
    if kind != TARGET:
        return alone != together
    named = [pair for pair in shifted(alone, base) if pair[0] != OUTSIDE]
    return (total(alone) != total(together) or
            any(pair not in together for pair in named) or
            any(value == OUTSIDE for value, _ in together))


def joined_image(everything, image, base, counters):
    for i, record in enumerate(image.records):
        other = everything.records[base + i]
        for name in ("name_ref", "func_hash", "num_counters", "num_value_sites"):
            if record[name] != other[name]:
                yield "record %d: %s" % (base + i, name)
        if image.counter_offset(i) + counters != everything.counter_offset(base + i):
            yield "record %d: counters" % (base + i)
    sites = {site[:3]: site[3] for site in everything.sites}
    for i, kind, site, values in image.sites:
        together = sites[base + i, kind, site]
        if joined_site(kind, values, base, together):
            yield "record %d site %d: %s, %s" % (base + i, site, values, together)


def compare_joined(everything, *images):
    """A raw profile of several images that call no one else, and that of each"""
    everything = Profile(read(everything))
    everything.no_address()
    found, base, counters = [], 0, 0
    for path in images:
        image = Profile(read(path))
        found += joined_image(everything, image, base, counters)
        base += len(image.records)
        counters += 8 * image.header["num_counters"]
    if (base, counters) != (len(everything.records),
                            8 * everything.header["num_counters"]):
        found.append("%d records, %d bytes of counters" % (base, counters))
    return report(found)


def print_layout(release, bits):
    """For those who parse in C"""
    version, bits = RELEASES[int(release)], int(bits)
    print("#define RAW_VERSION %d\n#define RAW_KINDS %d" % (version, kinds(version)))
    for magic, width in MAGIC.items():
        if width == bits:
            print("#define RAW_MAGIC %#xULL" % magic)
    for prefix, table in ("HEADER", HEADER), ("RECORD", RECORD):
        places, _, size = layout(table, version, bits)
        print("#define RAW_%s_SIZE %d" % (prefix, size))
        for name, (at, _) in places.items():
            print("#define RAW_%s_%s %d" % (prefix, name.upper(), at))
    return 0


def print_freedoms():
    for name, why in FREEDOMS.items():
        print("%s: %s" % (name, why))
    return 0


def main(command, *args):
    commands = {"compare": compare, "capped": compare_capped,
                "joined": compare_joined, "flips": flips,
                "layout": print_layout, "freedoms": print_freedoms}
    try:
        return commands[command](*args)
    except Malformed as error:
        print("malformed:", error)
        return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
