#!/usr/bin/env python3
"""An independent reader of the trace file, written from FORMAT.md alone, with nothing but the standard library.

reader.py TRACE prints every action of every process, one a line: process, number of the action, number of the receive or -, and the
action as words. reader.py --json TRACE prints the same as `replay log --format json`."""
import json
import struct
import sys
import zlib

MASK = (1 << 64) - 1
# The version of the document.
MAJOR = 1


class Bytes:
    """A payload that is read from its start."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def take(self, n):
        assert n <= len(self.data) - self.at, "a length within the section"
        self.at += n
        return self.data[self.at - n:self.at]

    def num(self):
        value = shift = 0
        while True:
            b = self.byte()
            value |= (b & 0x7F) << shift
            shift += 7
            if b < 0x80:
                return value

    def diff(self, base):
        z = self.num()
        return (base + ((z >> 1) ^ -(z & 1))) & MASK

    def left(self):
        return len(self.data) - self.at

    # Records, as bincode has them.
    def varint(self):
        b = self.byte()
        if b < 251:
            return b
        return int.from_bytes(self.take({251: 2, 252: 4, 253: 8}[b]), "little")

    def string(self):
        return self.take(self.varint()).decode()


def sections(data):
    """Kind and payload of each section that is whole, with its offset; the last value says whether that was all of the file."""
    assert data[:8] == b"\x89CCRT\r\n\x1a", "magic"
    major, minor, flags = struct.unpack_from("<HHI", data, 8)
    assert major == MAJOR, f"version {major}.{minor}"
    assert flags & 0xFFFE == 0, "flags that must be known"
    assert zlib.crc32(data[:16]) == struct.unpack_from("<I", data, 24)[0], "checksum of the header"
    at, found = 32, []
    while at + 12 <= len(data):
        kind, flags, zero, length, crc = struct.unpack_from("<BBHII", data, at)
        payload = data[at + 12:at + 12 + length]
        if len(payload) < length or zlib.crc32(payload, zlib.crc32(data[at:at + 8])) != crc:
            break
        if flags & 1 and kind <= 13:
            size = struct.unpack_from("<I", payload)[0]
            payload = zlib.decompress(payload[4:])
            assert len(payload) == size
        if kind == 5 and flags & 4:
            payload = unpack(payload)
        assert kind <= 13 or not flags & 2
        found.append((at, kind, Bytes(payload)))
        at += 12 + length
    return found, at == len(data)


# The parts of items behind their first byte, of actions in full, of tags and of resources; and the sorts of the parts.
ITEMS = {0xEF: "n", 0xF0: "lg", 0xF1: "p", 0xF2: "pk", 0xF5: "p", 0xF7: "a", 0xF8: "a", 0xF9: "v", 0xFA: "n", 0xFB: "v", 0xFC: "f",
         0xFD: "pk", 0xFE: "p"}
FULL = {0: "p", 1: "pn", 2: "pn", 4: "t", 6: "tn3", 7: "v", 8: "tv", 10: "n", 11: "n", 13: "v", 14: "pnv", 15: "v", 16: "n", 17: "n",
        18: "nn", 19: "n", 24: "pn", 25: "pn", 26: "pn", 27: "pnvv", 28: "n"}
TAGS = {0: "pn", 1: "pp", 2: "ppn", 3: "ppn", 4: "p"}
RESOURCES = {2: "p", 3: "pn", 4: "pn8", 5: "8", 6: "8", 7: "pnn", 10: "p", 12: "pn"}
SORTS = {"1": 1, "2": 2, "3": 3, "l": 4, "g": 6, "p": 8, "k": 10, "n": 12, "a": 13, "x": 13, "m": 13, "t": 13, "f": 13, "v": 12, "8": 14}


class Parts:
    """Goes along the bytes of the chunks of a block and says of which sort the next one is."""

    def __init__(self):
        self.parts, self.value, self.shift, self.raw, self.accesses = "", 0, 0, 0, 0

    def sort(self):
        if not self.parts:
            return 0
        part = self.parts[0]
        if part == "v" and self.raw:
            return 14
        return SORTS[part] + (part in "lgpk" and self.shift > 0)

    def number(self, b):
        self.value |= (b & 0x7F) << self.shift & MASK
        self.shift += 7
        if b >= 0x80 and self.shift < 70:
            return None
        value, self.value, self.shift = self.value, 0, 0
        return value

    def next(self, b):
        if not self.parts:
            self.parts = "" if b < 0x40 else "1" if b < 0xD8 else "23" if b < 0xE0 else ITEMS.get(b, "")
            return
        part, rest = self.parts[0], self.parts[1:]
        by = "pn" if b & 0x20 else ""
        prefix = {0x20: "pna", 0x21: "na", 0x22: "na", 0x23: "npna"}.get(b)
        if part in "lgpkn":
            if self.number(b) is None:
                return
        elif part in "v8" and (self.raw or part == "8"):
            self.raw = (self.raw or 8) - 1
            if self.raw:
                return
        elif part == "v":
            value = self.number(b)
            if value is None or value:
                self.raw = value or 0
                return
        elif part == "m":
            value = self.number(b)
            if value is None:
                return
            if value:
                self.accesses, rest = value - 1, "a" + rest
        elif part == "a" and prefix:
            rest = prefix + rest
        elif part == "a":
            if self.accesses:
                self.accesses, rest = self.accesses - 1, "a" + rest
            if b >= 0x80:
                rest = ("8" if b & 0x40 else "l") + ("pk" if b & 3 == 2 else "") + ("g" if b & 8 else "") + rest
            elif b >= 0x20:
                rest = RESOURCES.get(b & 15, "n") + "n" + by + rest
            elif b >= 0x10:
                rest = "x" + rest
        elif part == "x":
            rest = "n" + by + rest
        elif part == "t":
            rest = TAGS.get(b, "") + rest
        elif part == "f":
            rest = ("n" if b & 0x20 else "") + ("m" if b & 0x40 else "") + FULL.get(b & 31, "") + rest
        self.parts = rest


def unpack(packed):
    """The payload of a block as it was before it was packed."""
    length = struct.unpack_from("<I", packed)[0]
    assert length <= 1 << 17 and length <= 256 * len(packed)
    b = Bytes(packed)
    b.at = 4
    table = b.num()
    present = b.byte() | b.byte() << 8
    places = {}
    for sort in range(16):
        if present >> sort & 1:
            symbol, last, places[sort] = b.byte(), b.byte(), []
            while symbol <= last:
                frequency = b.num()
                places[sort] += [(symbol, i, frequency) for i in range(frequency)]
                symbol += 1 if frequency else 1 + b.num()
            assert len(places[sort]) == 4096
    states = list(struct.unpack("<II", b.take(8)))
    out, parts = bytearray(), Parts()
    for i in range(length):
        symbol, place, frequency = places[15 if i < table else parts.sort()][states[i & 1] & 4095]
        state = frequency * (states[i & 1] >> 12) + place
        while state < 1 << 23:
            state = state << 8 | b.byte()
        states[i & 1] = state
        out.append(symbol)
        if i >= table:
            parts.next(symbol)
    assert states == [1 << 23] * 2 and not any(packed[b.at:])
    return bytes(out)


def whole(data):
    """The sections that count: all of a finished trace, else those up to the last cut (and, with an outcome, all but the index)."""
    found, to_the_end = sections(data)
    if to_the_end and found[-1][1] == 11:
        return found, True
    cuts = [i for i, (_, kind, _) in enumerate(found) if kind == 6]
    return found[:cuts[-1] + 1 if cuts else 0], False


def blocks(block):
    """The chunks of a block: pid, restart, birth (or None), bytes."""
    entries, pid, parent = [], 0, None
    for _ in range(block.num()):
        flags = block.byte()
        pid += 1 if flags & 8 else block.num()
        length = block.num()
        birth = None
        if flags & 1:
            node = 0
            if flags & 16:
                birth = (parent[0], block.diff(parent[1]), block.diff(parent[2]))
            else:
                by = block.diff(pid)
                birth = None if by == pid else (by, block.num(), block.num())
            if birth:
                parent = birth
            if flags & 32:
                node = block.num()
            birth = (birth, node)
        counts = (block.num(), block.num(), block.num()) if flags & 4 else None
        entries.append((pid, flags & 2, birth, length, counts))
    return [(pid, restart, birth, block.take(length), counts) for pid, restart, birth, length, counts in entries]


class Log:
    """The log of one process: its chunks are read in order."""

    def __init__(self, me, birth):
        self.me, self.actions = me, []
        self.restart()
        if birth[0]:
            self.senders.append([birth[0][0], birth[0][2], 0])

    def restart(self):
        self.senders, self.recent = [], []
        self.tables, self.keys, self.table, self.named = [], [], 0, 0
        self.last_child = self.last_new = self.me
        self.rec_run = self.other_run = 0

    def chunk(self, data):
        b = Bytes(data)
        after, predicted = None, 0
        while True:
            run = predicted
            if b.left() and 0xE0 <= data[b.at] <= 0xEF:
                code = b.byte()
                run = 15 + b.num() if code == 0xEF else code - 0xE0
            assert run <= 65536
            if isinstance(after, list):
                after[2] = self.rec_run = run
            elif after == "other":
                self.other_run = run
            self.actions += [Action("send", sends=1)] * run
            if not b.left():
                return
            after, predicted = self.item(b)

    def rec(self, place, gap):
        sender = self.senders[place]
        sender[1] = (sender[1] + gap) & MASK
        half = place // 2
        self.senders[place], self.senders[half] = self.senders[half], sender
        self.actions.append(Action("rec", tag=f"sent:0.{sender[0]}.0/{sender[1]}"))
        return sender, sender[2]

    def item(self, b):
        op = b.byte()
        if op < 0x40:
            return self.rec(op >> 2, (op & 3) + 1)
        if op < 0xD8:
            x = (op - 0x40) * 256 + b.byte()
            return self.rec(x // 304, x % 304 + 1)
        if op == 0xD8:
            return self.rec(int.from_bytes(b.take(2), "big"), 1)
        if op < 0xDD:
            return self.rec(op - 0xD9, int.from_bytes(b.take(2), "big") + 1)
        if op < 0xE0:
            x = (op - 0xDD) * 65536 + int.from_bytes(b.take(2), "big")
            return self.rec(x // 192, x % 192 + 1)
        if op == 0xF0:
            place = b.num()
            return self.rec(place, b.diff(0))
        if op in (0xF1, 0xF2):
            self.last_new = b.diff(self.last_new)
            k = 1 if op == 0xF1 else b.num()
            self.senders.append([self.last_new, k, self.rec_run])
            self.actions.append(Action("rec", tag=f"sent:0.{self.last_new}.0/{k}"))
            return self.senders[-1], self.rec_run
        self.actions.append(self.other(op, b))
        return "other", self.other_run

    def other(self, op, b):
        if op == 0xF3:
            return Action("after")
        if op in (0xF4, 0xF5):
            self.last_child = self.last_child + 1 if op == 0xF4 else b.diff(self.last_child)
            return Action("spawn", child=f"0.{self.last_child}.0")
        if op == 0xF6:
            return Action("exit", **{"class": "normal"})
        if op == 0xF7:
            return Action("send", sends=1, accesses=self.accesses(b, 1))
        if op == 0xF8:
            return Action("access", accesses=self.accesses(b, 1))
        if op == 0xF9:
            return Action("input", value=self.value(b))
        if op == 0xFA:
            return Action("output", device="stdout", bytes=b.num())
        if op == 0xFB:
            return Action("observe", value=self.value(b))
        if op == 0xFC:
            return self.full(b)
        if op == 0xFD:
            by = b.diff(self.me)
            return Action("rec", tag=f"sent:0.{by}.0/end/ref/0.{self.me}.0/{b.num()}")
        if op == 0xFE:
            return Action("rec", tag=f"sent:0.{b.diff(self.me)}.0/end/0.{self.me}.0")
        assert op == 0xFF
        return Action("send", sends=1)

    def value(self, b):
        return b.take(b.num()).hex()

    def tag(self, b):
        kind, by = b.byte(), b.diff(self.me)
        if kind == 0:
            return f"sent:0.{by}.0/{b.num()}"
        if kind == 1:
            return f"sent:0.{by}.0/end/0.{b.diff(self.me)}.0"
        if kind == 2:
            return f"sent:0.{by}.0/end/ref/0.{b.diff(self.me)}.0/{b.num()}"
        if kind == 3:
            return f"sent:0.{by}.0/end/table/0.{b.diff(self.me)}.0/{b.num()}"
        assert kind == 4
        return f"sent:0.{by}.0/limit"

    def full(self, b):
        code = b.byte()
        kind, sends, accesses = code & 0x1F, int(code & 0x1F == 3), []
        if code & 0x20:
            sends = b.num()
        if code & 0x40:
            accesses = self.accesses(b, b.num())
        pid = lambda: f"0.{b.diff(self.me)}.0"
        fields = {}
        if kind in (0, 1, 2):
            word = ["spawn", "spawn", "spawn_failed"][kind]
            fields["child"] = pid()
            if kind:
                fields["node"] = b.num()
        elif kind == 4:
            word, fields = "rec", {"tag": self.tag(b)}
        elif kind == 6:
            word, fields = "signal", {"tag": self.tag(b), "events": b.num(), "waiting": [False, True][b.byte()]}
        elif kind == 7:
            word, fields = "drop", {"value": self.value(b)}
        elif kind == 8:
            word, fields = "drop", {"tag": self.tag(b), "value": self.value(b)}
        elif kind in (10, 11):
            word, fields = "start", {"node": b.num(), "ok": kind == 11}
        elif kind == 13:
            word, fields = "observe", {"value": self.value(b)}
        elif kind == 14:
            word, fields = "observe", {"of": pid(), "of_action": b.num(), "value": self.value(b)}
        elif kind == 15:
            word, fields = "input", {"value": self.value(b)}
        elif kind in (16, 17, 18):
            length = b.num()
            device = ["stdout", "stderr"][kind - 16] if kind < 18 else ("other", b.num())
            word, fields = "output", {"device": device, "bytes": length}
        elif kind == 19:
            code = b.diff(0)
            word, fields = "halt", {"code": code - (1 << 64) if code >> 63 else code}
        elif kind == 28:
            word, fields = "version", {"events": b.num()}
        elif kind >= 24:
            word, fields = "test", {"of": pid(), "name": b.num(), "note": ["began", "passed", "skipped", "failed"][kind - 24]}
            if kind == 27:
                fields["reason"], fields["stack"] = self.value(b), self.value(b)
        elif kind >= 20:
            word, fields = "exit", {"class": ["normal", "error", "exit", "throw"][kind - 20]}
        else:
            word = {3: "send", 5: "after", 9: "access", 12: "nodes"}[kind]
        return Action(word, sends=sends, accesses=accesses, **fields)

    def accesses(self, b, count):
        found = []
        for _ in range(count):
            code = b.byte()
            if code >= 0x80 or 0x20 <= code <= 0x23:
                found += self.key(b, code)
            else:
                found.append(self.access(b, code))
        return found

    def key(self, b, code):
        """An access to a key of a table, with the read of the table before it if it has one."""
        if code == 0x20:
            self.table = len(self.tables)
            self.tables.append({"fields": (("pid", f"0.{b.diff(self.me)}.0"), ("number", b.num())), "top": 0, "read": None})
            code = b.byte()
        elif code == 0x21:
            self.table, code = b.num(), b.byte()
        if code in (0x22, 0x23):
            version = b.num()
            by = (f"0.{b.diff(self.me)}.0", b.num()) if code == 0x23 else None
            self.tables[self.table]["read"] = (("table", *self.tables[self.table]["fields"]), version, False, by)
            code = b.byte()
        assert code & 0x84 == 0x80 and code & 3 != 3
        if code & 0x40:
            key = {"hash": struct.unpack("<Q", b.take(8))[0], "table": self.table, "version": 0, "writer": None}
            self.keys.append(key)
        else:
            key = self.keys[b.num()]
        self.table = key["table"]
        table = self.tables[self.table]
        by = key["writer"] if code & 1 else None
        if code & 2:
            pid = b.diff(self.me)
            self.named = b.diff(self.named)
            by = (f"0.{pid}.0", self.named)
        version = (table["top"] + 1) & MASK if code & 0x10 else key["version"]
        if code & 8:
            version = b.diff(table["top"])
        before = [table["read"]] if code & 0x20 else []
        assert all(before)
        key["version"], table["top"] = version, max(version, table["top"])
        key["writer"] = (f"0.{self.me}.0", len(self.actions) + 1) if code & 0x10 else by
        return [*before, (("key", *table["fields"], ("key", key["hash"])), version, bool(code & 0x10), by)]

    def access(self, b, code):
        if code < 0x10:
            access = self.recent.pop(code)
        else:
            if code < 0x20:
                before = self.recent.pop(code - 0x10)
                flags, resource = b.byte(), before[0]
                version = b.diff(before[1])
            else:
                assert 0x40 <= code < 0x80
                flags, resource = code & 0x30, self.resource(b, code & 0x0F)
                version = b.num()
            by = (f"0.{b.diff(self.me)}.0", b.num()) if flags & 0x20 else None
            access = (resource, version, bool(flags & 0x10), by)
        self.recent = [access, *self.recent][:16]
        return access

    def resource(self, b, kind):
        """Its kind, and its fields in the order of the document."""
        hashed = lambda: ("key", struct.unpack("<Q", b.take(8))[0])
        pid = lambda: ("pid", f"0.{b.diff(self.me)}.0")
        number = lambda: ("number", b.num())
        word = ["node", "name", "alive", "table", "key", "persistent", "env", "counter", "module", "atom", "group_leader",
                "other", "contents"][kind]
        if kind == 0:
            return word, number()
        if kind in (1, 8, 9, 11):
            return word, ("name", b.num())
        if kind in (2, 10):
            return word, pid()
        if kind == 3:
            return word, pid(), number()
        if kind == 12:
            return word, pid(), number()
        if kind == 4:
            return word, pid(), number(), hashed()
        if kind == 7:
            return word, pid(), number(), ("key", b.num())
        return word, hashed()


class Action:
    """One action: its kind, how many signals it put in flight, the resources it used, and what belongs to the kind."""

    def __init__(self, kind, sends=0, accesses=(), **fields):
        self.kind, self.sends, self.accesses, self.fields = kind, sends, accesses, fields

    def words(self):
        """As one line of words."""
        f, kind = self.fields, self.kind
        value = lambda: f["value"] or "-"
        words = [kind]
        if kind == "version":
            words.append(f["events"])
        elif kind in ("spawn", "spawn_failed"):
            words += [f["child"]] + (["on", f["node"]] if "node" in f else [])
        elif kind == "rec":
            words += [f["tag"]]
        elif kind == "signal":
            words += [f["tag"], f["events"], "waiting" if f["waiting"] else "running"]
        elif kind == "drop":
            words += [f.get("tag", "none"), value()]
        elif kind == "start":
            words += [f["node"], "ok" if f["ok"] else "failed"]
        elif kind == "observe":
            words += ([f["of"], f["of_action"]] if "of" in f else []) + [value()]
        elif kind == "input":
            words += [value()]
        elif kind == "output" and isinstance(f["device"], tuple):
            words += ["other", f["bytes"], f["device"][1]]
        elif kind == "output":
            words += [f["device"], f["bytes"]]
        elif kind == "test":
            texts = [f[name] or "-" for name in ("reason", "stack") if name in f]
            words += [f["of"], f["name"], f["note"], *texts]
        elif kind in ("halt", "exit"):
            words += list(f.values())
        for resource, version, write, by in self.accesses:
            word = {"group_leader": "leader"}.get(resource[0], resource[0])
            named = dict(resource[1:])
            if "pid" in named and "number" in named:
                named = {"table": f"{named['pid']}/{named['number']}", **{k: v for k, v in named.items() if k == "key"}}
            words += ["[write" if write else "[read", word, *named.values(), version,
                      "by " + (f"{by[0]} {by[1]}" if by else "none") + "]"]
        return " ".join(map(str, words))

    def record(self, texts):
        """As `replay log --format json` has it."""
        fields = {"signal" if name == "tag" else name: value for name, value in self.fields.items()}
        if isinstance(fields.get("device"), tuple):
            fields["device"] = "other:" + texts[fields["device"][1]]
        if self.kind == "test":
            fields["name"] = texts[fields["name"]]
            for name in ("reason", "stack"):
                if name in fields:
                    fields[name] = bytes.fromhex(fields[name]).decode()
        record = {"kind": self.kind, **fields}
        if self.sends != (self.kind == "send"):
            record["sends"] = self.sends
        accesses = []
        for resource, version, write, by in self.accesses:
            access = {"resource": resource[0], **dict(resource[1:])}
            if "name" in access:
                access["name"] = texts[access["name"]]
            access.update(version=version, write=write)
            if by:
                access["by"] = list(by)
            accesses.append(access)
        if accesses:
            record["accesses"] = accesses
        return record


class Targets:
    """The names under which the actions of a process are asked for."""

    def __init__(self, pid, base):
        self.pid, self.receives = pid, base
        self.actions = self.sends = self.timeouts = self.outputs = 0

    def name(self, action):
        kind, fields = action.kind, action.fields
        self.actions += 1
        self.sends += action.sends
        self.receives += kind == "rec"
        self.timeouts += kind == "after"
        self.outputs += kind == "output"
        if kind == "spawn":
            return "spawn:" + fields["child"]
        if kind == "send" and action.sends == 1:
            return f"sent:0.{self.pid}.0/{self.sends}"
        if kind == "rec":
            return f"rec:{self.receives}"
        if kind == "after":
            return f"timeout:0.{self.pid}.0/{self.timeouts}"
        if kind == "output":
            return f"output:0.{self.pid}.0/{self.outputs}"
        if kind in ("signal", "exit"):
            return f"{kind}:0.{self.pid}.0"
        if kind == "halt":
            return "halt"
        return f"event:0.{self.pid}.0/{self.actions}"


def index(pages, directory):
    """What the index says: pid, receives before, receives, chunks as (block, slot)."""
    numbers = [struct.unpack_from("<Q", directory, at)[0] for at in range(0, len(directory), 8)]
    totals, rest = numbers[:7], numbers[7:]
    offsets, rest = rest[1:1 + rest[0]], rest[1 + rest[0]:]
    found = []
    for i in range(rest[0]):
        pid, base, offset = rest[1 + 3 * i:4 + 3 * i]
        page, block, slot = pages[offset], 0, 0
        while page.left():
            flags = page.byte()
            pid += 1 if flags & 1 else page.num()
            receives = page.num()
            if flags & 8:
                base = page.num()
            alike = page.num() if flags & 16 else 0
            count = 1 if flags & 2 else page.num()
            if not flags & 4:
                block = page.diff(block)
            if flags & 2:
                slot = slot + 1 if flags & 4 else page.num()
                found.append((pid, base, receives, [(block, slot)]))
            else:
                at, chunks = block, []
                for chunk in range(count):
                    at += page.num() if chunk else 0
                    chunks.append((at, page.num() >> 1))
                    page.num(), page.num(), page.num()
                slot = chunks[0][1]
                found.append((pid, base, receives, chunks))
            base += receives
            for _ in range(alike):
                pid, slot = pid + 1, slot + 1
                found.append((pid, base, receives, [(block, slot)]))
                base += receives
    return totals, offsets, found


def main(path, as_json):
    with open(path, "rb") as file:
        data = file.read()
    found, finished = whole(data)
    logs, places, offsets, pages, directory, texts = {}, {}, [], {}, None, []
    for at, kind, payload in found:
        if kind == 5:
            for slot, (pid, restart, birth, chunk, counts) in enumerate(blocks(payload)):
                if birth:
                    logs[pid] = Log(pid, birth)
                elif restart:
                    logs[pid].restart()
                before = len(logs[pid].actions)
                logs[pid].chunk(chunk)
                new = logs[pid].actions[before:]
                if counts:
                    receives = sum(action.kind == "rec" for action in new)
                    assert counts == (len(new), sum(action.sends for action in new), receives)
                places.setdefault(pid, []).append((len(offsets), slot))
            offsets.append(at)
        elif kind == 3:
            texts += [payload.string() for _ in range(payload.varint())]
        elif kind == 9:
            pages[at] = payload
        elif kind == 10:
            directory = payload.data
    if finished:
        totals, known, entries = index(pages, directory)
        assert known == offsets
        assert totals[:2] == [len(logs), sum(len(log.actions) for log in logs.values())]
        assert [pid for pid, *_ in entries] == sorted(logs)
    else:
        entries, base = [], 0
        for pid in sorted(logs):
            receives = sum(action.kind == "rec" for action in logs[pid].actions)
            entries.append((pid, base, receives, places[pid]))
            base += receives
    for pid, base, receives, chunks in entries:
        assert chunks == places[pid], f"chunks of {pid}"
        number = base
        targets = Targets(pid, base)
        for n, action in enumerate(logs[pid].actions, 1):
            is_rec = action.kind == "rec"
            number += is_rec
            if as_json:
                print(json.dumps({"pid": f"0.{pid}.0", "number": n, "target": targets.name(action), **action.record(texts)}))
            else:
                print(f"0.{pid}.0 {n} {number if is_rec else '-'} {action.sends} {action.words()}")
        assert number == base + receives


if __name__ == "__main__":
    main(sys.argv[-1], "--json" in sys.argv[1:-1])
