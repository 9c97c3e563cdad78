/* What the user has changed in the run of a launch script: a run that is played again repeats it at the same place. */
#ifndef SL_DEBUG_PTX_CHANGES_H
#define SL_DEBUG_PTX_CHANGES_H

#include "debug/ptx/ptx_replay.h"
#include "debug/ptx/ptx_view.h"

struct sl_ptx_change {
  struct sl_ptx_spot spot;
  bool is_register;
  uint64_t at; /* number of the register, or address */
  size_t size;
  uint8_t *bytes;
};

struct sl_ptx_changes {
  struct sl_ptx_change *change; /* by place */
  size_t count;
};

/* Notes a change at a spot, which replaces all later ones. False: out of memory. */
bool sl_ptx_changes_add(struct sl_ptx_changes *changes, const struct sl_ptx_spot *spot, bool is_register, uint64_t at,
                        const void *bytes, size_t size);

/* Performs a change in the view, in which its block is. */
void sl_ptx_change_repeat(const struct sl_ptx_change *change, const struct sl_ptx_view *view);

void sl_ptx_changes_clear(struct sl_ptx_changes *changes);

#endif
