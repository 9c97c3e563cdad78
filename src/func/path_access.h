/* Loads, stores, atomics and fences of a warp's lanes, and the requests that they put on the memory path; and accesses
 * to CSRs. */
#ifndef SL_WARP_PATH_ACCESS_H
#define SL_WARP_PATH_ACCESS_H

#include "func/path_warps.h"
#include "mem/request.h"

/* Records a fault of lanes at an instruction (NULL: there is none); returns false. */
bool sl_path_fault(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex, enum sl_fault_kind kind,
                   sl_lanes lanes, uint32_t address);

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

/* CSRs of the SM: hart id, closure address, warp command, and the simulation-only output of a word. Source of the
 * numbers: SIMTight's published kernel library. */

enum sl_sm_csr {
  SL_CSR_PRINT_WORD = 0x800, /* simulation only */
  SL_CSR_END = 0x801,        /* simulation only: ends the program */
  SL_CSR_COMMAND = 0x830,
  SL_CSR_CLOSURE = 0x831,
  SL_CSR_HART_ID = 0xf14
};

/* Executes a CSR instruction. A warp command requires all lanes of the warp and takes lane 0's value. */
enum sl_effect sl_csr_access(struct sl_path_warps *t, unsigned warp, struct sl_execution *ex);

/* Returns true if an instruction that all lanes of a warp execute is a warp command, and sets *value to it. */
bool sl_csr_commands(const struct sl_path_warps *t, unsigned warp, const struct sl_insn *in, uint32_t *value);

#endif
