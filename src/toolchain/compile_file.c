#include "toolchain/compile_file.h"

#include <string.h>
#include <unistd.h>

#include "toolchain/machine_ir.h"
#include "toolchain/target_flags.h"

/* The marks tool works on Clang's output before optimisation. */
static const char *const unoptimised_flags[] = {"-Xclang", "-disable-llvm-passes", NULL};
static const char marks_tool[] = "simtlab-marks";

static bool is_c(enum sl_input_kind kind)
{
  return kind == SL_INPUT_C || kind == SL_INPUT_CXX;
}

/* The preprocessor treats standard input as C unless a language is given. */
static enum sl_input_kind kind_of(const struct sl_input *input)
{
  const enum sl_input_kind kind = sl_input_kind(input);
  return kind == SL_INPUT_UNKNOWN ? SL_INPUT_C : kind;
}

/* Whether the input is assembly that a compiler has written for its own assembler. */
static bool is_written(const struct sl_input *input)
{
  const size_t length = strlen(input->word);
  return input->language == NULL && length > 2 && strcmp(input->word + length - 2, ".s") == 0;
}

static bool takes_clang(const struct sl_compile_order *cc, const struct sl_compile_step *step)
{
  return cc->clang || (cc->fp && (!cc->vortex || cc->wide)) || (cc->auto_marks && !step->of_runtime);
}

/* Only the program's own files are annotated. One lane runs the runtime library, or it is annotated manually. */
static bool gets_marks(const struct sl_compile_order *cc, const struct sl_compile_step *step)
{
  return cc->auto_marks && !step->of_runtime && is_c(kind_of(step->input));
}

static bool is_marked(const struct sl_compile_order *cc, const struct sl_compile_step *step)
{
  return gets_marks(cc, step) && (step->goal == SL_GOAL_OBJECT || step->goal == SL_GOAL_ASSEMBLY);
}

static bool keeps_machine_ir(const struct sl_compile_order *cc, const struct sl_compile_step *step)
{
  return cc->wide && !cc->code.stock && step->goal == SL_GOAL_OBJECT && is_c(kind_of(step->input));
}

bool sl_takes_bitcode(const struct sl_compile_order *cc, const struct sl_compile_step *step)
{
  return is_marked(cc, step) || keeps_machine_ir(cc, step);
}

static bool begins(const char *flag, const char *const *prefixes)
{
  for (; *prefixes != NULL; prefixes++)
    if (strncmp(flag, *prefixes, strlen(*prefixes)) == 0)
      return true;
  return false;
}

/* The runtime is compiled for the same machine and optimisation level, without flags for the user's sources. */
static void add_runtime_flags(const struct sl_compile_order *cc, struct sl_words *words)
{
  static const char *const wanted[] = {
      "-DSIMT_", "-USIMT_", "-O", "-g", "-ffile-prefix-map=", "-fdebug-prefix-map=", NULL};
  for (const char *const *flag = cc->flags; flag != NULL && *flag != NULL; flag++) {
    const bool apart = strcmp(*flag, "-D") == 0 || strcmp(*flag, "-U") == 0;
    if (begins(*flag, wanted))
      sl_words_add(words, *flag);
    else if (apart && flag[1] != NULL && strncmp(*++flag, "SIMT_", 5) == 0)
      sl_words_add_text(words, "%s%s", flag[-1], *flag);
  }
}

/* Where Clang compiles the other files, flags that only Clang knows must not reach GCC, which assembles. */
static bool is_for_assembly(const char *flag)
{
  static const char *const passed[] = {"-Wa,", "-Wp,", NULL}, *const others[] = {"-f", "-W", "-std=", NULL};
  return begins(flag, passed) || !begins(flag, others);
}

/* -march has already been processed. */
static void add_user_flags(const struct sl_compile_order *cc, struct sl_words *words, bool clangs_for_gcc)
{
  static const char *const of_clang[] = {"-Xclang", "-mllvm", NULL};
  for (const char *const *flag = cc->flags; flag != NULL && *flag != NULL; flag++)
    if (clangs_for_gcc && begins(*flag, of_clang) && flag[1] != NULL)
      flag++;
    else if (strncmp(*flag, "-march=", 7) != 0 && (!clangs_for_gcc || is_for_assembly(*flag)))
      sl_words_add(words, *flag);
}

/* __FILE__ becomes part of the program, which should not depend on the location of the sources. The compilers cannot
 * map a folder with '=' in its name. The user's own -f...-prefix-map come later and take precedence. */
static void add_macro_names(const struct sl_compile_order *cc, const char *source, struct sl_words *words)
{
  const char *base = strrchr(source, '/');
  if (strchr(cc->runtime, '=') == NULL)
    sl_words_add_text(words, "-fmacro-prefix-map=%s/=", cc->runtime);
  if (source[0] == '/' && memchr(source, '=', (size_t)(base - source)) == NULL)
    sl_words_add_text(words, "-fmacro-prefix-map=%.*s/=", (int)(base - source), source);
}

static void add_dependencies(const struct sl_compile_order *cc, const struct sl_compile_step *step,
                             struct sl_words *words)
{
  if (!sl_has_flag(cc, "-MD") && !sl_has_flag(cc, "-MMD"))
    return;
  if (sl_last_flag(cc, "-MF") == NULL && step->dependencies != NULL) {
    sl_words_add(words, "-MF");
    sl_words_add(words, step->dependencies);
  }
  if (sl_last_flag(cc, "-MT") == NULL && sl_last_flag(cc, "-MQ") == NULL && step->target != NULL) {
    sl_words_add(words, "-MQ");
    sl_words_add(words, step->target);
  }
}

static void add_goal(const struct sl_compile_step *step, bool to_bitcode, struct sl_words *words)
{
  static const char *const flags[] = {[SL_GOAL_OBJECT] = "-c",
                                      [SL_GOAL_ASSEMBLY] = "-S",
                                      [SL_GOAL_PREPROCESSED] = "-E",
                                      [SL_GOAL_CHECKED] = "-fsyntax-only"};
  const char *output = to_bitcode ? step->bitcode : step->output;
  if (to_bitcode)
    sl_words_add(words, "-emit-llvm");
  sl_words_add(words, to_bitcode ? "-c" : flags[step->goal]);
  if (output != NULL && step->goal != SL_GOAL_CHECKED) {
    sl_words_add(words, "-o");
    sl_words_add(words, output);
  }
  if (step->input->language != NULL) {
    sl_words_add(words, "-x");
    sl_words_add(words, step->input->language);
  }
  sl_words_add(words, step->input->word);
}

static enum sl_status insert_marks(const struct sl_compile_order *cc, const struct sl_compile_step *step,
                                   struct sl_tools *tools, struct sl_error *err)
{
  const bool goes_on = keeps_machine_ir(cc, step);
  struct sl_words words = {0};
  sl_words_add(&words, cc->marks_tool != NULL ? cc->marks_tool : marks_tool);
  if (goes_on || step->goal == SL_GOAL_ASSEMBLY)
    sl_words_add(&words, goes_on ? "-emit-llvm" : "-S");
  sl_words_add(&words, cc->vortex ? "vortex" : "simt");
  sl_words_add(&words, step->bitcode);
  sl_words_add(&words, goes_on ? step->bitcode : step->output);
  const enum sl_status code = sl_tools_run(tools, &words, SL_OUTPUT_LOGGED, err);
  sl_words_free(&words);
  return code;
}

enum sl_status sl_compile_file(const struct sl_compile_order *cc, const struct sl_compile_step *step,
                               struct sl_tools *tools, struct sl_error *err)
{
  struct sl_words words = {0};
  const enum sl_input_kind kind = kind_of(step->input);
  const bool marked = is_marked(cc, step), marks = gets_marks(cc, step), machine_ir = keeps_machine_ir(cc, step);
  const bool clang = takes_clang(cc, step) && (is_c(kind) || is_written(step->input));
  sl_words_add(&words, clang ? SL_CLANG : SL_GCC);
  sl_add_compile_flags(cc, &words, kind, clang);
  if (is_c(kind))
    add_macro_names(cc, step->input->word, &words);
  if (marks)
    sl_words_add(&words, "-DSIMT_AUTO_MARKS");
  if (step->of_runtime)
    add_runtime_flags(cc, &words);
  else {
    add_user_flags(cc, &words, !clang && takes_clang(cc, step));
    add_dependencies(cc, step, &words);
  }
  if (tools->shown && step->goal == SL_GOAL_PREPROCESSED)
    sl_words_add(&words, "-v"); /* build systems ask for the header search path this way */
  if (marked)
    sl_words_add_all(&words, unoptimised_flags);
  if (machine_ir)
    sl_words_add_all(&words, sl_machine_ir_clang_flags);
  add_goal(step, marked || machine_ir, &words);
  enum sl_status code = sl_tools_run(
      tools, &words, step->output == NULL && step->goal == SL_GOAL_PREPROCESSED ? SL_OUTPUT_PASSED : SL_OUTPUT_LOGGED,
      err);
  sl_words_free(&words);
  if (code == SL_OK && marked)
    code = insert_marks(cc, step, tools, err);
  if (code == SL_OK && machine_ir)
    code = sl_machine_ir_object(step->bitcode, marked, step->output, tools, err);
  if ((marked || machine_ir) && !tools->dry)
    unlink(step->bitcode);
  return code;
}
