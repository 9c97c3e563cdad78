/* simtlab cc: from C files to a program, with the stock cross-compilers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cc_tools.h"
#include "cli/locations.h"
#include "cli/options.h"

#define PICOLIBC "/usr/lib/picolibc/riscv64-unknown-elf"
#define GCC "riscv64-unknown-elf-gcc"
#define CLANG "clang-19"

struct cc {
  struct sl_words flags, link_flags, files;
  const char *output;
  const char *target_name;
  bool fp, rv32e, clang, no_marks, cfm, dmsl, verbose, help;
  char runtime[SL_PATH], folder[SL_PATH];
  char objects[SL_WORDS_MOST + 2][SL_PATH + 32]; /* start code, the files, the library */
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

static bool for_vortex(const struct cc *cc)
{
  return cc->target_name != NULL && strcmp(cc->target_name, "vortex") == 0;
}

static const struct target *target(const struct cc *cc)
{
  return for_vortex(cc) ? &vortex_target : &simt_targets[cc->rv32e];
}

static bool has_suffix(const char *name, const char *suffix)
{
  size_t length = strlen(name), n = strlen(suffix);
  return length > n && strcmp(name + length - n, suffix) == 0;
}

static bool has_prefix(const char *word, const char *const *prefixes)
{
  for (; *prefixes != NULL; prefixes++)
    if (strncmp(word, *prefixes, strlen(*prefixes)) == 0)
      return true;
  return false;
}

/* An option of ours or of the compiler; next is the word after it, *used whether it belongs to it. */
static enum sl_code take_option(struct cc *cc, const char *word, const char *next, bool *used, struct sl_error *err)
{
  static const char *const to_compiler[] = {"-D", "-I", "-U", "-O", "-g", "-W", "-f", "-std=", NULL};
  static const char *const to_linker[] = {"-Wl,", "-l", "-L", NULL};
  static const char *const ours[] = {"--fp",   "--rv32e",  "--clang",   "--no-marks", "--cfm",
                                     "--dmsl", "--target", "--verbose", "--help"};
  bool alone = (strlen(word) == 2 && strchr("DIUolL", word[1]) != NULL) || strcmp(word, "--target") == 0;
  if (alone && next == NULL)
    return sl_fail(err, SL_USAGE, "%s needs a value", word);
  *used = alone;
  if (strcmp(word, "--fp") == 0)
    cc->fp = true;
  else if (strcmp(word, "--rv32e") == 0)
    cc->rv32e = true;
  else if (strcmp(word, "--clang") == 0)
    cc->clang = true;
  else if (strcmp(word, "--no-marks") == 0)
    cc->no_marks = true;
  else if (strcmp(word, "--cfm") == 0)
    cc->cfm = true;
  else if (strcmp(word, "--dmsl") == 0)
    cc->dmsl = true;
  else if (strncmp(word, "--target", 8) == 0 && (alone || word[8] == '='))
    cc->target_name = alone ? next : word + 9;
  else if (strcmp(word, "-v") == 0 || strcmp(word, "--verbose") == 0)
    cc->verbose = true;
  else if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0)
    cc->help = true;
  else if (strncmp(word, "-o", 2) == 0)
    cc->output = alone ? next : word + 2;
  else if (has_prefix(word, to_linker) || has_prefix(word, to_compiler)) {
    struct sl_words *words = has_prefix(word, to_linker) ? &cc->link_flags : &cc->flags;
    sl_words_add(words, word);
    if (alone)
      sl_words_add(words, next);
  } else
    return sl_unknown(err, "option", word, ours, sizeof ours / sizeof ours[0]);
  return SL_OK;
}

static enum sl_code take_words(struct cc *cc, int argc, char **argv, struct sl_error *err)
{
  bool ended = false;
  for (int i = 1; i < argc; i++) {
    bool used = false;
    enum sl_code code = SL_OK;
    if (ended || argv[i][0] != '-')
      sl_words_add(&cc->files, argv[i]);
    else if (strcmp(argv[i], "--") == 0)
      ended = true;
    else
      code = take_option(cc, argv[i], i + 1 < argc ? argv[i + 1] : NULL, &used, err);
    if (code != SL_OK)
      return code;
    i += used;
  }
  return SL_OK;
}

static enum sl_code check_target(const struct cc *cc, struct sl_error *err)
{
  static const char *const names[] = {"simt", "vortex"};
  if (cc->target_name != NULL && strcmp(cc->target_name, "simt") != 0 && !for_vortex(cc))
    return sl_unknown(err, "target", cc->target_name, names, sizeof names / sizeof names[0]);
  if (for_vortex(cc) && (cc->rv32e || cc->no_marks))
    return sl_fail(err, SL_USAGE, "%s is not for --target vortex: leave it out", cc->rv32e ? "--rv32e" : "--no-marks");
  if (!for_vortex(cc) && (cc->cfm || cc->dmsl))
    return sl_fail(err, SL_USAGE, "%s is an extension of Vortex machines: add --target vortex",
                   cc->cfm ? "--cfm" : "--dmsl");
  if (cc->clang && cc->dmsl)
    return sl_fail(err, SL_USAGE, "--dmsl takes registers away that " CLANG " cannot do without: leave --clang out");
  return SL_OK;
}

static enum sl_code check_words(const struct cc *cc, struct sl_error *err)
{
  if (cc->files.count == 0)
    return sl_fail(err, SL_USAGE, "no file to compile: simtlab cc -o PROGRAM.elf FILE.c");
  if (cc->files.overflow || cc->flags.overflow || cc->link_flags.overflow)
    return sl_fail(err, SL_USAGE, "more than %d files or options of one kind", SL_WORDS_MOST);
  if (cc->output == NULL || cc->output[0] == '\0')
    return sl_fail(err, SL_USAGE, "no output file: add -o PROGRAM.elf");
  for (size_t i = 0; i < cc->files.count; i++) {
    const char *file = cc->files.items[i];
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

static void add_target_flags(const struct cc *cc, struct sl_words *words, bool c, bool clang)
{
  if (for_vortex(cc)) {
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

/* Compiles or assembles a file to object number i, which joins the words of the link. */
static enum sl_code compile(struct cc *cc, const char *file, size_t i, struct sl_words *link, struct sl_error *err)
{
  struct sl_words words = {0};
  char include[SL_PATH + 2];
  char *object = cc->objects[i];
  snprintf(include, sizeof include, "-I%s", cc->runtime);
  snprintf(object, sizeof cc->objects[i], "%s/%zu.o", cc->folder, i);
  const bool c = has_suffix(file, ".c"), clang = ((cc->fp && !for_vortex(cc)) || cc->clang) && c;
  add_target_flags(cc, &words, c, clang);
  sl_words_add(&words, clang && cc->fp ? target(cc)->clang_fp : target(cc)->gcc);
  sl_words_add(&words, target(cc)->abi);
  sl_words_add_all(&words, common_flags);
  sl_words_add(&words, include);
  if (cc->no_marks)
    sl_words_add(&words, "-DSIMT_NO_MARKS");
  for (size_t k = 0; k < cc->flags.count; k++)
    sl_words_add(&words, cc->flags.items[k]);
  sl_words_add(&words, "-c");
  sl_words_add(&words, "-o");
  sl_words_add(&words, object);
  sl_words_add(&words, file);
  sl_words_add(link, object);
  return sl_words_run(&words, cc->verbose, err);
}

static enum sl_code build(struct cc *cc, struct sl_error *err)
{
  struct sl_words link = {0};
  char script[SL_PATH + 32], start[SL_PATH + 32], library[SL_PATH + 32], folder[SL_PATH];
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
  enum sl_code code = compile(cc, start, 0, &link, err);
  for (size_t i = 0; i < cc->files.count && code == SL_OK; i++) {
    const char *file = cc->files.items[i];
    if (has_suffix(file, ".o") || has_suffix(file, ".a"))
      sl_words_add(&link, file);
    else
      code = compile(cc, file, i + 1, &link, err);
  }
  if (code == SL_OK)
    code = compile(cc, library, cc->files.count + 1, &link, err);
  for (size_t i = 0; i < cc->link_flags.count; i++)
    sl_words_add(&link, cc->link_flags.items[i]);
  sl_words_add(&link, folder);
  sl_words_add_all(&link, libraries);
  return code == SL_OK ? sl_words_run(&link, cc->verbose, err) : code;
}

static void remove_folder(const struct cc *cc)
{
  for (size_t i = 0; i < cc->files.count + 2; i++)
    if (cc->objects[i][0] != '\0')
      unlink(cc->objects[i]);
  rmdir(cc->folder);
}

static enum sl_code make_program(struct cc *cc, struct sl_error *err)
{
  enum sl_code code = check_target(cc, err);
  if (code == SL_OK)
    code = check_words(cc, err);
  if (code == SL_OK)
    code = sl_find_data("runtime", cc->runtime, err);
  if (code == SL_OK)
    code = sl_make_folder(cc->folder, sizeof cc->folder, err);
  if (code != SL_OK)
    return code;
  code = build(cc, err);
  remove_folder(cc);
  return code;
}

static enum sl_code cc_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct cc *cc = calloc(1, sizeof *cc);
  if (cc == NULL)
    return sl_no_memory(err, sizeof *cc);
  static const struct sl_option described[] = {
      {0, "fp", SL_OPTION_FLAG, NULL, "float instructions (Zfinx), compiled by " CLANG, NULL},
      {0, "rv32e", SL_OPTION_FLAG, NULL, "for 16 registers instead of 32", NULL},
      {0, "clang", SL_OPTION_FLAG, NULL, "compile C by " CLANG, NULL},
      {0, "no-marks", SL_OPTION_FLAG, NULL, "no convergence marks, for machines that need none", NULL},
      {0, "target", SL_OPTION_TEXT, "NAME", "machine: simt (SIMTight and Simty, the default) or vortex", NULL},
      {0, "cfm", SL_OPTION_FLAG, NULL, "Vortex: loops in hardware", NULL},
      {0, "dmsl", SL_OPTION_FLAG, NULL, "Vortex: streams in hardware", NULL},
      {'v', "verbose", SL_OPTION_FLAG, NULL, "show the exact commands", NULL},
      {0},
  };
  enum sl_code code = take_words(cc, argc, argv, err);
  if (code == SL_OK && cc->help)
    sl_print_help(command, described);
  else if (code == SL_OK)
    code = make_program(cc, err);
  free(cc);
  return code;
}

const struct sl_command sl_cc_command = {
    .name = "cc",
    .operands = "[OPTION]... -o PROGRAM.elf FILE...",
    .summary = "Compile and link a program with kernels",
    .details = "Files are C (.c), assembly (.S, .s) and objects (.o, .a). Options that begin with -D -I -U -O -g -W\n"
               "-f -std= go to the compiler, -Wl, -l -L to the linker. The runtime library is linked in.\n",
    .run = cc_command,
};
