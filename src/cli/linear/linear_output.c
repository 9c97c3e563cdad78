#include "cli/linear/linear_output.h"

#include <stdlib.h>
#include <string.h>

#include "base/whole_file.h"
#include "cli/linear/linear_program.h"
#include "linear/linear_rewrite.h"
#include "ptx/text/ptx_module.h"

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

/* Parses the written module again: names may occur twice. */
static enum sl_status read_again(const struct sl_linear_output *output, const char *text, size_t length,
                                 struct sl_error *err)
{
  struct sl_ptx_module *module = NULL;
  const enum sl_status status = sl_ptx_parse(&module, text, length, output->path, NULL, err);
  if (status == SL_OK)
    sl_ptx_free(module);
  return status == SL_OK || status == SL_INTERNAL ? status : SL_USAGE;
}

enum sl_status sl_linear_output_add(struct sl_linear_output *output, const struct sl_linear_input *input,
                                    const struct sl_linear_kernel *kernel, struct sl_linear_plan *plan,
                                    struct sl_error *err)
{
  if (output->program != NULL)
    return sl_linear_program_add(output->program, kernel, plan, err);
  const struct sl_linear_original original = {
      .module = input->module, .kernel = kernel->function, .text = output->text, .length = output->length};
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (out == NULL)
    return sl_no_memory(err, output->length);
  fwrite(output->text, 1, output->length, out);
  enum sl_status status = sl_linear_rewrite(out, plan, &original, err);
  if (fclose(out) != 0 && status == SL_OK)
    status = sl_no_memory(err, length);
  if (status == SL_OK)
    status = read_again(output, text, length, err);
  if (status != SL_OK) {
    free(text);
    return status;
  }
  free(output->text);
  output->text = text;
  output->length = length;
  return SL_OK;
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

static enum sl_status add(struct sl_linear_output *output, const struct sl_linear_input *input,
                          const struct sl_linear_kernel *kernel, struct sl_error *err)
{
  const struct sl_linear_options options = {.strict = false};
  struct sl_linear_code code;
  struct sl_linear_analysis analysis = {.code = NULL};
  struct sl_linear_plan plan = {.analysis = NULL};
  enum sl_status status = sl_linear_input_code(input, kernel, &code, err);
  if (status != SL_OK)
    return status;
  status = sl_linear_analyse(&analysis, &code, &options, err);
  if (status == SL_OK)
    status = sl_linear_plan_make(&plan, &analysis, err);
  if (status == SL_OK)
    status = sl_linear_output_add(output, input, kernel, &plan, err);
  sl_linear_plan_free(&plan);
  sl_linear_analysis_free(&analysis);
  sl_linear_code_free(&code);
  return status == SL_USAGE ? SL_OK : status;
}

enum sl_status sl_linear_output_make(const char *path, const char *from, struct sl_error *err)
{
  struct sl_linear_output output = {.path = NULL};
  struct sl_linear_input input;
  enum sl_status status = sl_linear_input_open(&input, from, NULL, err);
  if (status == SL_OK)
    status = sl_linear_output_open(&output, path, &input, err);
  for (size_t i = 0; i < input.kernels && status == SL_OK; i++)
    status = add(&output, &input, &input.kernel[i], err);
  if (status == SL_OK)
    status = sl_linear_output_write(&output, err);
  sl_linear_output_close(&output);
  sl_linear_input_close(&input);
  return status;
}
