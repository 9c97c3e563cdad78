/* Validates the places of the instructions in flight in a pipeline that was restored from a file.
 * Each instruction must be in one place, and in the memory system once per outstanding answer. Otherwise lists of
 * instructions could contain cycles, and queues sized for the maximum could overflow. The caller first reports what
 * caches and memory hold. */
#ifndef SL_MACHINE_VORTEX_PLACES_H
#define SL_MACHINE_VORTEX_PLACES_H

#include "machine/vortex/core/vortex_flight.h"
#include "machine/vortex/core/vortex_pipeline.h"

/* Line requests of a Vortex core's extensions, at the ports of the data cache and of local memory.
 *
 * Timing contract: a line granted in cycle c waits at its port for its bank from c on. On a hit, the answer of the data
 * cache or of local memory reaches the extension streams.latency after the grant. While the LSU has a line to send,
 * port 0 belongs to the LSU. */

/* Takes returned lines and grants the next requests. The socket takes the lines that wait at the ports. */
void sl_vortex_ports(struct sl_vortex_pipeline *core);

/* Allocates a number for a read in the cache; -1: all are in use. */
int sl_vortex_port_number(struct sl_vortex_pipeline *core, const struct sl_vortex_port_line *line);

/* Handles an answer of the cache. */
void sl_vortex_port_answered(struct sl_vortex_pipeline *core, uint32_t number);

/* No extension request is outstanding. */
bool sl_vortex_ports_idle(const struct sl_vortex_pipeline *core);

/* Place of an instruction. */
enum sl_vortex_place {
  SL_PLACE_NONE,
  SL_PLACE_FREE,
  SL_PLACE_FRONT,    /* before decode */
  SL_PLACE_BUFFERED, /* before issue */
  SL_PLACE_ISSUED,   /* before its unit */
  SL_PLACE_LSU,
  SL_PLACE_DONE,
  SL_PLACE_CLEARED /* its registers are about to be written */
};

struct sl_vortex_tally {
  uint8_t place;  /* enum sl_vortex_place */
  bool queued;    /* in the LSU */
  bool partial;   /* lanes have separate results */
  unsigned lines; /* requested and not returned, */
  unsigned local; /* and answers of local memory outstanding */
};

struct sl_vortex_stock {
  struct sl_vortex_tally *op; /* of each */
  uint32_t ops;
  struct sl_extension_flight *flight;        /* room for this many */
  unsigned lines;                            /* of all */
  uint64_t asked[SL_VORTEX_PORT_LINES / 64]; /* extensions' lines in the cache */
};

/* Records an object found in the memory system: an instruction fetch, an instruction's line, or an extension's line.
 * False: the object is not valid. */
bool sl_vortex_fetch_found(struct sl_vortex_stock *stock, uint32_t op);
bool sl_vortex_line_found(struct sl_vortex_stock *stock, uint32_t op);
bool sl_vortex_port_found(struct sl_vortex_stock *stock, uint32_t number);

/* Validates the queues and lists of the core. Call it last. */
bool sl_vortex_places_valid(const struct sl_vortex_pipeline *core, struct sl_vortex_stock *stock);

/* ---- the pipeline: vortex_core_state.c --------------------------------------------------------------------------- */

void sl_vortex_core_walk(struct sl_vortex_pipeline *core, struct sl_archive *archive);

/* Validates the whole pipeline and recomputes the fields that follow from the keys and the program. */
bool sl_vortex_core_valid(struct sl_vortex_pipeline *core, struct sl_vortex_stock *stock);

/* Validates an unused pipeline: it is empty and its numbers are valid instruction numbers. */
bool sl_vortex_core_unused(const struct sl_vortex_pipeline *core);

/* Recomputes only the derived fields of a valid pipeline. */
void sl_vortex_core_derive(struct sl_vortex_pipeline *core);

#endif
