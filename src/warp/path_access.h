/* The function of loads, stores, atomics and fences on the lanes of a warp, and the request they put on the memory
 * path. */
#ifndef SL_WARP_PATH_ACCESS_H
#define SL_WARP_PATH_ACCESS_H

#include "mem/request.h"
#include "warp/path_warps.h"

/* Performs the access of ex->insn and describes it in *request. False: the access cannot be made; see the fault. */
bool sl_memory_access(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex,
                      struct sl_request *request);

/* The same in two steps, not of a fence: where the lanes of ex->active access, in request->address and *s; and the
 * access, which may be of lanes whose addresses have been made since. The memo is what the first returned, or NULL for
 * other lanes. */
struct sl_access_memo_entry *sl_memory_addresses(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex,
                                                 struct sl_request *request, struct sl_addresses *s);
bool sl_memory_access_addressed(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex,
                                struct sl_request *request, const struct sl_addresses *s,
                                struct sl_access_memo_entry *memo);

/* The same for a load or store of all lanes whose rs1 is known to be base + lane * stride, not looked at per lane.
 * False: nothing has been done, since this access has to be made lane by lane. */
bool sl_memory_access_regular(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex, uint32_t base,
                              uint32_t stride, struct sl_request *request);

/* The same for a load of all lanes from one address, of which *value is the result: no lane's register is written, and
 * of the request's addresses only lane 0's. */
bool sl_memory_load_uniform(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex, uint32_t base,
                            uint32_t *value, struct sl_request *request);

#endif
