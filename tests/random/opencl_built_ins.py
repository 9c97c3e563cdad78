"""Writes programs that call every built-in function of OpenCL C 1.2 with every type: opencl_built_ins.py FOLDER. A program
FOLDER/GROUP.cl has one kernel; those of double and of images are named double_* and images.cl."""
import sys

INTEGERS = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"]
SIGNED = {"uchar": "char", "ushort": "short", "uint": "int", "ulong": "long", "float": "int", "double": "long"}
UNSIGNED = {"char": "uchar", "short": "ushort", "int": "uint", "long": "ulong", "float": "uint", "double": "ulong"}
WIDTHS = ["", "2", "3", "4", "8", "16"]
WIDER = {"char": "short", "uchar": "ushort", "short": "int", "ushort": "uint", "int": "long", "uint": "ulong"}
ONE = """acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi erf erfc exp exp2 exp10 expm1 fabs
floor lgamma log log2 log10 log1p logb rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma trunc degrees radians sign
""".split()
TWO = "atan2 atan2pi copysign fdim fmax fmin fmod hypot maxmag minmag nextafter pow powr remainder max min step".split()
THREE = "fma mad clamp mix smoothstep bitselect".split()
QUICK = "cos exp exp2 exp10 log log2 log10 recip rsqrt sin sqrt tan".split()
TESTS1 = "isfinite isinf isnan isnormal signbit".split()
TESTS2 = "isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isordered isunordered".split()


class Program:
    def __init__(self, folder, name):
        self.folder, self.name, self.lines = folder, name, []

    def call(self, result, text):
        """`text` with values V(type) of any kind."""
        self.lines.append(f"  *(global {result} *)p = {text};")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with open(f"{self.folder}/{self.name}.cl", "w", encoding="ascii") as file:
            file.write("#define V(t) (*(volatile global t *)p)\n"
                       f"kernel void all_{self.name}(global uchar *p, local uchar *l, constant uchar *c, private uint n)\n{{\n")
            file.write("\n".join(self.lines) + "\n}\n")


def floats(folder, base, prefix):
    integer, half = SIGNED[base], WIDTHS
    with Program(folder, f"{prefix}math") as p:
        for w in half:
            t, i, q = base + w, "int" + w, integer + w
            a = f"V({t})"
            for f in ONE:
                p.call(t, f"{f}({a})")
            for f in TWO:
                p.call(t, f"{f}({a}, {a})")
            for f in THREE:
                p.call(t, f"{f}({a}, {a}, {a})")
            for f in ("fmax", "fmin", "max", "min") if w else ():
                p.call(t, f"{f}({a}, V({base}))")
            if w:
                p.call(t, f"clamp({a}, V({base}), V({base}))")
                p.call(t, f"mix({a}, {a}, V({base}))")
                p.call(t, f"step(V({base}), {a})")
                p.call(t, f"smoothstep(V({base}), V({base}), {a})")
                p.call(t, f"ldexp({a}, V(int))")
            p.call(t, f"ldexp({a}, V({i}))")
            p.call(t, f"pown({a}, V({i}))")
            p.call(t, f"rootn({a}, V({i}))")
            p.call(i, f"ilogb({a})")
            p.call(t, f"nan(V({UNSIGNED[base]}{w}))")
            p.call(t, f"select({a}, {a}, V({q}))")
            p.call(t, f"select({a}, {a}, V({UNSIGNED[base]}{w}))")
            for space, at in (("global", "p"), ("local", "l"), ("private", "&n")):
                for f in "fract modf sincos".split():
                    p.call(t, f"{f}({a}, ({space} {t} *){at})")
                for f in "frexp lgamma_r".split():
                    p.call(t, f"{f}({a}, ({space} {i} *){at})")
                p.call(t, f"remquo({a}, {a}, ({space} {i} *){at})")
            test = q if w else "int"
            for f in TESTS1:
                p.call(test, f"{f}({a})")
            for f in TESTS2:
                p.call(test, f"{f}({a}, {a})")
    with Program(folder, f"{prefix}geometric") as p:
        for w in ["", "2", "3", "4"]:
            t = base + w
            a = f"V({t})"
            quick = ["fast_"] if base == "float" else []
            for f in [""] + quick:
                p.call(base, f"{f}length({a})")
                p.call(base, f"{f}distance({a}, {a})")
                p.call(t, f"{f}normalize({a})")
            p.call(base, f"dot({a}, {a})")
            if w in ("3", "4"):
                p.call(t, f"cross({a}, {a})")


def quick(folder):
    with Program(folder, "quick") as p:
        for w in WIDTHS:
            t = "float" + w
            for start in ("half_", "native_"):
                for f in QUICK:
                    p.call(t, f"{start}{f}(V({t}))")
                p.call(t, f"{start}divide(V({t}), V({t}))")
                p.call(t, f"{start}powr(V({t}), V({t}))")


def integers(folder):
    with Program(folder, "integer") as p:
        for base in INTEGERS:
            for w in WIDTHS:
                t, u, s = base + w, UNSIGNED.get(base, base) + w, SIGNED.get(base, base) + w
                a = f"V({t})"
                p.call(u, f"abs({a})")
                p.call(u, f"abs_diff({a}, {a})")
                for f in "clz popcount".split():
                    p.call(t, f"{f}({a})")
                for f in "add_sat hadd rhadd max min mul_hi rotate sub_sat".split():
                    p.call(t, f"{f}({a}, {a})")
                for f in "clamp mad_hi mad_sat bitselect".split():
                    p.call(t, f"{f}({a}, {a}, {a})")
                if w:
                    p.call(t, f"max({a}, V({base}))")
                    p.call(t, f"min({a}, V({base}))")
                    p.call(t, f"clamp({a}, V({base}), V({base}))")
                p.call(t, f"select({a}, {a}, V({s}))")
                p.call(t, f"select({a}, {a}, V({u}))")
                if base in WIDER:
                    p.call(WIDER[base] + w, f"upsample({a}, V({u}))")
                if base in SIGNED.values():
                    p.call("int", f"any({a}) + all({a})")
                if base in ("int", "uint"):
                    p.call(t, f"mul24({a}, {a})")
                    p.call(t, f"mad24({a}, {a}, {a})")


def memory(folder, types, prefix):
    with Program(folder, f"{prefix}vectors") as p:
        for base in types:
            for w in WIDTHS[1:]:
                for space, at in (("global", "p"), ("local", "l"), ("private", "&n"), ("constant", "c")):
                    p.call(base + w, f"vload{w}(n, ({space} {base} *){at})")
                    if space != "constant":
                        p.lines.append(f"  vstore{w}(V({base}{w}), n, ({space} {base} *){at});")
            for w in ["2", "4", "8", "16"]:
                for m in ["2", "4", "8", "16"]:
                    mask = UNSIGNED.get(base, base)
                    p.call(base + w, f"shuffle(V({base}{m}), V({mask}{w}))")
                    p.call(base + w, f"shuffle2(V({base}{m}), V({base}{m}), V({mask}{w}))")
    with Program(folder, f"{prefix}copies") as p:
        p.lines.append("  event_t e = 0;")
        for base in types:
            for w in WIDTHS:
                t = base + w
                g, l = f"(global {t} *)p", f"(local {t} *)l"
                p.lines += [f"  e = async_work_group_copy({l}, {g}, n, e);", f"  e = async_work_group_copy({g}, {l}, n, e);",
                            f"  e = async_work_group_strided_copy({l}, {g}, n, n, e);",
                            f"  e = async_work_group_strided_copy({g}, {l}, n, n, e);", f"  prefetch({g}, n);"]
        p.lines.append("  wait_group_events(1, &e);")


def halves(folder):
    with Program(folder, "halves") as p:
        for space, at in (("global", "p"), ("local", "l"), ("private", "&n"), ("constant", "c")):
            h = f"({space} half *){at}"
            for w in WIDTHS:
                p.call("float" + w, f"vload_half{w}(n, {h})")
                if w:
                    p.call("float" + w, f"vloada_half{w}(n, {h})")
                for mode in ("", "_rte", "_rtz", "_rtp", "_rtn") if space != "constant" else ():
                    p.lines.append(f"  vstore_half{w}{mode}(V(float{w}), n, {h});")
                    if w:
                        p.lines.append(f"  vstorea_half{w}{mode}(V(float{w}), n, {h});")


def atomics(folder):
    with Program(folder, "atomics") as p:
        for base in ("int", "uint"):
            for space, at in (("global", "p"), ("local", "l")):
                word = f"(volatile {space} {base} *){at}"
                for start in ("atomic", "atom"):
                    for f in "add sub xchg min max and or xor".split():
                        p.call(base, f"{start}_{f}({word}, n)")
                    p.call(base, f"{start}_inc({word}) + {start}_dec({word})")
                    p.call(base, f"{start}_cmpxchg({word}, n, n)")
        for space, at in (("global", "p"), ("local", "l")):
            p.call("float", f"atomic_xchg((volatile {space} float *){at}, 1.0f)")


def conversions(folder, types, prefix):
    for base in types:
        with Program(folder, f"{prefix}convert_{base}") as p:
            for source in types:
                for w in WIDTHS:
                    for saturate in ("", "_sat") if base in INTEGERS else ("",):
                        for mode in ("", "_rte", "_rtz", "_rtp", "_rtn"):
                            p.call(base + w, f"convert_{base}{w}{saturate}{mode}(V({source}{w}))")


def others(folder):
    with Program(folder, "items") as p:
        p.call("uint", "get_work_dim()")
        for f in "global_size global_id local_size local_id num_groups group_id global_offset".split():
            p.call("uint", f"get_{f}(n)")
        p.lines += ["  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);", "  mem_fence(CLK_LOCAL_MEM_FENCE);",
                    "  read_mem_fence(CLK_GLOBAL_MEM_FENCE);", "  write_mem_fence(CLK_LOCAL_MEM_FENCE);",
                    '  printf("%d %v4hlf %s\\n", n, V(float4), "text");']


def images(folder):
    places = {"image1d_t": "int", "image2d_t": "int2", "image3d_t": "int4", "image1d_array_t": "int2", "image2d_array_t": "int4"}
    with open(f"{folder}/images.cl", "w", encoding="ascii") as file:
        file.write("#define V(t) (*(volatile global t *)p)\n")
        for number, (image, at) in enumerate(places.items()):
            real = at.replace("int", "float")
            file.write(f"kernel void images{number}(global uchar *p, read_only {image} r, write_only {image} w, sampler_t s)\n{{\n")
            for result, letter in (("float4", "f"), ("int4", "i"), ("uint4", "ui")):
                file.write(f"  V({result}) = read_image{letter}(r, s, V({at}));\n")
                file.write(f"  V({result}) = read_image{letter}(r, s, V({real}));\n  V({result}) = read_image{letter}(r, V({at}));\n")
                file.write(f"  write_image{letter}(w, V({at}), V({result}));\n")
            file.write("  V(int) = get_image_width(r) + get_image_channel_data_type(r) + get_image_channel_order(r);\n}\n")


def main():
    folder = sys.argv[1]
    floats(folder, "float", "")
    floats(folder, "double", "double_")
    quick(folder)
    integers(folder)
    memory(folder, INTEGERS + ["float"], "")
    memory(folder, ["double"], "double_")
    halves(folder)
    atomics(folder)
    conversions(folder, INTEGERS + ["float"], "")
    conversions(folder, INTEGERS + ["float", "double"], "double_")
    others(folder)
    images(folder)


main()
