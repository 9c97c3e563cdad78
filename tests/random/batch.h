/* Function programs on our SM and, lane by lane, on an RV32 processor that qemu-riscv32 emulates. */
#ifndef RND_BATCH_H
#define RND_BATCH_H

#include "base/error.h"
#include "program.h"

enum rnd_outcome { RND_EQUAL, RND_DIFFERENT, RND_FAULT };

struct rnd_verdict {
  enum rnd_outcome outcome;
  char text[1200]; /* the first difference, or the fault */
};

/* The tools and machines that run a batch. */
struct rnd_bench {
  const char *gcc, *qemu;                /* commands */
  const char *sources;                   /* folder of lane_host.c and sm_host.c */
  const char *link_script, *grid_script; /* of machines without and with a block scheduler */
  const char *broken;                    /* mnemonic with a wrong result on the SM within loops, or NULL */
  bool floats;                           /* with single-precision floating point in the integer registers */
  char folder[256];                      /* temporary */
};

/* Makes the folder and compiles the two hosts. */
enum sl_status rnd_bench_open(struct rnd_bench *bench, struct sl_error *err);
void rnd_bench_close(struct rnd_bench *bench);

/* Runs up to RND_BATCH programs and returns the verdict of each. SL_INTERNAL: a tool failed. */
enum sl_status rnd_compare(struct rnd_bench *bench, const struct rnd_program *const *programs, unsigned count,
                           struct rnd_verdict *verdicts, struct sl_error *err);

/* Deletes and simplifies statements while the kind of the verdict stays the same. */
enum sl_status rnd_shrink(struct rnd_bench *bench, struct rnd_program *program, struct rnd_verdict *verdict,
                          struct sl_error *err);

#endif
