#include "compiler/linear/linear_module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/linear/linear_ptx.h"
#include "ptx/text/ptx_module.h"

static enum sl_status read_again(const char *path, const char *text, size_t length, struct sl_error *err)
{
  struct sl_ptx_module *module = NULL;
  const enum sl_status status = sl_ptx_parse(&module, text, length, path, NULL, err);
  if (status == SL_OK)
    sl_ptx_free(module);
  return status == SL_OK || status == SL_INTERNAL ? status : SL_USAGE;
}

enum sl_status sl_linear_module_add(struct sl_linear_module *module, const char *path,
                                    const struct sl_ptx_module *original, const struct sl_ptx_function *kernel,
                                    struct sl_linear_plan *plan, struct sl_error *err)
{
  const struct sl_linear_original from = {
      .module = original, .kernel = kernel, .text = module->text, .length = module->length};
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (out == NULL)
    return sl_no_memory(err, module->length);
  fwrite(module->text, 1, module->length, out);
  enum sl_status status = sl_linear_rewrite(out, plan, &from, err);
  if (fclose(out) != 0 && status == SL_OK)
    status = sl_no_memory(err, length);
  if (status == SL_OK)
    status = read_again(path, text, length, err);
  if (status != SL_OK) {
    free(text);
    return status;
  }
  free(module->text);
  module->text = text;
  module->length = length;
  return SL_OK;
}

static enum sl_status add(struct sl_linear_module *module, const char *path, const struct sl_ptx_module *original,
                          const struct sl_ptx_function *kernel, struct sl_error *err)
{
  const struct sl_linear_options options = {.strict = false};
  struct sl_linear_code code;
  struct sl_linear_analysis analysis = {.code = NULL};
  struct sl_linear_plan plan = {.analysis = NULL};
  enum sl_status status = sl_linear_from_ptx(&code, original, kernel, err);
  if (status != SL_OK)
    return status == SL_USAGE ? SL_OK : status;
  status = sl_linear_analyse(&analysis, &code, &options, err);
  if (status == SL_OK)
    status = sl_linear_plan_make(&plan, &analysis, err);
  if (status == SL_OK)
    status = sl_linear_module_add(module, path, original, kernel, &plan, err);
  sl_linear_plan_free(&plan);
  sl_linear_analysis_free(&analysis);
  sl_linear_code_free(&code);
  return status == SL_USAGE ? SL_OK : status; /* the kernel stays as it is */
}

enum sl_status sl_linear_module_rewrite(struct sl_linear_module *module, const char *path, const char *text,
                                        size_t length, struct sl_error *err)
{
  struct sl_ptx_module *original = NULL;
  *module = (struct sl_linear_module){.text = malloc(length + 2), .length = length + 1};
  if (module->text == NULL)
    return sl_no_memory(err, length);
  memcpy(module->text, text, length);
  memcpy(module->text + length, "\n", 2);
  enum sl_status status = sl_ptx_parse(&original, text, length, path, NULL, err);
  for (unsigned i = 0; status == SL_OK && i < original->function_count; i++)
    if (original->functions[i].entry && original->functions[i].defined)
      status = add(module, path, original, &original->functions[i], err);
  if (original != NULL)
    sl_ptx_free(original);
  if (status == SL_OK)
    return SL_OK;
  free(module->text);
  *module = (struct sl_linear_module){.text = NULL};
  return status;
}
