#include "ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

unsigned sl_ptx_type_bytes(enum sl_ptx_type type)
{
  switch (type) {
  case SL_PTX_B8:
  case SL_PTX_U8:
  case SL_PTX_S8: return 1;
  case SL_PTX_B16:
  case SL_PTX_U16:
  case SL_PTX_S16:
  case SL_PTX_BF16:
  case SL_PTX_F16: return 2;
  case SL_PTX_B32:
  case SL_PTX_U32:
  case SL_PTX_S32:
  case SL_PTX_F16X2:
  case SL_PTX_BF16X2:
  case SL_PTX_F32: return 4;
  case SL_PTX_B64:
  case SL_PTX_U64:
  case SL_PTX_S64:
  case SL_PTX_F64: return 8;
  default: return 0;
  }
}

enum sl_ptx_unit sl_ptx_class_unit(enum sl_ptx_class class)
{
  switch (class) {
  case SL_PTX_C_F32_ADD:
  case SL_PTX_C_F32_MUL:
  case SL_PTX_C_F32_MAD:
  case SL_PTX_C_F32_MINMAX: return SL_PTX_SP;
  case SL_PTX_C_F64_ADD:
  case SL_PTX_C_F64_MUL:
  case SL_PTX_C_F64_MAD:
  case SL_PTX_C_F64_MINMAX: return SL_PTX_DP;
  case SL_PTX_C_INT_DIV:
  case SL_PTX_C_F32_DIV:
  case SL_PTX_C_F64_DIV:
  case SL_PTX_C_SFU:
  case SL_PTX_C_SINE:
  case SL_PTX_C_POWER:
  case SL_PTX_C_LOGARITHM: return SL_PTX_SFU;
  case SL_PTX_C_MMA: return SL_PTX_TENSOR;
  case SL_PTX_C_MEMORY: return SL_PTX_MEM;
  default: return SL_PTX_INT;
  }
}

const struct sl_ptx_function *sl_ptx_entry(const struct sl_ptx_module *module, const char *name)
{
  for (unsigned i = 0; i < module->function_count; i++)
    if (module->functions[i].entry && module->functions[i].defined && strcmp(module->functions[i].name, name) == 0)
      return &module->functions[i];
  return NULL;
}

uint64_t sl_ptx_function_address(const struct sl_ptx_module *module, uint32_t number)
{
  return SL_PTX_FUNCTION_BASE + (module->options.functions + number) * SL_PTX_FUNCTION_STEP;
}

uint32_t sl_ptx_function_at(const struct sl_ptx_module *module, uint64_t address)
{
  const uint64_t offset = address - sl_ptx_function_address(module, 0), number = offset / SL_PTX_FUNCTION_STEP;
  if (offset % SL_PTX_FUNCTION_STEP != 0 || number >= module->function_count)
    return UINT32_MAX;
  const struct sl_ptx_function *f = &module->functions[number];
  return f->defined && !f->entry ? (uint32_t)number : UINT32_MAX;
}

void sl_ptx_free(struct sl_ptx_module *module)
{
  if (module == NULL)
    return;
  for (unsigned i = 0; i < module->function_count; i++) {
    free(module->functions[i].params);
    free(module->functions[i].name);
  }
  for (unsigned i = 0; i < module->variable_count; i++)
    free(module->variables[i].name);
  for (unsigned i = 0; i < module->shared_count; i++)
    free(module->shared[i].name);
  free(module->shared);
  for (struct sl_ptx_more *next, *more = module->more; more != NULL; more = next) {
    next = more->next;
    free(more);
  }
  free(module->code);
  free(module->functions);
  free(module->variables);
  free(module->constants);
  free(module->global_image);
  free(module->const_image);
  free(module->transfers);
  free(module->sources);
  free(module->files);
  free(module);
}
