/* An extension of a core's instructions, such as hardware loops or streaming lanes: what a warp does differently with
 * it, and what that means in time. A core has a short array of them, in the order in which they are asked; one without
 * any asks nobody. A function that an extension does not need is NULL.
 *
 * What an extension calls illegal it returns as the rest of a sentence that begins with the instruction, else NULL. */
#ifndef SL_WARP_EXTENSION_H
#define SL_WARP_EXTENSION_H

#include "base/state_parts.h"
#include "isa/isa.h"

enum { SL_EXTENSIONS_MAX = 4 };

struct sl_ipdom_execution;
struct sl_ipdom_warps;

/* What an extension keeps with an instruction from its schedule until it has committed. */
struct sl_extension_note {
  uint8_t byte[4];
};

struct sl_extended {
  bool renamed;  /* the copy is what is left of the instruction */
  bool replaced; /* and not the same: extensions are asked when it issues and commits */
  struct sl_extension_note note[SL_EXTENSIONS_MAX];
  struct sl_insn copy;
};

/* A line that an extension asks the data cache or local memory for. */
struct sl_extension_request {
  uint32_t line; /* address */
  uint32_t tag;  /* of reads, comes back with the answer */
  uint8_t port;  /* of the cache; unused for local memory */
  uint8_t unit, warp;
  bool write, local;
};

enum { SL_EXTENSION_REQUESTS = 8 /* of an extension in a cycle, at most */ };

/* An instruction in flight and what the extension keeps with it, for the one that looks at state from a file. */
struct sl_extension_flight {
  const struct sl_extension_note *note;
  unsigned warp;
  bool replaced, issued;
};

struct sl_extension_kind {
  const char *name;

  /* -- what programs see -- */
  /* The instruction at `pc` is scheduled: *mask is what it executes with; the warp's state says where it goes on. */
  const char *(*schedule)(void *state, struct sl_ipdom_warps *w, unsigned warp, uint32_t pc, const struct sl_insn *insn,
                          sl_lanes *mask, struct sl_extension_note *note);
  /* Before execution, in program order: what of the instruction is the extension's is replaced in *copy. */
  const char *(*rename)(void *state, unsigned warp, uint32_t pc, sl_lanes active, struct sl_insn *copy,
                        struct sl_extension_note *note, bool *replaced);
  /* After it, if it was replaced, has jumped, or has left the IPDOM stack with fewer entries than the `splits` before.
   */
  const char *(*finish)(void *state, struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                        const struct sl_insn *original, unsigned splits, const struct sl_extension_note *note);
  /* Its CSRs; values of all lanes. */
  bool (*owns)(unsigned csr);
  const char *(*read)(const void *state, unsigned warp, unsigned csr, uint32_t *values);
  const char *(*write)(void *state, unsigned warp, unsigned csr, sl_lanes active, const uint32_t *values,
                       struct sl_extension_note *note);
  void (*start)(void *state);
  void (*set_timed)(void *state, bool timed); /* what follows runs in time, or function alone */
  void (*reset)(void *state, unsigned warp);  /* the warp is switched off, or begins */
  void (*free)(void *state);

  /* -- its state as bytes, for a checkpoint of the same build: adds it to a walk -- */
  void (*walk)(const void *state, struct sl_state_walk *walk);
  /* Whether what has been restored can be such a state (base/sound.h), with these instructions in flight; whether a
   * line under way can have this tag; then, what follows from the state anew. */
  bool (*sound)(const void *state, const struct sl_extension_flight *flight, unsigned count);
  bool (*tag_sound)(const void *state, uint32_t tag);
  void (*derive)(void *state);

  /* -- time: of replaced instructions -- */
  bool (*ready)(const void *state, unsigned warp, const struct sl_extension_note *note);
  void (*issue)(void *state, unsigned warp, struct sl_extension_note *note);
  void (*commit)(void *state, unsigned warp, const struct sl_extension_note *note, sl_lanes active);
  /* An access to one of its CSRs is in its unit. `alone`: nothing else of the warp is in flight. False: it waits. */
  bool (*open)(void *state, unsigned warp, unsigned csr, bool alone, const struct sl_extension_note *note);
  /* Its own cycle, before this cycle's issue and commits, with the free ports of the data cache and whether local
   * memory takes a line; the requests are granted. And the answer to a read. Idle: the cycle would do nothing. */
  unsigned (*cycle)(void *state, unsigned ports, bool local_free, struct sl_extension_request out[]);
  void (*answered)(void *state, uint32_t tag);
  bool (*idle)(const void *state);
};

struct sl_extension {
  const struct sl_extension_kind *kind;
  void *state;
};

#endif
