/* simtlab lower: what lowering makes of the kernels of a PTX module. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/options.h"
#include "cli/session.h"
#include "machine/sm7/sm7_gpu.h"
#include "machine/sm7/sm7_lower.h"
#include "machine/sm7/sm7_ptx.h"
#include "observe/terminal.h"
#include "ptx/ptx.h"

static const char *const titles[] = {"kernel", "key", ">instructions", NULL};

/* In the order of enum sl_sm7_lowering. */
static const char *const keys[] = {"lower.parameters", "lower.moves", "lower.addresses",
                                   "lower.adds",       "lower.logic", "lower.vectors"};
_Static_assert(sizeof keys / sizeof *keys == SL_SM7_LOWERINGS, "a name for each transformation");

static void put_row(struct sl_table *table, const char *kernel, const char *key, bool on, const char *format, int64_t n)
{
  sl_table_cell(table, "%s", kernel);
  sl_table_cell(table, "%s", key);
  if (on)
    sl_table_cell(table, format, n);
  else
    sl_table_cell(table, "%s", "off");
}

/* One transformation at a time counts in the order of the keys, as all together do. */
static void put_kernel(struct sl_table *table, const struct sl_sm7_spec *spec, const struct sl_ptx_function *f,
                       const struct sl_sm7_instruction *code, const uint8_t *kind)
{
  static const char signed_number[] = "%+" PRId64, number[] = "%" PRId64;
  int64_t count[SL_SM7_LOWERINGS] = {0}, left = 0;
  for (uint32_t pc = f->begin; pc < f->end; pc++) {
    left += !code[pc].free;
    if (code[pc].free)
      count[kind[pc]]++;
  }
  put_row(table, f->name, "", true, number, (int64_t)(f->end - f->begin) - f->unrolled + f->predicated);
  put_row(table, "", "lower.predicate", spec->lower_predicate, signed_number, -(int64_t)f->predicated);
  put_row(table, "", "lower.unroll", spec->lower_unroll, signed_number, f->unrolled);
  for (unsigned i = 0; i < SL_SM7_LOWERINGS; i++)
    put_row(table, "", keys[i], spec->lower[i], signed_number, -count[i]);
  put_row(table, "", "left", true, number, left);
}

static enum sl_status print(const struct sl_ptx_module *m, const struct sl_sm7_spec *spec, struct sl_error *err)
{
  struct sl_sm7_instruction *code = sl_sm7_ptx_code(m);
  uint8_t *kind = calloc(m->code_count + 1, 1);
  struct sl_table table;
  if (code == NULL || kind == NULL) {
    free(code);
    free(kind);
    return sl_no_memory(err, m->code_count * sizeof *code);
  }
  sl_sm7_lower(spec, m, code, kind);
  sl_table_init(&table, titles);
  for (unsigned i = 0; i < m->function_count; i++)
    if (m->functions[i].entry && m->functions[i].defined)
      put_kernel(&table, spec, &m->functions[i], code, kind);
  sl_table_print(&table, stdout);
  sl_table_free(&table);
  free(code);
  free(kind);
  return SL_OK;
}

static enum sl_status load(struct sl_ptx_module **m, const char *path, const struct sl_sm7_spec *spec,
                           struct sl_error *err)
{
  struct sl_ptx_options options = {0};
  sl_sm7_lower_text(spec, &options);
  return sl_ptx_load(m, path, &options, err);
}

static enum sl_status lower_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct sl_machine_choice choice = {.machine = "v100"};
  const struct sl_option options[] = {
      {'m', "machine", SL_OPTION_TEXT, "NAME|FILE", "preset (simtlab machines) or YAML file [v100]", &choice.machine},
      SL_SET_OPTION(choice),
      {0},
  };
  struct sl_operands operands;
  struct sl_config config = {0};
  struct sl_ptx_module *m = NULL;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (operands.count != 1 || !sl_is_ptx(operands.items[0]))
    return sl_fail(err, SL_USAGE, "one PTX module is needed: simtlab lower FILE.ptx");
  code = sl_open_machine(&choice, &config, err);
  if (code == SL_OK && config.machine != &sl_sm7)
    code = sl_fail(err, SL_USAGE, "%.60s does not run PTX; use a machine such as v100", config.name);
  if (code == SL_OK)
    code = load(&m, operands.items[0], config.spec, err);
  if (code == SL_OK)
    code = print(m, config.spec, err);
  sl_ptx_free(m);
  sl_config_close(&config);
  return code;
}

const struct sl_command sl_lower_command = {
    .name = "lower",
    .operands = "FILE.ptx [OPTION]...",
    .summary = "Count the PTX instructions that machine code does not have",
    .details = "The instructions of each kernel, those that each key of the machine adds or removes, and those that\n"
               "are left. Unrolling adds copies; the other keys remove instructions or make them free.\n",
    .listing = true,
    .run = lower_command,
};
