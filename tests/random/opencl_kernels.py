"""Writes random OpenCL kernels: opencl_kernels.py FIRST COUNT FOLDER [double]. FIRST is a seed; a file FOLDER/SEED.cl has
the kernels of BATCH seeds, and a comment "//@ ..." for each: its range, its groups, its arguments (opencl_compare.c reads
these lines). Each kernel has one result: integer arithmetic wraps, float operations are exact or correctly rounded, NaN
becomes 0, and atomics commute."""
import random
import sys

BATCH = 25
UNSIGNED = {"char": "uchar", "short": "ushort", "int": "uint", "long": "ulong", "float": "uint", "double": "ulong"}
SIGNED = {u: s for s, u in UNSIGNED.items() if s not in ("float", "double")}
BYTES = {"char": 1, "short": 2, "int": 4, "long": 8, "float": 4, "double": 8}
BYTES.update({u: BYTES[s] for u, s in SIGNED.items()})
INTEGERS = list(SIGNED) + list(SIGNED.values())
WIDTHS = [1, 1, 1, 2, 3, 4, 8, 16]
GROUPS = [(1,), (2,), (5,), (8,), (16,), (20,), (32,), (40,), (64,), (100,), (128,), (256,),
          (8, 4), (16, 16), (20, 5), (3, 7), (1, 9), (4, 4, 4), (2, 3, 5), (1, 1, 6)]
ATOMICS = ["add", "sub", "xor", "or", "and", "min", "max", "inc"]

HEAD = """#pragma OPENCL FP_CONTRACT OFF
void cas_add(volatile global uint *p, uint x)
{
  uint old;
  do
    old = *p;
  while (atomic_cmpxchg(p, old, old + x) != old);
}
void cas_float(volatile global uint *p, float x)
{
  for (;;) {
    const uint old = *p;
    if (atomic_cmpxchg(p, old, as_uint(as_float(old) + x)) == old)
      break;
  }
}
"""


def is_float(base):
    return base in ("float", "double")


def kind(base, width):
    return base if width == 1 else f"{base}{width}"


def mask_of(base):
    """The type of a vector comparison's result."""
    return {1: "char", 2: "short", 4: "int", 8: "long"}[BYTES[base]]


class Writer:
    """Expressions and statements over variables in scope."""

    def __init__(self, r, number, floats):
        self.r, self.number, self.floats = r, number, floats
        self.names, self.room = 0, 0
        self.scope, self.result, self.end = [], None, None
        self.helpers, self.local_atomic = [], None
        self.leaves = ["(uint)get_global_id(0)", "(uint)get_local_id(0)", "(uint)get_group_id(0)"]

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def base(self):
        return self.r.choice(INTEGERS + self.floats * 3)

    def type(self):
        return self.base(), self.r.choice(WIDTHS)

    # ---- expressions -----------------------------------------------------------------------------------------------

    def literal(self, base):
        r = self.r
        if is_float(base):
            return f"({base})({r.choice([0, 1, -1, 2, 0.5, -2.5, 3, 100, 1 << 20, r.randint(-999, 999) / 8])})"
        bits = 8 * BYTES[base]
        value = r.choice([0, 1, 2, r.randint(0, 99), r.randint(0, 127), (1 << bits) - 1, 1 << (bits - 1),
                          (1 << (bits - 1)) - 1, r.getrandbits(bits)])
        return f"({base}){value}{'UL' if bits == 64 else 'U'}"

    def letters(self, width, count):
        if width <= 4 and self.r.random() < 0.6:
            return "".join(self.r.choice("xyzw"[:width]) for _ in range(count))
        return "s" + "".join("0123456789abcdef"[self.r.randrange(width)] for _ in range(count))

    def convert(self, name, source, base, width):
        """A conversion between types of one width with a defined result."""
        r, to = self.r, kind(base, width)
        if is_float(source) and not is_float(base):
            return f"convert_{to}_sat{r.choice(['', '_rte', '_rtz', '_rtp', '_rtn'])}({name})"
        if is_float(base):
            exact = is_float(source)
            return f"convert_{to}{'' if exact else r.choice(['', '', '_rte', '_rtz', '_rtp', '_rtn'])}({name})"
        return f"convert_{to}{r.choice(['', '', '_sat'])}({name})"

    def leaf(self, base, width):
        r = self.r
        same = [n for n, b, w in self.scope if (b, w) == (base, width)]
        wide = [(n, w) for n, b, w in self.scope if b == base and w > 1]
        other = [(n, b) for n, b, w in self.scope if w == width and b != base]
        pick = r.random()
        if same and pick < 0.5:
            return r.choice(same)
        if wide and width in (1, 2, 3, 4, 8, 16) and pick < 0.7:
            n, w = r.choice(wide)
            return f"{n}.{self.letters(w, width)}"
        if other and pick < 0.9:
            n, b = r.choice(other)
            return self.convert(n, b, base, width)
        if width > 1:
            return f"({kind(base, width)})({self.leaf(base, 1)})"
        if pick < 0.97:
            return self.convert(r.choice(self.leaves), "uint", base, 1)
        return self.literal(base)

    def parts(self, base, width, depth):
        """A vector literal: elements, and vectors of fewer elements."""
        parts, left = [], width
        while left > 0:
            size = self.r.choice([w for w in (1, 1, 2, 3, 4, 8) if w <= left and w < width])
            parts.append(self.value(base, size, depth + (2 if width > 4 else 1)))
            left -= size
        return f"({kind(base, width)})({', '.join(parts)})"

    def wrapped(self, base, width, x, op, y):
        """Integer arithmetic modulo 2^n."""
        u = UNSIGNED.get(base, base)
        if width > 1:
            return f"as_{kind(base, width)}(as_{kind(u, width)}({x}) {op} as_{kind(u, width)}({y}))"
        u = "ulong" if BYTES[base] == 8 else "uint"
        return f"({base})(({u})({x}) {op} ({u})({y}))"

    def divided(self, base, width, x, y):
        to = kind(base, width)
        return f"({to})(({x}) {self.r.choice('/%')} (({y}) & ({to})({self.r.choice([1, 7, 63])}) | ({to})(1)))"

    def select(self, base, width, depth):
        r, x, y = self.r, self.value(base, width, depth), self.value(base, width, depth)
        mask = mask_of(base)
        if width == 1:
            test = self.condition(depth)
            return r.choice([f"({base})({test} ? {x} : {y})", f"select({x}, {y}, ({mask})({test}))"])
        if r.random() < 0.3:
            return f"select({x}, {y}, {self.value(mask, width, depth)})"
        b = r.choice([b for b in INTEGERS + self.floats if BYTES[b] == BYTES[base]])
        test = f"({self.value(b, width, depth)} {r.choice(['<', '>', '==', '!=', '<=', '>='])} {self.leaf(b, width)})"
        return r.choice([f"({test} ? {x} : {y})", f"select({x}, {y}, {test})"])

    def built_in(self, base, width, depth):
        r, to = self.r, kind(base, width)
        x, y = self.value(base, width, depth), self.value(base, width, depth)
        two = ["min", "max", "rotate", "hadd", "rhadd", "add_sat", "sub_sat", "mul_hi"]
        pick = r.random()
        if pick < 0.6:
            return f"{r.choice(two)}({x}, {y})"
        if pick < 0.75:
            return f"{r.choice(['clz', 'popcount'])}({x})"
        if pick < 0.85:
            name = r.choice(["abs", "abs_diff"])
            text = f"{name}({x}, {y})" if name == "abs_diff" else f"abs({x})"
            return f"as_{to}({text})"
        z = self.leaf(base, width)
        return r.choice([f"bitselect({x}, {y}, {z})", f"mad_sat({x}, {y}, {z})", f"clamp({x}, min({y}, {z}), max({y}, {z}))"])

    def float_value(self, base, width, depth):
        r = self.r
        x, pick = self.value(base, width, depth), r.random()
        if pick < 0.5:
            return f"({x} {r.choice('+-*')} {self.value(base, width, depth)})"
        if pick < 0.7:
            return f"{r.choice(['floor', 'ceil', 'trunc', 'rint', 'round', 'fabs'])}({x})"
        if pick < 0.78:
            return f"fma({x}, {self.leaf(base, width)}, {self.leaf(base, width)})"
        if pick < 0.84:
            return f"copysign({x}, {self.leaf(base, width)})"
        if pick < 0.9:
            return f"-{x}" if x[0] != "-" else x
        return f"ldexp({x}, {self.r.randint(-9, 9)})"

    def value(self, base, width, depth=0):
        r = self.r
        self.room -= width
        if depth > 2 or self.room < 0 or r.random() < 0.35:
            return self.leaf(base, width)
        d, pick = depth + 1, r.random()
        if pick < 0.12:
            return self.select(base, width, d)
        if pick < 0.2 and width > 1:
            return self.parts(base, width, d)
        if pick < 0.28 and width in (1, 2, 4, 8):
            half = self.value(base, width * 2, d)
            return f"{half if half.isidentifier() else f'({half})'}.{r.choice(['lo', 'hi', 'even', 'odd'])}" if width > 1 else \
                f"({half}).{r.choice('xy')}"
        if pick < 0.36:
            found = [h for h in self.helpers if h[1] == base]
            if found:
                name, _, w, params = r.choice(found)
                call = f"{name}({', '.join(self.leaf(b, k) for b, k in params)}, in)"
                if w == width:
                    return call
                if w > 1:
                    return f"{call}.{self.letters(w, width)}"
                return f"({kind(base, width)})({call})"
        if pick < 0.42 and base == "uint" and width in (1, 2, 3, 4, 8, 16):
            at = f"({self.value('uint', 1, d)} & 127u)"
            return f"in[{at}]" if width == 1 else f"vload{width}(0, in + {at})"
        if is_float(base):
            return self.float_value(base, width, d)
        x = self.value(base, width, d)
        if pick < 0.6:
            return self.wrapped(base, width, x, r.choice("+-*"), self.value(base, width, d))
        if pick < 0.7:
            return f"({kind(base, width)})({x} {r.choice('&|^')} {self.value(base, width, d)})"
        if pick < 0.76:
            return f"({kind(base, width)})({x} {r.choice(['<<', '>>'])} {self.leaf(base, width)})"
        if pick < 0.81:
            return self.divided(base, width, x, self.leaf(base, width))
        if pick < 0.95:
            return self.built_in(base, width, d)
        return f"({kind(base, width)})(~{x})"

    def condition(self, depth=0):
        r, pick = self.r, self.r.random()
        d = depth + 1
        if depth < 3 and pick < 0.2:
            return f"({self.condition(d)} {r.choice(['&&', '||'])} {self.condition(d)})"
        if depth < 3 and pick < 0.25:
            return f"!{self.condition(d)}"
        base, width = self.type()
        if pick < 0.4 and width > 1:
            return f"{r.choice(['any', 'all'])}({self.value(base, width, d)} < {self.leaf(base, width)})"
        if pick < 0.5:
            long = r.choice(["long", "ulong"])
            return f"({self.value(long, 1, d)} {r.choice(['<', '>', '==', '!=', '<=', '>='])} {self.leaf(long, 1)})"
        if pick < 0.6:
            return f"((uint)({self.leaf('uint', 1)} & {r.choice([1, 3, 6, 8])}u) {r.choice(['==', '!=', '<'])} {r.randint(0, 3)}u)"
        return f"({self.value(base, 1, d)} {r.choice(['<', '>', '==', '!=', '<=', '>='])} {self.leaf(base, 1)})"

    # ---- statements ------------------------------------------------------------------------------------------------

    def assign(self, depth):
        r = self.r
        name, base, width = r.choice(self.scope)
        self.room = 40
        if width > 1 and r.random() < 0.3:  # some elements
            few = r.choice([w for w in (1, 2, 3, 4, 8) if w < width])
            places = sorted(r.sample(range(width), few), key=lambda _: r.random())
            letters = "s" + "".join("0123456789abcdef"[p] for p in places)
            return self.set(f"{name}.{letters}", base, few, self.value(base, few, depth))
        return self.set(name, base, width, self.value(base, width, depth))

    def set(self, place, base, width, value):
        """NaN becomes 0: its bits may be any."""
        if not is_float(base):
            return f"{place} = {value};"
        to, t = kind(base, width), self.name("t")
        return f"{{ const {to} {t} = {value}; {place} = {t} != {t} ? ({to})(0) : {t}; }}"

    def array(self):
        """An array in private memory, at indices that differ."""
        r, (name, base, width) = self.r, self.r.choice(self.scope)
        t, q, size = self.name("t"), self.name("q"), r.choice([3, 4, 7])
        self.room = 20
        to, x = kind(base, width), self.value(base, width, 2)
        index = f"{self.value('uint', 1, 2)} % {size}u"
        return (f"{{ {to} {t}[{size}]; for (uint {q} = 0; {q} < {size}u; {q}++) {t}[{q}] = {q} & 1u ? {x} : {name}; "
                f"{t}[{index}] = {self.leaf(base, width)}; {self.set(name, base, width, f'{t}[{index}]')} }}")

    def pointer(self):
        """Elements and vectors of a variable through a pointer."""
        r, wide = self.r, [v for v in self.scope if v[2] in (4, 8, 16) and not is_float(v[1])]
        if not wide:
            return self.array()
        name, base, width = r.choice(wide)
        p, few = self.name("p"), r.choice([2, 3])
        self.room = 20
        return (f"{{ {base} *{p} = ({base} *)&{name}; {p}[{self.value('uint', 1, 2)} % {width}u] = {self.value(base, 1, 2)}; "
                f"vstore{few}({self.value(base, few, 2)}, 0, {p} + {self.leaf('uint', 1)} % {width - few + 1}u); }}")

    def atomic(self):
        r = self.r
        self.room = 10
        x = self.value("uint", 1, 2)
        pick = r.random()
        if self.local_atomic and pick < 0.6:
            name, op = self.local_atomic
            return f"atomic_{op}(&{name}[{self.leaf('uint', 1)} & 7u]{'' if op == 'inc' else f', {x}'});"
        k = r.randrange(8)
        op = ATOMICS[k]
        place = f"&bins[{k}u + 8u * ({self.leaf('uint', 1)} & 1u)]"
        if pick < 0.75:
            return f"atomic_{op}({place}{'' if op == 'inc' else f', {x}'});"
        if pick < 0.83:  # each old value is returned once
            return f"atomic_xor(&bins[17], atomic_inc(&bins[16]) * 2654435761u + 1u);"
        if pick < 0.92:
            return f"cas_add(&bins[18], {x});"
        return f"cas_float(&bins[19], (float)({x} & 15u));"

    def long_loop(self, depth):
        """A loop that 64 bits decide about: counts across the border of 32 bits or of the sign, shifts to 0, trip counts
        and conditions of 64 bits. The body uses both halves of the counter."""
        r, k = self.r, self.name("k")
        base = r.choice(["long", "ulong"])
        before = self.leaves
        self.leaves = before + [f"(uint){k}", f"(uint)((ulong){k} >> 32)"]
        inside = self.block(depth + 1, True, True)
        self.leaves = before
        few = r.choice(["1", "3", "4", f"(uint)({self.leaf('uint', 1)} & 3u)", f"(uint)({self.leaf('ulong', 1)} % 5UL)",
                        f"(uint)(({self.leaf('ulong', 1)} >> 40) & 3UL)"])
        first = {"long": ["-2L", "0L", "-0x100000002L", "0xfffffffeL", "0x7fffffffL"],
                 "ulong": ["0UL", "0xfffffffeUL", "0xfffffffffffffff0UL", "0x7ffffffffffffffeUL", "0xffffffffUL"]}[base]
        start = r.choice(first)
        pick = r.random()
        if pick < 0.3:
            return f"for ({base} {k} = {start}; {k} < ({base})({start} + ({base})({few})); {k}++) {{ {inside} }}"
        if pick < 0.45:
            return f"for ({base} {k} = ({base})({start} + ({base})({few})); {k} != {start}; {k}--) {{ {inside} }}"
        if pick < 0.6:
            return f"for (ulong {k} = (ulong){self.leaf(base, 1)}; {k} != 0UL; {k} >>= {r.choice([16, 17, 31, 32, 33])}) {{ {inside} }}"
        if pick < 0.75:
            n = self.name("k")
            return (f"{{ int {n} = 0; {base} {k} = {self.leaf(base, 1)}; while ({n}++ < 4 && {k} {r.choice(['<', '>', '!=', '>='])} "
                    f"{self.leaf(base, 1)}) {{ {inside} {k} = ({base})((ulong){k} + {r.choice(['1UL', '0xffffffffUL', '0x180000000UL'])}); }} }}")
        if pick < 0.9:
            n = self.name("k")
            return (f"{{ int {n} = 0; {base} {k} = {start}; do {{ {inside} {k} = ({base})((ulong){k} * 3UL + 1UL); }} "
                    f"while (++{n} < 4 && ({k} & 0x{r.choice(['1', '100000000', '300000003'])}UL) != 0); }}")
        return f"for ({base} {k} = {start};; {k} += 2) {{ if ({k} >= ({base})({start} + ({base})({few}))) break; {inside} }}"

    def loop(self, depth):
        if self.r.random() < 0.35:
            return self.long_loop(depth)
        r, k = self.r, self.name("k")
        inside = self.block(depth + 1, True, True)
        bound = r.choice([str(r.randint(1, 5)), f"(int)({self.leaf('uint', 1)} & 3u)", f"(int)({self.leaf('uint', 1)} & 7u)",
                          f"(int)({self.leaf('uint', 1)} % 5u)"])
        pick = r.random()
        if pick < 0.4:
            return f"for (int {k} = 0; {k} < {bound}; {k}++) {{ {inside} }}"
        if pick < 0.6:
            return f"{{ int {k} = 0; while ({k}++ < 4 && {self.condition(2)}) {{ {inside} }} }}"
        if pick < 0.8:
            return f"{{ int {k} = 0; do {{ {inside} }} while (++{k} < 4 && {self.condition(2)}); }}"
        return f"for (int {k} = 0;; {k} += 2) {{ if ({k} >= {bound}) break; {inside} }}"

    def switch(self, depth, loop):
        r = self.r
        base = r.choice(["uint", "int", "char", "ulong"])
        self.room = 10
        text, labels = "", r.sample(range(6), r.randint(2, 4))
        for label in labels + ["default"]:
            text += (f"default: " if label == "default" else f"case {label}: ")
            text += f"{{ {self.block(depth + 2, loop, False)} }} "
            text += r.choice(["break; ", "break; ", ""])
        return f"switch ({self.value(base, 1, 2)} & 7) {{ {text}}}"

    def leave(self):
        """An early return."""
        self.room = 10
        if self.result:
            return f"return {self.value(*self.result, 2)};"
        return f"{{ {self.end} return; }}" if self.end else self.assign(1)

    def statement(self, depth, loop, breaks):
        r, pick = self.r, self.r.random()
        if depth > 3 or pick < 0.34:
            return self.assign(1)
        self.room = 20
        if pick < 0.56:
            test = self.condition(1)
            other = f" else {{ {self.block(depth + 1, loop, breaks)} }}" if r.random() < 0.5 else ""
            return f"if ({test}) {{ {self.block(depth + 1, loop, breaks)} }}{other}"
        if pick < 0.7:
            return self.loop(depth) if depth < 3 else self.assign(1)
        if pick < 0.77 and loop:
            return f"if ({self.condition(1)}) {r.choice(['break', 'continue']) if breaks else 'continue'};"
        if pick < 0.83:
            return self.switch(depth, loop)
        if pick < 0.87:
            return self.array()
        if pick < 0.91:
            return self.pointer()
        if pick < 0.95:
            return f"if ({self.condition(1)}) {self.leave()}"
        return self.atomic() if not self.result else self.assign(1)

    def block(self, depth, loop, breaks):
        return " ".join(self.statement(depth, loop, breaks) for _ in range(self.r.choice([1, 1, 2, 2 if depth > 1 else 3])))


class Kernel(Writer):
    def helper(self):
        name, (base, width) = f"h{self.number}_{len(self.helpers)}", self.type()
        params = [(f"a{i}", *self.type()) for i in range(2)]
        scope, leaves = self.scope, self.leaves
        self.scope, self.result = params + [("x", base, width)], (base, width)
        self.leaves = leaves[:3]
        text = " ".join(self.statement(1, False, False) for _ in range(self.r.randint(1, 2)))
        declared = ", ".join(f"{kind(b, w)} {n}" for n, b, w in params)
        self.room = 10
        self.scope = params
        first = self.value(base, width, 2)
        text = (f"{kind(base, width)} {name}({declared}, global const uint *in)\n{{\n"
                f"  {self.set_first(base, width, first)}\n  {text}\n  return x;\n}}\n")
        self.scope, self.result, self.leaves = scope, None, leaves
        self.helpers.append((name, base, width, [(b, w) for _, b, w in params]))
        return text

    def set_first(self, base, width, value):
        return f"{kind(base, width)} x = ({kind(base, width)})(0); {self.set('x', base, width, value)}"

    def share(self):
        """Values through local memory; all items of a group come here."""
        r, (name, base, width) = self.r, self.r.choice(self.scope)
        self.room = 10
        if r.random() < 0.3:
            array, base, width, name = "scratch", "uint", 1, None
        else:
            array = self.name("s")
            self.locals.append(f"local {kind(base, width)} {array}[{self.items}];")
        text = (f"barrier(CLK_LOCAL_MEM_FENCE); {array}[l] = {self.leaf(base, width)}; barrier(CLK_LOCAL_MEM_FENCE); ")
        found = f"{array}[(l + {r.randint(1, 9)}u) % {self.items}u]"
        if name:
            return text + f"{name} = {found};"
        name, base, width = r.choice(self.scope)
        return text + self.set(name, base, width, f"({kind(base, width)})({self.convert(found, 'uint', base, 1)})")

    def count(self):
        """Local atomics between barriers."""
        name, op = self.name("c"), self.r.choice(ATOMICS)
        self.locals.append(f"local uint {name}[8];")
        start = {"and": "0xffffffffu", "min": "0xffffffffu"}.get(op, "5u")
        self.local_atomic = (name, op)
        inside = self.block(1, False, False) + " " + self.atomic()
        self.local_atomic = None
        target, base, width = self.r.choice(self.scope)
        found = self.convert(f"{name}[l & 7u]", "uint", base, 1)
        return (f"barrier(CLK_LOCAL_MEM_FENCE); for (uint q = l; q < 8u; q += {self.items}u) {name}[q] = {start}; "
                f"barrier(CLK_LOCAL_MEM_FENCE); {{ {inside} }} barrier(CLK_LOCAL_MEM_FENCE); "
                f"{self.set(target, base, width, f'({kind(base, width)})({found})')}")

    def copy(self):
        name, few = self.name("s"), self.r.choice([3, 8, 40])
        self.locals.append(f"local uint {name}[{few}];")
        target, base, width = self.r.choice(self.scope)
        found = self.convert(f"{name}[l % {few}u]", "uint", base, 1)
        return (f"{{ event_t e = async_work_group_copy({name}, in + (u & 7u), {few}, 0); wait_group_events(1, &e); "
                f"{self.set(target, base, width, f'({kind(base, width)})({found})')} barrier(CLK_LOCAL_MEM_FENCE); }}")

    def uniform(self, depth=0):
        """A statement that all items of a group execute together."""
        r, pick = self.r, self.r.random()
        if pick < 0.3:
            return self.share()
        if pick < 0.4:
            return self.count()
        if pick < 0.45:
            return self.copy()
        inside = f"{self.block(2, False, False)} {self.share()}"
        if pick < 0.55 and depth == 0:
            return f"if ({r.choice(['u & 1u', 'u > 9u', '(uint)get_group_id(0) & 1u', '(uint)get_num_groups(0) > 1u'])}) {{ {inside} }}"
        if pick < 0.65 and depth == 0:
            k = self.name("k")
            start = r.choice(["0u", "0u", "0UL", "0xfffffffeUL"])
            base, end = "ulong" if start[-2:] == "UL" else "uint", r.choice(["2u", "(u & 3u)", "((uint)get_group_id(0) & 3u)"])
            return f"for ({base} {k} = {start}; {k} < {start} + {end}; {k}++) {{ {inside} }}"
        return "{ " + self.block(0, False, False) + " }"

    def store(self):
        """Stores all variables, each in a region of its own."""
        text, at, total = "", 0, self.total
        for name, base, width in self.scope:
            to = f"((global {base} *)(out + {at}))"
            text += f"{to}[i] = {name}; " if width == 1 else f"vstore{width}({name}, i, {to}); "
            at += (total * BYTES[base] * width + 63) // 64 * 64
        return text, at

    def text(self):
        r = self.r
        local = list(r.choice(GROUPS))
        dims = len(local)
        groups = [r.randint(1, 3 if dims > 1 else 6) for _ in local]
        self.items = 1
        for n in local:
            self.items *= n
        while self.items * self.product(groups) > 700:
            groups[groups.index(max(groups))] -= 1
        size = [g * n for g, n in zip(groups, local)]
        self.total = self.product(size)
        offset = [r.choice([0, 0, 0, 7]) for _ in local]
        helpers = "".join(self.helper() for _ in range(r.choice([0, 0, 0, 1, 2])))
        extra = [(f"e{i}", r.choice(INTEGERS), r.choice(WIDTHS)) for i in range(r.randint(0, 3))]
        self.leaves += ["i", "l", "u", "i", "l"]
        self.scope = [(f"v{i}", *self.type()) for i in range(r.randint(2, 4))] + extra
        self.locals = []
        self.end, at = self.store()
        store, self.end = self.end, None
        start = "".join(f"  {kind(b, w)} {n} = ({kind(b, w)})({self.convert(r.choice(['i', 'l', 'in[i & 127u]']), 'uint', b, 1)});\n"
                        for n, b, w in self.scope if n[0] == "v")
        lines = [self.uniform() for _ in range(r.choice([1, 1, 2, 2, 3]))]
        self.end = store
        lines.append("{ " + self.block(0, False, False) + " }")
        k = f"k{self.number}"
        params = "".join(f", {kind(b, w)} {n}" for n, b, w in extra)
        sizes = [BYTES[b] * (4 if w == 3 else w) for _, b, w in extra]
        note = [k, dims] + size + [1] * (3 - dims) + local + [1] * (3 - dims) + offset + [0] * (3 - dims) + [at, len(extra)] + sizes
        body = "\n  ".join(lines)
        index = "(uint)(get_global_id(0) - get_global_offset(0))"
        if dims > 1:
            row = "(get_global_id(1) - get_global_offset(1))"
            if dims > 2:
                row = f"((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + {row})"
            index = f"(uint)({row} * get_global_size(0) + get_global_id(0) - get_global_offset(0))"
        flat = "(uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0))"
        declared = "".join(f"  {line}\n" for line in self.locals)
        call = "".join(f", *({kind(b, w)} *)a[{i}]" for i, (_, b, w) in enumerate(extra))
        return (f"//@ {' '.join(map(str, note))}\n{helpers}kernel void {k}(global uchar *out, global const uint *in, "
                f"volatile global uint *bins, local uint *scratch, uint u{params})\n{{\n{declared}"
                f"  const uint i = {index}, l = {flat};\n{start}  {body}\n  {store}\n}}\n"
                f"#ifdef SIMTLAB_HOST\nvoid {k}_host(global uchar *out, global const uint *in, volatile global uint *bins, "
                f"local uint *scratch, uint u, private uchar *private *a)\n{{\n  {k}(out, in, bins, scratch, u{call});\n}}\n#endif\n")

    @staticmethod
    def product(list_of):
        total = 1
        for n in list_of:
            total *= n
        return total


def main():
    first, count, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    floats = ["float", "double"] if sys.argv[4:] == ["double"] else ["float"]
    for seed in range(first, first + count, BATCH):
        with open(f"{folder}/{seed:08}.cl", "w", encoding="ascii") as file:
            file.write(HEAD)
            for number in range(seed, min(seed + BATCH, first + count)):
                file.write(Kernel(random.Random(number), number, floats).text())


main()
