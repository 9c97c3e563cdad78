/* Memory for a tool that ends when there is none. */
#ifndef SL_MARKS_ROOM_H
#define SL_MARKS_ROOM_H

#include <stdio.h>
#include <stdlib.h>

/* Zeroed room for so many things, and for one if they are none. */
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
