/* Loads, stores, atomics and fences of a warp's lanes, and the requests that they put on the memory path. */
#ifndef SL_WARP_PATH_ACCESS_H
#define SL_WARP_PATH_ACCESS_H

#include "func/path_warps.h"
#include "mem/request.h"

/* Performs the access of ex->insn and describes it in *request. Returns false on a fault. */
bool sl_memory_access(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex,
                      struct sl_request *request);

/* The same in two steps, except for fences. sl_memory_addresses computes the addresses of ex->active into
 * request->address and *s. sl_memory_access_addressed performs the access; it also takes lanes whose addresses were
 * added later. The memo is the result of the first step, or NULL for other lanes. */
struct sl_access_memo_entry *sl_memory_addresses(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex,
                                                 struct sl_request *request, struct sl_addresses *s);
bool sl_memory_access_addressed(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex,
                                struct sl_request *request, const struct sl_addresses *s,
                                struct sl_access_memo_entry *memo);

/* The same for a load or store of all lanes with rs1 = base + lane * stride. Returns false if the access must be made
 * lane by lane; then nothing has changed. */
bool sl_memory_access_regular(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex, uint32_t base,
                              uint32_t stride, struct sl_request *request);

/* The same for a load by all lanes from one address. Sets *value to the result. It writes no register and, of the
 * request's addresses, only lane 0's. */
bool sl_memory_load_uniform(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex, uint32_t base,
                            uint32_t *value, struct sl_request *request);

#endif
