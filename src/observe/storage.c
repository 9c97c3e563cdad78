#include "observe/storage.h"

enum { WORD_BITS = 32, STRIDE_BITS = 2, READ_PORTS = 2, REGISTERS = 32 };

static unsigned log2_rounded_up(uint64_t n)
{
  unsigned bits = 0;
  while (UINT64_C(1) << bits < n)
    bits++;
  return bits;
}

uint64_t sl_storage_bits(const struct sl_register_storage *file)
{
  const uint64_t registers = (uint64_t)file->warps * file->registers, vector = (uint64_t)file->lanes * WORD_BITS;
  if (!file->compressed)
    return registers * vector;
  const uint64_t slots = file->slots != 0 ? file->slots : registers;
  const uint64_t entry = WORD_BITS + (file->affine ? STRIDE_BITS : 0) + 1;
  return READ_PORTS * registers * entry + slots * vector + slots * log2_rounded_up(slots);
}

static bool get(const struct sl_config *config, const char *name, uint32_t *value)
{
  const struct sl_key *key = sl_key_find(config->machine->keys, name);
  if (key != NULL)
    *value = sl_key_value(key, config->spec);
  return key != NULL;
}

bool sl_storage_of(const struct sl_config *config, struct sl_register_storage *file)
{
  uint32_t lanes, warps, compressed, slots, affine;
  if (!get(config, "lanes", &lanes) || !get(config, "warps", &warps) || !get(config, "registers", &compressed) ||
      !get(config, "registers.slots", &slots) || !get(config, "registers.affine", &affine))
    return false;
  *file = (struct sl_register_storage){lanes, warps, REGISTERS, compressed != 0, slots, affine != 0};
  return true;
}
