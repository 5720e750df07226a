#!/usr/bin/env python3
"""An independent reader of the trace file, written from FORMAT.md alone, with nothing but the standard library.

reader.py TRACE prints every action of every process, one a line: process, number of the action, number of the receive or -, and the
action as words."""
import struct
import sys
import zlib

MASK = (1 << 64) - 1


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
    """Kind and payload of each section, with its offset."""
    assert data[:8] == b"\x89CCRT\r\n\x1a", "magic"
    major, minor, flags = struct.unpack_from("<HHI", data, 8)
    assert major == 0, f"version {major}.{minor}"
    assert zlib.crc32(data[:16]) == struct.unpack_from("<I", data, 24)[0], "checksum of the header"
    at = 32
    while at < len(data):
        kind, flags, zero, length, crc = struct.unpack_from("<BBHII", data, at)
        payload = data[at + 12:at + 12 + length]
        assert zlib.crc32(payload, zlib.crc32(data[at:at + 8])) == crc, f"checksum at {at}"
        if flags & 1:
            size = struct.unpack_from("<I", payload)[0]
            payload = zlib.decompress(payload[4:])
            assert len(payload) == size
        assert kind <= 12 or not flags & 2
        yield at, kind, Bytes(payload)
        at += 12 + length


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
            self.actions += [(1, "send")] * run
            if not b.left():
                return
            after, predicted = self.item(b)

    def rec(self, place, gap):
        sender = self.senders[place]
        sender[1] = (sender[1] + gap) & MASK
        half = place // 2
        self.senders[place], self.senders[half] = self.senders[half], sender
        self.actions.append((0, f"rec sent:0.{sender[0]}.0/{sender[1]}"))
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
            self.actions.append((0, f"rec sent:0.{self.last_new}.0/{k}"))
            return self.senders[-1], self.rec_run
        self.actions.append(self.other(op, b))
        return "other", self.other_run

    def other(self, op, b):
        if op == 0xF3:
            return 0, "after"
        if op in (0xF4, 0xF5):
            self.last_child = self.last_child + 1 if op == 0xF4 else b.diff(self.last_child)
            return 0, f"spawn 0.{self.last_child}.0"
        if op == 0xF6:
            return 0, "exit normal"
        if op == 0xF7:
            return 1, "send " + self.access(b)
        if op == 0xF8:
            return 0, "access " + self.access(b)
        if op == 0xF9:
            return 0, "input " + self.value(b)
        if op == 0xFA:
            return 0, f"output stdout {b.num()}"
        if op == 0xFB:
            return 0, "observe " + self.value(b)
        if op == 0xFC:
            return self.full(b)
        if op == 0xFD:
            by = b.diff(self.me)
            return 0, f"rec sent:0.{by}.0/end/ref/0.{self.me}.0/{b.num()}"
        if op == 0xFE:
            return 0, f"rec sent:0.{b.diff(self.me)}.0/end/0.{self.me}.0"
        assert op == 0xFF
        return 1, "send"

    def value(self, b):
        return b.take(b.num()).hex() or "-"

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
            accesses = [self.access(b) for _ in range(b.num())]
        pid = lambda: f"0.{b.diff(self.me)}.0"
        if kind in (0, 1, 2):
            word = ["spawn", "spawn", "spawn_failed"][kind] + " " + pid()
            word += f" on {b.num()}" if kind else ""
        elif kind == 4:
            word = "rec " + self.tag(b)
        elif kind == 6:
            word = f"signal {self.tag(b)} {b.num()} " + ["running", "waiting"][b.byte()]
        elif kind == 7:
            word = "drop none " + self.value(b)
        elif kind == 8:
            word = f"drop {self.tag(b)} {self.value(b)}"
        elif kind in (10, 11):
            word = f"start {b.num()} " + ["failed", "ok"][kind - 10]
        elif kind == 13:
            word = "observe " + self.value(b)
        elif kind == 14:
            word = f"observe {pid()} {b.num()} {self.value(b)}"
        elif kind == 15:
            word = "input " + self.value(b)
        elif kind in (16, 17, 18):
            length = b.num()
            word = f"output {['stdout', 'stderr', 'other'][kind - 16]} {length}"
            word += f" {b.num()}" if kind == 18 else ""
        elif kind == 19:
            code = b.diff(0)
            word = f"halt {code - (1 << 64) if code >> 63 else code}"
        elif kind >= 20:
            word = "exit " + ["normal", "error", "exit", "throw"][kind - 20]
        else:
            word = {3: "send", 5: "after", 9: "access", 12: "nodes"}[kind]
        return sends, " ".join([word, *accesses])

    def access(self, b):
        code = b.byte()
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
            by = f"by 0.{b.diff(self.me)}.0 {b.num()}" if flags & 0x20 else "by none"
            access = (resource, version, "write" if flags & 0x10 else "read", by)
        self.recent = [access, *self.recent][:16]
        resource, version, mode, by = access
        return f"[{mode} {resource} {version} {by}]"

    def resource(self, b, kind):
        hashed = lambda: str(struct.unpack("<Q", b.take(8))[0])
        table = lambda: f"0.{b.diff(self.me)}.0/{b.num()}"
        if kind in (0, 1, 8, 9, 11):
            word = {0: "node", 1: "name", 8: "module", 9: "atom", 11: "other"}[kind]
            return f"{word} {b.num()}"
        if kind in (2, 10):
            return f"{'alive' if kind == 2 else 'leader'} 0.{b.diff(self.me)}.0"
        if kind == 3:
            return "table " + table()
        if kind == 12:
            return "contents " + table()
        if kind == 4:
            return f"key {table()} {hashed()}"
        if kind == 7:
            return f"counter {table()} {b.num()}"
        return {5: "persistent ", 6: "env "}[kind] + hashed()


def index(pages, directory):
    """What the index says: pid, receives before, receives, chunks as (block, slot)."""
    numbers = [struct.unpack_from("<Q", directory, at)[0] for at in range(0, len(directory), 8)]
    totals, rest = numbers[:5], numbers[5:]
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


def main(path):
    with open(path, "rb") as file:
        data = file.read()
    logs, places, offsets, pages, directory = {}, {}, [], {}, None
    for at, kind, payload in sections(data):
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
                    receives = sum(word.startswith("rec ") for _, word in new)
                    assert counts == (len(new), sum(sends for sends, _ in new), receives)
                places.setdefault(pid, []).append((len(offsets), slot))
            offsets.append(at)
        elif kind == 9:
            pages[at] = payload
        elif kind == 10:
            directory = payload.data
    totals, known, entries = index(pages, directory)
    assert known == offsets
    assert totals[:2] == [len(logs), sum(len(log.actions) for log in logs.values())]
    assert [pid for pid, *_ in entries] == sorted(logs)
    for pid, base, receives, chunks in entries:
        assert chunks == places[pid], f"chunks of {pid}"
        number = base
        for n, (sends, word) in enumerate(logs[pid].actions, 1):
            is_rec = word.startswith("rec ")
            number += is_rec
            print(f"0.{pid}.0 {n} {number if is_rec else '-'} {sends} {word}")
        assert number == base + receives


if __name__ == "__main__":
    main(sys.argv[1])
