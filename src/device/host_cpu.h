/* The host CPU of SIMTight's SoC: a functional RV32IMA core (with Zfinx if the SM has an FPU). It runs the program,
 * owns the console and launches kernels through CSRs. It ignores reconvergence annotations: functions inlined into both
 * kernels and host code contain them.
 *
 * It executes from its own copy of instruction memory, by an interpreter, and frequent programs as machine code
 * (device/host_jit.h). sl_host_run() returns when it needs the device: at a CSR, at the
 * program's end, or at a fault. Source: SIMTight's published SoC. */
#ifndef SL_GPU_HOST_CPU_H
#define SL_GPU_HOST_CPU_H

#include "func/fault.h"
#include "isa/code.h"
#include "mem/memory.h"

enum {
  SL_HOST_SINK = 32 /* destination for x0: a register that no instruction reads */
};

/* The return address of the program's entry function. No instruction is there. */
#define SL_HOST_RETURN UINT32_C(0xffff0004)

enum sl_host_stop {
  SL_HOST_BUDGET,   /* the budget of instructions is spent */
  SL_HOST_CSR,      /* a CSR instruction: the device reads `insn`, then calls sl_host_finish_csr */
  SL_HOST_RETURNED, /* the entry function has returned, or has jumped to the boot loader at the start of the code */
  SL_HOST_SPINS,    /* a jump to itself */
  SL_HOST_FAULTED
};

struct sl_host_jit;

/* Instructions that a program executes before the JIT translates it, which takes about as long. */
enum { SL_HOST_HOT = 100000 };

struct sl_host {
  struct sl_memory *memory;
  uint32_t x[SL_HOST_SINK + 1];
  uint32_t pc;
  struct sl_code code;
  uint64_t instructions;
  uint32_t reserved; /* address of the latest load-reserved; bit 0 is set if there is none */
  struct sl_fault fault;
  struct {
    struct sl_host_jit *code; /* NULL: the program is interpreted */
    uint64_t begins;          /* instruction from which on it is translated; UINT64_MAX: never */
    uint64_t visits, executed;
  } jit;
};

enum sl_status sl_host_init(struct sl_host *host, struct sl_memory *memory, uint32_t code_base, uint32_t code_words,
                            unsigned isa_sets, struct sl_error *err);
void sl_host_free(struct sl_host *host);

void sl_host_write_code(struct sl_host *host, uint32_t address, uint32_t word);

/* Executes at most `budget` instructions. */
enum sl_host_stop sl_host_run(struct sl_host *host, uint64_t budget);

/* The CSR instruction at pc (after SL_HOST_CSR), whether it writes, and its operand. The host's writable CSRs read as
 * 0, so setting bits writes the operand and clearing bits writes 0. */
const struct sl_insn *sl_host_csr(const struct sl_host *host, bool *writes, uint32_t *operand);

/* Completes that instruction with the value read. */
void sl_host_finish_csr(struct sl_host *host, uint32_t value);

#endif
