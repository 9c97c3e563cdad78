/* PTX text, and a limited execution of its kernels. Input: a module, or a launch script if it starts like one. */
#include <string.h>

#include "device/script.h"
#include "harness.h"
#include "ptx/ptx.h"
#include "ptx/run/ptx_grid.h"

/* The message has a place: NAME:LINE:COLUMN. */
static void has_place(const struct sl_error *err, const char *name)
{
  unsigned line, column;
  const size_t length = strlen(name);
  REQUIRE(strncmp(err->text, name, length) == 0);
  REQUIRE(sscanf(err->text + length, ":%u:%u: ", &line, &column) == 2 && line > 0 && column > 0);
}

static void code_is_whole(const struct sl_ptx_module *m)
{
  for (unsigned i = 0; i < m->function_count; i++) {
    const struct sl_ptx_function *f = &m->functions[i];
    REQUIRE(f->begin <= f->end && f->end <= m->code_count);
    for (uint32_t pc = f->begin; pc < f->end; pc++) {
      const struct sl_ptx_insn *in = &m->code[pc];
      REQUIRE(in->dsts <= SL_PTX_ELEMENTS && in->srcs <= SL_PTX_ELEMENTS && in->elements <= SL_PTX_ELEMENTS);
      if (in->kind != SL_PTX_K_BRANCH)
        continue;
      REQUIRE(in->target >= f->begin && in->target < f->end);
      REQUIRE(in->reconvergence == SL_PTX_NOWHERE || (in->reconvergence >= f->begin && in->reconvergence < f->end));
    }
  }
}

static void run(const struct sl_ptx_module *m, const struct sl_ptx_function *kernel)
{
  struct sl_ptx_memory memory;
  struct sl_ptx_counts counts = {0};
  struct sl_error err = {0};
  uint64_t address;
  uint8_t *params = calloc(1, kernel->param_bytes + 1);
  REQUIRE(params != NULL && sl_ptx_memory_init(&memory, m, &err) == SL_OK);
  REQUIRE(sl_ptx_memory_allocate(&memory, 4096, &address, &err) == SL_OK);
  for (uint32_t at = 0; at + 8 <= kernel->param_bytes; at += 8)
    memcpy(params + at, &address, sizeof address);
  const struct sl_ptx_launch launch = {.module = m,
                                       .kernel = kernel,
                                       .grid = {2, 1, 1},
                                       .block = {40, 1, 1},
                                       .dynamic_shared = 256,
                                       .params = params,
                                       .memory = &memory};
  const enum sl_status code = sl_ptx_grid_run(&launch, &(struct sl_ptx_bounds){.limit = 5000}, &counts, &err);
  REQUIRE(code == SL_OK || code == SL_FAULT || code == SL_LIMIT);
  sl_ptx_memory_free(&memory);
  free(params);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct sl_error err = {0};
  const char *text = (const char *)data;
  if (size > 4 && memcmp(text, "ptx ", 4) == 0) {
    struct sl_script script;
    if (sl_script_parse(&script, text, size, "x.launch", &err) == SL_OK)
      sl_script_free(&script);
    else
      has_place(&err, "x.launch");
    return 0;
  }
  struct sl_ptx_module *m;
  const enum sl_status code = sl_ptx_parse(&m, text, size, "x.ptx", NULL, &err);
  if (code != SL_OK) {
    REQUIRE(code == SL_USAGE);
    has_place(&err, "x.ptx");
    return 0;
  }
  code_is_whole(m);
  for (unsigned i = 0; i < m->function_count; i++)
    if (m->functions[i].entry && m->functions[i].defined && m->functions[i].register_bytes < 1 << 20 &&
        m->functions[i].local_bytes < 1 << 16 && m->functions[i].shared_bytes < 1 << 20)
      run(m, &m->functions[i]);
  sl_ptx_free(m);
  return 0;
}
