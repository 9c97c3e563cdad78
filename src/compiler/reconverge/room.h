/* Allocation for a tool that exits if memory is exhausted. */
#ifndef SL_MARKS_ROOM_H
#define SL_MARKS_ROOM_H

#include <stdio.h>
#include <stdlib.h>

/* Returns zeroed room for `count` items, at least one. */
static inline void *sl_room(size_t count, size_t size)
{
  void *room = calloc(count ? count : 1, size);
  if (room == NULL) {
    fprintf(stderr, "simtlab-marks: no memory left\n");
    exit(EXIT_FAILURE);
  }
  return room;
}

#endif
