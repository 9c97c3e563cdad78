#include "cli/linear/linear.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/session.h"
#include "compiler/linear/linear_check.h"
#include "device/script.h"
#include "machine/sm7/riscv/sm7_rv_warps.h"
#include "observe/table.h"
#include "observe/terminal.h"

/* Prints the result of a check. */
static enum sl_status tell(const char *path, const struct sl_linear_tally *tally, struct sl_error *err)
{
  char compared[32], iterated[32], wrong[32];
  if (!sl_print_lines(stdout, 2, "%s: %s values compared with their vectors, %s of them in loops, %s differ", path,
                      sl_grouped(tally->compared, compared), sl_grouped(tally->iterated, iterated),
                      sl_grouped(tally->wrong, wrong)))
    return sl_fail(err, SL_USAGE, "standard output cannot be written");
  if (tally->refused > 0)
    printf("%" PRIu64 " grids of kernels that cannot be analysed were not compared\n", tally->refused);
  return tally->wrong == 0 ? SL_OK : sl_fail(err, SL_CHECK_FAILED, "%s", tally->first);
}

enum sl_status sl_linear_checked(const char *path, const struct sl_linear_options *options, struct sl_error *err)
{
  struct sl_linear_check check = {.options = *options};
  const struct sl_ptx_engine engine = sl_linear_check_engine(&check);
  enum sl_status status = sl_script_analyse(path, &engine, err);
  if (status == SL_OK)
    status = tell(path, &check.tally, err);
  sl_linear_check_free(&check);
  return status;
}

/* ---- checked program --------------------------------------------------------------------------------------------- */

/* Compares the values of a program's kernels with their vectors while it runs without timing. */
enum { SP = 2 };

/* A kernel that was launched. */
struct subject {
  bool analysed, refused;
  struct sl_linear_code code;
  struct sl_linear_analysis analysis;
  struct sl_linear_follower follower;
};

struct checking {
  const struct sl_linear_options *options;
  struct sl_linear_input input;
  struct subject *subject; /* by kernel */
  struct sl_session session;
  struct sl_linear_tally tally;
  struct sl_error err;
  /* A launch. */
  size_t kernel;        /* index of its kernel; the number of kernels: none of these */
  bool begun;           /* its arguments are known */
  uint32_t (*block)[3]; /* by warp: the grid that it belongs to */
  bool *known;          /* whether it is known */
  size_t warps;
};

static enum sl_status analyse(struct checking *c, struct subject *s)
{
  const struct sl_linear_kernel *kernel = &c->input.kernel[c->kernel];
  struct sl_error refusal;
  s->analysed = true;
  enum sl_status status = sl_linear_input_code(&c->input, kernel, &s->code, &c->err);
  if (status != SL_OK)
    return status;
  status = sl_linear_analyse(&s->analysis, &s->code, c->options, &refusal);
  s->refused = status == SL_USAGE;
  if (s->refused)
    return SL_OK;
  if (status != SL_OK) {
    c->err = refusal;
    return status;
  }
  s->follower.kernel = kernel->name;
  s->follower.addresses = true;
  return sl_linear_follow(&s->follower, &s->analysis, &c->err);
}

static bool launched(struct checking *c, uint32_t entry)
{
  for (c->kernel = 0; c->kernel < c->input.kernels; c->kernel++)
    if (sl_code_address(&c->input.elf.code, c->input.kernel[c->kernel].words.first) == entry)
      break;
  c->begun = false;
  struct subject *s = &c->subject[c->kernel];
  if (c->kernel < c->input.kernels && !s->analysed && analyse(c, s) != SL_OK)
    return false;
  c->tally.refused += c->kernel == c->input.kernels || s->refused;
  return true;
}

/* Values of the symbols in this launch. */
static void set_symbols(const struct checking *c, struct subject *s, const struct sl_probe_block *block)
{
  for (uint16_t i = 1; i < s->code.symbols; i++) {
    const struct sl_linear_symbol *symbol = &s->code.symbol[i];
    int32_t value = 0;
    switch ((enum sl_linear_origin)symbol->origin) {
    case SL_LINEAR_ARGUMENT: sl_device_read(c->session.device, block->launch + symbol->at, &value, sizeof value); break;
    case SL_LINEAR_BLOCK_SIZE: value = (int32_t)block->size[symbol->at]; break;
    case SL_LINEAR_GRID_SIZE: value = (int32_t)block->grid[symbol->at]; break;
    case SL_LINEAR_REGISTER: value = (int32_t)(symbol->at == SP ? SL_SM7_RV_STACK : block->launch); break;
    }
    s->follower.values[i] = value;
  }
}

static bool begin(struct checking *c, struct subject *s, const struct sl_probe_block *block)
{
  c->begun = true;
  memset(c->known, 0, c->warps * sizeof *c->known);
  set_symbols(c, s, block);
  if (sl_linear_follow_warps(&s->follower, c->warps))
    return true;
  sl_no_memory(&c->err, c->warps * sizeof(uint32_t));
  return false;
}

static bool executed(struct checking *c, const struct sl_probe *probe)
{
  struct subject *s = &c->subject[c->kernel];
  const struct sl_linear_machine_code *words = &c->input.kernel[c->kernel].words;
  const uint32_t word = sl_code_index(words->code, (uint32_t)probe->pc), insn = word - words->first;
  if (!c->begun && !begin(c, s, probe->block))
    return false;
  if (word < words->first || word >= words->end)
    return true; /* in a function that the kernel calls */
  if (!c->known[probe->warp] || memcmp(c->block[probe->warp], probe->block->index, sizeof *c->block) != 0) {
    c->known[probe->warp] = true;
    memcpy(c->block[probe->warp], probe->block->index, sizeof *c->block);
    sl_linear_follow_begin(&s->follower, probe->warp);
  }
  const uint32_t active = (uint32_t)probe->active;
  sl_linear_follow_enter(&s->follower, probe->warp, active, insn);
  if (probe->values == NULL || !sl_linear_follow_wants(&s->follower, insn))
    return true;
  const struct sl_linear_warp warp = {
      .warp = probe->warp, .within = probe->block->warp, .index = probe->block->index, .size = probe->block->size};
  const struct sl_linear_result result = {
      .insn = insn, .place = (uint32_t)probe->pc, .active = active, .registers = probe->values};
  sl_linear_follow_compare(&s->follower, &warp, &result, &c->tally);
  return true;
}

static bool listen(void *context, const struct sl_probe *probe)
{
  struct checking *c = context;
  if (probe->kind == SL_PROBE_LAUNCHED)
    return launched(c, (uint32_t)probe->pc);
  return c->kernel == c->input.kernels || c->subject[c->kernel].refused || executed(c, probe);
}

static enum sl_status open_checking(struct checking *c, const struct sl_operands *operands, const char *named,
                                    struct sl_error *err)
{
  const char *path = operands->items[0];
  enum sl_status status = sl_linear_input_open(&c->input, path, named, err);
  if (status == SL_OK)
    status = sl_session_open(&c->session, &(struct sl_machine_choice){.machine = "sm7"}, path, false, err);
  if (status != SL_OK)
    return status;
  const struct sl_soc soc = c->session.config.machine->soc(c->session.config.spec);
  c->warps = (size_t)soc.warps * soc.cores;
  c->subject = calloc(c->input.kernels + 1, sizeof *c->subject);
  c->block = calloc(c->warps, sizeof *c->block);
  c->known = calloc(c->warps, sizeof *c->known);
  c->kernel = c->input.kernels;
  if (c->subject == NULL || c->block == NULL || c->known == NULL)
    return sl_no_memory(err, c->warps * sizeof *c->block);
  const struct sl_device_options options = {
      .fast = true, .probes = {.wanted = SL_PROBE_LAUNCHED | SL_PROBE_EXECUTED, .tell = listen, .context = c}};
  return sl_session_load(&c->session, options, operands, err);
}

static void close_checking(struct checking *c)
{
  sl_session_close(&c->session);
  for (size_t i = 0; c->subject != NULL && i < c->input.kernels; i++) {
    sl_linear_follow_end(&c->subject[i].follower);
    sl_linear_analysis_free(&c->subject[i].analysis);
    sl_linear_code_free(&c->subject[i].code);
  }
  sl_linear_input_close(&c->input);
  free(c->subject);
  free(c->block);
  free(c->known);
}

enum sl_status sl_linear_check_program(const struct sl_operands *operands, const char *named,
                                       const struct sl_linear_options *options, struct sl_error *err)
{
  struct checking c = {.options = options};
  struct sl_error outcome;
  enum sl_status status = open_checking(&c, operands, named, err);
  if (status == SL_OK) {
    status = sl_session_run(&c.session, &outcome, err);
    if (c.err.text[0] != '\0')
      *err = c.err;
  }
  if (status == SL_OK)
    status = tell(operands->items[0], &c.tally, err);
  close_checking(&c);
  return status;
}
