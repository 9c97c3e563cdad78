/* simtlab cc: compiles programs with kernels, using the stock cross-compilers. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/cc_options.h"
#include "cli/interruption.h"
#include "cli/locations.h"
#include "cli/options.h"
#include "toolchain/compile_ptx.h"

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
      {0, "marks", SL_OPTION_TEXT, "auto|user", "which tool sets convergence marks [vortex: auto]", NULL},
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
  enum sl_status code = sl_cc_options(cc, argc, argv, err);
  if (code == SL_OK && cc->request == SL_CC_HELP)
    sl_print_help(command, described);
  else if (code == SL_OK)
    code = cc->request == SL_CC_TOOLCHAIN ? print_toolchain(err) : carry_out(cc, err);
  sl_cc_options_free(cc);
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
