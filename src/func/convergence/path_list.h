/* Paths of a warp as a list in any order: what schemes share that find the first path by comparison. No two paths of
 * the list are in the same state. */
#ifndef SL_WARP_CONVERGENCE_PATH_LIST_H
#define SL_WARP_CONVERGENCE_PATH_LIST_H

#include "func/paths.h"

/* As in struct sl_convergence. */
void sl_path_list_settle(void *warp, unsigned group);
void sl_path_list_branch(void *warp, unsigned group, sl_lanes taken, uint32_t taken_pc, uint32_t pc);
void sl_path_list_scatter(void *warp, unsigned group, const uint32_t *target);
void sl_path_list_place(void *warp, unsigned lane, uint32_t pc);
const char *sl_path_list_broken(const void *warp, sl_lanes lanes);

#endif
