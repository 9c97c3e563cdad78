"""Sends good, damaged and random packets to simtlab gdb, from a seed. The stub must answer each and end in order.

usage: gdb_packets.py SIMTLAB PROGRAM PACKETS [SEED]"""

import random
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


stub = subprocess.Popen([simtlab, "gdb", "--stdio", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def answer():
    text = b""
    while True:
        byte = stub.stdout.read(1)
        if not byte:
            raise SystemExit("the stub has ended")
        text += byte
        if text.endswith(b"#"):
            stub.stdout.read(2)
            text = text[text.index(b"$") + 1 : -1]
            if text == b"OK" or not text.startswith(b"O"):
                return text
            text = b""


def ask(data):
    stub.stdin.write(frame(data))
    stub.stdin.flush()
    return answer()


assert b"PacketSize" in ask(b"qSupported")
assert ask(b"QStartNoAckMode") == b"OK"
for i in range(count):
    data = random.choice(GOOD).encode()
    if random.random() < 0.7:
        data = damage(data)
    if data.startswith((b"k", b"D", b"vKill", b"vCont;c", b"bc", b"}")) or b"}" in data[-1:]:
        continue  # they end the session, or run on
    ask(data)
stub.stdin.write(frame(b"m" + b"0" * 300000) + b"$g#00+-noise$" + b"#00")
assert ask(b"qC").startswith((b"QC", b"", b"E01"))
stub.stdin.close()
sys.exit(stub.wait(timeout=60))
