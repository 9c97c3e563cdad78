/* Managed variables of the CUDA runtime. Clang has none for CUDA: a __managed__ variable is a device variable whose
 * host shadow is in a section of the program (simtlab/managed.h), and the shadow is its memory on the host. Shadow and
 * variable have different addresses, so a kernel's parameter that points into a shadow is passed on as the address of
 * the variable. */
#include "cudart/cudart.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/text/ptx_module.h"

/* A section with shadows, of the program or of a shared library. */
struct section {
  const char *start, *end;
};
enum { SECTIONS = 64 };

struct cudart_sections {
  struct section section[SECTIONS];
  unsigned count;
};
static struct cudart_sections the_sections; /* the constructors of the process write it */

SL_CUDART_API void __cudaRegisterManagedSection(const char *start, const char *end)
{
  struct cudart_sections *s = &the_sections;
  for (unsigned i = 0; i < s->count; i++)
    if (s->section[i].start == start)
      return;
  if (s->count == SECTIONS)
    sl_cudart_say("more than %d shared libraries have managed variables; those of the others are not managed",
                  SECTIONS);
  else
    s->section[s->count++] = (struct section){start, end};
}

bool sl_cudart_is_shadow(const void *pointer)
{
  const char *at = pointer;
  for (unsigned i = 0; i < the_sections.count; i++)
    if (at >= the_sections.section[i].start && at < the_sections.section[i].end)
      return true;
  return false;
}

/* The initial value of a variable. An address in it is not known before the device has its memory. */
static void copy_initial(const struct sl_ptx_module *module, const struct cudart_variable *v)
{
  for (unsigned i = 0; i < module->variable_count; i++) {
    const struct sl_ptx_variable *p = &module->variables[i];
    if (p->space == SL_PTX_GLOBAL && strcmp(p->name, v->name) == 0 && module->global_image != NULL)
      memcpy((void *)(uintptr_t)v->shadow, module->global_image + (p->address - SL_PTX_STATIC_BASE),
             v->bytes < p->bytes ? v->bytes : p->bytes);
  }
}

void sl_cudart_init_shadows(const struct cudart *r, const struct cudart_module *m)
{
  const struct sl_ptx_options options = {.globals = 0};
  struct sl_ptx_module *parsed = NULL;
  bool any = false;
  for (const struct cudart_variable *v = r->variables; v != NULL && !any; v = v->next)
    any = v->module == m && v->kind == CUDART_MANAGED;
  if (!any || sl_ptx_parse(&parsed, m->text, strnlen(m->text, m->bytes), "a module", &options, NULL) != SL_OK)
    return; /* loading the module says what is wrong with it */
  for (const struct cudart_variable *v = r->variables; v != NULL; v = v->next)
    if (v->module == m && v->kind == CUDART_MANAGED)
      copy_initial(parsed, v);
  sl_ptx_free(parsed);
}

cudaError_t sl_cudart_manage(struct cudart *r, const struct cudart_module *m)
{
  struct sl_gpu_symbol place;
  for (const struct cudart_variable *v = r->variables; v != NULL; v = v->next) {
    if (v->module != m || v->kind != CUDART_MANAGED || !sl_gpu_symbol(m->loaded, v->name, &place))
      continue;
    struct cudart_host_range *h = calloc(1, sizeof *h);
    if (h == NULL)
      return cudaErrorMemoryAllocation;
    *h = (struct cudart_host_range){.next = r->ranges,
                                    .start = (char *)(uintptr_t)v->shadow,
                                    .bytes = v->bytes,
                                    .device = place.address,
                                    .managed = true,
                                    .registered = true};
    r->ranges = h;
  }
  return cudaSuccess;
}

void sl_cudart_translate(const struct cudart *r, void *arguments, size_t bytes)
{
  uint64_t value;
  if (the_sections.count == 0)
    return;
  for (size_t at = 0; at + sizeof value <= bytes; at += sizeof value) {
    memcpy(&value, (char *)arguments + at, sizeof value);
    if (!sl_cudart_is_shadow(sl_cudart_pointer(value)))
      continue;
    const struct cudart_host_range *h = sl_cudart_range(r, sl_cudart_pointer(value));
    if (h != NULL) {
      value += h->device - (uint64_t)(uintptr_t)h->start;
      memcpy((char *)arguments + at, &value, sizeof value);
    }
  }
}
