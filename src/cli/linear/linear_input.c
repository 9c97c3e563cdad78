#include "cli/linear/linear.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/session.h"
#include "compiler/linear/linear_check.h"
#include "compiler/linear/linear_code.h"
#include "device/script.h"
#include "machine/sm7/riscv/sm7_rv_warps.h"
#include "machine/sm7/sm7_gpu.h"
#include "observe/terminal.h"
#include "program/kernels.h"
#include "ptx/ptx.h"

/* ---- elf --------------------------------------------------------------------------------------------------------- */

const struct sl_linear_abi sl_linear_sm7_abi = {.place_csr = SL_SM7_RV_CSR_PLACE,
                                                .launch_csr = SL_SM7_RV_CSR_LAUNCH,
                                                .end_csr = SL_SM7_RV_CSR_COMMAND,
                                                .grid_at = offsetof(struct sl_sm7_rv_launch, grid),
                                                .block_at = offsetof(struct sl_sm7_rv_launch, block),
                                                .arguments_at = sizeof(struct sl_sm7_rv_launch)};

/* All executable words, from the first to the last. */
static enum sl_status decode(struct sl_linear_elf *elf, struct sl_error *err)
{
  uint32_t base = UINT32_MAX, end = 0;
  for (size_t i = 0; i < sl_program_segment_count(elf->program); i++) {
    const struct sl_segment *s = sl_program_segment(elf->program, i);
    if (!s->executable || s->file_size == 0)
      continue;
    base = s->address < base ? s->address : base;
    end = s->address + s->file_size > end ? s->address + s->file_size : end;
  }
  if (base >= end)
    return sl_fail(err, SL_USAGE, "%s: has no code", sl_program_name(elf->program));
  base &= ~3u;
  const uint32_t words = (end - base) / 4;
  struct sl_sm7_spec spec;
  sl_keys_defaults(&sl_sm7_keys, &spec);
  const enum sl_status status =
      sl_code_init(&elf->code, sl_isa(SL_ISA_RV32), sl_sm7.soc(&spec).isa_sets, base, words, err);
  for (uint32_t i = 0; status == SL_OK && i < words; i++)
    sl_code_write(&elf->code, i, sl_program_word(elf->program, base + 4 * i));
  return status;
}

/* SL_USAGE: the program is for another machine. */
static enum sl_status elf_open(struct sl_linear_elf *elf, const char *path, struct sl_error *err)
{
  uint32_t value;
  enum sl_status status = sl_program_load(path, &elf->program, err);
  if (status != SL_OK)
    return status;
  if (sl_program_isa(elf->program) != SL_ISA_RV32 || !sl_program_symbol(elf->program, "__simt_grid", &value))
    return sl_fail(err, SL_USAGE,
                   "%s: its kernels distribute their blocks in software and have no indices; compile it with "
                   "simtlab cc --target sm7, or --target ptx for PTX",
                   path);
  return decode(elf, err);
}

static void elf_close(struct sl_linear_elf *elf)
{
  sl_code_free(&elf->code);
  if (elf->program != NULL)
    sl_program_free(elf->program);
  elf->program = NULL;
}

/* The instruction words of a function; false if it does not exist. */
static bool elf_find(const struct sl_linear_elf *elf, const char *name, struct sl_linear_machine_code *function)
{
  uint32_t address;
  if (!sl_program_symbol(elf->program, name, &address))
    return false;
  *function = (struct sl_linear_machine_code){.code = &elf->code, .abi = &sl_linear_sm7_abi};
  function->first = function->end = sl_code_index(&elf->code, address);
  for (; function->end < elf->code.count; function->end++) {
    const struct sl_location at = sl_program_locate(elf->program, sl_code_address(&elf->code, function->end));
    if (at.function == NULL || strcmp(at.function, name) != 0)
      break;
  }
  return function->end > function->first;
}

/* ---- input ------------------------------------------------------------------------------------------------------ */

static enum sl_status make_kernels(struct sl_linear_input *input, size_t most, struct sl_error *err)
{
  input->kernel = malloc((most + 1) * sizeof *input->kernel);
  return input->kernel != NULL ? SL_OK : sl_no_memory(err, most * sizeof *input->kernel);
}

static enum sl_status open_ptx(struct sl_linear_input *input, struct sl_error *err)
{
  enum sl_status code = sl_ptx_load(&input->module, input->path, NULL, err);
  if (code == SL_OK)
    code = sl_source_read(&input->source, input->path, err);
  if (code == SL_OK)
    code = make_kernels(input, input->module->function_count, err);
  for (unsigned i = 0; code == SL_OK && i < input->module->function_count; i++) {
    const struct sl_ptx_function *f = &input->module->functions[i];
    if (f->entry && f->defined)
      input->kernel[input->kernels++] = (struct sl_linear_kernel){.name = f->name, .function = f};
  }
  return code;
}

static void find(struct sl_linear_input *input, const char *name)
{
  struct sl_linear_kernel *k = &input->kernel[input->kernels];
  *k = (struct sl_linear_kernel){.name = name};
  input->kernels += elf_find(&input->elf, k->name, &k->words);
}

static enum sl_status open_program(struct sl_linear_input *input, const char *named, struct sl_error *err)
{
  bool told = named == NULL;
  enum sl_status code = elf_open(&input->elf, input->path, err);
  const size_t count = code == SL_OK ? sl_program_kernel_count(input->elf.program) : 0;
  if (code == SL_OK)
    code = make_kernels(input, count + 1, err);
  for (size_t i = 0; i < count && code == SL_OK; i++) {
    const char *name = sl_program_kernel(input->elf.program, i).name;
    told = told || strcmp(name, named) == 0;
    find(input, name);
  }
  if (code == SL_OK && !told)
    find(input, named);
  return code;
}

enum sl_status sl_linear_input_open(struct sl_linear_input *input, const char *path, const char *named,
                                    struct sl_error *err)
{
  *input = (struct sl_linear_input){.path = path};
  const bool ptx = sl_is_ptx(path);
  const enum sl_status code = ptx ? open_ptx(input, err) : open_program(input, named, err);
  if (code != SL_OK || input->kernels > 0)
    return code;
  if (ptx)
    return sl_fail(err, SL_USAGE, "%s: has no kernel (.entry)", path);
  return sl_fail(err, SL_USAGE,
                 named == NULL ? "%s: has no kernel (SIMT_KERNEL); --kernel names a function to treat as one"
                               : "%s: has no kernel (SIMT_KERNEL), nor function '%.100s'",
                 path, named);
}

void sl_linear_input_close(struct sl_linear_input *input)
{
  if (input->module != NULL)
    sl_ptx_free(input->module);
  sl_source_free(&input->source);
  elf_close(&input->elf);
  free(input->kernel);
  *input = (struct sl_linear_input){.path = NULL};
}

enum sl_status sl_linear_input_code(const struct sl_linear_input *input, const struct sl_linear_kernel *kernel,
                                    struct sl_linear_code *code, struct sl_error *err)
{
  return kernel->function != NULL ? sl_linear_from_ptx(code, input->module, kernel->function, err)
                                  : sl_linear_from_rv32(code, &kernel->words, err);
}

static const struct sl_ptx_insn *insn_of(const struct sl_linear_input *input, const struct sl_linear_kernel *kernel,
                                         uint32_t insn)
{
  return &input->module->code[kernel->function->begin + insn];
}

static uint32_t address_of(const struct sl_linear_kernel *kernel, uint32_t insn)
{
  return sl_code_address(kernel->words.code, kernel->words.first + insn);
}

static void copy_ptx(const struct sl_linear_input *input, const struct sl_ptx_insn *in, char text[SL_LINEAR_INSN_TEXT])
{
  const char *line = sl_source_line(&input->source, in->line);
  const char *from = line != NULL && strlen(line) >= in->column ? line + in->column - 1 : "";
  size_t n = 0;
  if (strchr("};", *from) != NULL)
    from = "ret"; /* the implicit return at the end of a function */
  for (; *from != '\0' && *from != ';' && n + 1 < SL_LINEAR_INSN_TEXT; from++) {
    const char c = *from == '\t' ? ' ' : *from;
    if (c != ' ' || (n > 0 && text[n - 1] != ' '))
      text[n++] = c;
  }
  text[n] = '\0';
}

char *sl_linear_insn_text(const struct sl_linear_input *input, const struct sl_linear_kernel *kernel, uint32_t insn,
                          char text[SL_LINEAR_INSN_TEXT])
{
  if (kernel->function != NULL) {
    copy_ptx(input, insn_of(input, kernel, insn), text);
    return text;
  }
  sl_disassemble(&kernel->words.code->insn[kernel->words.first + insn], address_of(kernel, insn), text,
                 SL_LINEAR_INSN_TEXT);
  for (char *tab = strchr(text, '\t'); tab != NULL; tab = strchr(tab, '\t'))
    *tab = ' ';
  return text;
}

char *sl_linear_insn_place(const struct sl_linear_input *input, const struct sl_linear_kernel *kernel, uint32_t insn,
                           char text[SL_LINEAR_PLACE_TEXT])
{
  if (kernel->function != NULL)
    snprintf(text, SL_LINEAR_PLACE_TEXT, "%" PRIu32, (uint32_t)insn_of(input, kernel, insn)->line);
  else
    snprintf(text, SL_LINEAR_PLACE_TEXT, "%08" PRIx32, address_of(kernel, insn));
  return text;
}

uint32_t sl_linear_insn_source(const struct sl_linear_input *input, const struct sl_linear_kernel *kernel,
                               uint32_t insn, const char **file)
{
  *file = NULL;
  if (kernel->function != NULL) {
    const uint32_t source = insn_of(input, kernel, insn)->source;
    if (source == 0)
      return 0;
    const struct sl_ptx_source *at = &input->module->sources[source - 1];
    if (at->file < input->module->file_count)
      *file = input->module->files[at->file];
    return at->line;
  }
  const struct sl_location at = sl_program_locate(input->elf.program, address_of(kernel, insn));
  *file = at.file;
  return at.line;
}

/* ---- vectors that a run checks ----------------------------------------------------------------------------------- */

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
