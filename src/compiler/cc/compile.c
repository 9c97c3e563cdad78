#include "compiler/cc/compile.h"

#include <ar.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/types.h"
#include "compiler/cc/lanes/lane_code.h"
#include "compiler/cc/tools.h"
#include "program/program.h"

/* Symbol references of objects and archives. */

struct span {
  const char *bytes;
  size_t size;
};

static bool copy(struct span from, size_t at, void *to, size_t size)
{
  if (at > from.size || size > from.size - at)
    return false;
  memcpy(to, from.bytes + at, size);
  return true;
}

static bool is_named(struct span object, const Elf32_Shdr *names, uint32_t name, const char *symbol)
{
  const size_t length = strlen(symbol) + 1, at = (size_t)names->sh_offset + name;
  return at <= object.size && length <= object.size - at && memcmp(object.bytes + at, symbol, length) == 0;
}

static bool table_refers(struct span object, const Elf32_Shdr *table, const Elf32_Shdr *names, const char *symbol)
{
  Elf32_Sym s;
  for (size_t at = 0; at + sizeof s <= table->sh_size; at += sizeof s)
    if (copy(object, table->sh_offset + at, &s, sizeof s) && s.st_shndx == SHN_UNDEF &&
        is_named(object, names, s.st_name, symbol))
      return true;
  return false;
}

static bool object_refers(struct span object, const char *symbol)
{
  Elf32_Ehdr header;
  Elf32_Shdr table, names;
  if (!copy(object, 0, &header, sizeof header) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS32)
    return false;
  for (size_t i = 0; i < header.e_shnum; i++)
    if (copy(object, header.e_shoff + i * sizeof table, &table, sizeof table) && table.sh_type == SHT_SYMTAB &&
        copy(object, header.e_shoff + table.sh_link * sizeof names, &names, sizeof names) &&
        table_refers(object, &table, &names, symbol))
      return true;
  return false;
}

/* Members begin at even offsets. */
static bool archive_refers(struct span archive, const char *symbol)
{
  struct ar_hdr header;
  for (size_t at = SARMAG; copy(archive, at, &header, sizeof header);) {
    char digits[sizeof header.ar_size + 1] = "";
    memcpy(digits, header.ar_size, sizeof header.ar_size);
    const size_t begin = at + sizeof header, size = strtoul(digits, NULL, 10);
    if (size > archive.size - begin)
      return false;
    if (object_refers((struct span){archive.bytes + begin, size}, symbol))
      return true;
    at = begin + size + size % 2;
  }
  return false;
}

/* Returns true if an RV32 object, or a member of an archive of these, has an undefined reference to the symbol. Returns
 * false for other files. */
static bool sl_refers_to(const char *file, const char *symbol)
{
  char *bytes = NULL;
  size_t size = 0;
  struct sl_error err;
  if (sl_file_bytes_read(file, &bytes, &size, &err) != SL_OK)
    return false;
  const struct span whole = {bytes, size};
  const bool archive = size >= SARMAG && memcmp(bytes, ARMAG, SARMAG) == 0;
  const bool refers = archive ? archive_refers(whole, symbol) : object_refers(whole, symbol);
  free(bytes);
  return refers;
}

/* Compiles one file to an object, to assembly, or to preprocessed text. With --marks=auto it also runs the marks
 * tool. */

struct sl_compile_step {
  const struct sl_input *input;
  const char *output;       /* NULL: the standard output */
  const char *dependencies; /* output file for -MD and -MMD if the flags name none, and its target */
  const char *target;
  const char *bitcode; /* an intermediate file, for sl_takes_bitcode */
  enum sl_goal goal;   /* any except a program */
  bool of_runtime;     /* start code and library: the flags for the user's own sources do not apply */
};

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

/* Whether another tool follows Clang: it inserts annotations, or stores machine IR. */
static bool sl_takes_bitcode(const struct sl_compile_order *cc, const struct sl_compile_step *step)
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
  sl_words_add(&words, !cc->vortex ? "simt" : cc->lane_barriers ? "its" : "vortex");
  sl_words_add(&words, step->bitcode);
  sl_words_add(&words, goes_on ? step->bitcode : step->output);
  if (cc->warn_waits)
    sl_words_add(&words, "--warn-waits");
  const enum sl_status code = sl_tools_run(tools, &words, SL_OUTPUT_LOGGED, err);
  sl_words_free(&words);
  return code;
}

static enum sl_status sl_compile_file(const struct sl_compile_order *cc, const struct sl_compile_step *step,
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

enum { PATH_MOST = 4096 };

struct build {
  const struct sl_compile_order *order;
  struct sl_tools *tools;
  char folder[PATH_MOST];  /* for intermediate files; empty: not created yet */
  struct sl_words objects; /* object files in the folder */
  struct sl_words link;
};

/* Returns a file's name without folder and suffix. */
static void base_name(const char *file, char name[PATH_MOST])
{
  const char *slash = strrchr(file, '/');
  snprintf(name, PATH_MOST, "%s", slash != NULL ? slash + 1 : file);
  char *dot = strrchr(name, '.');
  if (dot != NULL && dot != name)
    *dot = '\0';
}

/* Replaces the suffix of a file's name, if it has one. */
static void with_suffix(const char *file, const char *suffix, char name[PATH_MOST])
{
  const char *slash = strrchr(file, '/'), *dot = strrchr(file, '.');
  const size_t length =
      dot != NULL && dot > file && (slash == NULL || dot > slash + 1) ? (size_t)(dot - file) : strlen(file);
  snprintf(name, PATH_MOST, "%.*s%s", (int)length, file, suffix);
}

/* Whether the program may contain C++, as a source or in an object. */
static bool may_have_cxx(const struct sl_compile_order *cc)
{
  bool may = false;
  for (size_t i = 0; i < cc->input_count; i++) {
    const enum sl_input_kind kind = sl_input_kind(&cc->inputs[i]);
    may |= kind == SL_INPUT_CXX || (kind == SL_INPUT_LINKED && !cc->inputs[i].of_linker);
  }
  return may;
}

static size_t sources(const struct sl_compile_order *cc)
{
  size_t n = 0;
  for (size_t i = 0; i < cc->input_count; i++)
    n += sl_is_source_kind(sl_input_kind(&cc->inputs[i]));
  return n;
}

static enum sl_status need_folder(struct build *b, struct sl_error *err)
{
  if (b->folder[0] != '\0')
    return SL_OK;
  if (!b->tools->dry)
    return sl_make_folder(b->folder, sizeof b->folder, err);
  snprintf(b->folder, sizeof b->folder, "/tmp/simtlab-cc"); /* dry run: the commands are only printed */
  return SL_OK;
}

/* ---- files one by one -------------------------------------------------------------------------------------------- */

/* Compiles one source without linking. */
static enum sl_status compile_alone(struct build *b, const struct sl_input *input, struct sl_error *err)
{
  const struct sl_compile_order *cc = b->order;
  char base[PATH_MOST], output[PATH_MOST + 8], dependencies[PATH_MOST], bitcode[PATH_MOST + 8] = "";
  struct sl_compile_step step = {.input = input, .output = cc->output, .goal = cc->goal};
  base_name(input->word, base);
  snprintf(output, sizeof output, "%s.%s", base, cc->goal == SL_GOAL_ASSEMBLY ? "s" : "o");
  if (cc->output == NULL && (cc->goal == SL_GOAL_OBJECT || cc->goal == SL_GOAL_ASSEMBLY))
    step.output = output;
  with_suffix(step.output != NULL ? step.output : base, ".d", dependencies);
  step.dependencies = dependencies;
  step.target = step.output;
  if (sl_takes_bitcode(cc, &step)) {
    const enum sl_status code = need_folder(b, err);
    if (code != SL_OK)
      return code;
    snprintf(bitcode, sizeof bitcode, "%s/0.bc", b->folder);
    step.bitcode = bitcode;
  }
  struct sl_staged_output staged;
  const enum sl_status code = sl_staged_output_begin(&staged, b->tools, step.output, err);
  if (code != SL_OK)
    return code;
  step.output = staged.path;
  return sl_staged_output_end(&staged, sl_compile_file(cc, &step, b->tools, err), err);
}

static enum sl_status compile_each(struct build *b, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < b->order->input_count && code == SL_OK; i++)
    if (sl_input_kind(&b->order->inputs[i]) != SL_INPUT_LINKED)
      code = compile_alone(b, &b->order->inputs[i], err);
  return code;
}

/* ---- a program --------------------------------------------------------------------------------------------------- */

/* Compiles a source to an intermediate object and adds it to the link command. */
static enum sl_status compile_for_link(struct build *b, const struct sl_input *input, bool of_runtime,
                                       struct sl_error *err)
{
  const char *output = b->order->output;
  char base[PATH_MOST], prefix[PATH_MOST], dependencies[PATH_MOST], bitcode[PATH_MOST + 32];
  const size_t number = b->objects.count;
  base_name(input->word, base);
  with_suffix(output, "", prefix);
  if (sources(b->order) == 1)
    with_suffix(output, ".d", dependencies);
  else if (snprintf(dependencies, sizeof dependencies, "%s-%s.d", prefix, base) >= PATH_MOST)
    return sl_fail(err, SL_USAGE, "%.200s: the name is too long", input->word);
  sl_words_add_text(&b->objects, "%s/%zu.o", b->folder, number);
  snprintf(bitcode, sizeof bitcode, "%s/%zu.bc", b->folder, number);
  if (b->objects.lost)
    return sl_no_memory(err, PATH_MOST);
  const struct sl_compile_step step = {.input = input,
                                       .output = b->objects.items[number],
                                       .dependencies = dependencies,
                                       .target = output,
                                       .bitcode = bitcode,
                                       .goal = SL_GOAL_OBJECT,
                                       .of_runtime = of_runtime};
  sl_words_add(&b->link, step.output);
  return sl_compile_file(b->order, &step, b->tools, err);
}

static enum sl_status compile_runtime(struct build *b, const char *file, struct sl_error *err)
{
  char path[PATH_MOST];
  const struct sl_input input = {.word = path};
  snprintf(path, sizeof path, "%s/%s", b->order->runtime, file);
  return compile_for_link(b, &input, true, err);
}

/* Whether kernels call printf; the program then needs the runtime that buffers their text. */
static bool kernels_print(const struct build *b)
{
  static const char print[] = "simt_printf";
  bool prints = false;
  for (size_t i = 0; i < b->objects.count && !b->order->vortex; i++)
    prints |= sl_refers_to(b->objects.items[i], print);
  for (size_t i = 0; i < b->order->input_count && !b->order->vortex; i++)
    if (sl_input_kind(&b->order->inputs[i]) == SL_INPUT_LINKED && !b->order->inputs[i].of_linker)
      prints |= sl_refers_to(b->order->inputs[i].word, print);
  return prints && !b->tools->dry;
}

static enum sl_status link_objects(struct build *b, struct sl_error *err)
{
  const struct sl_compile_order *cc = b->order;
  if (cc->wide && !b->tools->dry)
    return sl_link_wide(cc, b->objects.items, b->objects.count, b->tools->log, err);
  sl_add_libraries(cc, &b->link);
  return sl_tools_run(b->tools, &b->link, SL_OUTPUT_LOGGED, err);
}

static enum sl_status make_program(struct build *b, const char *output, struct sl_error *err)
{
  const struct sl_compile_order *cc = b->order;
  sl_words_add(&b->link, SL_GCC);
  sl_add_link_flags(cc, &b->link);
  sl_words_add(&b->link, "-o");
  sl_words_add(&b->link, output);
  enum sl_status code = need_folder(b, err);
  if (code == SL_OK && !cc->no_start)
    code = compile_runtime(b, sl_target_start(cc), err);
  for (size_t i = 0; i < cc->input_count && code == SL_OK; i++)
    if (sl_input_kind(&cc->inputs[i]) == SL_INPUT_LINKED)
      sl_words_add(&b->link, cc->inputs[i].word);
    else
      code = compile_for_link(b, &cc->inputs[i], false, err);
  if (code == SL_OK && !cc->no_libraries)
    code = compile_runtime(b, sl_target_library(cc), err);
  if (code == SL_OK && !cc->no_libraries && kernels_print(b))
    code = compile_runtime(b, SL_PRINT_LIBRARY, err);
  if (code == SL_OK && !cc->no_libraries && may_have_cxx(cc))
    code = compile_runtime(b, SL_CXX_LIBRARY, err);
  if (code == SL_OK)
    code = link_objects(b, err);
  const bool checks = cc->vortex && !cc->lane_barriers; /* with a pc per lane every branch is right */
  if (code == SL_OK && checks && !cc->relocatable && !b->tools->dry && !sl_has_flag(cc, "-w"))
    sl_check_branches(cc, output, b->tools->log);
  return code;
}

/* The linker of 64-bit instructions writes its output atomically itself. */
static enum sl_status make_staged(struct build *b, struct sl_error *err)
{
  struct sl_staged_output staged;
  if (b->order->wide)
    return make_program(b, b->order->output, err);
  const enum sl_status code = sl_staged_output_begin(&staged, b->tools, b->order->output, err);
  return code == SL_OK ? sl_staged_output_end(&staged, make_program(b, staged.path, err), err) : code;
}

static void clean_up(struct build *b)
{
  for (size_t i = 0; i < b->objects.count && !b->tools->dry; i++)
    unlink(b->objects.items[i]);
  if (b->folder[0] != '\0' && !b->tools->dry)
    rmdir(b->folder);
  sl_words_free(&b->objects);
  sl_words_free(&b->link);
}

enum sl_status sl_compile(const struct sl_compile_order *order, struct sl_tools *tools, struct sl_error *err)
{
  enum sl_status code = sl_compile_order_check(order, err);
  if (code != SL_OK)
    return code;
  struct build *b = calloc(1, sizeof *b);
  if (b == NULL)
    return sl_no_memory(err, sizeof *b);
  b->order = order;
  b->tools = tools;
  code = order->goal == SL_GOAL_PROGRAM ? make_staged(b, err) : compile_each(b, err);
  clean_up(b);
  free(b);
  return code;
}

enum sl_status sl_ask_compiler(const struct sl_compile_order *cc, struct sl_tools *tools, struct sl_error *err)
{
  struct sl_words words = {0};
  const bool clang = cc->auto_marks || cc->clang || (cc->fp && !cc->vortex);
  bool linker = false;
  for (size_t i = 0; i < cc->input_count; i++)
    linker |= cc->inputs[i].of_linker;
  sl_words_add(&words, clang && !linker ? SL_CLANG : SL_GCC);
  if (clang && !linker)
    sl_words_add(&words, "--target=riscv32-unknown-elf");
  sl_add_library_variant(cc, &words);
  sl_words_add_all(&words, cc->flags);
  for (size_t i = 0; i < cc->input_count; i++)
    sl_words_add(&words, cc->inputs[i].word);
  const enum sl_status code = sl_tools_run(tools, &words, SL_OUTPUT_PASSED, err);
  sl_words_free(&words);
  return code;
}
