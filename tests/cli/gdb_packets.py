"""Sends good, damaged and random packets to simtlab gdb, from a seed. The stub must answer each and end in order.

usage: gdb_packets.py SIMTLAB PROGRAM PACKETS [SEED]

PROGRAM is an ELF file, a launch script of PTX, or a CUDA program (./NAME), which begins again when it has ended."""

import random
import re
import socket
import subprocess
import sys

simtlab, program, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
random.seed(int(sys.argv[4]) if len(sys.argv) > 4 else 1)

GOOD = [
    "qSupported:hwbreak+", "?", "g", "p20", "p1068", "pffffffff", "P1=00000000", "m8000400,40", "m0,ffffffff",
    "Mbff00000,4:01020304", "Hg1", "Hg-1", "Hg55", "Hc22", "T1", "Tffffffffffffffff", "vCont?", "vCont;s:1",
    "vCont;s:2;c", "vCont;r8000400,8000500:1", "vCont;r5,1:1", "bs", "Z0,8000434,4", "z0,8000434,4",
    "Z0,8000434,4;X4,22012227", "Z0,8000434,4;X3,260020", "Z2,80083c8,4", "Z4,80083c8,4", "z2,80083c8,4",
    "qXfer:features:read:target.xml:0,1000", "qXfer:threads:read::0,1000", "qXfer:threads:read::fffffff,1",
    "qXfer:exec-file:read:1:0,ff", "qRcmd,68656c70", "qRcmd,77617270", "qRcmd,zz", "qC", "qfThreadInfo", "QPassSignals:",
    "R00", "vMustReplyEmpty", "vRun;", "X80083c8,0:", "G00", "!", "qCRC:0,10",
]

PTX = [
    "qSupported:hwbreak+", "?", "g", "p20", "p1068", "p1388", "p138f", "pffffffff", "P1388=05000000", "P20=00", "P1390=01",
    "m1000000,10", "mc0000000,40", "m90000000,40", "ma0000000,8", "m0,ffffffff", "Mc0000100,4:01020304",
    "M90000000,4:01020304", "M80000000,4:00000000", "Hg2", "Hg-1", "Hg55", "Hc22", "T2", "Tffffffffffffffff", "vCont?",
    "vCont;s:2", "vCont;s:22;c", "vCont;r1000000,1000020:2", "vCont;r5,1:1", "vCont;c", "bs", "bc", "Z0,1000018,4",
    "z0,1000018,4", "Z0,1000018,4;X4,22012227", "Z0,1000018,4;X3,261388", "Z2,c0000000,4", "Z3,90000000,8", "Z4,90000004,4", "Z2,a0000000,4", "z2,a0000000,4",
    "z2,c0000000,4", "z3,90000000,8", "z4,90000004,4", "Z2,c0000000,0", "Z9,0,0", "qXfer:features:read:target.xml:0,1000",
    "qXfer:threads:read::0,1000", "qXfer:threads:read::fffffff,1", "qXfer:libraries:read::0,1000", "m7ffff0,10", "qRcmd,68656c70", "qRcmd,7761727073", "qRcmd,776879",
    "qRcmd,6379636c65", "qRcmd,756e697473", "qRcmd,636f756e74657273", "qRcmd,zz", "qC", "qfThreadInfo", "R00",
    "vMustReplyEmpty", "vRun;", "X90000000,0:", "G00", "!", "qCRC:0,10",
]
ENDS = (b"k", b"D", b"vKill", b"R")  # of these, R has no answer
HOST = program.startswith("./")
if program.endswith(".launch") or HOST:
    GOOD = PTX
else:
    ENDS += (b"vCont;c", b"bc")  # the program runs on
    ENDS = tuple(end for end in ENDS if end != b"R")


def frame(data):
    return b"$" + data + b"#%02x" % (sum(data) % 256)


def damage(data):
    data = bytearray(data)
    for _ in range(random.randint(1, 4)):
        choice = random.randint(0, 3)
        at = random.randint(0, len(data)) if data else 0
        byte = random.choice(b"0123456789abcdef,;:=-XZ}*") if random.random() < 0.8 else random.randint(0, 255)
        if byte in b"#$\x03":
            byte = 0x30
        if choice == 0 or not data:
            data.insert(at, byte)
        elif choice == 1:
            data[at - 1] = byte
        elif choice == 2:
            del data[at - 1]
        else:
            data = data[:at]
    return bytes(data)


class Stub:
    """A session; over a socket, if the program is one of the host."""

    def __init__(self):
        options = ["--fast"] if GOOD is PTX else []
        if not HOST:
            options.append("--stdio")
        pipes = {} if HOST else {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        command = [simtlab, "gdb", *options, program]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE if HOST else None, **pipes)
        self.to, self.from_ = self.process.stdin, self.process.stdout
        if HOST:
            port = int(re.search(rb"remote :(\d+)", self.process.stderr.readline()).group(1))
            self.socket = socket.create_connection(("127.0.0.1", port))
            self.to, self.from_ = self.socket.makefile("wb", 0), self.socket.makefile("rb", 0)

    def send(self, data):
        self.to.write(data)
        self.to.flush()

    def answer(self):
        text = b""
        while True:
            byte = self.from_.read(1)
            if not byte:
                raise EOFError("the stub has ended")
            text += byte
            if text.endswith(b"#"):
                self.from_.read(2)
                text = text[text.index(b"$") + 1 : -1]
                if text == b"OK" or not text.startswith(b"O"):
                    return text
                text = b""

    def ask(self, data):
        self.send(frame(data))
        return self.answer()

    def begin(self):
        assert b"PacketSize" in self.ask(b"qSupported")
        assert self.ask(b"QStartNoAckMode") == b"OK"

    def end(self):
        """The status of the program, after gdb's end."""
        if HOST:
            self.to.close()
            self.from_.close()
            self.socket.close()
            self.process.stderr.read()
        else:
            self.to.close()
        return self.process.wait(timeout=60)


stub = Stub()
stub.begin()
sessions = 1
for i in range(count):
    data = random.choice(GOOD).encode()
    if random.random() < 0.7:
        data = damage(data)
    if data.startswith(ENDS + (b"}",)) or b"}" in data[-1:]:
        continue  # they end the session
    told = stub.ask(data)
    if HOST and told.startswith((b"W", b"X")) and data.startswith(b"vCont"):
        assert stub.end() in (0, 1), "the program ends badly"
        stub = Stub()
        stub.begin()
        sessions += 1
stub.send(frame(b"m" + b"0" * 300000) + b"$g#00+-noise$" + b"#00")
assert stub.ask(b"qC").startswith((b"QC", b"", b"E01"))
status = stub.end()
sys.exit(status if not HOST else not (sessions < count / 4 and status in (0, 1)))
