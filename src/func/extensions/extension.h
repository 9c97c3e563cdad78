/* The interface of a core extension, such as hardware loops or streaming lanes: its effect on a warp's instructions and
 * its timing. A core has a short array of extensions and calls them in order. An extension sets a function to NULL if
 * it does not need it.
 *
 * A function that finds an illegal instruction returns the rest of a sentence that begins with the instruction; else
 * NULL. */
#ifndef SL_WARP_EXTENSION_H
#define SL_WARP_EXTENSION_H

#include "base/schema.h"
#include "isa/isa.h"

enum { SL_EXTENSIONS_MAX = 4 };

struct sl_ipdom_execution;
struct sl_ipdom_warps;

/* Data that an extension keeps with an instruction from schedule to commit. */
struct sl_extension_note {
  uint8_t byte[4];
};

struct sl_extended {
  bool renamed;  /* the copy is the part that remains to execute */
  bool replaced; /* the copy differs: the extension takes part in issue and commit */
  struct sl_extension_note note[SL_EXTENSIONS_MAX];
  struct sl_insn copy;
};

/* A line that an extension requests from the data cache or local memory. */
struct sl_extension_request {
  uint32_t line; /* address */
  uint32_t tag;  /* of a read; returned with the answer */
  uint8_t port;  /* port of the data cache; unused for local memory */
  uint8_t unit, warp;
  bool write, local;
};

enum { SL_EXTENSION_REQUESTS = 8 /* per extension and cycle, at most */ };

/* An instruction in flight and the extension's data about it, to validate a checkpoint. */
struct sl_extension_flight {
  const struct sl_extension_note *note;
  unsigned warp;
  bool replaced, issued;
};

struct sl_extension_kind {
  const char *name;

  /* -- architectural effect -- */
  /* Schedules the instruction at `pc`. *mask is its execution mask; the warp's state holds the next pc. */
  const char *(*schedule)(void *state, struct sl_ipdom_warps *w, unsigned warp, uint32_t pc, const struct sl_insn *insn,
                          sl_lanes *mask, struct sl_extension_note *note);
  /* Renames, in program order before execution. Replaces in *copy the parts of the instruction that the extension
   * handles. */
  const char *(*rename)(void *state, unsigned warp, uint32_t pc, sl_lanes active, struct sl_insn *copy,
                        struct sl_extension_note *note, bool *replaced);
  /* Completes an instruction after execution if it was replaced, has jumped, or has popped the IPDOM stack below
   * `splits` entries. */
  const char *(*finish)(void *state, struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                        const struct sl_insn *original, unsigned splits, const struct sl_extension_note *note);
  /* The extension's CSRs; values of all lanes. */
  bool (*owns)(unsigned csr);
  const char *(*read)(const void *state, unsigned warp, unsigned csr, uint32_t *values);
  const char *(*write)(void *state, unsigned warp, unsigned csr, sl_lanes active, const uint32_t *values,
                       struct sl_extension_note *note);
  /* Returns true if the extension takes part in the warp's instructions, other than accesses to its CSRs. */
  bool (*engaged)(const void *state, unsigned warp);
  void (*start)(void *state);
  void (*set_timed)(void *state, bool timed); /* timed execution, or functional only */
  void (*reset)(void *state, unsigned warp);  /* the warp starts or is switched off */
  void (*free)(void *state);

  /* -- checkpoints: visits the state -- */
  void (*walk)(void *state, struct sl_archive *archive);
  /* valid validates a restored state with these instructions in flight; tag_valid validates the tag
   * of a line in flight; derive recomputes the derived state. */
  bool (*valid)(const void *state, const struct sl_extension_flight *flight, unsigned count);
  bool (*tag_valid)(const void *state, uint32_t tag);
  void (*derive)(void *state);

  /* -- timing of replaced instructions -- */
  bool (*ready)(const void *state, unsigned warp, const struct sl_extension_note *note);
  void (*issue)(void *state, unsigned warp, struct sl_extension_note *note);
  void (*commit)(void *state, unsigned warp, const struct sl_extension_note *note, sl_lanes active);
  /* An access to one of its CSRs is in its unit. `alone`: no other instruction of the warp is in flight. False: the
   * access waits. */
  bool (*open)(void *state, unsigned warp, unsigned csr, bool alone, const struct sl_extension_note *note);
  /* The extension's cycle, before the issue and the commits of the core's cycle. `ports`: free ports of the data cache;
   * `local_free`: local memory accepts a line. All requests are granted. answered: the reply to a read. idle: the cycle
   * would have no effect. */
  unsigned (*cycle)(void *state, unsigned ports, bool local_free, struct sl_extension_request out[]);
  void (*answered)(void *state, uint32_t tag);
  bool (*idle)(const void *state);
};

struct sl_extension {
  const struct sl_extension_kind *kind;
  void *state;
};

#endif
