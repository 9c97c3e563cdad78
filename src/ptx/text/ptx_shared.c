#include "ptx/text/ptx_parser.h"

#include <stdlib.h>
#include <string.h>

static uint64_t rounded(uint64_t value, uint64_t align)
{
  return (value + align - 1) & ~(align - 1);
}

bool sl_ptx_shared_use(struct sl_ptx_parser *p, const struct sl_ptx_symbol *s)
{
  if (s->shared == 0 || p->function == UINT32_MAX)
    return true;
  for (uint32_t i = p->shared_uses.count; i-- > 0 && p->shared_uses.items[i].function == p->function;)
    if (p->shared_uses.items[i].variable == s->shared - 1)
      return true;
  if (!SL_PTX_MORE(p, p->shared_uses, 1))
    return false;
  p->shared_uses.items[p->shared_uses.count++] = (struct sl_ptx_shared_use){p->function, s->shared - 1};
  return true;
}

bool sl_ptx_shared_declare(struct sl_ptx_parser *p, struct sl_ptx_symbol *s, uint64_t align)
{
  const uint32_t number = p->shared.count;
  s->address =
      p->layout != NULL && number < p->layout->variables ? p->layout->address[number] : rounded(p->shared_bytes, align);
  if (!SL_PTX_MORE(p, p->shared, 1))
    return false;
  p->shared.items[p->shared.count++] =
      (struct sl_ptx_shared_place){.address = s->address, .bytes = s->bytes, .align = align};
  if (s->address + s->bytes > p->shared_bytes && s->address + s->bytes <= UINT32_MAX)
    p->shared_bytes = (uint32_t)(s->address + s->bytes);
  s->shared = number + 1;
  return sl_ptx_shared_use(p, s);
}

uint32_t sl_ptx_shared_base(const struct sl_ptx_parser *p)
{
  return p->layout != NULL && p->function < p->layout->functions ? p->layout->base[p->function] : p->shared_bytes;
}

bool sl_ptx_shared_end_function(struct sl_ptx_parser *p)
{
  if (p->dynamic[0] == 0 && p->dynamic[1] == 0)
    return true;
  if (!SL_PTX_MORE(p, p->dynamics, 1))
    return false;
  p->dynamics.items[p->dynamics.count++] = (struct sl_ptx_dynamic){p->function, {p->dynamic[0], p->dynamic[1]}};
  p->dynamic[0] = p->dynamic[1] = 0;
  return true;
}

/* Sets reached[f] for the functions that an entry runs. A call of an address reaches all whose address is taken. */
static void reach(const struct sl_ptx_parser *p, uint32_t entry, bool *reached, uint32_t *list)
{
  uint32_t count = 0;
  const uint32_t n = p->functions.count;
  memset(reached, 0, n * sizeof *reached);
  reached[entry] = true;
  list[count++] = entry;
  for (uint32_t i = 0; i < count; i++) {
    const struct sl_ptx_function *f = &p->functions.items[list[i]];
    for (uint32_t pc = f->begin; pc < f->end; pc++) {
      const struct sl_ptx_insn *in = &p->code.items[pc];
      const bool any = in->kind == SL_PTX_K_CALL && in->mode == SL_PTX_CALL_ADDRESS;
      if (in->kind != SL_PTX_K_CALL)
        continue;
      for (uint32_t to = any ? 0 : in->function; to < (any ? n : in->function + 1); to++)
        if (!reached[to] && (!any || (p->functions.items[to].taken && !p->functions.items[to].entry))) {
          reached[to] = true;
          list[count++] = to;
        }
    }
  }
}

/* used[entry * variables + variable] */
static void find_uses(const struct sl_ptx_parser *p, bool *used, bool *reached, uint32_t *list)
{
  for (uint32_t e = 0; e < p->functions.count; e++) {
    if (!p->functions.items[e].entry)
      continue;
    reach(p, e, reached, list);
    for (uint32_t i = 0; i < p->shared_uses.count; i++)
      if (reached[p->shared_uses.items[i].function])
        used[(size_t)e * p->shared.count + p->shared_uses.items[i].variable] = true;
  }
}

static struct sl_ptx_shared_layout *new_layout(uint32_t variables, uint32_t functions)
{
  struct sl_ptx_shared_layout *l = calloc(1, sizeof *l + (size_t)variables * sizeof(uint64_t));
  uint32_t *base = calloc(functions + (size_t)1, sizeof *base);
  if (l == NULL || base == NULL) {
    free(l);
    free(base);
    return NULL;
  }
  l->variables = variables;
  l->functions = functions;
  l->base = base;
  return l;
}

void sl_ptx_shared_layout_free(struct sl_ptx_shared_layout *l)
{
  if (l != NULL)
    free(l->base);
  free(l);
}

/* Each variable comes after those that an entry uses together with it. */
static bool place(const struct sl_ptx_parser *p, const bool *used, struct sl_ptx_shared_layout *l)
{
  const uint32_t n = p->functions.count, variables = p->shared.count;
  bool same = true;
  for (uint32_t v = 0; v < variables; v++) {
    const struct sl_ptx_shared_place *s = &p->shared.items[v];
    uint64_t at = 0;
    for (uint32_t e = 0; e < n; e++)
      if (used[(size_t)e * variables + v] && l->base[e] > at)
        at = l->base[e];
    l->address[v] = at = rounded(at, s->align);
    for (uint32_t e = 0; e < n; e++)
      if (used[(size_t)e * variables + v])
        l->base[e] = (uint32_t)(at + s->bytes);
    same &= at == s->address;
  }
  for (uint32_t e = 0; e < n; e++)
    same &= !p->functions.items[e].entry || l->base[e] == p->functions.items[e].shared_base;
  return same;
}

bool sl_ptx_shared_improve(struct sl_ptx_parser *p, struct sl_ptx_shared_layout **layout)
{
  const size_t n = p->functions.count, variables = p->shared.count;
  *layout = NULL;
  if (variables == 0)
    return true;
  bool *used = calloc(n * variables + 1, sizeof *used), *reached = calloc(n + 1, sizeof *reached);
  uint32_t *list = calloc(n + 1, sizeof *list);
  struct sl_ptx_shared_layout *l = new_layout((uint32_t)variables, (uint32_t)n);
  if (used == NULL || reached == NULL || list == NULL || l == NULL)
    p->status = sl_no_memory(p->err, n * variables);
  else {
    find_uses(p, used, reached, list);
    if (!place(p, used, l)) {
      *layout = l;
      l = NULL;
    }
  }
  sl_ptx_shared_layout_free(l);
  free(used);
  free(reached);
  free(list);
  return !sl_ptx_failed(p);
}

static void fill(struct sl_ptx_parser *p, const struct sl_ptx_dynamic *d, uint64_t address)
{
  for (unsigned wide = 0; wide < 2; wide++)
    for (unsigned l = 0; d->constant[wide] > 0 && l < SL_PTX_LANES; l++)
      memcpy(p->constants.items + d->constant[wide] - 1 + l * (wide ? 8 : 4), &address, wide ? 8 : 4);
}

bool sl_ptx_shared_finish(struct sl_ptx_parser *p)
{
  const uint32_t n = p->functions.count;
  bool *reached = calloc(n + (size_t)1, sizeof *reached), *dynamic = calloc(n + (size_t)1, sizeof *dynamic);
  uint32_t *list = calloc(n + (size_t)1, sizeof *list), most = 0;
  bool by_functions = false;
  if (reached == NULL || dynamic == NULL || list == NULL)
    p->status = sl_no_memory(p->err, n);
  for (uint32_t e = 0; e < n && !sl_ptx_failed(p) && p->dynamics.count > 0; e++) {
    struct sl_ptx_function *f = &p->functions.items[e];
    if (!f->entry)
      continue;
    reach(p, e, reached, list);
    for (uint32_t i = 0; i < p->dynamics.count; i++)
      if (reached[p->dynamics.items[i].function]) {
        dynamic[e] = true;
        by_functions |= p->dynamics.items[i].function != e;
      }
    if (dynamic[e])
      f->shared_bytes = (uint32_t)rounded(f->shared_bytes, 16);
    if (dynamic[e] && f->shared_bytes > most)
      most = f->shared_bytes;
  }
  for (uint32_t e = 0; e < n && by_functions; e++)
    if (dynamic[e])
      p->functions.items[e].shared_bytes = most;
  for (uint32_t i = 0; i < p->dynamics.count && !sl_ptx_failed(p); i++) {
    const struct sl_ptx_dynamic *d = &p->dynamics.items[i];
    fill(p, d, by_functions ? most : p->functions.items[d->function].shared_bytes);
  }
  free(reached);
  free(dynamic);
  free(list);
  return !sl_ptx_failed(p);
}
