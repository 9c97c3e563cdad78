/* simtlab cc: from C files to a program, with the stock cross-compilers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/locations.h"
#include "cli/options.h"
#include "toolchain/compile.h"

struct cc {
  struct sl_words flags, link_flags, files;
  struct sl_compile_order order;
  const char *target_name, *marks;
  bool help;
  char runtime[SL_PATH], marks_tool[SL_PATH];
};

static bool has_prefix(const char *word, const char *const *prefixes)
{
  for (; *prefixes != NULL; prefixes++)
    if (strncmp(word, *prefixes, strlen(*prefixes)) == 0)
      return true;
  return false;
}

/* An option of ours or of the compiler; next is the word after it, *used whether it belongs to it. */
static enum sl_status take_option(struct cc *cc, const char *word, const char *next, bool *used, struct sl_error *err)
{
  static const char *const to_compiler[] = {"-D", "-I", "-U", "-O", "-g", "-W", "-f", "-std=", NULL};
  static const char *const to_linker[] = {"-Wl,", "-l", "-L", NULL};
  static const char *const ours[] = {"--fp",   "--rv32e",  "--clang",   "--no-marks", "--cfm",
                                     "--dmsl", "--target", "--verbose", "--marks",    "--help"};
  bool alone = (strlen(word) == 2 && strchr("DIUolL", word[1]) != NULL) || strcmp(word, "--target") == 0 ||
               strcmp(word, "--marks") == 0;
  if (alone && next == NULL)
    return sl_fail(err, SL_USAGE, "%s needs a value", word);
  *used = alone;
  if (strcmp(word, "--fp") == 0)
    cc->order.fp = true;
  else if (strcmp(word, "--rv32e") == 0)
    cc->order.rv32e = true;
  else if (strcmp(word, "--clang") == 0)
    cc->order.clang = true;
  else if (strcmp(word, "--no-marks") == 0)
    cc->order.no_marks = true;
  else if (strcmp(word, "--cfm") == 0)
    cc->order.cfm = true;
  else if (strcmp(word, "--dmsl") == 0)
    cc->order.dmsl = true;
  else if (strncmp(word, "--target", 8) == 0 && (alone || word[8] == '='))
    cc->target_name = alone ? next : word + 9;
  else if (strncmp(word, "--marks", 7) == 0 && (alone || word[7] == '='))
    cc->marks = alone ? next : word + 8;
  else if (strcmp(word, "-v") == 0 || strcmp(word, "--verbose") == 0)
    cc->order.verbose = true;
  else if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0)
    cc->help = true;
  else if (strncmp(word, "-o", 2) == 0)
    cc->order.output = alone ? next : word + 2;
  else if (has_prefix(word, to_linker) || has_prefix(word, to_compiler)) {
    struct sl_words *words = has_prefix(word, to_linker) ? &cc->link_flags : &cc->flags;
    sl_words_add(words, word);
    if (alone)
      sl_words_add(words, next);
  } else
    return sl_unknown(err, "option", word, ours, sizeof ours / sizeof ours[0]);
  return SL_OK;
}

static enum sl_status take_words(struct cc *cc, int argc, char **argv, struct sl_error *err)
{
  bool ended = false;
  for (int i = 1; i < argc; i++) {
    bool used = false;
    enum sl_status code = SL_OK;
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

/* Where lanes meet is the compiler's to find on Vortex, unless loops in hardware are written by hand; elsewhere a
 * program without marks is right, too, and its own are better. */
static enum sl_status choose_marks(struct cc *cc, struct sl_error *err)
{
  static const char *const names[] = {"auto", "user"};
  struct sl_compile_order *order = &cc->order;
  order->auto_marks = cc->marks != NULL ? strcmp(cc->marks, "auto") == 0 : order->vortex && !order->cfm && !order->dmsl;
  if (cc->marks != NULL && !order->auto_marks && strcmp(cc->marks, "user") != 0)
    return sl_unknown(err, "kind of marks", cc->marks, names, sizeof names / sizeof names[0]);
  order->marks_tool = cc->marks_tool;
  sl_find_helper("simtlab-marks", cc->marks_tool);
  return SL_OK;
}

static enum sl_status make_program(struct cc *cc, struct sl_error *err)
{
  static const char *const names[] = {"simt", "vortex"};
  struct sl_compile_order *order = &cc->order;
  struct sl_log log = {0};
  order->vortex = cc->target_name != NULL && strcmp(cc->target_name, "vortex") == 0;
  if (cc->target_name != NULL && strcmp(cc->target_name, "simt") != 0 && !order->vortex)
    return sl_unknown(err, "target", cc->target_name, names, sizeof names / sizeof names[0]);
  if (cc->files.overflow || cc->flags.overflow || cc->link_flags.overflow)
    return sl_fail(err, SL_USAGE, "more than %d files or options of one kind", SL_WORDS_MOST);
  order->files = cc->files.items;
  order->file_count = cc->files.count;
  order->flags = cc->flags.items;
  order->link_flags = cc->link_flags.items;
  order->runtime = cc->runtime;
  enum sl_status code = choose_marks(cc, err);
  if (code == SL_OK)
    code = sl_find_data("runtime", cc->runtime, err);
  if (code == SL_OK)
    code = sl_compile(order, &log, err);
  if (log.text != NULL)
    fputs(log.text, stderr);
  sl_log_free(&log);
  return code;
}

static enum sl_status cc_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct cc *cc = calloc(1, sizeof *cc);
  if (cc == NULL)
    return sl_no_memory(err, sizeof *cc);
  static const struct sl_option described[] = {
      {'o', "", SL_OPTION_TEXT, "FILE", "the program; must be given", NULL},
      {0, "fp", SL_OPTION_FLAG, NULL, "float instructions (Zfinx), compiled by clang-19", NULL},
      {0, "rv32e", SL_OPTION_FLAG, NULL, "for 16 registers instead of 32", NULL},
      {0, "clang", SL_OPTION_FLAG, NULL, "compile C by clang-19", NULL},
      {0, "no-marks", SL_OPTION_FLAG, NULL, "no convergence marks, for machines that need none", NULL},
      {0, "target", SL_OPTION_TEXT, "simt|vortex", "simt, the default: SIMTight and Simty", NULL},
      {0, "marks", SL_OPTION_TEXT, "auto|user", "who sets convergence marks [vortex: auto]", NULL},
      {0, "cfm", SL_OPTION_FLAG, NULL, "Vortex: loops in hardware", NULL},
      {0, "dmsl", SL_OPTION_FLAG, NULL, "Vortex: streams in hardware", NULL},
      {'v', "verbose", SL_OPTION_FLAG, NULL, "show the exact commands", NULL},
      {0, "", SL_OPTION_FLAG, "-D... -I... -U... -O... -g... -W... -f... -std=...", "to the compiler", NULL},
      {0, "", SL_OPTION_FLAG, "-Wl,... -l... -L...", "to the linker", NULL},
      {0},
  };
  enum sl_status code = take_words(cc, argc, argv, err);
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
    .details = "Files are C (.c), assembly (.S, .s) and objects (.o, .a). The runtime library is\n"
               "linked in.\n",
    .no_tables = true,
    .run = cc_command,
};
