#include "toolchain/lanes/lane_branches.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/kernels.h"
#include "toolchain/lanes/lane_function.h"
#include "toolchain/lanes/library_names.h"
#include "toolchain/target_flags.h"

enum { ALL_DIFFER = 0xffff, ROUNDS = 20 };

/* A function that lanes run. */
struct member {
  const char *name;
  uint32_t address, end;
  uint16_t arguments, results; /* those that differ */
  bool kernel, object;         /* all lanes run it with the same arguments; the first is a kernel's object */
  bool library, opaque, solved, unmarked;
  struct sl_lane_function body;
};

struct check {
  const struct sl_compile_order *order;
  const struct sl_program *program;
  struct sl_library_names names;
  struct member **member;
  size_t count;
  bool lost, changed;
  struct sl_log *log;
  const struct member *caller; /* whose calls are looked at */
  unsigned line;               /* that was told last, of it */
};

static const char *file_name(const char *path)
{
  const char *slash = path != NULL ? strrchr(path, '/') : NULL;
  return slash != NULL ? slash + 1 : path != NULL ? path : "";
}

/* The runtime is marked by hand, or run by one lane. */
static bool is_runtime(const struct check *c, uint32_t address)
{
  const char *file = file_name(sl_program_locate(c->program, address).file);
  return strcmp(file, sl_target_library(c->order)) == 0 || strcmp(file, sl_target_start(c->order)) == 0;
}

static struct member *member(struct check *c, uint32_t address)
{
  for (size_t i = 0; i < c->count; i++)
    if (c->member[i]->address == address)
      return c->member[i];
  struct member found = {.address = address};
  if (!sl_program_function(c->program, address, &found.name, &found.end))
    return NULL;
  struct member **grown = realloc(c->member, (c->count + 1) * sizeof *grown), *m = malloc(sizeof *m);
  if (grown != NULL)
    c->member = grown;
  if (grown == NULL || m == NULL) {
    free(m);
    c->lost = true;
    return NULL;
  }
  found.library = (c->caller != NULL && c->caller->library) || sl_library_names_have(&c->names, found.name);
  found.opaque = is_runtime(c, address);
  *m = found;
  c->member[c->count++] = m;
  c->changed = true;
  return m;
}

static bool ends_kernel(const struct member *m)
{
  static const char *const names[] = {"simt_fail", "vortex_refuse_barrier", "_exit", "exit", "abort"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(m->name, names[i]) == 0)
      return true;
  return false;
}

static bool returns(void *context, uint32_t target, bool known, uint16_t arguments, uint16_t *results)
{
  struct check *c = context;
  struct member *m = known ? member(c, target) : NULL;
  *results = ALL_DIFFER;
  if (m == NULL || m->opaque)
    return m == NULL || !ends_kernel(m);
  if (!m->kernel && (arguments & ~m->arguments) != 0) {
    m->arguments |= arguments;
    m->solved = false;
    c->changed = true;
  }
  *results = m->results;
  return !ends_kernel(m);
}

static enum sl_status solve(struct check *c, struct member *m, struct sl_error *err)
{
  const struct sl_lane_calls calls = {returns, c};
  c->caller = m;
  sl_lane_function_close(&m->body);
  enum sl_status status = sl_lane_function_open(&m->body, c->program, m->address, m->end, err);
  if (status == SL_OK && m->body.code.masks) {
    m->opaque = true;
    return SL_OK;
  }
  m->solved = true;
  if (status == SL_OK)
    status = sl_lane_function_solve(&m->body, m->object, m->arguments, &calls, err);
  if (status != SL_OK)
    return status;
  m->unmarked = false;
  for (uint32_t node = 1; node <= m->body.code.count; node++)
    m->unmarked |= m->body.unmarked[node];
  const uint16_t differ = (uint16_t)(m->results | sl_lane_function_results(&m->body));
  c->changed |= differ != m->results;
  m->results = differ;
  return SL_OK;
}

static enum sl_status solve_all(struct check *c, struct sl_error *err)
{
  enum sl_status status = SL_OK;
  c->changed = true;
  for (unsigned round = 0; round < ROUNDS && c->changed && status == SL_OK; round++) {
    c->changed = false;
    for (size_t i = 0; i < c->count && status == SL_OK; i++)
      if (!c->member[i]->opaque)
        status = solve(c, c->member[i], err);
  }
  return c->lost ? sl_no_memory(err, sizeof(struct member)) : status;
}

/* ---- what is told ------------------------------------------------------------------------------------------------ */

static bool is_new_line(struct check *c, uint32_t address)
{
  const unsigned line = sl_program_locate(c->program, address).line;
  const bool is_new = line == 0 || line != c->line;
  c->line = line;
  return is_new;
}

static void tell(struct check *c, uint32_t address, const char *what)
{
  char text[1000], place[300];
  if (!is_new_line(c, address))
    return;
  sl_location_format(c->program, address, place, sizeof place);
  const int n = snprintf(text, sizeof text, "warning: %s: %s\n", place, what);
  sl_log_add(c->log, text, (size_t)n);
}

static void tell_branches(struct check *c, const struct member *m)
{
  for (uint32_t node = 1; node <= m->body.code.count; node++)
    if (m->body.unmarked[node])
      tell(c, sl_lane_code_at(&m->body.code, node),
           m->body.code.insn[node - 1].kind != SL_KIND_BRANCH
               ? "lanes may jump to different places here, and one lane decides for all. Choose by if and else"
           : c->order->auto_marks
               ? "lanes may disagree on this branch, which was made behind the marks, and one lane decides for all. "
                 "Write "
                 "it as an if statement, or by simt_select"
               : "lanes may disagree on this branch, which has no mark, and one lane decides for all. Mark it by "
                 "SIMT_IF or SIMT_WHILE, or leave --marks=user out");
}

/* Whether lanes may disagree in a function that is called with such arguments. */
static bool parts_with(struct check *c, const struct member *m, uint16_t arguments)
{
  const struct sl_lane_calls calls = {returns, c};
  struct sl_lane_function f;
  struct sl_error err;
  bool parts = false;
  if (sl_lane_function_open(&f, c->program, m->address, m->end, &err) == SL_OK &&
      sl_lane_function_solve(&f, false, arguments, &calls, &err) == SL_OK)
    for (uint32_t node = 1; node <= f.code.count; node++)
      parts |= f.unmarked[node];
  sl_lane_function_close(&f);
  return parts;
}

/* Library functions have no marks. What lanes do that have parted may be for one lane only. */
static void look_at_call(void *context, uint32_t node, uint32_t target, const struct sl_lane_state *state)
{
  struct check *c = context;
  const struct member *caller = c->caller, *callee = member(c, target);
  char text[400];
  if (callee == NULL || !callee->library || !callee->unmarked || caller->body.within[node] ||
      !parts_with(c, callee, sl_lane_state_arguments(state)))
    return;
  snprintf(text, sizeof text,
           "lanes may disagree on branches in %.100s, a library function, which has no marks, and one lane decides for "
           "all. Let one lane call it at a time, or write it in the program",
           callee->name);
  tell(c, sl_lane_code_at(&caller->body.code, node), text);
}

static void tell_all(struct check *c)
{
  const size_t count = c->count;
  for (size_t i = 0; i < count; i++) {
    struct member *m = c->member[i];
    if (m->opaque || m->library || !m->solved)
      continue;
    c->caller = m;
    c->line = 0;
    tell_branches(c, m);
    sl_lane_function_calls(&m->body, look_at_call, c);
  }
}

/* ---- ------------------------------------------------------------------------------------------------------------- */

static void add_kernels(struct check *c)
{
  c->caller = NULL;
  for (size_t i = 0; i < sl_program_kernel_count(c->program); i++) {
    uint32_t address;
    if (!sl_program_symbol(c->program, sl_program_kernel(c->program, i).name, &address))
      continue;
    struct member *m = member(c, address);
    if (m != NULL)
      m->kernel = m->object = true;
  }
}

/* ---- functions that the host part runs on all lanes (vx_run) ------------------------------------------------------
 */

struct runs {
  struct check *check;
  uint32_t vx_run;
};

static void look_at_run(void *context, uint32_t node, uint32_t target, const struct sl_lane_state *state)
{
  const struct runs *runs = context;
  const struct sl_lane_value *function = &state->place[SL_LANE_A0];
  (void)node;
  if (target != runs->vx_run || function->kind != SL_LANE_NUMBER)
    return;
  struct member *m = member(runs->check, function->number);
  if (m != NULL)
    m->kernel = true;
}

/* Of the host's code only constants are of interest. */
static bool returns_to_host(void *context, uint32_t target, bool known, uint16_t arguments, uint16_t *results)
{
  (void)context, (void)target, (void)known, (void)arguments;
  *results = ALL_DIFFER;
  return true;
}

static enum sl_status add_runs_of(struct runs *runs, uint32_t address, uint32_t end, struct sl_error *err)
{
  const struct sl_lane_calls calls = {returns_to_host, NULL};
  struct sl_lane_function f;
  enum sl_status status = sl_lane_function_open(&f, runs->check->program, address, end, err);
  if (status == SL_OK && sl_lane_code_calls(&f.code, runs->vx_run)) {
    status = sl_lane_function_solve(&f, false, 0, &calls, err);
    sl_lane_function_calls(&f, look_at_run, runs);
  }
  sl_lane_function_close(&f);
  return status;
}

static enum sl_status add_runs(struct check *c, struct sl_error *err)
{
  struct runs runs = {.check = c};
  enum sl_status status = SL_OK;
  if (!sl_program_symbol(c->program, "vx_run", &runs.vx_run))
    return SL_OK;
  for (size_t i = 0; i < sl_program_segment_count(c->program); i++) {
    const struct sl_segment *segment = sl_program_segment(c->program, i);
    const char *name;
    uint32_t next = segment->address;
    for (uint32_t at = next; segment->executable && at - segment->address < segment->size; at = next) {
      next = at + sl_isa(sl_program_isa(c->program))->word_bytes;
      if (sl_program_function(c->program, at, &name, &next) && status == SL_OK)
        status = add_runs_of(&runs, at, next, err);
    }
  }
  return status;
}

static void clean_up(struct check *c)
{
  for (size_t i = 0; i < c->count; i++) {
    sl_lane_function_close(&c->member[i]->body);
    free(c->member[i]);
  }
  free(c->member);
  sl_library_names_free(&c->names);
}

void sl_check_branches(const struct sl_compile_order *order, const char *path, struct sl_log *log)
{
  struct sl_program *program;
  struct sl_error own = {0}, *err = &own;
  enum sl_status status = sl_program_load(path, &program, err);
  if (status != SL_OK)
    return;
  struct check c = {.order = order, .program = program, .log = log};
  status = sl_library_names_read(&c.names, err);
  if (status == SL_OK) {
    add_kernels(&c);
    status = add_runs(&c, err);
  }
  if (status == SL_OK)
    status = solve_all(&c, err);
  if (status == SL_OK)
    tell_all(&c);
  clean_up(&c);
  sl_program_free(program);
}
