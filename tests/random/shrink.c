/* Shrinks a failing program: tries edits, many per batch, and keeps the first one that preserves the kind of the
 * verdict, until none does. */
#include <stdlib.h>
#include <string.h>

#include "batch.h"

enum edit_kind {
  DELETE,
  UNWRAP,
  NO_ELSE,
  ONCE,
  UNMARK,
  UNIFORM,
  ONE_PLACE,
  ZERO_RS1,
  ZERO_RS2,
  ZERO_IMM,
  ONE_IMM,
  NO_OFFSET,
  ONE_WARP,
  NOT_WRAPPED
};

struct edit {
  enum edit_kind kind;
  unsigned from, size;
};

struct edits {
  struct edit list[RND_MOST_STATEMENTS * 16];
  unsigned count;
};

static bool is_block(const struct rnd_statement *s)
{
  return s->kind == RND_IF || s->kind == RND_LOOP;
}

/* Whether warps reconverge where they must: lanes diverge only under a mark, and barriers need whole warps. */
static bool is_valid(const struct rnd_program *p)
{
  unsigned marks = p->wrapped, depth = 0;
  struct {
    bool marked, parts;
  } open[RND_MOST_STATEMENTS];
  unsigned parted = 0;
  for (unsigned i = 0; i < p->count; i++) {
    const struct rnd_statement *s = &p->statement[i];
    if (is_block(s)) {
      const bool parts = s->kind == RND_IF || s->rs1 != 0;
      marks += s->marked;
      parted += parts;
      if (parts && marks == 0)
        return false;
      open[depth].marked = s->marked;
      open[depth++].parts = parts;
    } else if (s->kind == RND_END) {
      depth--;
      marks -= open[depth].marked;
      parted -= open[depth].parts;
    } else if (s->kind == RND_BARRIER && (parted > 0 || marks != p->wrapped)) {
      return false;
    } else if (s->kind == RND_CONVERGE && (parted > 0 || marks != 1 || !p->wrapped)) {
      return false;
    }
  }
  return true;
}

static void remove_marked(struct rnd_program *p, const bool *gone)
{
  unsigned kept = 0;
  for (unsigned i = 0; i < p->count; i++)
    if (!gone[i])
      p->statement[kept++] = p->statement[i];
  p->count = kept;
}

/* Removes the simple statements of a range, and the blocks that it contains completely. */
static void delete_stretch(struct rnd_program *p, unsigned from, unsigned size)
{
  bool gone[RND_MOST_STATEMENTS] = {false};
  for (unsigned i = from; i < from + size && i < p->count; i++) {
    const struct rnd_statement *s = &p->statement[i];
    if (is_block(s)) {
      const unsigned end = rnd_block_end(p, i);
      for (unsigned k = i; end < from + size && k <= end; k++)
        gone[k] = true;
    } else if (s->kind != RND_END && s->kind != RND_ELSE) {
      gone[i] = true;
    }
  }
  remove_marked(p, gone);
}

/* Removes a block's frame and keeps its contents, or removes only its else part. */
static void unwrap(struct rnd_program *p, unsigned i, bool only_else)
{
  bool gone[RND_MOST_STATEMENTS] = {false};
  const unsigned end = rnd_block_end(p, i);
  unsigned depth = 0, other = end;
  for (unsigned k = i; k < end; k++) {
    if (p->statement[k].kind == RND_ELSE && depth == 1)
      other = k;
    depth += is_block(&p->statement[k]);
    depth -= p->statement[k].kind == RND_END;
  }
  if (only_else) {
    for (unsigned k = other; k < end; k++)
      gone[k] = true;
  } else {
    gone[i] = gone[end] = true;
    if (other != end)
      gone[other] = true;
  }
  remove_marked(p, gone);
}

static void simplify(struct rnd_statement *s, enum edit_kind kind)
{
  switch (kind) {
  case ONCE:
    if (s->kind == RND_LOOP) {
      s->rs1 = 0;
      s->imm = 1;
    }
    break;
  case UNMARK: s->marked = false; break;
  case UNIFORM: s->op = s->kind == RND_INIT ? 0 : s->op; break;
  case ONE_PLACE: s->other = s->place; break;
  case ZERO_RS1: s->rs1 = s->kind == RND_LOOP ? s->rs1 : 0; break;
  case ZERO_RS2: s->rs2 = 0; break;
  case ZERO_IMM: s->imm = s->kind == RND_LOOP ? s->imm : 0; break;
  case ONE_IMM: s->imm = s->imm != 0 ? 1 : 0; break;
  case NO_OFFSET: s->offset = 0; break;
  default: break;
  }
}

/* The program after an edit; false if the edit changes nothing or the program becomes invalid. */
static bool apply(const struct rnd_program *from, const struct edit *edit, struct rnd_program *to)
{
  *to = *from;
  switch (edit->kind) {
  case DELETE: delete_stretch(to, edit->from, edit->size); break;
  case UNWRAP:
  case NO_ELSE: unwrap(to, edit->from, edit->kind == NO_ELSE); break;
  case ONE_WARP:
    to->active_warps = to->warps_per_block = 1;
    to->stride_bits = 5;
    break;
  case NOT_WRAPPED: to->wrapped = false; break;
  default: simplify(&to->statement[edit->from], edit->kind); break;
  }
  return memcmp(from, to, sizeof *to) != 0 && is_valid(to);
}

static void add_edit(struct edits *edits, enum edit_kind kind, unsigned from, unsigned size)
{
  if (edits->count < sizeof edits->list / sizeof *edits->list)
    edits->list[edits->count++] = (struct edit){kind, from, size};
}

/* The largest first. */
static void list_edits(const struct rnd_program *p, struct edits *edits)
{
  edits->count = 0;
  add_edit(edits, ONE_WARP, 0, 0);
  for (unsigned size = (p->count + 1) / 2; size > 0; size = size > 1 ? (size + 1) / 2 : 0)
    for (unsigned from = 0; from < p->count; from += size)
      add_edit(edits, DELETE, from, size);
  for (unsigned i = 0; i < p->count; i++)
    if (is_block(&p->statement[i])) {
      add_edit(edits, DELETE, i, rnd_block_end(p, i) - i + 1);
      add_edit(edits, UNWRAP, i, 0);
      add_edit(edits, NO_ELSE, i, 0);
    }
  add_edit(edits, NOT_WRAPPED, 0, 0);
  for (unsigned i = 0; i < p->count; i++)
    for (enum edit_kind kind = ONCE; kind <= NO_OFFSET; kind++)
      add_edit(edits, kind, i, 0);
}

struct shrinker {
  struct rnd_bench *bench;
  struct rnd_program *program;
  struct rnd_verdict *verdict;
  struct edits edits;
  struct rnd_program candidate[RND_BATCH];
  struct rnd_verdict result[RND_BATCH];
  unsigned position[RND_BATCH]; /* of the candidate's edit */
};

/* Tries the edits from *position on, one batch of them; *position becomes the accepted edit, or the next. */
static enum sl_status try_batch(struct shrinker *s, unsigned *position, bool *kept, struct sl_error *err)
{
  const struct rnd_program *programs[RND_BATCH];
  unsigned count = 0;
  for (; *position < s->edits.count && count < RND_BATCH; ++*position)
    if (apply(s->program, &s->edits.list[*position], &s->candidate[count])) {
      programs[count] = &s->candidate[count];
      s->position[count++] = *position;
    }
  enum sl_status code = count > 0 ? rnd_compare(s->bench, programs, count, s->result, err) : SL_OK;
  for (unsigned i = 0; i < count && code == SL_OK; i++)
    if (s->result[i].outcome == s->verdict->outcome) {
      *s->program = s->candidate[i];
      *s->verdict = s->result[i];
      *position = s->position[i];
      *kept = true;
      return SL_OK;
    }
  return code;
}

enum sl_status rnd_shrink(struct rnd_bench *bench, struct rnd_program *program, struct rnd_verdict *verdict,
                          struct sl_error *err)
{
  struct shrinker *s = calloc(1, sizeof *s);
  if (s == NULL)
    return sl_no_memory(err, sizeof *s);
  s->bench = bench;
  s->program = program;
  s->verdict = verdict;
  enum sl_status code = SL_OK;
  for (bool progress = true; progress && code == SL_OK;) {
    unsigned position = 0;
    progress = false;
    list_edits(program, &s->edits);
    while (position < s->edits.count && code == SL_OK) {
      bool kept = false;
      code = try_batch(s, &position, &kept, err);
      if (kept)
        list_edits(program, &s->edits);
      progress |= kept;
    }
  }
  free(s);
  return code;
}
