#include "cli/linear/linear.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole_file.h"
#include "compiler/linear/linear_rewrite.h"
#include "compiler/linear/rv32/rv32_write.h"
#include "machine/sm7/sm7_gpu.h"
#include "program/program.h"

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
