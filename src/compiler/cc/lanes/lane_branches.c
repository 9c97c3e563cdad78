#include "compiler/cc/lanes/lane_code.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/cc/compile.h"
#include "compiler/isa64/rv32/rv32_object.h"
#include "program/kernels.h"

/* Names of the functions in the C library and in the compiler's library. */

enum { SL_LIBRARIES = 2 };

struct sl_library_names {
  struct sl_rv32_archive archive[SL_LIBRARIES];
  size_t count;
};

/* Reads the RV32IM variants; those of other instruction sets define the same names. The pattern matches the installed
 * version of GCC. */
static enum sl_status sl_library_names_read(struct sl_library_names *names, struct sl_error *err)
{
  static const char *const patterns[SL_LIBRARIES] = {SL_PICOLIBC "/lib/rv32im/ilp32/libc.a",
                                                     "/usr/lib/gcc/riscv64-unknown-elf/*/rv32im/ilp32/libgcc.a"};
  enum sl_status status = SL_OK;
  *names = (struct sl_library_names){0};
  for (size_t i = 0; i < SL_LIBRARIES && status == SL_OK; i++) {
    glob_t found;
    if (glob(patterns[i], 0, NULL, &found) != 0)
      continue;
    status = sl_rv32_archive_read(found.gl_pathv[0], &names->archive[names->count], err);
    names->count += status == SL_OK;
    globfree(&found);
  }
  return status;
}

static void sl_library_names_free(struct sl_library_names *names)
{
  for (size_t i = 0; i < names->count; i++)
    sl_rv32_archive_free(&names->archive[i]);
  names->count = 0;
}

/* Returns true if a library defines the name. */
static bool sl_library_names_have(const struct sl_library_names *names, const char *name)
{
  for (size_t i = 0; i < names->count; i++)
    for (size_t k = 0; k < names->archive[i].symbol_count; k++)
      if (strcmp(names->archive[i].symbols[k].name, name) == 0)
        return true;
  return false;
}

enum { ALL_DIVERGENT = 0xffff, MAX_ITERATIONS = 20 };

/* A function that kernels reach. */
struct function {
  const char *name;
  uint32_t address, end;
  uint16_t arguments, results; /* the divergent ones (struct sl_lane_call) */
  bool kernel;                 /* an entry: its arguments are uniform */
  bool object;                 /* its first argument is a kernel's object */
  bool library;                /* of the C library or the compiler's, or called from there */
  bool opaque;                 /* not analysed */
  bool solved;
  bool called;   /* others depend on its results */
  bool stale;    /* what it depends on has changed since it was solved */
  bool unmarked; /* has an unmarked divergent branch */
  struct sl_lane_function body;
  const struct sl_kernel_branches *before; /* code generation; NULL: unknown */
};

struct check {
  const struct sl_compile_order *order;
  const struct sl_program *program;
  struct sl_library_names names;
  struct function **function;
  size_t count;
  bool no_memory, changed;
  struct sl_log *log;
  const struct function *caller; /* the function whose calls are analysed */
  unsigned line;                 /* of the last warning in the function */
};

static const char *file_name(const char *path)
{
  const char *slash = path != NULL ? strrchr(path, '/') : NULL;
  return slash != NULL ? slash + 1 : path != NULL ? path : "";
}

/* The runtime is annotated by hand; one lane executes the rest of it. */
static bool is_runtime(const struct check *c, uint32_t address)
{
  const char *file = file_name(sl_program_locate(c->program, address).file);
  return strcmp(file, sl_target_library(c->order)) == 0 || strcmp(file, sl_target_start(c->order)) == 0;
}

static struct function *function_at(struct check *c, uint32_t address)
{
  for (size_t i = 0; i < c->count; i++)
    if (c->function[i]->address == address)
      return c->function[i];
  struct function found = {.address = address, .stale = true};
  if (!sl_program_function(c->program, address, &found.name, &found.end))
    return NULL;
  struct function **grown = realloc(c->function, (c->count + 1) * sizeof *grown), *fn = malloc(sizeof *fn);
  if (grown != NULL)
    c->function = grown;
  if (grown == NULL || fn == NULL) {
    free(fn);
    c->no_memory = true;
    return NULL;
  }
  found.library = (c->caller != NULL && c->caller->library) || sl_library_names_have(&c->names, found.name);
  found.opaque = c->order != NULL && is_runtime(c, address);
  *fn = found;
  c->function[c->count++] = fn;
  c->changed = true;
  return fn;
}

static bool ends_kernel(const struct function *fn)
{
  static const char *const names[] = {"simt_fail", "vortex_refuse_barrier", "_exit", "exit", "abort"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(fn->name, names[i]) == 0)
      return true;
  return false;
}

static bool returns(void *context, uint32_t target, bool known, uint16_t arguments, uint16_t *results)
{
  struct check *c = context;
  struct function *fn = known ? function_at(c, target) : NULL;
  *results = ALL_DIVERGENT;
  if (fn == NULL || fn->opaque)
    return fn == NULL || !ends_kernel(fn);
  if (!fn->kernel && (arguments & ~fn->arguments) != 0) {
    fn->arguments |= arguments;
    fn->solved = false;
    fn->stale = c->changed = true;
  }
  fn->called = true;
  *results = fn->results;
  return !ends_kernel(fn);
}

/* What a machine branch was before code generation. */
enum origin { UNKNOWN, UNIFORM, ANNOTATED, MADE };

static enum origin origin_of(const struct check *c, const struct function *fn, uint32_t node)
{
  const char *kinds = fn->before != NULL && fn->before->kinds != NULL ? fn->before->kinds : "";
  if (*kinds == '\0' || fn->body.code.insn[node - 1].kind != SL_KIND_BRANCH)
    return *kinds == '\0' ? UNKNOWN : MADE;
  const struct sl_location at = sl_program_locate(c->program, sl_lane_code_at(&fn->body.code, node));
  if (at.line == 0 || at.column == SL_BRANCH_LOST)
    return UNKNOWN;
  if (at.column == SL_BRANCH_MADE)
    return MADE;
  const unsigned number = at.column - SL_BRANCH_FIRST;
  return number >= strlen(kinds) ? UNKNOWN : kinds[number] == SL_BRANCH_ANNOTATED ? ANNOTATED : UNIFORM;
}

static enum sl_status solve(struct check *c, struct function *fn, struct sl_error *err)
{
  const struct sl_lane_calls calls = {returns, c};
  c->caller = fn;
  fn->stale = false;
  sl_lane_function_close(&fn->body);
  enum sl_status status = sl_lane_function_open(&fn->body, c->program, fn->address, fn->end, err);
  if (status == SL_OK && fn->body.code.sets_masks && c->order != NULL) {
    fn->opaque = true;
    return SL_OK;
  }
  fn->solved = true;
  for (uint32_t node = 1; status == SL_OK && node <= fn->body.code.count; node++)
    fn->body.uniform[node] = fn->body.code.insn[node - 1].kind == SL_KIND_BRANCH && origin_of(c, fn, node) == UNIFORM;
  if (status == SL_OK)
    status = sl_lane_function_solve(&fn->body, fn->object, fn->arguments, &calls, err);
  if (status != SL_OK)
    return status;
  fn->unmarked = false;
  for (uint32_t node = 1; node <= fn->body.code.count; node++)
    fn->unmarked |= fn->body.unmarked[node];
  const uint16_t differ = (uint16_t)(fn->results | sl_lane_function_results(&fn->body));
  for (size_t i = 0; i < c->count && fn->called && differ != fn->results; i++)
    c->function[i]->stale = c->changed = true;
  fn->results = differ;
  return SL_OK;
}

static enum sl_status solve_all(struct check *c, struct sl_error *err)
{
  enum sl_status status = SL_OK;
  c->changed = true;
  for (unsigned iteration = 0; iteration < MAX_ITERATIONS && c->changed && status == SL_OK; iteration++) {
    c->changed = false;
    for (size_t i = 0; i < c->count && status == SL_OK; i++)
      if (!c->function[i]->opaque && c->function[i]->stale)
        status = solve(c, c->function[i], err);
  }
  return c->no_memory ? sl_no_memory(err, sizeof(struct function)) : status;
}

/* ---- warnings ---------------------------------------------------------------------------------------------------- */

static bool is_new_line(struct check *c, uint32_t address)
{
  const unsigned line = sl_program_locate(c->program, address).line;
  const bool is_new = line == 0 || line != c->line;
  c->line = line;
  return is_new;
}

static void warn(struct check *c, uint32_t address, const char *message)
{
  char text[1000], place[300];
  if (!is_new_line(c, address))
    return;
  sl_location_format(c->program, address, place, sizeof place);
  const int n = snprintf(text, sizeof text, "warning: %s: %s\n", place, message);
  sl_log_add(c->log, text, (size_t)n);
}

static void warn_branches(struct check *c, const struct function *fn)
{
  for (uint32_t node = 1; node <= fn->body.code.count; node++)
    if (fn->body.unmarked[node])
      warn(c, sl_lane_code_at(&fn->body.code, node),
           fn->body.code.insn[node - 1].kind != SL_KIND_BRANCH
               ? "lanes may jump to different addresses here, but one lane decides for all. Use if and else instead"
           : c->order->auto_marks
               ? "lanes may diverge at this branch, but one lane decides for all: the compiler created it after it "
                 "placed the annotations. Write it as an if statement, or use simt_select"
               : "lanes may diverge at this branch, but one lane decides for all: it has no annotation. Use SIMT_IF or "
                 "SIMT_WHILE, or omit --marks=user");
}

/* Whether lanes may diverge at an unmarked branch of the function if it is called with these divergent arguments. */
static bool diverges_with(struct check *c, const struct function *fn, uint16_t arguments)
{
  const struct sl_lane_calls calls = {returns, c};
  struct sl_lane_function f;
  struct sl_error err;
  bool diverges = false;
  if (sl_lane_function_open(&f, c->program, fn->address, fn->end, &err) == SL_OK &&
      sl_lane_function_solve(&f, false, arguments, &calls, &err) == SL_OK)
    for (uint32_t node = 1; node <= f.code.count; node++)
      diverges |= f.unmarked[node];
  sl_lane_function_close(&f);
  return diverges;
}

/* Library functions have no annotations. A call in a divergent region gets no warning: one lane may execute it alone.
 */
static void check_call(void *context, uint32_t node, uint32_t target, const struct sl_lane_state *state)
{
  struct check *c = context;
  const struct function *caller = c->caller, *callee = function_at(c, target);
  char text[400];
  if (callee == NULL || !callee->library || !callee->unmarked || caller->body.in_region[node] ||
      !diverges_with(c, callee, sl_lane_state_arguments(state)))
    return;
  snprintf(text, sizeof text,
           "lanes may diverge at branches of %.100s, a library function, but one lane decides for all: it has no "
           "annotations. Call it from one lane at a time, or define it in the program",
           callee->name);
  warn(c, sl_lane_code_at(&caller->body.code, node), text);
}

static void warn_all(struct check *c)
{
  const size_t count = c->count;
  for (size_t i = 0; i < count; i++) {
    struct function *fn = c->function[i];
    if (fn->opaque || fn->library || !fn->solved)
      continue;
    c->caller = fn;
    c->line = 0;
    warn_branches(c, fn);
    sl_lane_function_calls(&fn->body, check_call, c);
  }
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

static void add_kernels(struct check *c)
{
  c->caller = NULL;
  for (size_t i = 0; i < sl_program_kernel_count(c->program); i++) {
    uint32_t address;
    if (!sl_program_symbol(c->program, sl_program_kernel(c->program, i).name, &address))
      continue;
    struct function *fn = function_at(c, address);
    if (fn != NULL)
      fn->kernel = fn->object = true;
  }
}

/* Functions that the host part starts on all lanes by vx_run. */
struct runs {
  struct check *check;
  uint32_t vx_run;
};

static void add_run(void *context, uint32_t node, uint32_t target, const struct sl_lane_state *state)
{
  const struct runs *runs = context;
  const struct sl_lane_value *function = &state->place[SL_LANE_A0];
  (void)node;
  if (target != runs->vx_run || function->kind != SL_LANE_NUMBER)
    return;
  struct function *fn = function_at(runs->check, function->number);
  if (fn != NULL)
    fn->kernel = true;
}

/* The analysis of host code only needs constants. */
static bool returns_to_host(void *context, uint32_t target, bool known, uint16_t arguments, uint16_t *results)
{
  (void)context, (void)target, (void)known, (void)arguments;
  *results = ALL_DIVERGENT;
  return true;
}

static enum sl_status add_runs_of(struct runs *runs, uint32_t address, uint32_t end, struct sl_error *err)
{
  const struct sl_lane_calls calls = {returns_to_host, NULL};
  struct sl_lane_function f;
  enum sl_status status = sl_lane_function_open(&f, runs->check->program, address, end, err);
  if (status == SL_OK && sl_lane_code_calls(&f.code, runs->vx_run)) {
    status = sl_lane_function_solve(&f, false, 0, &calls, err);
    sl_lane_function_calls(&f, add_run, runs);
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
    sl_lane_function_close(&c->function[i]->body);
    free(c->function[i]);
  }
  free(c->function);
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
    warn_all(&c);
  clean_up(&c);
  sl_program_free(program);
}

/* ---- kernels with numbered branches ------------------------------------------------------------------------------ */

enum difference { SAME, CREATED, LOST };

/* Whether code generation created branches in the function, or lost annotations. */
static enum difference difference_of(const struct function *fn)
{
  unsigned branches = 0, annotations = 0;
  if (fn->before == NULL)
    return LOST;
  for (uint32_t i = 0; i < fn->body.code.count; i++) {
    const struct sl_insn *in = &fn->body.code.insn[i];
    branches += in->kind == SL_KIND_BRANCH;
    annotations += in->kind == SL_KIND_PUSH || in->kind == SL_KIND_POP || in->op == SL_OP_SPLIT ||
                   in->op == SL_OP_JOIN || in->op == SL_OP_PRED;
  }
  return annotations != fn->before->annotations ? LOST : branches > fn->before->branches ? CREATED : SAME;
}

/* Whether the unmarked branches whose locations were lost can be uniform ones. Each must be one of the uniform branches
 * that no machine branch is known to be; and each annotated branch that none is known to be must be another one of
 * those whose locations were lost, since else it could be the unmarked one. Without numbers, code generation must have
 * changed nothing. */
static bool lost_are_right(const struct check *c, const struct function *fn)
{
  const enum difference difference = difference_of(fn);
  const char *kinds = fn->before != NULL && fn->before->kinds != NULL ? fn->before->kinds : "";
  bool *known = difference != LOST && *kinds != '\0' ? calloc(strlen(kinds) + 1, sizeof *known) : NULL;
  size_t lost = 0, others = 0, uniform = 0, annotated = 0;
  if (known == NULL)
    return difference == SAME && *kinds == '\0';
  for (uint32_t node = 1; node <= fn->body.code.count; node++) {
    const enum origin origin = origin_of(c, fn, node);
    lost += origin == UNKNOWN && fn->body.unmarked[node];
    others += origin == UNKNOWN && !fn->body.unmarked[node];
    if (origin == UNIFORM || origin == ANNOTATED)
      known[sl_program_locate(c->program, sl_lane_code_at(&fn->body.code, node)).column - SL_BRANCH_FIRST] = true;
  }
  for (size_t i = 0; kinds[i] != '\0'; i++) {
    uniform += kinds[i] == SL_BRANCH_UNIFORM && !known[i];
    annotated += kinds[i] == SL_BRANCH_ANNOTATED && !known[i];
  }
  free(known);
  return lost <= uniform && annotated <= others;
}

/* Adds an error for each unmarked branch; true: there is none. */
static bool refuse_branches(const struct check *c, const struct function *fn)
{
  const bool lost_right = lost_are_right(c, fn);
  char text[1000], place[300];
  bool right = true;
  for (uint32_t node = 1; node <= fn->body.code.count; node++) {
    const enum origin origin = fn->body.unmarked[node] ? origin_of(c, fn, node) : UNIFORM;
    if (origin == UNIFORM || (origin == UNKNOWN && lost_right))
      continue;
    sl_location_format(c->program, sl_lane_code_at(&fn->body.code, node), place, sizeof place);
    const int n = snprintf(text, sizeof text,
                           "error: kernel %.200s, %s: lanes may diverge at this branch, and no annotation lets them "
                           "reconverge: %s. Write the statement there in another way\n",
                           fn->name, place,
                           origin == ANNOTATED ? "the compiler moved or lost the annotation"
                                               : "the compiler created it after it placed the annotations");
    sl_log_add(c->log, text, (size_t)n);
    right = false;
  }
  return right;
}

static bool refuse(struct sl_log *log, const struct sl_error *err)
{
  char text[1000];
  const int n = snprintf(text, sizeof text, "error: the final code cannot be checked: %.900s\n", err->text);
  sl_log_add(log, text, (size_t)n);
  return false;
}

bool sl_check_kernel_branches(const char *path, const struct sl_kernel_branches *kernels, size_t count,
                              struct sl_log *log)
{
  struct sl_program *program;
  struct sl_error err = {0};
  if (sl_program_load(path, &program, &err) != SL_OK)
    return refuse(log, &err);
  struct check c = {.program = program, .log = log};
  for (size_t i = 0; i < count; i++) {
    uint32_t address;
    struct function *fn = sl_program_symbol(program, kernels[i].name, &address) ? function_at(&c, address) : NULL;
    if (fn != NULL) {
      fn->kernel = fn->object = true;
      fn->before = &kernels[i];
    }
  }
  bool right = solve_all(&c, &err) == SL_OK || refuse(log, &err);
  const bool solved = right;
  for (size_t i = 0; i < c.count && solved; i++)
    right = refuse_branches(&c, c.function[i]) && right;
  clean_up(&c);
  sl_program_free(program);
  return right;
}
