#include "observe/profile/profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const sl_regularity_names[SL_REGULARITY_COUNT] = {
    [SL_UNIFORM] = "uniform", [SL_AFFINE] = "affine", [SL_GENERAL] = "general"};

double sl_ratio(uint64_t part, uint64_t whole)
{
  return whole > 0 ? (double)part / (double)whole : 0;
}

double sl_percent(uint64_t part, uint64_t whole)
{
  return 100 * sl_ratio(part, whole);
}

uint64_t sl_bank_conflicts(const struct sl_profile_row *row)
{
  return row->scratchpad_passes > row->scratchpad_least ? row->scratchpad_passes - row->scratchpad_least : 0;
}

const char *sl_profile_line_name(const struct sl_location *at, char text[SL_LINE_NAME])
{
  const char *slash = at->file != NULL ? strrchr(at->file, '/') : NULL;
  if (at->file != NULL)
    snprintf(text, SL_LINE_NAME, "%.120s:%u", slash != NULL ? slash + 1 : at->file, at->line);
  else if (at->function != NULL)
    snprintf(text, SL_LINE_NAME, "%.120s, no source line known", at->function);
  else
    snprintf(text, SL_LINE_NAME, "no source line known");
  return text;
}

const char *sl_profile_insn_text(const struct sl_profile_insn *insn, char text[SL_INSN_TEXT])
{
  sl_disassemble(&insn->insn, insn->pc, text, SL_INSN_TEXT);
  for (char *c = text; *c != '\0'; c++)
    if (*c == '\t')
      *c = ' ';
  return text;
}

static bool accesses_memory(const struct sl_insn *insn)
{
  return insn->kind == SL_KIND_LOAD || insn->kind == SL_KIND_STORE || sl_kind_is_atomic(insn->kind);
}

static struct sl_profile_sum sum_of(const struct sl_profile_row *row, const struct sl_insn *insn)
{
  struct sl_profile_sum sum = {.row = *row, .issues = row->vector_issues + row->scalar_issues};
  for (size_t c = 0; c < SL_MAX_STALL_REASONS; c++)
    sum.cycles += row->cycles[c];
  sum.accesses = accesses_memory(insn) ? sum.issues : 0;
  return sum;
}

static void add(struct sl_profile_sum *sum, const struct sl_profile_sum *more)
{
  uint64_t *counts = (uint64_t *)&sum->row;
  for (size_t i = 0; i < sizeof sum->row / sizeof *counts; i++) /* a row has counts only */
    counts[i] += ((const uint64_t *)&more->row)[i];
  sum->cycles += more->cycles;
  sum->issues += more->issues;
  sum->accesses += more->accesses;
}

static bool is_empty(const struct sl_profile_row *row)
{
  static const struct sl_profile_row zero;
  return memcmp(row, &zero, sizeof zero) == 0;
}

static int compare_text(const char *a, const char *b)
{
  if (a == NULL || b == NULL)
    return (a != NULL) - (b != NULL);
  return strcmp(a, b);
}

/* Orders by file and line; entries with neither come first, by function. */
static int compare_places(const struct sl_location *a, const struct sl_location *b)
{
  int order = compare_text(a->file, b->file);
  if (order != 0)
    return order;
  if (a->file == NULL)
    return compare_text(a->function, b->function);
  return (a->line > b->line) - (a->line < b->line);
}

static int compare_addresses(const void *a, const void *b)
{
  const struct sl_profile_insn *x = *(const struct sl_profile_insn *const *)a;
  const struct sl_profile_insn *y = *(const struct sl_profile_insn *const *)b;
  int order = compare_places(&x->at, &y->at);
  return order != 0 ? order : (x->pc > y->pc) - (x->pc < y->pc);
}

static int compare_cycles(const void *a, const void *b)
{
  const struct sl_profile_insn *x = *(const struct sl_profile_insn *const *)a;
  const struct sl_profile_insn *y = *(const struct sl_profile_insn *const *)b;
  int order = compare_places(&x->at, &y->at);
  if (order != 0)
    return order;
  order = (x->sum.cycles < y->sum.cycles) - (x->sum.cycles > y->sum.cycles);
  return order != 0 ? order : (x->pc > y->pc) - (x->pc < y->pc);
}

static int compare_lines(const void *a, const void *b)
{
  const struct sl_profile_line *x = *(const struct sl_profile_line *const *)a;
  const struct sl_profile_line *y = *(const struct sl_profile_line *const *)b;
  int order = (x->sum.cycles < y->sum.cycles) - (x->sum.cycles > y->sum.cycles);
  return order != 0 ? order : (x > y) - (x < y);
}

/* Decodes as the machine does, because a word's meaning depends on whether floating point has its own registers. Words
 * that the machine rejects are decoded generically. */
static struct sl_insn decode(const struct sl_profile_run *run, uint32_t pc)
{
  const struct sl_soc soc = run->config->machine->soc(run->config->spec);
  const struct sl_isa *isa = sl_isa(soc.isa);
  uint64_t word = sl_program_word(run->program, pc);
  if (isa->word_bytes > 4)
    word |= (uint64_t)sl_program_word(run->program, pc + 4) << 32;
  const struct sl_insn insn = isa->decode(word, soc.isa_sets);
  return insn.op != SL_OP_UNKNOWN ? insn : isa->decode(word, ~0u);
}

static void add_insns(struct sl_profile_report *report)
{
  const struct sl_profile *profile = report->run.profile;
  for (size_t i = 0; i < profile->count; i++) {
    if (is_empty(&profile->rows[i]))
      continue;
    const uint32_t pc = profile->code_base + 4 * (uint32_t)i;
    struct sl_profile_insn *insn = &report->insns[report->insn_count];
    *insn = (struct sl_profile_insn){
        .pc = pc, .insn = decode(&report->run, pc), .at = sl_program_locate(report->run.program, pc)};
    insn->sum = sum_of(&profile->rows[i], &insn->insn);
    add(&report->total, &insn->sum);
    report->by_address[report->insn_count] = report->by_cycles[report->insn_count] = insn;
    report->insn_count++;
  }
}

/* Both orders keep the instructions of a line together, at the same indices. */
static void add_lines(struct sl_profile_report *report)
{
  const size_t count = report->insn_count;
  if (count == 0)
    return;
  qsort(report->by_address, count, sizeof *report->by_address, compare_addresses);
  qsort(report->by_cycles, count, sizeof *report->by_cycles, compare_cycles);
  for (size_t i = 0; i < count; i++) {
    const struct sl_profile_insn *insn = report->by_address[i];
    struct sl_profile_line *line = &report->lines[report->line_count];
    if (i == 0 || compare_places(&insn->at, &report->by_address[i - 1]->at) != 0) {
      *line = (struct sl_profile_line){
          .at = insn->at, .by_address = report->by_address + i, .by_cycles = report->by_cycles + i};
      report->hottest[report->line_count++] = line;
    } else {
      line--;
    }
    line->count++;
    add(&line->sum, &insn->sum);
    report->insns[insn - report->insns].line = report->line_count - 1;
  }
  qsort(report->hottest, report->line_count, sizeof *report->hottest, compare_lines);
}

enum sl_status sl_profile_report_create(struct sl_profile_report *report, const struct sl_profile_run *run,
                                        struct sl_error *err)
{
  size_t most = 1;
  for (size_t i = 0; i < run->profile->count; i++)
    most += !is_empty(&run->profile->rows[i]);
  size_t launches;
  struct sl_launch *chosen = sl_choose_launches(&run->profile->choice, run->program, run->result, &launches);
  *report = (struct sl_profile_report){
      .run = *run,
      .launches = chosen,
      .launch_count = launches,
      .insns = calloc(most, sizeof *report->insns),
      .lines = calloc(most, sizeof *report->lines),
      .hottest = calloc(most, sizeof *report->hottest),
      .by_address = calloc(most, sizeof *report->by_address),
      .by_cycles = calloc(most, sizeof *report->by_cycles),
  };
  if (!report->launches || !report->insns || !report->lines || !report->hottest || !report->by_address ||
      !report->by_cycles) {
    sl_profile_report_free(report);
    return sl_no_memory(err, most * (sizeof *report->insns + sizeof *report->lines));
  }
  report->figures = sl_figures_of(run->config->machine, report->launches, report->launch_count);
  add_insns(report);
  add_lines(report);
  return SL_OK;
}

void sl_profile_report_free(struct sl_profile_report *report)
{
  free(report->launches);
  free(report->insns);
  free(report->lines);
  free(report->hottest);
  free(report->by_address);
  free(report->by_cycles);
  *report = (struct sl_profile_report){0};
}

const struct sl_stall_reasons *sl_profile_stall_reasons(const struct sl_profile_report *report)
{
  return report->run.config->machine->causes;
}

unsigned sl_profile_cores(const struct sl_profile_report *report)
{
  const struct sl_config *config = report->run.config;
  const struct sl_soc soc = config->machine->soc(config->spec);
  return (soc.cores > 0 ? soc.cores : 1) * (soc.issue_slots > 0 ? soc.issue_slots : 1);
}

enum sl_status sl_profile_check(const struct sl_profile_report *report, struct sl_error *err)
{
  for (size_t i = 0; i < report->launch_count; i++)
    if (!report->launches[i].finished)
      return SL_OK;
  if (report->total.cycles == report->figures.cycles * sl_profile_cores(report))
    return SL_OK;
  return sl_fail(err, SL_INTERNAL,
                 "the profile accounts for %" PRIu64 " cycles where the kernels took %" PRIu64
                 " on each of %u cores or issue slots. This is an error in the machine model; please report it with "
                 "the program and the machine",
                 report->total.cycles, report->figures.cycles, sl_profile_cores(report));
}

/* Returns the number of words up to the end of the decoded code. */
static size_t words_of(const struct sl_soc *soc, const struct sl_program *program)
{
  uint64_t last = soc->code_base;
  for (size_t i = 0; i < sl_program_segment_count(program); i++) {
    const struct sl_segment *segment = sl_program_segment(program, i);
    const uint64_t end = (uint64_t)segment->address + segment->file_size;
    last = segment->executable && end > last ? end : last;
  }
  const uint64_t words = (last - soc->code_base + 3) / 4;
  return words < soc->code_words ? words : soc->code_words;
}

enum sl_status sl_profile_create(struct sl_profile *profile, const struct sl_soc *soc, const struct sl_program *program,
                                 struct sl_error *err)
{
  const size_t words = soc->whole_memory ? words_of(soc, program) : soc->code_words;
  *profile = (struct sl_profile){.code_base = soc->code_base,
                                 .word_bytes = 4,
                                 .count = words > 0 ? words : 1,
                                 .program = program,
                                 .choice.number = SL_EVERY_LAUNCH};
  profile->rows = calloc(profile->count, sizeof *profile->rows);
  return profile->rows != NULL ? SL_OK : sl_no_memory(err, profile->count * sizeof *profile->rows);
}

void sl_profile_free(struct sl_profile *profile)
{
  free(profile->rows);
  *profile = (struct sl_profile){0};
}

static void add_event(struct sl_profile_row *row, const struct sl_probe *p)
{
  switch (p->kind) {
  case SL_PROBE_ISSUED:
    row->vector_issues += !p->scalar;
    row->scalar_issues += p->scalar;
    row->active_lanes += sl_count(p->active);
    break;
  case SL_PROBE_RETRIED: row->retries++; break;
  case SL_PROBE_ABORTED: row->aborts++; break;
  case SL_PROBE_WAITED: row->cycles[p->cause] += (uint64_t)p->count; break;
  case SL_PROBE_TRANSACTED: row->transactions++; break;
  case SL_PROBE_BANKED:
    row->scratchpad_requests++;
    row->scratchpad_passes += (uint64_t)p->count;
    row->scratchpad_least += (uint64_t)p->least;
    break;
  case SL_PROBE_VALUES: (p->writes ? row->results : row->operands)[p->regularity]++; break;
  case SL_PROBE_SPILLED: row->spills++; break;
  case SL_PROBE_FILLED: row->unspills++; break;
  case SL_PROBE_QUEUED: row->queued += (uint64_t)p->count; break;
  default: break;
  }
}

static void count_held(struct sl_profile *profile, const struct sl_probe *p)
{
  const uint64_t index = (p->holder - profile->code_base) / profile->word_bytes;
  if (!profile->counting || index >= profile->count)
    return;
  if (p->kind == SL_PROBE_QUEUED)
    profile->rows[index].queued_held += (uint64_t)p->count;
  else
    profile->rows[index].held++;
}

static bool tell(void *context, const struct sl_probe *probe)
{
  struct sl_profile *profile = context;
  const uint64_t index = (probe->pc - profile->code_base) / profile->word_bytes;
  if (probe->kind == SL_PROBE_LAUNCHED)
    profile->counting = sl_launch_chosen(&profile->choice, profile->program, probe->launch, (uint32_t)probe->pc);
  else if (probe->kind == SL_PROBE_ENDED)
    profile->counting = false;
  else if (profile->counting && index < profile->count)
    add_event(&profile->rows[index], probe);
  if ((probe->kind & (SL_PROBE_RETRIED | SL_PROBE_QUEUED)) && probe->holder != 0)
    count_held(profile, probe);
  return true;
}

struct sl_probes sl_profile_probes(struct sl_profile *profile)
{
  return (struct sl_probes){.wanted = SL_PROBE_LAUNCHED | SL_PROBE_ENDED | SL_PROBE_ISSUED | SL_PROBE_RETRIED |
                                      SL_PROBE_ABORTED | SL_PROBE_WAITED | SL_PROBE_TRANSACTED | SL_PROBE_BANKED |
                                      SL_PROBE_VALUES | SL_PROBE_SPILLED | SL_PROBE_FILLED | SL_PROBE_QUEUED,
                            .tell = tell,
                            .context = profile};
}

/* ---- profiles of a device ---------------------------------------------------------------------------------------- */

enum sl_status sl_profile_collector_create(struct sl_profile_collector *collector, const struct sl_soc *soc,
                                           const struct sl_program *program, struct sl_error *err)
{
  *collector = (struct sl_profile_collector){.device = NULL};
  return sl_profile_create(&collector->profile, soc, program, err);
}

void sl_profile_collector_free(struct sl_profile_collector *collector)
{
  sl_profile_free(&collector->profile);
  sl_residency_free(&collector->residency);
  sl_occupancies_free(&collector->occupancies);
}

/* After a counted launch its register samples are valid until the next launch begins. */
static void keep_residency(struct sl_profile_collector *c, size_t number)
{
  const struct sl_series *series = sl_device_residency(c->device);
  if (series != NULL && c->profile.counting)
    sl_residency_add(&c->residency, number, c->entry, series);
}

/* The machine keeps the block layout of its last kernel. */
static void keep_occupancy(struct sl_profile_collector *c, size_t number)
{
  struct sl_occupancy_launch launch = {.number = number, .entry = c->entry};
  if (c->profile.counting && sl_device_occupancy(c->device, &launch.occupancy))
    sl_occupancies_add(&c->occupancies, &launch);
}

static bool hear(void *context, const struct sl_probe *probe)
{
  struct sl_profile_collector *c = context;
  if (probe->kind == SL_PROBE_LAUNCHED)
    c->entry = (uint32_t)probe->pc;
  if (probe->kind == SL_PROBE_ENDED) {
    keep_residency(c, probe->launch);
    keep_occupancy(c, probe->launch);
  }
  const struct sl_probes rows = sl_profile_probes(&c->profile);
  return rows.tell(rows.context, probe);
}

struct sl_probes sl_profile_collector_probes(struct sl_profile_collector *collector)
{
  return (struct sl_probes){
      .wanted = sl_profile_probes(&collector->profile).wanted, .tell = hear, .context = collector};
}

void sl_profile_collector_cut_short(struct sl_profile_collector *collector)
{
  const size_t launched = sl_device_result(collector->device)->launch_count;
  if (launched > 0 && collector->occupancies.count == 0)
    keep_occupancy(collector, launched - 1);
  if (launched > 0 && collector->residency.count == 0)
    keep_residency(collector, launched - 1);
}
