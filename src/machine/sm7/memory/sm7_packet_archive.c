#include "machine/sm7/memory/sm7_packet_archive.h"

#include "base/validate.h"

static bool is_valid(const struct sl_sm7_archive *t, const struct sl_sm7_packet *p)
{
  return p->sm < t->sms && p->slice < t->slices && p->kind <= SL_SM7_WRITE_BACK && p->client <= SL_SM7_TO_TEXTURES &&
         p->warp < t->spec->warps && p->sectors <= SL_SM7_LINE_SECTORS && p->beside < SL_SM7_LINE_SECTORS &&
         p->ready < (uint64_t)SL_CYCLES_MAX;
}

void sl_sm7_packet_archive(struct sl_sm7_archive *t, struct sl_sm7_packet *p)
{
  SL_ARCHIVE(&t->bytes, *p);
  sl_archive_expect(&t->bytes, is_valid(t, p));
}

void sl_sm7_ring_archive(struct sl_sm7_archive *t, struct sl_sm7_ring *r)
{
  const uint32_t count = sl_archive_number(&t->bytes, r->count, r->size);
  for (uint32_t i = 0; i < count; i++) {
    struct sl_sm7_packet p = {0};
    if (!sl_archive_reads(&t->bytes))
      p = r->item[(r->head + i) & r->mask];
    sl_sm7_packet_archive(t, &p);
    if (sl_archive_reads(&t->bytes))
      sl_sm7_ring_push(r, &p);
  }
}

bool sl_sm7_ring_each(const struct sl_sm7_ring *r, bool (*see)(void *context, const struct sl_sm7_packet *packet),
                      void *context)
{
  bool good = true;
  for (uint32_t i = 0; i < r->count && good; i++)
    good = see(context, &r->item[(r->head + i) & r->mask]);
  return good;
}
