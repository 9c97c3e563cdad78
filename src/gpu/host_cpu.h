/* The host CPU of the SoC: a functional RV32IMA core (with Zfinx when the SM has an FPU) that runs the program, owns
 * the console and launches kernels through CSRs. A kernel's convergence marks do nothing: functions inlined into both
 * kernels and host code contain them.
 *
 * It executes from its own copy of instruction memory. sl_host_run() returns when it needs the device: a CSR, the end
 * of the program, a fault. (SIMTight's published SoC.) */
#ifndef SL_GPU_HOST_CPU_H
#define SL_GPU_HOST_CPU_H

#include "isa/code.h"
#include "mem/memory.h"
#include "warp/fault.h"

enum {
  SL_HOST_SINK = 32 /* x0 as a destination: a register nobody reads */
};

/* The return address of the program's entry: no instruction is there. */
#define SL_HOST_RETURN UINT32_C(0xffff0004)

enum sl_host_stop {
  SL_HOST_BUDGET,   /* the instructions allowed have been executed */
  SL_HOST_CSR,      /* a CSR instruction: the device reads `insn`, then calls sl_host_finish_csr */
  SL_HOST_RETURNED, /* the entry function has returned, or has jumped to the boot loader at the base of the code */
  SL_HOST_SPINS,    /* a jump to itself */
  SL_HOST_FAULTED
};

struct sl_host {
  struct sl_memory *memory;
  uint32_t x[SL_HOST_SINK + 1];
  uint32_t pc;
  struct sl_code code;
  uint64_t instructions;
  uint32_t reserved; /* address of the latest load-reserved, with bit 0 set when there is none */
  struct sl_fault fault;
};

enum sl_status sl_host_init(struct sl_host *host, struct sl_memory *memory, uint32_t code_base, uint32_t code_words,
                            unsigned isa_sets, struct sl_error *err);
void sl_host_free(struct sl_host *host);

void sl_host_write_code(struct sl_host *host, uint32_t address, uint32_t word);

/* Executes at most `budget` instructions. */
enum sl_host_stop sl_host_run(struct sl_host *host, uint64_t budget);

/* The CSR instruction at pc (after SL_HOST_CSR): whether it writes, and what. The host's CSRs read 0 where they are
 * written, so setting bits writes the operand and clearing them 0. */
const struct sl_insn *sl_host_csr(const struct sl_host *host, bool *writes, uint32_t *operand);

/* Ends that instruction with the value read. */
void sl_host_finish_csr(struct sl_host *host, uint32_t value);

#endif
