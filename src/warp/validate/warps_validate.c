#include "warp/validate/warps_validate.h"

#include <string.h>

bool sl_paths_valid(const struct sl_paths *paths, enum sl_scheme scheme, sl_lanes lanes)
{
  if (paths->count == 0 || paths->count > SL_MAX_LANES || paths->scheme != scheme)
    return false;
  for (unsigned i = 0; i < paths->count; i++)
    if (!sl_bool_valid(&paths->path[i].retry))
      return false;
  if (sl_convergences[scheme]->valid != NULL && !sl_convergences[scheme]->valid(paths, lanes))
    return false;
  return sl_paths_broken(paths, lanes) == NULL;
}

bool sl_insns_valid(const struct sl_code *code, const struct sl_insn *insn)
{
  for (uint32_t i = 0; i < code->count; i++) {
    const struct sl_insn in = code->isa->decode(insn[i].word, code->sets);
    if (memcmp(&in, &insn[i], sizeof in) != 0)
      return false;
  }
  return true;
}
