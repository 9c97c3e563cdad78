#include "ptx/text/ptx_transform.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/run/ptx_block.h"

struct predicator {
  struct sl_ptx_editor e;
  bool varying[SL_PTX_TOLD_APART]; /* registers that are likely to differ in a warp */
  uint32_t *entries;               /* by pc - begin: branches that lead there */
};

/* Sides of a branch: [first, middle) executes if it is not taken; [other, end) if it is, behind the jump at `middle`.
 */
struct hammock {
  uint32_t branch, first, middle, other, end;
};

/* ---- conditions -------------------------------------------------------------------------------------------------- */

static bool reads_lane(struct sl_ptx_place place)
{
  enum { PLACE = 4 * SL_PTX_LANES };
  const uint32_t special = (uint32_t)place.offset / PLACE;
  return place.area == SL_PTX_SPECIALS && (special - SL_PTX_TID_X < 3 || special == SL_PTX_LANEID);
}

static bool is_source(const struct predicator *d, const struct sl_ptx_insn *in)
{
  const bool loads = (in->kind == SL_PTX_K_LOAD && in->space != SL_PTX_PARAM && in->space != SL_PTX_CONST) ||
                     in->kind == SL_PTX_K_ATOMIC || in->kind == SL_PTX_K_TEX;
  bool varies = loads || reads_lane(in->a) || reads_lane(in->b) || reads_lane(in->c);
  for (unsigned i = 0; i < sl_ptx_srcs(in); i++)
    varies |= d->varying[sl_ptx_src(in, i).id];
  return varies || (in->guard.id != SL_PTX_NO_REG && d->varying[in->guard.id]);
}

static void find_varying(struct predicator *d)
{
  const struct sl_ptx_parser *p = d->e.p;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t pc = d->e.begin; pc < p->code.count; pc++) {
      const struct sl_ptx_insn *in = &p->code.items[pc];
      for (unsigned i = 0; i < sl_ptx_dsts(in) && is_source(d, in); i++) {
        bool *varies = &d->varying[sl_ptx_dst(in, i).id];
        changed |= !*varies;
        *varies = true;
      }
    }
  }
}

/* ---- hammocks ---------------------------------------------------------------------------------------------------- */

static bool is_plain(const struct sl_ptx_insn *in, uint16_t condition)
{
  struct sl_ptx_insn copy = *in;
  struct sl_ptx_roles roles;
  for (unsigned i = 0; i < in->dsts; i++)
    if (in->dst[i].id == condition)
      return false;
  if (in->guard.id != SL_PTX_NO_REG || !sl_ptx_roles_find(&roles, &copy))
    return false;
  switch (in->kind) {
  case SL_PTX_K_LANES: return in->mode != SL_PTX_P_CARRY;
  case SL_PTX_K_LOAD:
  case SL_PTX_K_STORE: return in->order == 0;
  case SL_PTX_K_CONDITION:
  case SL_PTX_K_SET:
  case SL_PTX_K_LOGIC:
  case SL_PTX_K_PACK:
  case SL_PTX_K_UNPACK: return true;
  default: return false;
  }
}

/* Whether the branch alone leads into [first, end), whose instructions can have a guard. */
static bool is_side(const struct predicator *d, uint32_t first, uint32_t end, uint16_t condition, uint32_t entries)
{
  for (uint32_t pc = first; pc < end; pc++)
    if (d->entries[pc - d->e.begin] != (pc == first ? entries : 0) || !is_plain(&d->e.p->code.items[pc], condition))
      return false;
  return true;
}

static bool is_jump(const struct sl_ptx_insn *in)
{
  return in->kind == SL_PTX_K_BRANCH && in->guard.id == SL_PTX_NO_REG;
}

static bool find_hammock(const struct predicator *d, uint32_t pc, struct hammock *h)
{
  const struct sl_ptx_insn *code = d->e.p->code.items, *branch = &code[pc];
  const uint32_t most = branch->guard.id != SL_PTX_NO_REG && d->varying[branch->guard.id] ? SL_PTX_PREDICATE_VARYING
                                                                                          : SL_PTX_PREDICATE_UNIFORM;
  const uint32_t target = branch->target, count = d->e.p->code.count;
  if (branch->kind != SL_PTX_K_BRANCH || branch->guard.id == SL_PTX_NO_REG || target <= pc + 1 || target >= count ||
      target - pc > most + 2)
    return false;
  *h = (struct hammock){pc, pc + 1, target, target, target};
  if (is_jump(&code[target - 1]) && code[target - 1].target > target && d->entries[target - 1 - d->e.begin] == 0) {
    h->middle = target - 1;
    h->end = code[target - 1].target;
  }
  return h->end <= count && h->middle - h->first + h->end - h->other <= most &&
         is_side(d, h->first, h->middle, branch->guard.id, 0) && is_side(d, h->other, h->end, branch->guard.id, 1);
}

static void give_guard(struct sl_ptx_insn *in, const struct sl_ptx_insn *branch, bool taken)
{
  in->guard = branch->guard;
  in->guard_offset = branch->guard_offset;
  in->negated = taken ? branch->negated : !branch->negated;
}

static bool replace(struct predicator *d, const struct hammock *h)
{
  struct sl_ptx_insn code[SL_PTX_PREDICATE_VARYING];
  const struct sl_ptx_insn *from = d->e.p->code.items;
  uint32_t count = 0;
  for (uint32_t pc = h->first; pc < h->middle; pc++) {
    code[count] = from[pc];
    give_guard(&code[count++], &from[h->branch], false);
  }
  for (uint32_t pc = h->other; pc < h->end; pc++) {
    code[count] = from[pc];
    give_guard(&code[count++], &from[h->branch], true);
  }
  return sl_ptx_edit_replace(&d->e, h->branch, h->end - h->branch, code, count);
}

static bool count_entries(struct predicator *d)
{
  struct sl_ptx_parser *p = d->e.p;
  free(d->entries);
  d->entries = calloc(p->code.count - d->e.begin + (size_t)1, sizeof *d->entries);
  for (uint32_t pc = d->e.begin; pc < p->code.count && d->entries != NULL; pc++)
    if (p->code.items[pc].kind == SL_PTX_K_BRANCH && p->code.items[pc].target <= p->code.count)
      d->entries[p->code.items[pc].target - d->e.begin]++;
  if (d->entries == NULL)
    p->status = sl_no_memory(p->err, p->code.count * sizeof *d->entries);
  return d->entries != NULL;
}

/* Inner hammocks are gone when outer ones are looked at, unless these begin before them: so from the end. */
static uint32_t predicate(struct predicator *d)
{
  struct hammock h;
  uint32_t gone = 0;
  for (uint32_t pc = d->e.p->code.count; pc-- > d->e.begin;)
    if (find_hammock(d, pc, &h)) {
      gone += h.middle < h.other ? 2 : 1;
      if (!replace(d, &h) || !count_entries(d))
        break;
    }
  return gone;
}

uint32_t sl_ptx_predicate(struct sl_ptx_parser *p, uint32_t begin)
{
  struct predicator *d = calloc(1, sizeof *d);
  uint32_t gone = 0;
  if (d == NULL) {
    p->status = sl_no_memory(p->err, sizeof *d);
    return 0;
  }
  bool linear = false;
  for (uint32_t pc = begin; pc < p->code.count; pc++)
    linear |= p->code.items[pc].kind == SL_PTX_K_LINEAR;
  if (!linear && sl_ptx_edit_begin(&d->e, p, begin) && count_entries(d)) {
    find_varying(d);
    gone = predicate(d);
  }
  free(d->entries);
  free(d);
  return gone;
}
