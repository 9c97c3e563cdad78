/* The checker: an observer that finds data races, stray accesses, reads of memory that was never written, and barriers
 * that not all threads reach, in the manner of compute-sanitizer (docs/how-to/checking.md).
 *
 * A race is two accesses of different threads to the same byte, at least one of which writes, that nothing orders: no
 * barrier, no synchronisation of the warp, and no fence and atomic operation after it. The checker decides this from
 * the order that the program asks for (happens-before), not from the times at which the accesses happened. */
#ifndef SL_OBSERVE_CHECK_CHECK_H
#define SL_OBSERVE_CHECK_CHECK_H

#include <jansson.h>
#include <stdio.h>

#include "device/gpu.h"
#include "isa/probe.h"
#include "machine/machine.h"

/* Whether lanes of a warp are ordered by the warp's instructions. By default they are, except in PTX for sm_70 and
 * later, whose lanes make progress independently. */
enum sl_check_lanes { SL_CHECK_BY_TARGET, SL_CHECK_STRICT, SL_CHECK_LOCK_STEP };

struct sl_check_options {
  enum sl_check_lanes lanes;
  bool uninitialised;    /* report reads of global memory that neither host nor device has written */
  bool no_uninitialised; /* nor of shared memory */
  bool checkable;        /* no load comes before its condition: also loads of shared memory at constant addresses */
  bool equal_stores;     /* report stores of equal values by threads that compute them alike */
  bool strict_barriers;  /* threads that have ended are missing at a barrier */
  uint64_t gap;          /* bytes after a buffer that belong to no other one */
  bool leaks;            /* report buffers that are not freed */
  const char *suppress;  /* file with patterns of findings that are not reported; NULL: none */
};

struct sl_check;

/* Creates a checker. Close it also after a failure. SL_USAGE: the file of suppressions is wrong. */
enum sl_status sl_check_open(struct sl_check **check, const struct sl_check_options *options, struct sl_error *err);
void sl_check_close(struct sl_check *check);

/* The observer. The checker must outlive the machine. */
struct sl_probes sl_check_probes(struct sl_check *check);

/* The program runs again, in the order of warps and blocks of this seed; 0: the usual one. Findings remain. */
void sl_check_begin_schedule(struct sl_check *check, uint64_t seed);

/* The machine code that runs, for the names of its lines and variables; NULL: PTX. It must outlive the checker. */
void sl_check_program(struct sl_check *check, const struct sl_program *program, const struct sl_soc *soc);

/* Whether the next launches of machine code have barriers that are no instructions: races are then not looked for. */
void sl_check_own_barriers(struct sl_check *check, bool own);

/* A command of a queue, a launch or an access of the host to global memory, and the commands before it: queue i has
 * done `seen[i]`, and `host[i]` before whatever the host adds next (device/command_queue.h). */
struct sl_check_queued {
  bool launch, reads, writes;
  uint64_t from, to, bytes; /* that it reads and writes */
  unsigned queue;           /* below 64 */
  uint32_t number;          /* in it */
  const uint32_t *seen, *host;
};

/* The command begins: what commands before it have accessed is past, others may run at the same time. Of a launch the
 * events follow. */
void sl_check_queued(struct sl_check *check, const struct sl_check_queued *command);

/* Memory is given to a thread: what others did to it before is past. */
void sl_check_forget_block(struct sl_check *check, uint64_t address, uint64_t bytes);

/* A launch has ended with a fault: it is a finding. */
void sl_check_fault(struct sl_check *check, const struct sl_gpu_fault *fault);

/* A run has ended with an error that is no fault of a launch. */
void sl_check_error(struct sl_check *check, const struct sl_error *err);

/* Launches fail because the code of their kernels cannot be loaded. */
void sl_check_refused(struct sl_check *check, const char *what);

/* The run has ended: reports what can be known only then. */
void sl_check_end(struct sl_check *check);

/* Findings that are not suppressed, and the first one that has not been printed. */
size_t sl_check_count(const struct sl_check *check);

/* Passes the sentence of each finding to `say`, once, and at the end with its count. */
void sl_check_say(struct sl_check *check, void (*say)(void *context, const char *sentence), void *context);

/* All findings as docs/schemas/check.json describes; NULL: out of memory. */
json_t *sl_check_json(const struct sl_check *check, const char *program);

#endif
