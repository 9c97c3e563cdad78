#include "ptx/oracle/ptx_marks.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/oracle/ptx_redundancy.h"

bool sl_ptx_marks_open(struct sl_ptx_marks *m, size_t warps)
{
  m->first = calloc(warps + 1, sizeof *m->first);
  m->warps = warps;
  return m->first != NULL;
}

bool sl_ptx_marks_append(struct sl_ptx_marks *m, size_t warp, const struct sl_ptx_chunk *chunk, size_t count)
{
  if (m->count + count > m->room) {
    const size_t room = 2 * (m->count + count);
    struct sl_ptx_chunk *larger = realloc(m->chunk, room * sizeof *larger);
    if (larger == NULL)
      return false;
    m->chunk = larger;
    m->room = room;
  }
  if (count > 0)
    memcpy(m->chunk + m->count, chunk, count * sizeof *chunk);
  m->count += count;
  m->first[warp + 1] = m->count;
  return true;
}

void sl_ptx_marks_free(struct sl_ptx_marks *m)
{
  free(m->chunk);
  free(m->first);
  *m = (struct sl_ptx_marks){0};
}

struct sl_ptx_place_of_marks sl_ptx_marks_begin(const struct sl_ptx_marks *m, size_t warp)
{
  const uint64_t first = m->first[warp], left = m->first[warp + 1] - first;
  return (struct sl_ptx_place_of_marks){.at = left > 0 ? m->chunk + first : NULL, .left = left};
}

uint64_t sl_ptx_way(uint64_t way, uint32_t pc)
{
  return sl_ptx_mixed(way, pc);
}

bool sl_ptx_marks_next(struct sl_ptx_place_of_marks *p, uint32_t pc)
{
  if (p->at == NULL)
    return true;
  p->way = sl_ptx_way(p->way, pc);
  if (++p->within < SL_PTX_CHUNK)
    return true;
  const bool same = p->way == p->at->way;
  p->within = 0;
  p->left--;
  p->at = same && p->left > 0 ? p->at + 1 : NULL;
  return same;
}
