#define _GNU_SOURCE /* memmem */
#include "compiler/cc/compile.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/isa64/assembler/assembler64.h"
#include "compiler/isa64/compile_mir.h"
#include "compiler/isa64/link/link64.h"
#include "compiler/isa64/object64.h"
#include "compiler/isa64/rv32/rv32_object.h"

#define MACHINE_IR_SECTION ".simt.mir"

/* ---- functions with machine IR ----------------------------------------------------------------------------------- */

/* Compiles functions whose machine IR comes with an object for 64-bit instruction words. They replace
 * the object's own functions, which remain if they cannot be compiled. */
struct wide_code {
  struct sl_wide_options options;
  struct sl_log *notes; /* remaining functions with the reason; NULL: not recorded */
};

/* The C library's longjmp restores only RISC-V's registers. In a program with longjmp only these are callee-saved, so
 * that it restores all registers that a function may rely on. */
static const char jump[] = "longjmp";

static bool has_jumps(const struct sl_object64 *object)
{
  for (size_t i = 0; i < object->symbol_count; i++)
    if (strstr(object->symbols[i].name, jump) != NULL)
      return true;
  return false;
}

/* Archive members are read on demand, which would be too late for this check. */
static bool archive_has_jumps(const struct sl_rv32_archive *archive)
{
  return memmem(archive->bytes, archive->size, jump, strlen(jump)) != NULL;
}

static void allow_jumps(struct wide_code *code)
{
  enum { OF_RISCV = 32 };
  memset(code->options.saved + OF_RISCV, 0, SL_REGISTERS - OF_RISCV);
}

static void note(struct sl_log *log, const struct sl_backend_notes *notes)
{
  char line[600];
  for (size_t i = 0; i < notes->function_count; i++)
    if (notes->function[i].refusal != NULL) {
      const int n = snprintf(line, sizeof line, "note: %.120s has the stock compiler's code for 32 registers: %.400s\n",
                             notes->function[i].name, notes->function[i].refusal);
      sl_log_add(log, line, (size_t)n);
    }
}

static enum sl_status compile_section(const struct wide_code *code, struct sl_object64 *object,
                                      const struct sl_section64 *text, struct sl_error *err)
{
  const struct sl_wide_options *o = &code->options;
  struct sl_object64 compiled;
  struct sl_backend_notes notes = {0};
  uint8_t bank[SL_REGISTERS];
  for (unsigned reg = 0; reg < SL_REGISTERS; reg++)
    bank[reg] = (uint8_t)sl_bank_of(o->map, o->banks, o->registers, reg);
  const struct sl_backend_options options = {.registers = o->registers,
                                             .banks = o->banks,
                                             .bank = bank,
                                             .saved = o->saved,
                                             .allocation = o->allocation,
                                             .assembler = {.assemble = sl_assemble64_words}};
  enum sl_status status =
      sl_compile_mir(object->name, (const char *)text->bytes, text->size, &options, &compiled, &notes, err);
  if (status != SL_OK)
    return status;
  if (code->notes != NULL)
    note(code->notes, &notes);
  sl_backend_notes_free(&notes);
  status = sl_object64_replace(object, &compiled, err);
  sl_object64_free(&compiled);
  return status;
}

/* `context` is a struct wide_code. Objects without machine IR are unchanged. */
static enum sl_status compile_object(void *context, struct sl_object64 *object, struct sl_error *err)
{
  const struct wide_code *code = context;
  enum sl_status status = SL_OK;
  for (size_t i = 0; i < object->section_count && status == SL_OK; i++) {
    struct sl_section64 *section = &object->sections[i];
    if (strcmp(section->name, MACHINE_IR_SECTION) != 0)
      continue;
    const struct sl_section64 text = *section;
    section->bytes = NULL;
    section->size = 0;
    section->fix_count = 0;
    section->keep = false; /* the section is not part of the program */
    if (!code->options.stock && text.bytes != NULL)
      status = compile_section(code, object, &text, err);
    free(text.bytes);
  }
  return status;
}

/* ---- flags for direct use ---------------------------------------------------------------------------------------- */

/* Adds the folder of GCC's own library; GCC is asked for it. */
static enum sl_status add_gcc_library(const struct sl_compile_order *cc, struct sl_words *words, struct sl_error *err)
{
  struct sl_log answer = {0};
  struct sl_tools tools = {.log = &answer};
  struct sl_words question = {0};
  sl_words_add(&question, SL_GCC);
  sl_add_library_variant(cc, &question);
  sl_words_add(&question, "-print-libgcc-file-name");
  const enum sl_status code = sl_tools_run(&tools, &question, SL_OUTPUT_LOGGED, err);
  char *slash = answer.text != NULL ? strrchr(answer.text, '/') : NULL;
  if (code == SL_OK && slash != NULL)
    sl_words_add_text(words, "-L%.*s", (int)(slash - answer.text), answer.text);
  sl_words_free(&question);
  sl_log_free(&answer);
  return code;
}

static enum sl_status add_linking(const struct sl_compile_order *cc, struct sl_words *words, struct sl_error *err)
{
  sl_words_add(words, "--target=riscv32-unknown-elf");
  sl_words_add(words, "-fuse-ld=lld");
  sl_add_link_flags(cc, words);
  for (size_t i = 0; i < cc->input_count; i++)
    sl_words_add(words, cc->inputs[i].word);
  const enum sl_status code = add_gcc_library(cc, words, err);
  sl_add_libraries(cc, words);
  return code;
}

enum sl_status sl_add_direct_use(const struct sl_compile_order *cc, const struct sl_direct_use *use,
                                 struct sl_words *words, struct sl_error *err)
{
  enum sl_status code = sl_compile_target_check(cc, err);
  if (code == SL_OK && use->cflags) {
    sl_add_clang_flags(cc, words);
    sl_words_add_all(words, cc->flags);
  }
  if (code == SL_OK && use->runtime) {
    sl_words_add_text(words, "%s/%s", cc->runtime, sl_target_start(cc));
    sl_words_add_text(words, "%s/%s", cc->runtime, sl_target_library(cc));
    sl_words_add_text(words, "%s/" SL_CXX_LIBRARY, cc->runtime);
  }
  if (code == SL_OK && use->ldflags)
    code = add_linking(cc, words, err);
  return code == SL_OK && words->lost ? sl_no_memory(err, words->capacity) : code;
}

/* ---- linking ----------------------------------------------------------------------------------------------------- */

/* Registers that stock objects use. */
enum { REGISTERS = 32 };

struct parts {
  struct sl_object64 *objects;
  size_t object_count;
  struct sl_rv32_archive *archives;
  size_t archive_count, own_archives; /* archives of the order come first */
};

static bool is_archive(const char *file)
{
  const size_t length = strlen(file);
  return length > 2 && strcmp(file + length - 2, ".a") == 0;
}

static enum sl_status add(struct parts *parts, const char *file, struct sl_error *err)
{
  enum sl_status code;
  if (is_archive(file)) {
    code = sl_rv32_archive_read(file, &parts->archives[parts->archive_count], err);
    parts->archive_count += code == SL_OK;
  } else {
    code = sl_rv32_object_read(file, &parts->objects[parts->object_count], err);
    parts->object_count += code == SL_OK;
  }
  return code;
}

/* Linker options that only name the library that is linked anyway have no effect. */
static enum sl_status add_input(struct parts *parts, const struct sl_input *input, struct sl_error *err)
{
  static const char *const there[] = {"-lc", "-lm", "-lgcc", NULL};
  if (!input->of_linker)
    return add(parts, input->word, err);
  for (const char *const *name = there; *name != NULL; name++)
    if (strcmp(input->word, *name) == 0)
      return SL_OK;
  return sl_fail(err, SL_USAGE, "%.200s: programs of vortex64 take objects and archives by their names only",
                 input->word);
}

/* GCC's library is in the folder of the installed version. */
static enum sl_status add_libraries(struct parts *parts, struct sl_error *err)
{
  static const char *const patterns[] = {SL_PICOLIBC "/lib/rv32im/ilp32/libc.a",
                                         "/usr/lib/gcc/riscv64-unknown-elf/*/rv32im/ilp32/libgcc.a"};
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < sizeof patterns / sizeof patterns[0] && code == SL_OK; i++) {
    glob_t found;
    if (glob(patterns[i], 0, NULL, &found) != 0)
      return sl_fail(err, SL_USAGE,
                     "%s is not there; install the Debian packages gcc-riscv64-unknown-elf and "
                     "picolibc-riscv64-unknown-elf",
                     patterns[i]);
    code = add(parts, found.gl_pathv[found.gl_pathc - 1], err);
    globfree(&found);
  }
  return code;
}

static enum sl_status collect(const struct sl_compile_order *order, char *const *compiled, size_t count,
                              struct parts *parts, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < count && code == SL_OK; i++)
    code = add(parts, compiled[i], err);
  for (size_t i = 0; i < order->input_count && code == SL_OK; i++)
    if (sl_input_kind(&order->inputs[i]) == SL_INPUT_LINKED)
      code = add_input(parts, &order->inputs[i], err);
  parts->own_archives = parts->archive_count;
  return code == SL_OK && !order->no_libraries ? add_libraries(parts, err) : code;
}

static enum sl_status compile_functions(struct wide_code *code, struct parts *parts, struct sl_error *err)
{
  bool jumps = false;
  for (size_t i = 0; i < parts->object_count; i++)
    jumps |= has_jumps(&parts->objects[i]);
  for (size_t i = 0; i < parts->own_archives; i++)
    jumps |= archive_has_jumps(&parts->archives[i]);
  if (jumps)
    allow_jumps(code);
  enum sl_status status = SL_OK;
  for (size_t i = 0; i < parts->object_count && status == SL_OK; i++)
    status = compile_object(code, &parts->objects[i], err);
  return status;
}

enum sl_status sl_link_wide(const struct sl_compile_order *order, char *const *compiled, size_t count,
                            struct sl_log *log, struct sl_error *err)
{
  static const char *const defsyms[] = {"vfprintf=__i_vfprintf"};
  const size_t most = count + order->input_count + 2;
  const bool stock = order->code.stock || order->code.registers < REGISTERS;
  struct wide_code own = {.options = order->code, .notes = sl_has_flag(order, "-w") ? NULL : log};
  struct parts parts = {.objects = calloc(most, sizeof *parts.objects),
                        .archives = calloc(most, sizeof *parts.archives)};
  enum sl_status code = SL_OK;
  if (parts.objects == NULL || parts.archives == NULL)
    code = sl_no_memory(err, most * sizeof *parts.objects);
  if (code == SL_OK)
    code = collect(order, compiled, count, &parts, err);
  if (code == SL_OK)
    code = compile_functions(&own, &parts, err);
  const struct sl_link64_options options = {.registers = stock ? REGISTERS : order->code.registers,
                                            .banks = order->code.banks,
                                            .defsyms = defsyms,
                                            .defsym_count = order->no_libraries ? 0 : 1,
                                            .archives = parts.archives,
                                            .archive_count = parts.archive_count,
                                            .prepare = compile_object,
                                            .context = &own};
  if (code == SL_OK)
    code = sl_link64(&options, parts.objects, parts.object_count, order->output, err);
  for (size_t i = 0; i < parts.object_count; i++)
    sl_object64_free(&parts.objects[i]);
  for (size_t i = 0; i < parts.archive_count; i++)
    sl_rv32_archive_free(&parts.archives[i]);
  free(parts.objects);
  free(parts.archives);
  return code;
}

/* ---- objects with machine IR ------------------------------------------------------------------------------------- */

/* Programs are linked statically and have one kind of thread-local storage; the back end knows no other. */
const char *const sl_machine_ir_clang_flags[] = {"-ftls-model=local-exec", NULL};

/* Both calls of llc must generate the same code. The flags that keep annotations in place are those of
 * compiler/reconverge/passes.c. */
static const char *const llc_flags[] = {"llc-19",
                                        "-O2",
                                        "-relocation-model=static",
                                        "-code-model=small",
                                        "-target-abi=ilp32",
                                        "-function-sections",
                                        "-data-sections",
                                        "-disable-cgp-select2branch",
                                        "-enable-tail-merge=false",
                                        "-disable-mergeicmps",
                                        "-disable-select-optimize",
                                        NULL};
static const char *const marked_flags[] = {"-expand-div-rem-bits=32", "-expand-fp-convert-bits=32", NULL};
static const char *const object_flags[] = {"-filetype=obj", "-save-temp-labels", NULL};
static const char *const machine_ir_flags[] = {"-stop-before=greedy", NULL};

static enum sl_status run_llc(const char *bitcode, bool marked, const char *const *goal, const char *output,
                              struct sl_tools *tools, struct sl_error *err)
{
  struct sl_words words = {0};
  sl_words_add_all(&words, llc_flags);
  if (marked)
    sl_words_add_all(&words, marked_flags);
  sl_words_add_all(&words, goal);
  sl_words_add(&words, "-o");
  sl_words_add(&words, output);
  sl_words_add(&words, bitcode);
  const enum sl_status code = sl_tools_run(tools, &words, SL_OUTPUT_LOGGED, err);
  sl_words_free(&words);
  return code;
}

static enum sl_status add_section(const char *text, const char *object, struct sl_tools *tools, struct sl_error *err)
{
  struct sl_words words = {0};
  sl_words_add(&words, "llvm-objcopy-19");
  sl_words_add_text(&words, "--add-section=" MACHINE_IR_SECTION "=%s", text);
  sl_words_add(&words, object);
  const enum sl_status code = sl_tools_run(tools, &words, SL_OUTPUT_LOGGED, err);
  sl_words_free(&words);
  return code;
}

enum sl_status sl_machine_ir_object(const char *bitcode, bool marked, const char *object, struct sl_tools *tools,
                                    struct sl_error *err)
{
  struct sl_words text = {0};
  sl_words_add_text(&text, "%s.mir", bitcode);
  if (text.lost)
    return sl_no_memory(err, sizeof text);
  enum sl_status code = run_llc(bitcode, marked, machine_ir_flags, text.items[0], tools, err);
  if (code == SL_OK)
    code = run_llc(bitcode, marked, object_flags, object, tools, err);
  if (code == SL_OK)
    code = add_section(text.items[0], object, tools, err);
  if (!tools->dry)
    unlink(text.items[0]);
  sl_words_free(&text);
  return code;
}
