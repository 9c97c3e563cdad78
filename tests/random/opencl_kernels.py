"""Writes random OpenCL kernels: opencl_kernels.py FIRST COUNT FOLDER. Control flow of all kinds, helpers with loops and
returns, local memory between barriers, atomics, vectors, 64-bit arithmetic. Each kernel has one result for each seed."""
import random
import sys

FRAME = """#define ADD(x, y) (int)((uint)(x) + (uint)(y)) /* overflow of int is undefined */
#define SUB(x, y) (int)((uint)(x) - (uint)(y))
#define MUL(x, y) (int)((uint)(x) * (uint)(y))
int helper(int x, int y)
{
  if (x > y)
    return SUB(x, y);
  for (int j = 0; j < (y & 3); j++) {
    x = ADD(x, j);
    if (x == 7)
      return y;
  }
  return x ^ y;
}
__kernel void k(__global int *out, __global const int *in, __global int *h, int u)
{
  __local int s[256];
  int i = get_global_id(0), l = get_local_id(0), a = in[i & 255], b = i, c = 1, d = u;
%s
end:
  out[i] = ADD(ADD(a, MUL(3, b)), ADD(MUL(5, c), MUL(7, d)));
}
"""


class Kernel:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.names = 0

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def variable(self):
        return self.r.choice("abcd")

    def value(self, depth=0):
        r = self.r
        if depth > 2 or r.random() < 0.3:
            return r.choice(["a", "b", "c", "d", "i", "l", "u", str(r.randint(-9, 99))])
        x, y = self.value(depth + 1), self.value(depth + 1)
        return r.choice([
            f"ADD({x}, {y})", f"SUB({x}, {y})", f"MUL({x}, {y})", f"({x} & {y})", f"({x} | {y})", f"({x} ^ {y})",
            f"({x} >> {r.randint(1, 9)})", f"({self.condition(depth + 1)} ? {x} : {y})", f"min({x}, {y})",
            f"helper({x}, {y})", f"({x} / ({self.variable()} & 255 | 1))", f"(int)((long)({x}) * {y} >> {r.randint(1, 40)})",
            f"((int4)({self.variable()}, {x}, {y}, i).{r.choice('xyzw')})", f"in[(uint)({x}) % 256u]"])

    def condition(self, depth=0):
        r = self.r
        test = f"({self.value(depth + 1)} {r.choice(['<', '>', '==', '!=', '<='])} {self.value(depth + 1)})"
        return test if r.random() < 0.7 else f"({test} {r.choice(['&&', '||'])} ({self.value(depth + 1)} & 3))"

    def statement(self, depth, loop, last):
        r, kind = self.r, self.r.random()
        if depth > 3 or kind < 0.35:
            v = self.variable()
            return f"{v} = {r.choice(['', f'{v} ^ ', f'{v} & '])}{self.value()};"
        if kind < 0.55:
            other = f" else {{ {self.block(depth + 1, loop, last)} }}" if r.random() < 0.5 else ""
            return f"if {self.condition()} {{ {self.block(depth + 1, loop, last)} }}{other}"
        if kind < 0.7:
            k, bound = self.name("k"), r.choice(["3", "(a & 7)", "(i & 3)", "(u & 3) + 1"])
            return f"for (int {k} = 0; {k} < {bound}; {k}++) {{ {self.block(depth + 1, True, last)} }}"
        if kind < 0.76 and loop:
            return f"if {self.condition()} {r.choice(['break', 'continue'])};"
        if kind < 0.82:
            w = self.name("w")
            return f"int {w} = 0; while ({self.condition()} && {w}++ < 5) {{ {self.block(depth + 1, True, last)} }}"
        if kind < 0.88:
            cases = [self.statement(depth + 1, False, last) for _ in range(4)]
            return (f"switch ({self.value()} & 3) {{ case 0: {{ {cases[0]} }} case 1: {{ {cases[1]} }} break; "
                    f"case 2: {{ {cases[2]} }} break; default: {{ {cases[3]} }} }}")
        if kind < 0.92:
            return f"{{ int t[6]; for (int q = 0; q < 6; q++) t[q] = ADD(MUL(a, q), b); c ^= t[(uint)({self.value()}) % 6u]; }}"
        if kind < 0.95 or not last:
            return f"atomic_add(&h[(uint)({self.value()}) % 8u], ({self.value()}) & 255);"
        return f"if {self.condition()} goto end;"

    def block(self, depth, loop, last):
        return " ".join(self.statement(depth, loop, last) for _ in range(self.r.randint(1, 3)))

    def text(self):
        lines = []
        for _ in range(self.r.randint(2, 4)):
            lines.append("  {" + self.block(0, False, False) + "}")
            if self.r.random() < 0.6:
                lines.append("  barrier(CLK_LOCAL_MEM_FENCE); s[l] = a ^ d; barrier(CLK_LOCAL_MEM_FENCE); "
                             f"b = ADD(b, s[(l + {self.r.randint(1, 9)}) % get_local_size(0)]);")
        lines.append("  {" + self.block(0, False, True) + "}")
        return FRAME % "\n".join(lines)


first, count, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
for seed in range(first, first + count):
    with open(f"{folder}/{seed}.cl", "w", encoding="ascii") as file:
        file.write(Kernel(seed).text())
