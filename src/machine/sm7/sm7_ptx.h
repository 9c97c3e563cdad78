/* PTX on the SM7 core: the facts of its instructions, and its executor as the front end. */
#ifndef SL_MACHINE_SM7_PTX_H
#define SL_MACHINE_SM7_PTX_H

#include "machine/sm7/sm7_gpu.h"
#include "ptx/run/ptx_fault.h"

struct sl_sm7_ptx {
  const struct sl_ptx_launch *launch;
  struct sl_sm7_instruction *code;
  struct sl_ptx_block *block; /* by SM and block slot */
  unsigned sms;
  struct sl_ptx_fault fault;
  struct sl_error error; /* code SL_OK: it is the fault */
};

/* The program of a launch; it is to be kept until sl_sm7_ptx_close. SL_FAULT: it has too many registers. */
enum sl_status sl_sm7_ptx_open(struct sl_sm7_ptx *p, const struct sl_ptx_launch *launch, unsigned sms,
                               struct sl_error *err);
void sl_sm7_ptx_close(struct sl_sm7_ptx *p);

struct sl_sm7_front sl_sm7_ptx_front(struct sl_sm7_ptx *p);

/* What a launch needs of an SM, with so many registers of a thread. */
struct sl_sm7_demand sl_sm7_ptx_demand(const struct sl_ptx_launch *launch, uint32_t registers);

/* The sentence of what has ended a run with SL_FAULT. */
enum sl_status sl_sm7_ptx_fault(const struct sl_sm7_ptx *p, struct sl_error *err);

#endif
