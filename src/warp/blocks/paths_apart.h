/* The paths of a warp that has several, as numbers that are quick to compare, while it executes a stretch of code at a
 * time (path_blocks.h).
 *
 * The number of a place has the level above the address: places of one level are in the order of their addresses, and
 * the difference of two says how far ahead a path waits. What paths come to is what the functions of warp/paths.h make
 * of them, under nesting and by depth and PC, also the order in which they are listed. */
#ifndef SL_WARP_BLOCKS_PATHS_APART_H
#define SL_WARP_BLOCKS_PATHS_APART_H

#include "warp/paths.h"

struct sl_apart {
  unsigned count;
  unsigned now; /* the path that runs */
  bool nesting; /* not by depth and PC */
  uint64_t place[SL_MAX_LANES];
  sl_lanes lanes[SL_MAX_LANES];
};

/* False: these are not for here, since they are kept in a sorter or one of them is to retry. */
bool sl_apart_begin(struct sl_apart *a, const struct sl_paths *paths);

/* The paths are those again. */
void sl_apart_end(const struct sl_apart *a, struct sl_paths *paths);

/* The path that runs has come to a pc, where it may join another one. */
void sl_apart_move(struct sl_apart *a, uint32_t pc);

/* It has taken a branch to `pc` on these of its lanes, neither none nor all of them; the others are at `next`. */
void sl_apart_split(struct sl_apart *a, sl_lanes taken, uint32_t pc, uint32_t next);

/* It goes on at a pc on another level. */
void sl_apart_change_level(struct sl_apart *a, int change, uint32_t pc);

static inline uint32_t sl_apart_pc(const struct sl_apart *a)
{
  return (uint32_t)a->place[a->now];
}

static inline sl_lanes sl_apart_lanes(const struct sl_apart *a)
{
  return a->lanes[a->now];
}

static inline int sl_apart_level_of(uint64_t place)
{
  return (int16_t)(uint16_t)(place >> 32 ^ 0x8000);
}

static inline int sl_apart_level(const struct sl_apart *a)
{
  return sl_apart_level_of(a->place[a->now]);
}

/* Instructions, of 1 << word_shift bytes, until it comes to where another one waits, at most `count`. */
static inline uint32_t sl_apart_alone(const struct sl_apart *a, unsigned word_shift, uint32_t count)
{
  uint64_t least = (uint64_t)count << word_shift;
  for (unsigned j = 0; j < a->count; j++) {
    const uint64_t ahead = a->place[j] - a->place[a->now] - 1; /* its own: very far */
    least = ahead < least ? ahead + 1 : least;
  }
  return (uint32_t)(least >> word_shift);
}

#endif
