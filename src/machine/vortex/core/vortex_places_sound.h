/* Where the instructions in flight are, in the pipeline of a core that comes from a file (base/sound.h). One must be in
 * one place, and as often in the memory system as it waits for answers: else lists of instructions could become
 * circles, and queues that have room for what there can be would overflow. What is in caches and memory is told
 * first. */
#ifndef SL_MACHINE_VORTEX_PLACES_SOUND_H
#define SL_MACHINE_VORTEX_PLACES_SOUND_H

#include "machine/vortex/core/vortex_pipeline.h"

/* Where an instruction is. */
enum sl_vortex_place {
  SL_PLACE_NONE,
  SL_PLACE_FREE,
  SL_PLACE_FRONT,    /* before decode */
  SL_PLACE_BUFFERED, /* to be issued */
  SL_PLACE_ISSUED,   /* before its unit */
  SL_PLACE_LSU,
  SL_PLACE_DONE,
  SL_PLACE_CLEARED /* registers are written in a moment */
};

struct sl_vortex_tally {
  uint8_t place;  /* enum sl_vortex_place */
  bool queued;    /* in the LSU */
  bool partial;   /* lanes have a result of their own */
  unsigned lines; /* asked for and not returned, */
  unsigned local; /* and answers of local memory under way */
};

struct sl_vortex_stock {
  struct sl_vortex_tally *op; /* of each */
  uint32_t ops;
  struct sl_extension_flight *flight;        /* room for as many */
  unsigned lines;                            /* of all */
  uint64_t asked[SL_VORTEX_PORT_LINES / 64]; /* lines of extensions that are in the cache */
};

/* Found in the memory system: an instruction that is being fetched, a line that an instruction has asked for, one that
 * an extension has. False: there can be none. */
bool sl_vortex_fetch_found(struct sl_vortex_stock *stock, uint32_t op);
bool sl_vortex_line_found(struct sl_vortex_stock *stock, uint32_t op);
bool sl_vortex_port_found(struct sl_vortex_stock *stock, uint32_t number);

/* What is in the queues and lists of the core, after that. */
bool sl_vortex_places_sound(const struct sl_vortex_pipeline *core, struct sl_vortex_stock *stock);

#endif
