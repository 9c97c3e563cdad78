/* The blocks, or cores, that run. */
#include <stdlib.h>
#include <string.h>

#include "observe/check/check_feed.h"

static void free_block(struct sl_check_block *b)
{
  for (unsigned w = 0; w < b->warps; w++) {
    free(b->warp[w].lane_seen);
    free(b->warp[w].view.bound);
    free(b->warp[w].relaxed.bound);
  }
  free(b->warp);
  sl_check_copies_free(b);
  sl_check_lines_free(b->shared, b->shared_lines);
  free(b->shared);
  free(b);
}

void sl_check_blocks_free(struct sl_check *check)
{
  for (size_t i = 0; i < check->blocks; i++)
    free_block(check->block[i]);
  check->blocks = 0;
  check->grids = false;
  check->last = NULL;
}

struct sl_check_block *sl_check_block_of(struct sl_check *check, const void *key)
{
  if (check->last != NULL && check->last->key == key)
    return check->last;
  for (size_t i = 0; i < check->blocks; i++)
    if (check->block[i]->key == key)
      return check->last = check->block[i];
  return NULL;
}

struct sl_check_block *sl_check_block_add(struct sl_check *check, const void *key, unsigned warps, size_t shared)
{
  if (!sl_check_grow(check, &check->block, check->blocks, &check->block_room, sizeof *check->block))
    return NULL;
  struct sl_check_block *b = calloc(1, sizeof *b);
  if (b != NULL)
    b->warp = calloc(warps, sizeof *b->warp);
  const size_t words = shared > 0 ? shared / 4 + 1 : 0, lines = (words + SL_CHECK_LINE - 1) / SL_CHECK_LINE;
  if (b != NULL && shared > 0)
    b->shared = calloc(lines, sizeof *b->shared);
  if (b == NULL || b->warp == NULL || (shared > 0 && b->shared == NULL)) {
    check->out_of_memory = true;
    if (b != NULL) {
      free(b->warp);
      free(b);
    }
    return NULL;
  }
  b->key = key;
  b->warps = warps;
  b->shared_words = words;
  b->shared_lines = lines;
  return check->block[check->blocks++] = b;
}

void sl_check_block_begin(struct sl_check *check, struct sl_check_block *b)
{
  sl_check_copies_end(check, b);
  b->begin = sl_check_tick(check);
  b->fences = false;
  memset(b->published, 0, sizeof b->published);
  for (unsigned i = 0; i < b->warps; i++) {
    struct sl_check_warp *w = &b->warp[i];
    const struct sl_check_view view = {w->view.bound, 0, w->view.room};
    const struct sl_check_view relaxed = {w->relaxed.bound, 0, w->relaxed.room};
    free(w->lane_seen);
    *w = (struct sl_check_warp){.view = view, .relaxed = relaxed, .barrier = -1};
  }
}
