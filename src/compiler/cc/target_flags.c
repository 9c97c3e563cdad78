#include "compiler/cc/compile.h"

#include <string.h>

/* Flags that depend on the machine and, for SIMTight and Simty, on the number of registers, 32 or 16 (RV32E). The
 * libraries have no variant with Zicsr. The variant without it works, and the linker must search by that name. */
struct target {
  const char *abi, *gcc, *clang_fp, *link, *libraries, *script, *start, *library;
};

static const struct target simt_targets[] = {
    {"-mabi=ilp32", "-march=rv32ima_zicsr", "-march=rv32ima_zicsr_zfinx", "-march=rv32im", "rv32im/ilp32",
     "simtight.ld", "start.S", "simt.c"},
    {"-mabi=ilp32e", "-march=rv32ema_zicsr", "-march=rv32ema_zicsr_zfinx", "-march=rv32em", "rv32em/ilp32e",
     "simtight.ld", "start.S", "simt.c"},
};

static const struct target grid_target = {"-mabi=ilp32",
                                          "-march=rv32ima_zicsr",
                                          "-march=rv32ima_zicsr_zfinx",
                                          "-march=rv32im",
                                          "rv32im/ilp32",
                                          "simtight.ld",
                                          "start.S",
                                          "simt.c"};

static const struct target vortex_target = {"-mabi=ilp32f",          "-march=rv32imaf_zicsr",
                                            "-march=rv32imaf_zicsr", "-march=rv32imf",
                                            "rv32imf/ilp32f",        "vortex.ld",
                                            "vortex_start.S",        "vortex.c"};

/* 64-bit words have integer registers only; until they are linked, objects are RV32 with Zfinx. */
static const struct target wide_target = {"-mabi=ilp32",
                                          "-march=rv32ima_zicsr",
                                          "-march=rv32ima_zicsr_zfinx",
                                          "-march=rv32im",
                                          "rv32im/ilp32",
                                          "vortex.ld",
                                          "vortex_start.S",
                                          "vortex.c"};

/* Loops must not become calls of memset and memcpy, because library code does not support diverged lanes. The other
 * flags keep GCC from moving code across reconvergence points. */
static const char *const gcc_flags[] = {"-fno-tree-loop-distribute-patterns", "-fno-thread-jumps",
                                        "-freorder-blocks-algorithm=simple", NULL};

/* On SM7, lanes that diverge at a jump table would reconverge only at the function's end. */
static const char *const grid_flags[] = {"-DSIMT_GRID", "-fno-jump-tables", NULL};

/* SM7 programs have more space for code, and record their target. */
static const char *const grid_link_flags[] = {"-Wl,--defsym=__instr_size=0x40000", "-Wl,--defsym=__simt_grid=1", NULL};

/* For Vortex: disables passes that copy or merge the ends of divergent statements, or introduce branches. */
static const char *const vortex_gcc_flags[] = {"-fno-tree-loop-distribute-patterns",
                                               "-fno-thread-jumps",
                                               "-freorder-blocks-algorithm=simple",
                                               "-fno-crossjumping",
                                               "-fno-tree-tail-merge",
                                               "-fno-split-paths",
                                               "-fno-unswitch-loops",
                                               "-fno-gcse",
                                               "-fno-shrink-wrap",
                                               "-fno-shrink-wrap-separate",
                                               "--param=min-pagesize=0", /* I/O is at low addresses */
                                               NULL};
static const char *const vortex_clang_flags[] = {"--target=riscv32-unknown-elf", "-fno-math-errno",
                                                 "-fconvergent-functions",       "-fno-builtin-memcpy",
                                                 "-fno-builtin-memset",          NULL};
/* Hardware loops: no second induction pointer, which would need an update on the back edge. */
static const char *const cfm_gcc_flags[] = {"-DSIMT_CFM", "-fno-ivopts", NULL};
static const char *const cfm_clang_flags[] = {"-DSIMT_CFM", NULL};
/* Registers that streams are mapped to. */
static const char *const dmsl_gcc_flags[] = {"-ffixed-ft9", "-ffixed-ft10", "-ffixed-ft11", NULL};

/* No contraction, because the machine has no fused multiply-add and rounds as the kernel specifies. C library functions
 * without a machine instruction must remain calls. */
static const char *const clang_flags[] = {
    "--target=riscv32-unknown-elf", "-ffp-contract=off",    "-fno-math-errno",
    "-fconvergent-functions",       "-fno-builtin-memcpy",  "-fno-builtin-memset",
    "-fno-builtin-floorf",          "-fno-builtin-ceilf",   "-fno-builtin-truncf",
    "-fno-builtin-roundf",          "-fno-builtin-rintf",   "-fno-builtin-nearbyintf",
    "-fno-builtin-roundevenf",      "-fno-builtin-lroundf", "-fno-builtin-lrintf",
    "-fno-builtin-llroundf",        "-fno-builtin-llrintf", NULL};

static const char *const link_flags[] = {"-nostdlib", "-static", "-Wl,--gc-sections",
                                         "-Wl,--defsym=vfprintf=__i_vfprintf", NULL};

/* Mathematics is in libc; libm exists for its name only, and lld rejects it. */
static const char *const libraries[] = {"-Wl,--start-group", "-lc", "-lgcc", "-Wl,--end-group", NULL};

static const char *const common_flags[] = {"-mcmodel=medany", "-isystem", SL_PICOLIBC "/include", NULL};
static const char *const usual_flags[] = {"-O2", "-gdwarf-4", "-Wall", "-Wextra", NULL};

/* There is no unwinder and no space for its tables, and only one thread runs constructors. */
static const char *const cxx_flags[] = {"-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics",
                                        "-fno-asynchronous-unwind-tables", NULL};

static const struct target *target(const struct sl_compile_order *cc)
{
  return cc->wide ? &wide_target : cc->grid ? &grid_target : cc->vortex ? &vortex_target : &simt_targets[cc->rv32e];
}

static void add_target_flags(const struct sl_compile_order *cc, struct sl_words *words, bool c, bool clang)
{
  if (!cc->vortex) {
    sl_words_add_all(words, clang ? clang_flags : gcc_flags);
    if (cc->grid)
      sl_words_add_all(words, grid_flags);
    return;
  }
  sl_words_add_all(words, clang ? vortex_clang_flags : vortex_gcc_flags);
  sl_words_add(words, "-DSIMT_VORTEX");
  sl_words_add(words, "-fno-math-errno"); /* no square root sets errno */
  if (cc->cfm)
    sl_words_add_all(words, clang ? cfm_clang_flags : cfm_gcc_flags);
  if (cc->dmsl)
    sl_words_add(words, "-DSIMT_DMSL");
  if (cc->dmsl && c)
    sl_words_add_all(words, dmsl_gcc_flags);
}

static void add_march(const struct sl_compile_order *cc, struct sl_words *words, bool clang)
{
  const char *own = sl_last_flag(cc, "-march=");
  if (own == NULL)
    sl_words_add(words, clang && cc->fp ? target(cc)->clang_fp : target(cc)->gcc);
  else
    sl_words_add_text(words, "%s%s", own, sl_march_names_zicsr(own) ? "" : "_zicsr");
}

static void add_machine_flags(const struct sl_compile_order *cc, struct sl_words *words, bool c, bool clang)
{
  add_target_flags(cc, words, c, clang);
  add_march(cc, words, clang);
  sl_words_add(words, target(cc)->abi);
  sl_words_add_all(words, common_flags);
  sl_words_add_text(words, "-I%s", cc->runtime);
  if (cc->no_marks)
    sl_words_add(words, "-DSIMT_NO_MARKS");
}

void sl_add_compile_flags(const struct sl_compile_order *cc, struct sl_words *words, enum sl_input_kind kind,
                          bool clang)
{
  const bool assembly = kind == SL_INPUT_ASSEMBLY;
  add_machine_flags(cc, words, !assembly, clang);
  sl_words_add_all(words, usual_flags);
  if (kind == SL_INPUT_CXX)
    sl_words_add_all(words, cxx_flags);
  if (!assembly) {
    sl_words_add(words, kind == SL_INPUT_CXX ? "-std=gnu++17" : "-std=gnu11");
    /* Errors in a kernel are reported at the user's line, without the macros that define a kernel. */
    sl_words_add(words, clang ? "-fmacro-backtrace-limit=1" : "-ftrack-macro-expansion=0");
  }
}

void sl_add_clang_flags(const struct sl_compile_order *cc, struct sl_words *words)
{
  add_machine_flags(cc, words, true, true);
  sl_words_add_all(words, cxx_flags);
}

void sl_add_library_variant(const struct sl_compile_order *cc, struct sl_words *words)
{
  sl_words_add(words, target(cc)->link);
  sl_words_add(words, target(cc)->abi);
}

void sl_add_link_flags(const struct sl_compile_order *cc, struct sl_words *words)
{
  sl_add_library_variant(cc, words);
  if (cc->relocatable) {
    sl_words_add(words, "-nostdlib");
    return;
  }
  sl_words_add_all(words, link_flags);
  if (cc->grid)
    sl_words_add_all(words, grid_link_flags);
  if (!cc->own_script)
    sl_words_add_text(words, "-T%s/%s", cc->runtime, target(cc)->script);
}

void sl_add_libraries(const struct sl_compile_order *cc, struct sl_words *words)
{
  sl_words_add_text(words, "-L" SL_PICOLIBC "/lib/%s", target(cc)->libraries);
  if (!cc->no_libraries)
    sl_words_add_all(words, libraries);
}

const char *sl_target_start(const struct sl_compile_order *cc)
{
  return target(cc)->start;
}

const char *sl_target_library(const struct sl_compile_order *cc)
{
  return target(cc)->library;
}
