#include "cli/linear/linear_input.h"

#include <stdlib.h>
#include <string.h>

#include "cli/disasm_ptx.h"
#include "linear/linear_ptx.h"
#include "ptx/text/ptx_module.h"

enum sl_status sl_linear_input_open(struct sl_linear_input *input, const char *path, struct sl_error *err)
{
  *input = (struct sl_linear_input){.path = path};
  if (!sl_is_ptx(path))
    return sl_fail(err, SL_USAGE, "%s: a file of PTX is needed, whose name ends with .ptx", path);
  enum sl_status code = sl_ptx_load(&input->module, path, NULL, err);
  if (code == SL_OK)
    code = sl_source_read(&input->source, path, err);
  if (code != SL_OK)
    return code;
  input->kernel = malloc((input->module->function_count + (size_t)1) * sizeof *input->kernel);
  if (input->kernel == NULL)
    return sl_no_memory(err, input->module->function_count * sizeof *input->kernel);
  for (unsigned i = 0; i < input->module->function_count; i++) {
    const struct sl_ptx_function *f = &input->module->functions[i];
    if (f->entry && f->defined)
      input->kernel[input->kernels++] = (struct sl_linear_kernel){.name = f->name, .function = f};
  }
  return input->kernels > 0 ? SL_OK : sl_fail(err, SL_USAGE, "%s: has no kernel (.entry)", path);
}

void sl_linear_input_close(struct sl_linear_input *input)
{
  if (input->module != NULL)
    sl_ptx_free(input->module);
  sl_source_free(&input->source);
  free(input->kernel);
  *input = (struct sl_linear_input){.path = NULL};
}

enum sl_status sl_linear_input_code(const struct sl_linear_input *input, const struct sl_linear_kernel *kernel,
                                    struct sl_linear_code *code, struct sl_error *err)
{
  return sl_linear_from_ptx(code, input->module, kernel->function, err);
}

static const struct sl_ptx_insn *insn_of(const struct sl_linear_input *input, const struct sl_linear_kernel *kernel,
                                         uint32_t insn)
{
  return &input->module->code[kernel->function->begin + insn];
}

char *sl_linear_insn_text(const struct sl_linear_input *input, const struct sl_linear_kernel *kernel, uint32_t insn,
                          char text[SL_LINEAR_INSN_TEXT])
{
  const struct sl_ptx_insn *in = insn_of(input, kernel, insn);
  const char *line = sl_source_line(&input->source, in->line);
  const char *from = line != NULL && strlen(line) >= in->column ? line + in->column - 1 : "";
  size_t n = 0;
  if (strchr("};", *from) != NULL)
    from = "ret"; /* the one that nobody wrote, at the end of a function */
  for (; *from != '\0' && *from != ';' && n + 1 < SL_LINEAR_INSN_TEXT; from++) {
    const char c = *from == '\t' ? ' ' : *from;
    if (c != ' ' || (n > 0 && text[n - 1] != ' '))
      text[n++] = c;
  }
  text[n] = '\0';
  return text;
}

uint32_t sl_linear_insn_line(const struct sl_linear_input *input, const struct sl_linear_kernel *kernel, uint32_t insn)
{
  return insn_of(input, kernel, insn)->line;
}
