/* simtlab cc: compiles programs with kernels, using the stock cross-compilers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli/jobs.h"
#include "cli/options.h"
#include "cli/session.h"
#include "compiler/cc/compile.h"
#include "compiler/cc/tools.h"

/* Command line of simtlab cc: separates simtlab's own options, compiler options, linker options and input files. */

enum sl_cc_request {
  SL_CC_COMPILE,
  SL_CC_HELP,
  SL_CC_VERSION,
  SL_CC_DIRECT_USE,
  SL_CC_TOOLCHAIN, /* print the path of the CMake toolchain file */
  SL_CC_ASK,       /* query the compiler: -dumpmachine, -print-..., -Wl,--version */
};

struct sl_cc {
  struct sl_words words; /* all words, also from response files; the other fields point into it */
  struct sl_words flags;
  struct sl_input *inputs;
  const char *language, *target_name, *marks;
  struct sl_wide_words code;
  enum sl_cc_request request;
  bool shown, dry;
  struct sl_direct_use direct_use;
  struct sl_compile_order order;
};

/* Where an option's value is, and which tool gets the option. An unlisted option with one dash goes to the compiler,
 * without a value. */
enum shape { ALONE, JOINED, APART, EITHER };
enum receiver { COMPILER, LINKER, OURS };

/* Effect of an option on simtlab itself. */
enum meaning {
  NOTHING,
  OUTPUT,
  LANGUAGE,
  TARGET,
  MARKS,
  ALLOCATION,
  REGISTERS,
  BANKS,
  BANK_MAP,
  SAVED,
  GOAL_OBJECT,
  GOAL_ASSEMBLY,
  GOAL_PREPROCESSED,
  GOAL_CHECKED,
  SHOW,
  SHOW_ONLY,
  HELP,
  VERSION,
  TOOLCHAIN,
  ASK,
  NO_START,
  NO_LIBRARIES,
  NO_START_NOR_LIBRARIES,
  SCRIPT,
  NO_PROGRAM, /* link objects into one object */
};

struct rule {
  const char *name;
  enum shape shape;
  enum receiver receiver;
  enum meaning meaning;
};

/* Longer names precede their prefixes. */
static const struct rule rules[] = {
    {"-o", EITHER, OURS, OUTPUT},
    {"-x", EITHER, OURS, LANGUAGE},
    {"--target", EITHER, OURS, TARGET},
    {"--marks", EITHER, OURS, MARKS},
    {"--allocation", EITHER, OURS, ALLOCATION},
    {"--registers", EITHER, OURS, REGISTERS},
    {"--banks", EITHER, OURS, BANKS},
    {"--bank-map", EITHER, OURS, BANK_MAP},
    {"--saved", EITHER, OURS, SAVED},
    {"-c", ALONE, OURS, GOAL_OBJECT},
    {"-S", ALONE, OURS, GOAL_ASSEMBLY},
    {"-E", ALONE, OURS, GOAL_PREPROCESSED},
    {"-fsyntax-only", ALONE, OURS, GOAL_CHECKED},
    {"-v", ALONE, OURS, SHOW},
    {"--verbose", ALONE, OURS, SHOW},
    {"-###", ALONE, OURS, SHOW_ONLY},
    {"-h", ALONE, OURS, HELP},
    {"--help", ALONE, OURS, HELP},
    {"--version", ALONE, OURS, VERSION},
    {"--toolchain", ALONE, OURS, TOOLCHAIN},
    {"-nostdlib", ALONE, OURS, NO_START_NOR_LIBRARIES},
    {"-nostartfiles", ALONE, OURS, NO_START},
    {"-nodefaultlibs", ALONE, OURS, NO_LIBRARIES},
    {"-nolibc", ALONE, OURS, NO_LIBRARIES},
    {"-M", ALONE, COMPILER, GOAL_PREPROCESSED},
    {"-MM", ALONE, COMPILER, GOAL_PREPROCESSED},
    {"-dumpmachine", ALONE, COMPILER, ASK},
    {"-dumpversion", ALONE, COMPILER, ASK},
    {"-dumpfullversion", ALONE, COMPILER, ASK},
    {"-print-", JOINED, COMPILER, ASK},
    {"--print-", JOINED, COMPILER, ASK},
    {"-MF", EITHER, COMPILER, NOTHING},
    {"-MT", EITHER, COMPILER, NOTHING},
    {"-MQ", EITHER, COMPILER, NOTHING},
    {"-D", EITHER, COMPILER, NOTHING},
    {"-U", EITHER, COMPILER, NOTHING},
    {"-include", EITHER, COMPILER, NOTHING},
    {"-imacros", EITHER, COMPILER, NOTHING},
    {"-iquote", EITHER, COMPILER, NOTHING},
    {"-isystem", EITHER, COMPILER, NOTHING},
    {"-isysroot", EITHER, COMPILER, NOTHING},
    {"-idirafter", EITHER, COMPILER, NOTHING},
    {"-I", EITHER, COMPILER, NOTHING},
    {"-B", EITHER, COMPILER, NOTHING},
    {"-Xclang", APART, COMPILER, NOTHING},
    {"-Xassembler", APART, COMPILER, NOTHING},
    {"-Xpreprocessor", APART, COMPILER, NOTHING},
    {"-mllvm", APART, COMPILER, NOTHING},
    {"--param=", JOINED, COMPILER, NOTHING},
    {"--param", APART, COMPILER, NOTHING},
    {"--std=", JOINED, COMPILER, NOTHING},
    {"--sysroot=", JOINED, COMPILER, NOTHING},
    {"-l", EITHER, LINKER, NOTHING},
    {"-L", EITHER, LINKER, NOTHING},
    {"-Wl,", JOINED, LINKER, NOTHING},
    {"-Xlinker", APART, LINKER, NOTHING},
    {"-T", EITHER, LINKER, SCRIPT},
    {"-r", ALONE, LINKER, NO_PROGRAM},
    {"-s", ALONE, LINKER, NOTHING},
    {"-static", ALONE, LINKER, NOTHING},
    {"-rdynamic", ALONE, LINKER, NOTHING},
    {"-no-pie", ALONE, LINKER, NOTHING},
    {"-u", APART, LINKER, NOTHING},
    {"-z", APART, LINKER, NOTHING},
    {"-e", APART, LINKER, NOTHING},
};

enum { RULES = sizeof rules / sizeof rules[0] };

static bool is(const struct rule *rule, const char *word)
{
  const size_t length = strlen(rule->name);
  if (strncmp(word, rule->name, length) != 0)
    return false;
  if (word[length] == '\0' || rule->shape == JOINED)
    return true;
  return rule->shape == EITHER && (rule->name[1] != '-' || word[length] == '=');
}

static const struct rule *find_rule(const char *word)
{
  for (size_t i = 0; i < RULES; i++)
    if (is(&rules[i], word))
      return &rules[i];
  return NULL;
}

/* If several goals are given, the earliest stage wins. */
static void stop_at(struct sl_cc *cc, enum sl_goal goal)
{
  if (goal > cc->order.goal)
    cc->order.goal = goal;
}

static void apply(struct sl_cc *cc, enum meaning meaning, const char *value)
{
  struct sl_compile_order *order = &cc->order;
  switch (meaning) {
  case NOTHING: break;
  case OUTPUT: order->output = value; break;
  case LANGUAGE: cc->language = strcmp(value, "none") == 0 ? NULL : value; break;
  case TARGET: cc->target_name = value; break;
  case MARKS: cc->marks = value; break;
  case ALLOCATION: cc->code.allocation = value; break;
  case REGISTERS: cc->code.registers = value; break;
  case BANKS: cc->code.banks = value; break;
  case BANK_MAP: cc->code.map = value; break;
  case SAVED: cc->code.saved = value; break;
  case GOAL_OBJECT: stop_at(cc, SL_GOAL_OBJECT); break;
  case GOAL_ASSEMBLY: stop_at(cc, SL_GOAL_ASSEMBLY); break;
  case GOAL_PREPROCESSED: stop_at(cc, SL_GOAL_PREPROCESSED); break;
  case GOAL_CHECKED: stop_at(cc, SL_GOAL_CHECKED); break;
  case SHOW: cc->shown = true; break;
  case SHOW_ONLY: cc->dry = true; break;
  case HELP: cc->request = SL_CC_HELP; break;
  case VERSION: cc->request = SL_CC_VERSION; break;
  case TOOLCHAIN: cc->request = SL_CC_TOOLCHAIN; break;
  case ASK: cc->request = SL_CC_ASK; break;
  case NO_START: order->no_start = true; break;
  case NO_LIBRARIES: order->no_libraries = true; break;
  case NO_START_NOR_LIBRARIES: order->no_start = order->no_libraries = true; break;
  case SCRIPT: order->own_script |= strchr(value, '=') == NULL; break; /* -Ttext=ADDRESS is another option */
  case NO_PROGRAM: order->no_start = order->no_libraries = order->relocatable = true; break;
  }
}

static bool *flag_of(struct sl_cc *cc, const char *word)
{
  const struct {
    const char *name;
    bool *flag;
  } flags[] = {{"--cflags", &cc->direct_use.cflags},
               {"--ldflags", &cc->direct_use.ldflags},
               {"--runtime", &cc->direct_use.runtime},
               {"--fp", &cc->order.fp},
               {"--rv32e", &cc->order.rv32e},
               {"--clang", &cc->order.clang},
               {"--cfm", &cc->order.cfm},
               {"--no-marks", &cc->order.no_marks},
               {"--dmsl", &cc->order.dmsl},
               {"--warn-waits", &cc->order.warn_waits}};
  for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
    if (strcmp(flags[i].name, word) == 0)
      return flags[i].flag;
  return NULL;
}

static enum sl_status add_input(struct sl_cc *cc, const char *word, bool of_linker, struct sl_error *err)
{
  if (!SL_GROW(cc->inputs, cc->order.input_count))
    return sl_no_memory(err, 2 * cc->order.input_count * sizeof *cc->inputs);
  cc->order.inputs = cc->inputs;
  cc->inputs[cc->order.input_count++] = (struct sl_input){word, of_linker ? NULL : cc->language, of_linker};
  return SL_OK;
}

static enum sl_status give(struct sl_cc *cc, enum receiver receiver, const char *word, struct sl_error *err)
{
  if (receiver == LINKER)
    return add_input(cc, word, true, err);
  if (receiver == COMPILER)
    sl_words_add(&cc->flags, word);
  return SL_OK;
}

/* Programs are static, at a fixed address. */
static enum sl_status refuse(const char *word, struct sl_error *err)
{
  static const char *const ours[] = {
      "--fp",        "--rv32e",      "--clang",     "--no-marks", "--cfm",      "--dmsl",    "--target",
      "--verbose",   "--marks",      "--help",      "--version",  "--cflags",   "--ldflags", "--runtime",
      "--toolchain", "--allocation", "--registers", "--banks",    "--bank-map", "--saved",   "--warn-waits"};
  static const char *const dynamic[] = {"-shared", "-pie", "-static-pie"};
  for (size_t i = 0; i < sizeof dynamic / sizeof dynamic[0]; i++)
    if (strcmp(word, dynamic[i]) == 0)
      return sl_fail(err, SL_USAGE, "%s: the machines load programs that are linked statically; leave it out", word);
  return strncmp(word, "--", 2) == 0 ? sl_unknown(err, "option", word, ours, sizeof ours / sizeof ours[0]) : SL_OK;
}

/* next is the following word, NULL at the end; *used tells whether it is the option's value. */
static enum sl_status take_option(struct sl_cc *cc, const char *word, const char *next, bool *used,
                                  struct sl_error *err)
{
  const struct rule *rule = find_rule(word);
  bool *const flag = flag_of(cc, word);
  if (flag != NULL) {
    *flag = true;
    return SL_OK;
  }
  if (rule == NULL) {
    const enum sl_status code = refuse(word, err);
    return code == SL_OK ? give(cc, COMPILER, word, err) : code;
  }
  const size_t length = strlen(rule->name);
  *used = rule->shape == APART || (rule->shape == EITHER && word[length] == '\0');
  if (*used && next == NULL)
    return sl_fail(err, SL_USAGE, "%s needs a value", word);
  const char *value = *used ? next : word + length;
  apply(cc, rule->meaning, rule->name[1] == '-' && *value == '=' ? value + 1 : value);
  enum sl_status code = give(cc, rule->receiver, word, err);
  if (code == SL_OK && *used)
    code = give(cc, rule->receiver, next, err);
  return code;
}

static enum sl_status take_words(struct sl_cc *cc, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  bool ended = false;
  for (size_t i = 0; i < cc->words.count && code == SL_OK; i++) {
    const char *word = cc->words.items[i];
    bool used = false;
    if (ended || word[0] != '-' || word[1] == '\0')
      code = add_input(cc, word, false, err);
    else if (strcmp(word, "--") == 0)
      ended = true;
    else
      code = take_option(cc, word, cc->words.items[i + 1], &used, err);
    i += used;
  }
  return code;
}

/* On Vortex the compiler inserts reconvergence, unless hardware loops are written by hand. Elsewhere a program without
 * marks is also correct, and its own marks are better. */
static enum sl_status choose_marks(struct sl_cc *cc, struct sl_error *err)
{
  static const char *const names[] = {"auto", "its", "user"};
  struct sl_compile_order *order = &cc->order;
  order->lane_barriers = cc->marks != NULL && strcmp(cc->marks, "its") == 0;
  if (order->lane_barriers && !order->vortex)
    return sl_fail(err, SL_USAGE, "--marks=its is for --target vortex and vortex64");
  order->auto_marks = cc->marks != NULL ? strcmp(cc->marks, "auto") == 0 || order->lane_barriers
                                        : order->vortex && !order->cfm && !order->dmsl;
  if (cc->marks != NULL && !order->auto_marks && strcmp(cc->marks, "user") != 0)
    return sl_unknown(err, "kind of marks", cc->marks, names, sizeof names / sizeof names[0]);
  return SL_OK;
}

static enum sl_status choose_target(struct sl_cc *cc, struct sl_error *err)
{
  static const char *const names[] = {"simt", "vortex", "vortex64", "sm7", "ptx"};
  const char *name = cc->target_name != NULL ? cc->target_name : "simt";
  cc->order.wide = strcmp(name, "vortex64") == 0;
  cc->order.fp |= cc->order.wide; /* all users find temporary files there */
  cc->order.vortex = cc->order.wide || strcmp(name, "vortex") == 0;
  cc->order.grid = strcmp(name, "sm7") == 0;
  cc->order.ptx = strcmp(name, "ptx") == 0;
  if (!cc->order.vortex && !cc->order.grid && !cc->order.ptx && strcmp(name, "simt") != 0)
    return sl_unknown(err, "target", name, names, sizeof names / sizeof names[0]);
  const char *given = sl_wide_words_given(&cc->code);
  if (given != NULL && !cc->order.wide)
    return sl_fail(err, SL_USAGE, "%s is of programs in 64-bit words: add --target vortex64", given);
  const enum sl_status code = sl_wide_options_read(&cc->order.code, &cc->code, err);
  return code == SL_OK ? choose_marks(cc, err) : code;
}

/* Without input files the command only queries the linker's or compiler's version. */
static void find_question(struct sl_cc *cc)
{
  bool file = false;
  for (size_t i = 0; i < cc->order.input_count; i++)
    file |= !cc->inputs[i].of_linker;
  if (file || cc->request != SL_CC_COMPILE)
    return;
  if (cc->shown && cc->order.input_count == 0)
    sl_words_add(&cc->flags, "-v");
  if (cc->shown || cc->order.input_count > 0)
    cc->request = SL_CC_ASK;
}

static enum sl_status cc_options(struct sl_cc *cc, int argc, char **argv, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (int i = 1; i < argc && code == SL_OK; i++)
    code = sl_words_add_expanded(&cc->words, argv[i], err);
  if (code == SL_OK)
    code = take_words(cc, err);
  if (code == SL_OK && (cc->words.lost || cc->flags.lost))
    code = sl_no_memory(err, cc->words.capacity);
  if (code == SL_OK)
    code = choose_target(cc, err);
  if (cc->direct_use.cflags || cc->direct_use.ldflags || cc->direct_use.runtime)
    cc->request = SL_CC_DIRECT_USE;
  find_question(cc);
  if (cc->order.goal == SL_GOAL_PROGRAM && cc->order.output == NULL && !cc->order.ptx)
    cc->order.output = "a.out";
  cc->order.flags = (const char *const *)cc->flags.items;
  return code;
}

static void cc_options_free(struct sl_cc *cc)
{
  sl_words_free(&cc->words);
  sl_words_free(&cc->flags);
  free(cc->inputs);
}

/* Build systems parse this text to identify the compiler, so its own version number comes first. */
static enum sl_status print_version(const struct sl_compile_order *order, struct sl_tools *tools, struct sl_error *err)
{
  static const char *const version[] = {"--version", NULL};
  struct sl_compile_order question = *order;
  question.flags = version;
  question.input_count = 0;
  const enum sl_status code = sl_ask_compiler(&question, tools, err);
  printf("called by simtlab %s\n", SL_VERSION);
  return code;
}

/* Prints words so that a shell splits them again. */
static enum sl_status print_direct_use(const struct sl_cc *cc, struct sl_error *err)
{
  struct sl_words words = {0};
  struct sl_log line = {0};
  const enum sl_status code = sl_add_direct_use(&cc->order, &cc->direct_use, &words, err);
  sl_log_add_words(&line, &words);
  if (code == SL_OK && line.text != NULL)
    puts(line.text);
  sl_log_free(&line);
  sl_words_free(&words);
  return code;
}

static enum sl_status print_toolchain(struct sl_error *err)
{
  char path[SL_PATH];
  const enum sl_status code = sl_find_data("cmake/toolchain.cmake", path, err);
  if (code == SL_OK)
    puts(path);
  return code;
}

static bool is_interrupted(void *interruption)
{
  return sl_interrupted(interruption);
}

static enum sl_status carry_out(struct sl_cc *cc, struct sl_error *err)
{
  char runtime[SL_PATH], marks_tool[SL_PATH];
  struct sl_log log = {0};
  struct sl_interruption interruption;
  struct sl_tools tools = {
      .log = &log, .shown = cc->shown, .dry = cc->dry, .stopped = is_interrupted, .context = &interruption};
  cc->order.runtime = runtime;
  cc->order.marks_tool = marks_tool;
  sl_find_helper("simtlab-marks", marks_tool);
  enum sl_status code = sl_find_data("runtime", runtime, err);
  sl_interruption_begin(&interruption);
  if (code == SL_OK)
    code = cc->request == SL_CC_VERSION      ? print_version(&cc->order, &tools, err)
           : cc->request == SL_CC_DIRECT_USE ? print_direct_use(cc, err)
           : cc->request == SL_CC_ASK        ? sl_ask_compiler(&cc->order, &tools, err)
           : cc->order.ptx                   ? sl_compile_ptx(&cc->order, &tools, err)
                                             : sl_compile(&cc->order, &tools, err);
  if (log.text != NULL)
    fputs(log.text, stderr);
  sl_log_free(&log);
  const bool interrupted = code != SL_OK && sl_interrupted(&interruption);
  sl_interruption_end(&interruption);
  if (interrupted)
    return sl_interrupted_status(&interruption, err, "nothing was made");
  return code != SL_OK && tools.refused ? SL_CHECK_FAILED : code; /* the input is wrong, not the usage */
}

static enum sl_status cc_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  static const struct sl_option described[] = {
      {'o', "", SL_OPTION_TEXT, "FILE", "the output [a.out]", NULL},
      {0, "fp", SL_OPTION_FLAG, NULL, "float instructions (Zfinx), compiled by clang-19", NULL},
      {0, "rv32e", SL_OPTION_FLAG, NULL, "for 16 registers instead of 32", NULL},
      {0, "clang", SL_OPTION_FLAG, NULL, "compile C and C++ with clang-19", NULL},
      {0, "no-marks", SL_OPTION_FLAG, NULL, "no convergence marks, for machines that need none", NULL},
      {0, "target", SL_OPTION_TEXT, "simt|vortex|vortex64|sm7|ptx", "simt, the default: SIMTight and Simty", NULL},
      {0, "marks", SL_OPTION_TEXT, "auto|its|user", "which tool sets convergence marks [vortex: auto]", NULL},
      {0, "warn-waits", SL_OPTION_FLAG, NULL, "list loops in which lanes may wait for each other", NULL},
      {0, "allocation", SL_OPTION_TEXT, "stock|unaware|first-fit|cost", "vortex64: register allocation policy [cost]",
       NULL},
      {0, "registers", SL_OPTION_TEXT, "N", "vortex64: number of registers, 16 to 256 [128]", NULL},
      {0, "banks", SL_OPTION_TEXT, "B", "vortex64: number of register banks, 1 to 8 [4]", NULL},
      {0, "bank-map", SL_OPTION_TEXT, "modulo|blocks|folded", "vortex64: mapping of registers to banks [modulo]", NULL},
      {0, "saved", SL_OPTION_TEXT, "LIST", "vortex64: callee-saved registers from 32 on [48-95]", NULL},
      {0, "cfm", SL_OPTION_FLAG, NULL, "Vortex: hardware loops", NULL},
      {0, "dmsl", SL_OPTION_FLAG, NULL, "Vortex: hardware streams", NULL},
      {0, "cflags", SL_OPTION_FLAG, NULL, "print the clang-19 options that compile for the target", NULL},
      {0, "ldflags", SL_OPTION_FLAG, NULL, "print the clang-19 options that link for the target", NULL},
      {0, "runtime", SL_OPTION_FLAG, NULL, "print the source files of the runtime library", NULL},
      {0, "toolchain", SL_OPTION_FLAG, NULL, "print the path of the CMake toolchain file", NULL},
      {'v', "verbose", SL_OPTION_FLAG, NULL, "show the exact commands; -### shows them only", NULL},
      {0},
  };
  struct sl_cc *cc = calloc(1, sizeof *cc);
  if (cc == NULL)
    return sl_no_memory(err, sizeof *cc);
  enum sl_status code = cc_options(cc, argc, argv, err);
  if (code == SL_OK && cc->request == SL_CC_HELP)
    sl_print_help(command, described);
  else if (code == SL_OK)
    code = cc->request == SL_CC_TOOLCHAIN ? print_toolchain(err) : carry_out(cc, err);
  cc_options_free(cc);
  free(cc);
  return code;
}

const struct sl_command sl_cc_command = {
    .name = "cc",
    .operands = "[OPTION]... [-o FILE] FILE...",
    .summary = "Compile and link programs with kernels, as a compiler does",
    .details = "Files are C (.c), C++ (.cc, .cpp, .cxx), assembly (.S, .s), objects and archives (.o, .a);\n"
               "@FILE has more words. All other options go to the compiler or the linker (-o -c -S\n"
               "-D -O -MMD -l -Wl, ...; --version). The runtime library is linked in.\n",
    .no_tables = true,
    .run = cc_command,
};
