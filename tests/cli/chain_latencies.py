# Latencies of a machine by chains of dependent instructions: the time of 128 in a row without that of 64, divided by 64.
import json, subprocess, sys

simtlab, machine, options = sys.argv[1], sys.argv[2], sys.argv[3:]
HEAD = '.version 6.4\n.target sm_70\n.address_size 64\n'
REGISTERS = ('.reg .b32 %r<9>; .reg .f32 %f<9>; .reg .f64 %d<9>; .reg .b64 %rd<9>; .reg .pred %p<3>;\n'
             '.shared .align 8 .b8 s[512];\n')
BEGIN = ('ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 3; cvt.rn.f32.u32 %f1, %r2; '
         'cvt.rn.f32.u32 %f2, %r2; cvt.rn.f64.u32 %d1, %r2; cvt.rn.f64.u32 %d2, %r2; add.u32 %r3, %r1, 2; '
         'mov.u32 %r4, 0; mov.u64 %rd2, %rd1; st.shared.u32 [s], %r4; ld.global.u32 %r5, [%rd1]; '
         'add.u32 %r4, %r4, %r5; sub.u32 %r4, %r4, %r5;\n')
END = 'st.global.u32 [%rd1+1024], %r1; st.global.f32 [%rd1+1028], %f1; st.global.f64 [%rd1+1032], %d1; st.global.u32 [%rd1+1040], %r4; ret;\n'

# name: (silicon, source of its cycles, body). Sources: A: Arafa et al., arXiv:1905.08778; J: Jia et al., arXiv:1804.06826;
# K: Khairy et al., Accel-Sim (ISCA 2020), table IV, of the Quadro V100 that simtlab silicon compares.
PROBES = {
    'add': (4, 'A', 'add.u32 %r1, %r1, %r2;'),
    'sub': (4, 'A', 'sub.u32 %r1, %r1, %r2;'),
    'min': (4, 'A', 'min.u32 %r1, %r1, %r2;'),
    'max': (4, 'A', 'max.s32 %r1, %r1, %r2;'),
    'mul': (4, 'A', 'mul.lo.u32 %r1, %r1, %r2;'),
    'mad': (4, 'A', 'mad.lo.u32 %r1, %r1, %r2, %r3;'),
    'xor': (4, 'A', 'xor.b32 %r1, %r1, %r2;'),
    'shl': (4, 'A', 'shl.b32 %r1, %r1, %r2;'),
    'mul24': (12, 'A', 'mul24.lo.u32 %r1, %r1, %r2;'),
    'mad24': (12, 'A', 'mad24.lo.u32 %r1, %r1, %r2, %r3;'),
    'div': (122, 'A', 'div.u32 %r1, %r1, %r2;'),
    'rem': (117, 'A', 'rem.u32 %r1, %r1, %r2;'),
    'fadd': (4, 'A', 'add.f32 %f1, %f1, %f2;'),
    'fmul': (4, 'A', 'mul.f32 %f1, %f1, %f2;'),
    'fma': (4, 'A', 'fma.rn.f32 %f1, %f1, %f2, %f2;'),
    'fmin': (4, 'A', 'min.f32 %f1, %f1, %f2;'),
    'fdiv': (201, 'A', 'div.rn.f32 %f1, %f1, %f2;'),
    'dadd': (8, 'A', 'add.f64 %d1, %d1, %d2;'),
    'dmul': (8, 'A', 'mul.f64 %d1, %d1, %d2;'),
    'dfma': (8, 'A', 'fma.rn.f64 %d1, %d1, %d2, %d2;'),
    'dmin': (8, 'A', 'min.f64 %d1, %d1, %d2;'),
    'ddiv': (159, 'A', 'div.rn.f64 %d1, %d1, %d2;'),
    'rcp': (60, 'A', 'rcp.rn.f32 %f1, %f1;'),
    'sqrt': (60, 'A', 'sqrt.rn.f32 %f1, %f1;'),
    'lg2': (31, 'A', 'lg2.approx.f32 %f1, %f1;'),
    'sin': (11, 'A', 'sin.approx.f32 %f1, %f1;'),
    'ex2': (22, 'A', 'ex2.approx.f32 %f1, %f1;'),
    'shared': (19, 'J', 'ld.shared.u32 %r4, [%r4];'),
    'L1': (28, 'J', 'ld.global.u32 %r5, [%rd2]; cvt.u64.u32 %rd2, %r5;'),
    'L2': (212, 'K', 'ld.global.cg.u32 %r5, [%rd2]; cvt.u64.u32 %rd2, %r5;'),
}

def cycles(body, count):
    with open('p.ptx', 'w') as f:
        f.write(HEAD + '.visible .entry k(.param .u64 x)\n{\n' + REGISTERS + BEGIN + '\n'.join([body] * count) + '\n' + END + '}\n')
    with open('p.launch', 'w') as f:
        f.write('ptx p.ptx\nbuffer x 4096 const 3221225472\nlaunch k 1 1 1 1 1 1 0 buf:x\n')
    subprocess.run([simtlab, 'run', '-q', '-m', machine, *options, '--stats', 'p.json', 'p.launch'], check=True,
                   stderr=subprocess.DEVNULL)
    return json.load(open('p.json'))['totals']['counters']['cycles']['value']

SHORT, LONG = 64, 128
far = 0
widening = None
for name, (silicon, source, body) in PROBES.items():
    took = (cycles(body, LONG) - cycles(body, SHORT)) / (LONG - SHORT)
    if name == 'xor':
        widening = took
    if 'cvt.u64' in body:
        took -= widening
    far += abs(took - silicon) > 2
    print(f'{name:7} {took:7.1f} {silicon:4} {source}' + (' differs' if abs(took - silicon) > 2 else ''))
sys.exit(far > 0)
