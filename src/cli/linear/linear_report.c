#include "cli/linear/linear.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole_file.h"
#include "compiler/linear/linear_rewrite.h"
#include "compiler/linear/rv32/rv32_write.h"
#include "machine/sm7/sm7_gpu.h"
#include "observe/json.h"
#include "observe/terminal.h"
#include "program/program.h"

const char *sl_linear_fate_text(enum sl_linear_fate fate)
{
  return fate == SL_LINEAR_GOES ? "removed" : fate == SL_LINEAR_COPIES ? "copied" : "kept";
}

static bool reached(const struct sl_linear_analysis *a, uint32_t insn)
{
  return a->flow.dominators.place[a->flow.block_of[insn]] != SL_NO_NODE;
}

/* The linear-register expression that replaces an operand: "lr0+cr1+8". */
enum { OPERAND_TEXT = 64 };

static char *operand_text(const struct sl_linear_source *s, int64_t more, char text[OPERAND_TEXT])
{
  int n = 0;
  text[0] = '\0';
  if (s->kind == SL_LINEAR_COMBINATION)
    n += snprintf(text, OPERAND_TEXT, "lr%u", s->lr);
  if (s->kind != SL_LINEAR_ORDINARY && s->ur != SL_LINEAR_NONE)
    n += snprintf(text + n, (size_t)(OPERAND_TEXT - n), "%sur%u", n > 0 ? "+" : "", s->ur);
  if (s->kind != SL_LINEAR_ORDINARY && s->cr != SL_LINEAR_NONE)
    n += snprintf(text + n, (size_t)(OPERAND_TEXT - n), "%scr%u", n > 0 ? "+" : "", s->cr);
  const int64_t number = (int64_t)((uint64_t)s->number + (uint64_t)more);
  if (number != 0 || n == 0)
    snprintf(text + n, (size_t)(OPERAND_TEXT - n), n > 0 ? "%+" PRId64 : "%" PRId64, number);
  return text;
}

/* "address lr0+8, operand 2 cr1" */
static void list_operands(const struct sl_linear_report *r, uint32_t insn, char *text, size_t size)
{
  const struct sl_linear_insn *in = &r->analysis->code->insn[insn];
  char operand[OPERAND_TEXT];
  size_t used = 0;
  text[0] = '\0';
  for (unsigned k = 0; k < in->srcs && used < size; k++) {
    const struct sl_linear_source *s = &r->plan->source[insn][k];
    const bool address = in->base == (int)k;
    int n = 0;
    if (s->kind == SL_LINEAR_ORDINARY)
      continue;
    operand_text(s, address ? in->number : 0, operand);
    if (address)
      n = snprintf(text + used, size - used, "%saddress %s", used > 0 ? ", " : "", operand);
    else
      n = snprintf(text + used, size - used, "%soperand %u %s", used > 0 ? ", " : "", k + 1, operand);
    used += n > 0 ? (size_t)n : 0;
  }
}

char *sl_linear_remark(const struct sl_linear_report *r, uint32_t insn, char text[SL_LINEAR_REMARK])
{
  const struct sl_linear_analysis *a = r->analysis;
  char vector[SL_LINEAR_TEXT], operands[SL_LINEAR_TEXT];
  list_operands(r, insn, operands, sizeof operands);
  const uint32_t value = a->code->insn[insn].dsts == 1 ? a->values.def[insn][0] : SL_LINEAR_NO_VALUE;
  const char *about = "";
  if (!reached(a, insn))
    about = "never reached";
  else if (value != SL_LINEAR_NO_VALUE && a->vector[value].reason == SL_LINEAR_YES)
    about = sl_linear_vector_text(a, &a->vector[value], vector);
  else if (value != SL_LINEAR_NO_VALUE)
    about = sl_linear_reason_text(a->vector[value].reason);
  const bool left = value != SL_LINEAR_NO_VALUE && r->plan->ordinary[value];
  snprintf(text, SL_LINEAR_REMARK, "%s%s%s%s", about, left ? "; no linear register is left for it" : "",
           *about != '\0' && *operands != '\0' ? "; " : "", operands);
  return text;
}

static double percent(uint32_t part, uint32_t whole)
{
  return whole > 0 ? 100.0 * part / whole : 0;
}

static bool print_summary(const struct sl_linear_report *r, FILE *file)
{
  const struct sl_linear_plan *p = r->plan;
  bool ok = sl_print_lines(file, 2,
                           "%s: %" PRIu32 " instructions, %" PRIu32 " linear (%.1f %%); %" PRIu32 " go, %" PRIu32
                           " come: %.1f %% fewer",
                           r->kernel->name, p->reached, p->linear, percent(p->linear, p->reached), p->gone, p->added,
                           percent(p->gone, p->reached) - percent(p->added, p->reached));
  ok &= sl_print_lines(file, 2,
                       "registers: %" PRIu32 " linear (lr), %" PRIu32 " of threads (tr), %" PRIu32
                       " coefficients (cr), %" PRIu32 " uniform (ur)",
                       p->lrs, p->trs, p->crs, p->urs);
  if (p->most_wanted > p->lrs)
    ok &= sl_print_lines(file, 2,
                         "%" PRIu32 " linear registers are needed, and there are %d: the least useful are dropped",
                         p->most_wanted, SL_LINEAR_REGISTERS);
  return ok;
}

static bool print_registers(const struct sl_linear_report *r, FILE *file)
{
  const struct sl_linear_plan *p = r->plan;
  const struct sl_linear_analysis *a = r->analysis;
  char text[SL_LINEAR_TEXT], more[SL_LINEAR_TEXT], place[SL_LINEAR_PLACE_TEXT];
  bool ok = true;
  for (uint32_t i = 0; i < p->lrs; i++) {
    struct sl_linear_vector v = {.reason = SL_LINEAR_YES, .constant = p->lr[i].constant};
    memcpy(v.index, p->lr[i].index, sizeof v.index);
    sl_linear_vector_text(a, &v, text);
    char thread[16] = "";
    if (p->lr[i].tr != SL_LINEAR_NONE)
      snprintf(thread, sizeof thread, "tr%u+", p->lr[i].tr);
    ok &= sl_print_lines(file, 8, "  lr%-3" PRIu32 " %s = %sbr%" PRIu32 ", %" PRIu32 " uses", i, text, thread, i,
                         p->lr[i].uses);
  }
  for (uint32_t i = 0; i < p->crs; i++)
    ok &= sl_print_lines(file, 8, "  cr%-3" PRIu32 " %s", i,
                         sl_poly_text(a->polys, p->cr[i], sl_linear_symbol_name, a, text, sizeof text));
  for (uint32_t i = 0; i < p->urs; i++)
    ok &= sl_print_lines(
        file, 8, "  ur%-3" PRIu32 " %s, and %s more in each iteration of the loop at %s%s", i,
        sl_poly_text(a->polys, p->ur[i].start, sl_linear_symbol_name, a, text, sizeof text),
        sl_poly_text(a->polys, p->ur[i].step, sl_linear_symbol_name, a, more, sizeof more),
        r->kernel->function != NULL ? "line " : "",
        sl_linear_insn_place(r->input, r->kernel, a->flow.first[a->flow.loop[p->ur[i].loop].header], place));
  return ok;
}

static bool print_listing(const struct sl_linear_report *r, FILE *file)
{
  enum { PLACE = 8, FATE = PLACE + 2, INSN = FATE + 9, REMARK = INSN + 2 };
  char insn[SL_LINEAR_INSN_TEXT], remark[SL_LINEAR_REMARK], place[SL_LINEAR_PLACE_TEXT];
  const size_t columns = sl_terminal_of(file).columns;
  const struct sl_wrapping whole = {.at = INSN, .indent = INSN, .columns = columns};
  const struct sl_wrapping about = {.at = REMARK, .indent = REMARK, .columns = columns};
  bool ok = true;
  for (uint32_t i = 0; i < r->analysis->code->count && ok; i++) {
    ok = sl_print(file, "%*s  %-7s  ", PLACE, sl_linear_insn_place(r->input, r->kernel, i, place),
                  sl_linear_fate_text(r->plan->fate[i])) >= 0 &&
         sl_print_wrapped(file, sl_linear_insn_text(r->input, r->kernel, i, insn), &whole);
    if (*sl_linear_remark(r, i, remark) != '\0')
      ok = ok && sl_print(file, "%*s", REMARK, "") >= 0 && sl_print_wrapped(file, remark, &about);
  }
  return ok;
}

bool sl_linear_print(const struct sl_linear_report *report, bool listing, FILE *file)
{
  return print_summary(report, file) && print_registers(report, file) && (!listing || print_listing(report, file));
}

/* ---- json -------------------------------------------------------------------------------------------------------- */

/* Kernels as JSON. */
static json_t *poly_json(const struct sl_linear_analysis *a, sl_poly poly)
{
  char text[SL_LINEAR_TEXT];
  return sl_json_text(sl_poly_text(a->polys, poly, sl_linear_symbol_name, a, text, sizeof text));
}

/* Seven texts: the constant, thread x, y, z, block x, y, z. */
static json_t *vector_json(const struct sl_linear_analysis *a, const struct sl_linear_vector *v)
{
  json_t *json = json_array();
  sl_json_append(&json, poly_json(a, v->constant));
  for (unsigned i = 0; i < SL_LINEAR_INDICES; i++)
    sl_json_append(&json, poly_json(a, v->index[i]));
  return json;
}

static json_t *operands_json(const struct sl_linear_report *r, uint32_t insn)
{
  const struct sl_linear_insn *in = &r->analysis->code->insn[insn];
  char text[OPERAND_TEXT];
  json_t *json = json_array();
  for (unsigned k = 0; k < in->srcs; k++) {
    const struct sl_linear_source *s = &r->plan->source[insn][k];
    const bool address = in->base == (int)k;
    if (s->kind == SL_LINEAR_ORDINARY)
      continue;
    json_t *operand = SL_JSON({"operand", sl_json_count(k + 1)}, {"address", json_boolean(address)},
                              {"reads", sl_json_text(operand_text(s, address ? in->number : 0, text))});
    sl_json_append(&json, operand);
  }
  return json;
}

/* Line of the PTX, or address; and source file and line if known. */
static void put_place(const struct sl_linear_report *r, uint32_t insn, json_t **json)
{
  char place[SL_LINEAR_PLACE_TEXT];
  const char *file;
  const uint32_t line = sl_linear_insn_source(r->input, r->kernel, insn, &file);
  sl_linear_insn_place(r->input, r->kernel, insn, place);
  if (r->kernel->function != NULL)
    sl_json_put(json, "line", sl_json_count(strtoul(place, NULL, 10)));
  else
    sl_json_put(json, "address", sl_json_text(place));
  if (file == NULL)
    return;
  json_t *source = SL_JSON({"file", sl_json_text(file)}, {"line", sl_json_count(line)});
  sl_json_put(json, "source", source);
}

static json_t *instruction_json(const struct sl_linear_report *r, uint32_t insn)
{
  const struct sl_linear_analysis *a = r->analysis;
  char text[SL_LINEAR_INSN_TEXT];
  json_t *json = json_object();
  put_place(r, insn, &json);
  sl_json_put(&json, "text", sl_json_text(sl_linear_insn_text(r->input, r->kernel, insn, text)));
  sl_json_put(&json, "fate", sl_json_text(sl_linear_fate_text(r->plan->fate[insn])));
  const uint32_t value = a->code->insn[insn].dsts == 1 ? a->values.def[insn][0] : SL_LINEAR_NO_VALUE;
  if (value != SL_LINEAR_NO_VALUE && a->vector[value].reason == SL_LINEAR_YES)
    sl_json_put(&json, "vector", vector_json(a, &a->vector[value]));
  else if (value != SL_LINEAR_NO_VALUE)
    sl_json_put(&json, "reason", sl_json_text(sl_linear_reason_text(a->vector[value].reason)));
  sl_json_put(&json, "operands", operands_json(r, insn));
  return json;
}

static json_t *registers_json(const struct sl_linear_report *r)
{
  const struct sl_linear_plan *p = r->plan;
  const struct sl_linear_analysis *a = r->analysis;
  json_t *json = json_object(), *lrs = json_array(), *crs = json_array(), *urs = json_array();
  for (uint32_t i = 0; i < p->lrs; i++) {
    struct sl_linear_vector v = {.reason = SL_LINEAR_YES, .constant = p->lr[i].constant};
    json_t *lr = json_object();
    memcpy(v.index, p->lr[i].index, sizeof v.index);
    sl_json_put(&lr, "vector", vector_json(a, &v));
    sl_json_put(&lr, "tr", p->lr[i].tr == SL_LINEAR_NONE ? json_null() : sl_json_count(p->lr[i].tr));
    sl_json_put(&lr, "uses", sl_json_count(p->lr[i].uses));
    sl_json_append(&lrs, lr);
  }
  for (uint32_t i = 0; i < p->crs; i++)
    sl_json_append(&crs, poly_json(a, p->cr[i]));
  for (uint32_t i = 0; i < p->urs; i++) {
    json_t *ur = json_object();
    sl_json_put(&ur, "start", poly_json(a, p->ur[i].start));
    sl_json_put(&ur, "step", poly_json(a, p->ur[i].step));
    put_place(r, a->flow.first[a->flow.loop[p->ur[i].loop].header], &ur);
    sl_json_append(&urs, ur);
  }
  SL_JSON_ADD(&json, {"lr", lrs}, {"cr", crs}, {"ur", urs});
  return json;
}

json_t *sl_linear_json(const struct sl_linear_report *r)
{
  json_t *json = json_object(), *instructions = json_array();
  SL_JSON_ADD(&json, {"kernel", sl_json_text(r->kernel->name)}, {"reached", sl_json_count(r->plan->reached)},
              {"linear", sl_json_count(r->plan->linear)}, {"gone", sl_json_count(r->plan->gone)},
              {"added", sl_json_count(r->plan->added)}, {"registers", registers_json(r)});
  for (uint32_t i = 0; i < r->analysis->code->count; i++)
    sl_json_append(&instructions, instruction_json(r, i));
  sl_json_put(&json, "instructions", instructions);
  return json;
}

/* The program that simtlab linear -o writes: the original file plus a section. The section holds the kernels with
 * linear registers, and a symbol NAME$r2d2 for each. */

struct sl_linear_program_output;

enum { WORD = sizeof(uint32_t) };

static const char section[] = ".simtlab.linear";

struct sl_linear_program_output {
  const char *path;
  char *bytes; /* offset in the file */
  size_t size;
  uint32_t address, limit; /* start of the section, and its limit */
  uint32_t *word;
  uint32_t words;
  struct sl_appended_function *function;
  size_t functions;
};

/* After all code and before the next segment. */
static void find_room(struct sl_linear_program_output *o, const struct sl_program *program)
{
  struct sl_sm7_spec spec;
  sl_keys_defaults(&sl_sm7_keys, &spec);
  const struct sl_soc soc = sl_sm7.soc(&spec);
  o->limit = soc.code_base + WORD * soc.code_words;
  for (size_t i = 0; i < sl_program_segment_count(program); i++) {
    const struct sl_segment *s = sl_program_segment(program, i);
    if (s->executable && s->address + s->size > o->address)
      o->address = (s->address + s->size + WORD - 1) & ~(uint32_t)(WORD - 1);
  }
  for (size_t i = 0; i < sl_program_segment_count(program); i++) {
    const struct sl_segment *s = sl_program_segment(program, i);
    if (s->address >= o->address && s->address < o->limit)
      o->limit = s->address;
  }
}

static enum sl_status sl_linear_program_open(struct sl_linear_program_output **output,
                                             const struct sl_linear_input *input, struct sl_error *err)
{
  struct sl_linear_program_output *o = calloc(1, sizeof *o);
  if (o == NULL)
    return sl_no_memory(err, sizeof *o);
  *output = o;
  o->path = input->path;
  find_room(o, input->elf.program);
  return sl_file_bytes_read(input->path, &o->bytes, &o->size, err);
}

static bool grow(struct sl_linear_program_output *o, uint32_t words)
{
  uint32_t *word = realloc(o->word, (o->words + (size_t)words) * sizeof *word);
  o->word = word != NULL ? word : o->word;
  struct sl_appended_function *function = realloc(o->function, (o->functions + 1) * sizeof *function);
  o->function = function != NULL ? function : o->function;
  return word != NULL && function != NULL;
}

/* Adds a kernel. SL_USAGE: the kernel cannot be encoded; the program is unchanged. */
static enum sl_status sl_linear_program_add(struct sl_linear_program_output *o, const struct sl_linear_kernel *kernel,
                                            struct sl_linear_plan *plan, struct sl_error *err)
{
  struct sl_rv32_form form;
  const uint32_t address = o->address + WORD * o->words;
  const size_t length = strlen(kernel->name) + sizeof "$r2d2";
  enum sl_status status = sl_rv32_form_make(&form, plan, &kernel->words, address, err);
  if (status != SL_OK)
    return status;
  char *name = malloc(length);
  if (address > o->limit || form.count > (o->limit - address) / WORD)
    status = sl_fail(err, SL_USAGE, "there is no room for it after the program's code");
  else if (name == NULL || !grow(o, form.count))
    status = sl_no_memory(err, form.count * sizeof *form.word);
  if (status == SL_OK) {
    snprintf(name, length, "%s$r2d2", kernel->name);
    memcpy(o->word + o->words, form.word, form.count * sizeof *form.word);
    o->function[o->functions++] =
        (struct sl_appended_function){.name = name, .address = address, .bytes = WORD * form.count};
    o->words += form.count;
  } else {
    free(name);
  }
  sl_rv32_form_free(&form);
  return status;
}

/* The whole file; the caller frees it. */
static enum sl_status sl_linear_program_bytes(const struct sl_linear_program_output *o, char **bytes, size_t *length,
                                              struct sl_error *err)
{
  const struct sl_appended_code code = {.section = section,
                                        .address = o->address,
                                        .word = o->word,
                                        .words = o->words,
                                        .function = o->function,
                                        .functions = o->functions};
  const enum sl_status status = sl_elf_append(bytes, length, o->bytes, o->size, &code, err);
  if (status != SL_OK && status != SL_INTERNAL)
    sl_error_prefix(err, "%.200s: ", o->path);
  return status;
}

static void sl_linear_program_free(struct sl_linear_program_output *o)
{
  if (o == NULL)
    return;
  for (size_t i = 0; i < o->functions; i++)
    free((char *)(uintptr_t)o->function[i].name);
  free(o->function);
  free(o->word);
  free(o->bytes);
  free(o);
}

enum sl_status sl_linear_output_open(struct sl_linear_output *output, const char *path,
                                     const struct sl_linear_input *input, struct sl_error *err)
{
  *output = (struct sl_linear_output){.path = path};
  if (input->module == NULL)
    return sl_linear_program_open(&output->program, input, err);
  FILE *out = open_memstream(&output->text, &output->length);
  if (out == NULL)
    return sl_no_memory(err, 0);
  for (size_t i = 0; i < input->source.count; i++)
    fprintf(out, "%s\n", sl_source_line(&input->source, (unsigned)i + 1));
  return fclose(out) == 0 ? SL_OK : sl_no_memory(err, output->length);
}

enum sl_status sl_linear_output_add(struct sl_linear_output *output, const struct sl_linear_input *input,
                                    const struct sl_linear_kernel *kernel, struct sl_linear_plan *plan,
                                    struct sl_error *err)
{
  if (output->program != NULL)
    return sl_linear_program_add(output->program, kernel, plan, err);
  struct sl_linear_module module = {.text = output->text, .length = output->length};
  const enum sl_status status = sl_linear_module_add(&module, output->path, input->module, kernel->function, plan, err);
  output->text = module.text;
  output->length = module.length;
  return status;
}

enum sl_status sl_linear_output_write(const struct sl_linear_output *output, struct sl_error *err)
{
  struct sl_whole_file file;
  char *bytes = output->text;
  size_t length = output->length;
  enum sl_status status = SL_OK;
  if (output->program != NULL)
    status = sl_linear_program_bytes(output->program, &bytes, &length, err);
  if (status == SL_OK)
    status = sl_whole_file_open(&file, output->path, err);
  if (status == SL_OK) {
    fwrite(bytes, 1, length, file.file);
    status = sl_whole_file_close(&file, false, err);
  }
  if (output->program != NULL)
    free(bytes);
  return status;
}

void sl_linear_output_close(struct sl_linear_output *output)
{
  free(output->text);
  sl_linear_program_free(output->program);
  *output = (struct sl_linear_output){.path = NULL};
}
