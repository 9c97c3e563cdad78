/* Warps whose lanes a scheme schedules: an executor of the checker's programs that calls the production code of the
 * schemes as the machines' executors do. It knows of each lane where its own program has come to, and compares. */
#ifndef SL_TESTS_PROGRESS_WARP_H
#define SL_TESTS_PROGRESS_WARP_H

#include "convergence/convergence.h"
#include "convergence/ipdom_stack.h"
#include "convergence/simt_stack.h"
#include "program.h"

enum { WARPS = 2, STATE_BYTES = 8192 };

/* A scheme and its settings. */
struct setting {
  const char *name;
  enum sl_scheme scheme;
  bool fair;       /* each lane that can go on must go on */
  bool yields;     /* only if each loop yields */
  unsigned period; /* fairness of paths; 0: off */
  unsigned room;   /* of the pool (scs); 0: YIELD does nothing (its) */
  bool nests;      /* each loop keeps its own lanes that have left it */
  bool unguarded;  /* hazards have the hardware's effect */
  bool smaller;    /* the smaller side of a split runs first */
  bool retries;    /* an access may have to be executed again, or in parts */
};

enum outcome {
  STEPPED,
  RETRIED, /* no lane has executed */
  WARP_ENDS,
  FAULT_COMMAND, /* some lanes are at a warp command, and no others can run */
  FAULT_MARK,    /* the program's marks are wrong: too many, too few, or lanes disagree where they must not */
  FAULT_PARKED,  /* SL_MARKED_PARKED */
  FAULT_OPEN,    /* SL_MARKED_OPEN */
  FAULT_STUCK,   /* all lanes wait at barriers */
  BROKEN         /* an invariant; see `broken` */
};

struct model_lane {
  uint8_t pc, r;
  bool done, waits; /* at a barrier */
  uint8_t token[LEVELS], saved[LEVELS];
};

struct model {
  struct model_lane lane[MOST_LANES]; /* of all warps */
  uint8_t word[WORDS];
  uint8_t retried; /* warps whose last instruction was retried */
  bool filled;     /* pending lanes have stayed because the pool was full */
  bool held;       /* lanes have yielded inside of a split, whose other lanes the stack holds */
  const char *broken;
  union {
    struct sl_paths paths;
    struct sl_ipdom_warp ipdom;
    struct sl_simt_stack stack;
  } warp[WARPS];
};

struct warp_run {
  const struct setting *set;
  const struct program *program;
  unsigned warps, lanes; /* of a warp */
};

void model_start(const struct warp_run *run, struct model *m);

/* A warp executes an instruction, or retries it. *ran receives the lanes, of all warps, that have executed. */
enum outcome model_step(const struct warp_run *run, struct model *m, unsigned warp, bool retry, unsigned *ran);

/* Whether a warp can retry its next instruction. */
bool model_can_retry(const struct warp_run *run, const struct model *m, unsigned warp);

/* Lanes of all warps that have not ended; lanes that must go on. */
unsigned model_live(const struct warp_run *run, const struct model *m);
unsigned model_eligible(const struct warp_run *run, const struct model *m);

/* Checks that each lane of a warp is at one place, and at its own. Returns NULL or what is wrong. */
const char *model_broken(const struct warp_run *run, const struct model *m, unsigned warp);

/* Writes what decides how the run goes on. Returns its size. */
unsigned model_bytes(const struct warp_run *run, const struct model *m, uint8_t bytes[2 * STATE_BYTES]);

#endif
