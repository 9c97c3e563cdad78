/* Complete assembly files: the code around the statements.
 *
 * Registers: x2 end of the lane's stack words; x3 x4 x13 x15 the lane's first word, block, byte and halfword in DRAM;
 * x14 its first scratchpad word; x5-x7 within a statement; x8 x9 loop counters; x10 hart id; x11 lane; x12 first hart
 * of the warp; x16 x17 shared DRAM (timing). The others are the program's. */
#include "write.h"

static const char macros[] = ".ifdef HOSTED\n"
                             ".macro PUSH\n.endm\n"
                             ".macro POP\n.endm\n"
                             ".macro BARRIER\n.endm\n"
                             ".macro HARTID reg\n  mv \\reg, x10\n.endm\n"
                             ".macro CLOSURE reg\n  lui \\reg, 0x10000\n.endm\n"
                             ".else\n"
                             ".ifdef GRID\n"
                             ".macro PUSH\n.endm\n"
                             ".macro POP\n.endm\n"
                             ".macro BARRIER\n  csrw 0x830, x0\n.endm\n"
                             ".macro HARTID reg\n  mv \\reg, x10\n.endm\n"
                             ".macro CLOSURE reg\n  lui \\reg, 0x10000\n.endm\n"
                             ".else\n"
                             ".macro PUSH\n  .word 0x00050009\n.endm\n"
                             ".macro POP\n  .word 0x00051009\n.endm\n"
                             ".macro BARRIER\n  csrw 0x830, x0\n.endm\n"
                             ".macro HARTID reg\n  csrrw \\reg, 0xf14, x0\n.endm\n"
                             ".macro CLOSURE reg\n  csrrw \\reg, 0x831, x0\n.endm\n"
                             ".endif\n"
                             ".endif\n";

/* Called by every program. In: x2, x3 and x14 of the whole program, x5 = stride_bits, x7 = log2 of the bytes from a
 * lane's scratchpad word to the next lane's, x16 = bytes to its own next one, x10; x6 = return address. */
static const char setup[] = "setup:\n"
                            "  andi x11, x10, 31\n"
                            "  sub x12, x10, x11\n"
                            "  li x9, %d\n  sll x9, x9, x5\n  add x4, x3, x9\n"
                            "  slli x9, x10, 6\n  add x4, x4, x9\n"
                            "  li x9, %d\n  sll x9, x9, x5\n  add x15, x3, x9\n"
                            "  slli x9, x10, 1\n  add x15, x15, x9\n"
                            "  li x9, %d\n  sll x9, x9, x5\n  add x13, x3, x9\n  add x13, x13, x10\n"
                            "  slli x9, x10, 2\n  add x3, x3, x9\n"
                            "  sll x9, x10, x7\n  add x14, x14, x9\n";

static void write_setup(FILE *file)
{
  fprintf(file, setup, RND_AREA_BLOCKS, RND_AREA_HALVES, RND_AREA_BYTES);
  fprintf(file, "  sw x0, 0(x14)\n  add x9, x14, x16\n");
  for (unsigned i = 1; i < 4; i++)
    fprintf(file, "  sw x0, 0(x9)\n  add x9, x9, x16\n");
  fprintf(file, "  li x1, 0\n  li x7, 0\n  li x8, 0\n  li x9, 0\n");
  for (unsigned reg = RND_FIRST_POOL; reg < 32; reg++)
    fprintf(file, "  li x%u, 0\n", reg);
  fprintf(file, "  jr x6\n");
}

/* The end of every program: registers, scratchpad and stack go to the results. In: x7, x16 as above. */
static void write_finish(FILE *file)
{
  fprintf(file, "finish:\n  li x5, %d\n  sll x5, x5, x7\n  add x5, x3, x5\n  li x6, 4\n  sll x6, x6, x7\n",
          RND_AREA_RESULTS);
  for (unsigned reg = 1; reg < 32; reg++)
    if (rnd_in_pool(RND_FUNCTION, reg))
      fprintf(file, "  sw x%u, 0(x5)\n  add x5, x5, x6\n", reg);
  for (unsigned i = 0; i < 4; i++)
    fprintf(file, "  lw x18, 0(x14)\n  add x14, x14, x16\n  sw x18, 0(x5)\n  add x5, x5, x6\n");
  for (int i = 0; i < 16; i++)
    fprintf(file, "  lw x18, %d(x2)\n  sw x18, 0(x5)\n  add x5, x5, x6\n", -4 - 4 * i);
}

static const char leave[] = "leave:\n"
                            ".ifdef HOSTED\n"
                            "  j lane_leave\n"
                            ".else\n"
                            "  li x5, 3\n"
                            "  csrw 0x830, x5\n"
                            ".endif\n";

/* Bytes from a lane's scratchpad word to its next. */
static unsigned scratch_step(const struct rnd_program *p)
{
  return p->scratch_by_words ? 4u << p->stride_bits : 4;
}

/* With GRID defined, for a machine with a block scheduler, the hart id is that of the thread in the grid, and shared
 * memory is at the start of its window. On the SM a program's DRAM area is megabyte `number` of the sandbox; its stack
 * is the words below that of the last one. */
static void write_entry(const struct rnd_program *p, unsigned number, FILE *file)
{
  fprintf(file,
          ".ifndef HOSTED\n"
          ".ifdef GRID\n"
          "  csrr x10, 0xcc3\n  csrr x5, 0xcc6\n  mul x10, x10, x5\n  csrr x5, 0xcc0\n  add x10, x10, x5\n"
          ".else\n"
          "  csrrw x10, 0xf14, x0\n"
          ".endif\n"
          "  li x5, %u\n  bgeu x10, x5, .Lidle%u\n"
          "  lui x3, 0x%x\n"
          ".ifdef GRID\n  lui x14, 0xe0000\n.else\n  lui x14, 0xbfff0\n.endif\n"
          "  li x2, %d\n"
          ".endif\n"
          "  li x5, %u\n  li x7, %u\n  li x16, %u\n  jal x6, setup\n",
          p->active_warps * 32, number, 0x10000 + number * 0x100, -8 - 64 * (int)number, p->stride_bits,
          p->scratch_by_words ? 2 : 4, scratch_step(p));
}

void rnd_write_batch(const struct rnd_program *const *programs, unsigned count, const char *broken, FILE *file)
{
  unsigned labels = 0;
  fprintf(file, "%s.section .text.kern,\"ax\"\n.align 2\n", macros);
  write_setup(file);
  write_finish(file);
  fprintf(file, "%s", leave);
  for (unsigned i = 0; i < count; i++) {
    const struct rnd_program *p = programs[i];
    const struct writer w = {.program = p, .file = file, .broken = broken, .labels = &labels};
    fprintf(file, "kernel_%u:\n", i);
    write_entry(p, i, file);
    rnd_write_statements(&w);
    fprintf(file, "  li x7, %u\n  li x16, %u\n  j finish\n.Lidle%u:\n  j leave\n", p->stride_bits, scratch_step(p), i);
  }
  fprintf(file, ".data\n.balign 4\n.global kernel_count, kernels\nkernel_count: .word %u\nkernels:\n", count);
  for (unsigned i = 0; i < count; i++)
    fprintf(file, "  .word kernel_%u, %u, %u, %u\n", i, programs[i]->active_warps * 32, programs[i]->stride_bits,
            programs[i]->warps_per_block);
}

static void write_table(FILE *file)
{
  fprintf(file, ".balign 4096\ntable:\n");
  for (uint32_t i = 0, word = 1; i < 1088; i++) {
    word = word * 1664525u + 1013904223u;
    fprintf(file, "%s0x%08x", i % 8 == 0 ? "\n  .word " : ", ", (unsigned)word);
  }
  fprintf(file, "\n");
}

void rnd_write_kernel(const struct rnd_program *p, FILE *file)
{
  unsigned labels = 0;
  const struct writer w = {.program = p, .file = file, .labels = &labels};
  fprintf(file, "// random program, profile timing, seed %llu: %u warps, %u per block\n", (unsigned long long)p->seed,
          p->active_warps, p->warps_per_block);
  fprintf(file, "%s.section .text.kern,\"ax\"\n.global kentry\n.align 2\nkentry:\n", macros);
  write_entry(p, 0, file);
  fprintf(file, "  lui x16, 0x100c0\n  lui x17, %%hi(table)\n");
  rnd_write_statements(&w);
  fprintf(file, ".Lidle0:\n%s", leave);
  write_setup(file);
  fprintf(file, ".data\n.global warps_per_block\nwarps_per_block: .word %u\n", p->warps_per_block);
  write_table(file);
}
