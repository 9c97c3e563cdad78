/* Runs the programs of a batch lane by lane on an RV32 processor without warps, under Linux, and writes each program's
 * memory area to standard output. Freestanding: it needs only two system calls. */
typedef unsigned int u32;

enum { SYS_WRITE = 64, SYS_EXIT = 93, MOST_PROGRAMS = 24, AREA = 1 << 20, AREA_PER_LANE = 312, MOST_LANES = 2048 };

struct kernel {
  u32 entry, lanes, stride_bits, warps_per_block;
};

extern const u32 kernel_count;
extern const struct kernel kernels[];

/* As on the SM: each program starts with zeroed memory. */
static unsigned char areas[MOST_PROGRAMS][AREA], scratchpad[MOST_PROGRAMS][16 * MOST_LANES],
    stacks[MOST_PROGRAMS][MOST_LANES][64];

static u32 system_call(u32 number, u32 a, u32 b, u32 c)
{
  register u32 a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c, a7 __asm__("a7") = number;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
  return a0;
}

static void finish(u32 status)
{
  system_call(SYS_EXIT, status, 0, 0);
}

/* Runs one lane: the program uses every register, so memory holds the caller's. It ends at lane_leave. */
void lane_call(u32 entry, u32 hart, void *area, void *scratch, void *stack_end);
__asm__(".text\n"
        "lane_call:\n"
        "  la t0, saved\n"
        "  sw ra, 0(t0)\n sw sp, 4(t0)\n sw gp, 8(t0)\n sw tp, 12(t0)\n"
        "  sw s0, 16(t0)\n sw s1, 20(t0)\n sw s2, 24(t0)\n sw s3, 28(t0)\n sw s4, 32(t0)\n sw s5, 36(t0)\n"
        "  sw s6, 40(t0)\n sw s7, 44(t0)\n sw s8, 48(t0)\n sw s9, 52(t0)\n sw s10, 56(t0)\n sw s11, 60(t0)\n"
        "  mv t0, a0\n mv gp, a2\n mv sp, a4\n mv a4, a3\n mv a0, a1\n"
        "  jr t0\n"
        ".global lane_leave\n"
        "lane_leave:\n"
        "  la t0, saved\n"
        "  lw ra, 0(t0)\n lw sp, 4(t0)\n lw gp, 8(t0)\n lw tp, 12(t0)\n"
        "  lw s0, 16(t0)\n lw s1, 20(t0)\n lw s2, 24(t0)\n lw s3, 28(t0)\n lw s4, 32(t0)\n lw s5, 36(t0)\n"
        "  lw s6, 40(t0)\n lw s7, 44(t0)\n lw s8, 48(t0)\n lw s9, 52(t0)\n lw s10, 56(t0)\n lw s11, 60(t0)\n"
        "  ret\n"
        ".bss\n.balign 4\nsaved: .space 64\n.text\n");

static void write_all(const unsigned char *bytes, u32 size)
{
  while (size > 0) {
    int written = (int)system_call(SYS_WRITE, 1, (u32)bytes, size);
    if (written <= 0)
      finish(1);
    bytes += written;
    size -= (u32)written;
  }
}

void _start(void)
{
  for (u32 i = 0; i < kernel_count; i++) {
    const struct kernel *kernel = &kernels[i];
    for (u32 hart = 0; hart < kernel->lanes; hart++)
      lane_call(kernel->entry, hart, areas[i], scratchpad[i], stacks[i][hart] + 64);
    write_all(areas[i], (u32)AREA_PER_LANE << kernel->stride_bits);
  }
  finish(0);
}
