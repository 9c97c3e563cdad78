#include "toolchain/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PICOLIBC "/usr/lib/picolibc/riscv64-unknown-elf"
#define GCC "riscv64-unknown-elf-gcc"
#define CLANG "clang-19"

enum { PATH_MOST = 4096 };

struct build {
  const struct sl_compile_order *order;
  struct sl_log *log;
  char folder[PATH_MOST];
  char objects[SL_COMPILE_FILES + 2][PATH_MOST + 32]; /* start code, the files, the library */
};

static const char *const common_flags[] = {
    "-mcmodel=medany", "-std=gnu11", "-O2", "-gdwarf-4", "-Wall", "-Wextra", "-isystem", PICOLIBC "/include", NULL};

/* What depends on the machine and, for SIMTight and Simty, on the number of registers, 32 or 16 (RV32E). The libraries
 * have no variant with Zicsr; that without it serves, and with its name the linker looks there. */
struct target {
  const char *abi, *gcc, *clang_fp, *link, *libraries, *script, *start, *library;
  const char *const *flags; /* beyond those of the compiler, or NULL */
};

/* Branches between a split and its join, or around a predicate, must stay where they are, and there must be one of
 * each. No square root needs errno. */
static const char *const vortex_flags[] = {"-DSIMT_VORTEX", "-fno-math-errno", NULL};

static const struct target simt_targets[] = {
    {"-mabi=ilp32", "-march=rv32ima_zicsr", "-march=rv32ima_zicsr_zfinx", "-march=rv32im", PICOLIBC "/lib/rv32im/ilp32",
     "simtight.ld", "start.S", "simt.c", NULL},
    {"-mabi=ilp32e", "-march=rv32ema_zicsr", "-march=rv32ema_zicsr_zfinx", "-march=rv32em",
     PICOLIBC "/lib/rv32em/ilp32e", "simtight.ld", "start.S", "simt.c", NULL},
};

static const struct target vortex_target = {"-mabi=ilp32f",
                                            "-march=rv32imaf_zicsr",
                                            "-march=rv32imaf_zicsr",
                                            "-march=rv32imf",
                                            PICOLIBC "/lib/rv32imf/ilp32f",
                                            "vortex.ld",
                                            "vortex_start.S",
                                            "vortex.c",
                                            vortex_flags};

/* Loops must not become calls of memset and memcpy: library code is not made for diverged lanes. The others keep GCC
 * from moving code across the marks at which lanes converge. */
static const char *const gcc_flags[] = {GCC, "-fno-tree-loop-distribute-patterns", "-fno-thread-jumps",
                                        "-freorder-blocks-algorithm=simple", NULL};

/* For Vortex: what copies or merges the ends of divergent statements, or makes a branch of what was none. */
static const char *const vortex_gcc_flags[] = {GCC,
                                               "-fno-tree-loop-distribute-patterns",
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
static const char *const vortex_clang_flags[] = {CLANG,
                                                 "--target=riscv32-unknown-elf",
                                                 "-fno-math-errno",
                                                 "-fconvergent-functions",
                                                 "-fno-builtin-memcpy",
                                                 "-fno-builtin-memset",
                                                 NULL};
/* Marks are put into what Clang makes of a file before it optimises, by a tool that does the rest of compiling. */
static const char *const bitcode_flags[] = {"-DSIMT_AUTO_MARKS", "-Xclang", "-disable-llvm-passes", "-emit-llvm", NULL};
static const char marks_tool[] = "simtlab-marks";
/* Loops in hardware: no second pointer to what has one, which would have to be kept up on the way back. */
static const char *const cfm_gcc_flags[] = {"-DSIMT_CFM", "-fno-ivopts", NULL};
static const char *const cfm_clang_flags[] = {"-DSIMT_CFM", NULL};
/* Registers that streams are mapped on. */
static const char *const dmsl_gcc_flags[] = {"-ffixed-ft9", "-ffixed-ft10", "-ffixed-ft11", NULL};

/* The machine has no fused multiply-add and rounds as the kernel says, hence no contraction; and functions of the C
 * library whose single instruction it lacks must stay calls. */
static const char *const clang_flags[] = {CLANG,
                                          "--target=riscv32-unknown-elf",
                                          "-ffp-contract=off",
                                          "-fno-math-errno",
                                          "-fconvergent-functions",
                                          "-fno-builtin-memcpy",
                                          "-fno-builtin-memset",
                                          "-fno-builtin-floorf",
                                          "-fno-builtin-ceilf",
                                          "-fno-builtin-truncf",
                                          "-fno-builtin-roundf",
                                          "-fno-builtin-rintf",
                                          "-fno-builtin-nearbyintf",
                                          "-fno-builtin-roundevenf",
                                          "-fno-builtin-lroundf",
                                          "-fno-builtin-lrintf",
                                          "-fno-builtin-llroundf",
                                          "-fno-builtin-llrintf",
                                          NULL};

static const char *const link_flags[] = {
    "-nostartfiles", "-nostdlib", "-static", "-Wl,--gc-sections", "-Wl,--defsym=vfprintf=__i_vfprintf", NULL};

static const char *const libraries[] = {"-Wl,--start-group", "-lc", "-lm", "-lgcc", "-Wl,--end-group", NULL};

static const struct target *target(const struct sl_compile_order *cc)
{
  return cc->vortex ? &vortex_target : &simt_targets[cc->rv32e];
}

static bool has_suffix(const char *name, const char *suffix)
{
  size_t length = strlen(name), n = strlen(suffix);
  return length > n && strcmp(name + length - n, suffix) == 0;
}

static enum sl_status check_target(const struct sl_compile_order *cc, struct sl_error *err)
{
  if (cc->vortex && (cc->rv32e || cc->no_marks))
    return sl_fail(err, SL_USAGE, "%s is not for --target vortex: leave it out", cc->rv32e ? "--rv32e" : "--no-marks");
  if (!cc->vortex && (cc->cfm || cc->dmsl))
    return sl_fail(err, SL_USAGE, "%s is an extension of Vortex machines: add --target vortex",
                   cc->cfm ? "--cfm" : "--dmsl");
  if (cc->auto_marks && (cc->no_marks || cc->cfm || cc->dmsl))
    return sl_fail(err, SL_USAGE, "%s",
                   cc->no_marks ? "--no-marks and --marks=auto exclude each other: leave one out"
                                : "--cfm and --dmsl are for marks by hand: leave --marks=auto out");
  if (cc->clang && cc->dmsl)
    return sl_fail(err, SL_USAGE, "--dmsl takes registers away that " CLANG " cannot do without: leave --clang out");
  return SL_OK;
}

static enum sl_status check_files(const struct sl_compile_order *cc, struct sl_error *err)
{
  if (cc->file_count == 0)
    return sl_fail(err, SL_USAGE, "no file to compile: simtlab cc -o PROGRAM.elf FILE.c");
  if (cc->file_count > SL_COMPILE_FILES)
    return sl_fail(err, SL_USAGE, "more than %d files", SL_COMPILE_FILES);
  if (cc->output == NULL || cc->output[0] == '\0')
    return sl_fail(err, SL_USAGE, "no output file: add -o PROGRAM.elf");
  for (size_t i = 0; i < cc->file_count; i++) {
    const char *file = cc->files[i];
    if (!has_suffix(file, ".c") && !has_suffix(file, ".S") && !has_suffix(file, ".s") && !has_suffix(file, ".o") &&
        !has_suffix(file, ".a"))
      return sl_fail(err, SL_USAGE, "%.200s: neither C (.c), assembly (.S, .s) nor object (.o, .a)", file);
    if (access(file, R_OK) != 0)
      return sl_fail(err, SL_USAGE, "%.200s: no such file, or not readable", file);
  }
  if (access(PICOLIBC "/include/stdio.h", R_OK) != 0)
    return sl_fail(err, SL_USAGE,
                   "the C library for RISC-V is not installed; install the Debian package "
                   "picolibc-riscv64-unknown-elf");
  return SL_OK;
}

static void add_target_flags(const struct sl_compile_order *cc, struct sl_words *words, bool c, bool clang)
{
  if (cc->vortex) {
    sl_words_add_all(words, clang ? vortex_clang_flags : vortex_gcc_flags);
    sl_words_add_all(words, target(cc)->flags);
    if (cc->cfm)
      sl_words_add_all(words, clang ? cfm_clang_flags : cfm_gcc_flags);
    if (cc->dmsl)
      sl_words_add(words, "-DSIMT_DMSL");
    if (cc->dmsl && c)
      sl_words_add_all(words, dmsl_gcc_flags);
  } else
    sl_words_add_all(words, clang ? clang_flags : gcc_flags);
}

/* Marks are for the program's own files; the runtime library is run by one lane, or marked by hand. */
static bool is_marked(const struct build *b, const char *file, size_t i)
{
  return b->order->auto_marks && has_suffix(file, ".c") && i >= 1 && i <= b->order->file_count;
}

static void add_all_flags(const struct sl_compile_order *cc, struct sl_words *words, bool c, bool clang)
{
  add_target_flags(cc, words, c, clang);
  sl_words_add(words, clang && cc->fp ? target(cc)->clang_fp : target(cc)->gcc);
  sl_words_add(words, target(cc)->abi);
  sl_words_add_all(words, common_flags);
  if (c) /* an error in a kernel is told at the user's line, without the macros that a kernel is made of */
    sl_words_add(words, clang ? "-fmacro-backtrace-limit=1" : "-ftrack-macro-expansion=0");
}

static enum sl_status insert_marks(const struct build *b, const char *bitcode, const char *object, struct sl_error *err)
{
  struct sl_words words = {0};
  const char *tool = b->order->marks_tool;
  sl_words_add(&words, tool != NULL ? tool : marks_tool);
  sl_words_add(&words, b->order->vortex ? "vortex" : "simt");
  sl_words_add(&words, bitcode);
  sl_words_add(&words, object);
  const enum sl_status code = sl_words_run(&words, b->order->verbose, b->log, err);
  unlink(bitcode);
  return code;
}

/* Compiles or assembles a file to object number i, which joins the words of the link. */
static enum sl_status compile(struct build *b, const char *file, size_t i, struct sl_words *link, struct sl_error *err)
{
  const struct sl_compile_order *cc = b->order;
  struct sl_words words = {0};
  char include[PATH_MOST + 2], bitcode[PATH_MOST + 32];
  char *object = b->objects[i];
  snprintf(include, sizeof include, "-I%s", cc->runtime);
  snprintf(object, sizeof b->objects[i], "%s/%zu.o", b->folder, i);
  snprintf(bitcode, sizeof bitcode, "%s/%zu.bc", b->folder, i);
  const bool c = has_suffix(file, ".c"), marked = is_marked(b, file, i);
  add_all_flags(cc, &words, c, c && (marked || (cc->fp && !cc->vortex) || cc->clang));
  sl_words_add(&words, include);
  if (cc->no_marks)
    sl_words_add(&words, "-DSIMT_NO_MARKS");
  if (cc->flags != NULL)
    sl_words_add_all(&words, cc->flags);
  if (marked)
    sl_words_add_all(&words, bitcode_flags);
  sl_words_add(&words, "-c");
  sl_words_add(&words, "-o");
  sl_words_add(&words, marked ? bitcode : object);
  sl_words_add(&words, file);
  sl_words_add(link, object);
  const enum sl_status code = sl_words_run(&words, cc->verbose, b->log, err);
  return code == SL_OK && marked ? insert_marks(b, bitcode, object, err) : code;
}

static enum sl_status build(struct build *b, struct sl_error *err)
{
  const struct sl_compile_order *cc = b->order;
  struct sl_words link = {0};
  char script[PATH_MOST + 32], start[PATH_MOST + 32], library[PATH_MOST + 32], folder[PATH_MOST];
  snprintf(folder, sizeof folder, "-L%s", target(cc)->libraries);
  snprintf(script, sizeof script, "-T%s/%s", cc->runtime, target(cc)->script);
  snprintf(start, sizeof start, "%s/%s", cc->runtime, target(cc)->start);
  snprintf(library, sizeof library, "%s/%s", cc->runtime, target(cc)->library);
  sl_words_add(&link, GCC);
  sl_words_add(&link, target(cc)->link);
  sl_words_add(&link, target(cc)->abi);
  sl_words_add_all(&link, link_flags);
  sl_words_add(&link, script);
  sl_words_add(&link, "-o");
  sl_words_add(&link, cc->output);
  enum sl_status code = compile(b, start, 0, &link, err);
  for (size_t i = 0; i < cc->file_count && code == SL_OK; i++) {
    const char *file = cc->files[i];
    if (has_suffix(file, ".o") || has_suffix(file, ".a"))
      sl_words_add(&link, file);
    else
      code = compile(b, file, i + 1, &link, err);
  }
  if (code == SL_OK)
    code = compile(b, library, cc->file_count + 1, &link, err);
  if (cc->link_flags != NULL)
    sl_words_add_all(&link, cc->link_flags);
  sl_words_add(&link, folder);
  sl_words_add_all(&link, libraries);
  return code == SL_OK ? sl_words_run(&link, cc->verbose, b->log, err) : code;
}

static void remove_folder(const struct build *b)
{
  for (size_t i = 0; i < b->order->file_count + 2; i++)
    if (b->objects[i][0] != '\0')
      unlink(b->objects[i]);
  rmdir(b->folder);
}

enum sl_status sl_compile(const struct sl_compile_order *order, struct sl_log *log, struct sl_error *err)
{
  enum sl_status code = check_target(order, err);
  if (code == SL_OK)
    code = check_files(order, err);
  if (code != SL_OK)
    return code;
  struct build *b = calloc(1, sizeof *b);
  if (b == NULL)
    return sl_no_memory(err, sizeof *b);
  b->order = order;
  b->log = log;
  code = sl_make_folder(b->folder, sizeof b->folder, err);
  if (code == SL_OK) {
    code = build(b, err);
    remove_folder(b);
  }
  free(b);
  return code;
}
