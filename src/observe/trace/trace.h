/* Traces: what each instruction of a warp did in each cycle, in the formats of trace viewers.
 *
 * A trace is an observer of a timed run (isa/probe.h). It follows every instruction through the stages that the machine
 * declares, and tells a format: an instruction enters a stage, or leaves the pipeline; and what else happens. A format
 * is one file of this folder and a row of trace_formats.def. Time is the cycle since the first launch began; launches
 * follow each other. Events arrive in the order of their cycles.
 *
 * The run only copies its events; a second thread makes the trace of them (trace_page.h). All functions of a format
 * but `begin` and `end` are called in this thread.
 *
 * Memory does not grow with the trace: only instructions in the pipeline are kept. */
#ifndef SL_OBSERVE_TRACE_TRACE_H
#define SL_OBSERVE_TRACE_TRACE_H

#include <string.h>

#include "base/types.h"
#include "observe/commits.h"
#include "program/program.h"
#include "ptx/ptx.h"

/* ---- modules ----------------------------------------------------------------------------------------------------- */

/* The code that a trace shows: the modules of the run, and the text and place of each instruction.
 *
 * A program or a launch script has one module. A host program has one for each time that its runtime loads code; their
 * instructions have own numbers, so a pc of module K, from 0, has K in its upper 32 bits. */

enum { SL_TRACE_MODULE_SHIFT = 32 };

struct sl_trace_module {
  const struct sl_program *program; /* machine code; NULL: PTX */
  const struct sl_ptx_module *ptx;  /* NULL: machine code, or not known yet */
  char *path;                       /* of PTX */
  struct sl_source text;            /* of PTX */
  char *source_name;                /* the name that `source` has in the code; NULL: there is none */
  struct sl_source source;          /* that the runtime has compiled */
};

struct sl_trace_modules {
  struct sl_trace_module *module;
  size_t count;
};

/* Adds a module whose members it takes over, except program and ptx, which must live as long as the trace. */
enum sl_status sl_trace_modules_add(struct sl_trace_modules *modules, const struct sl_trace_module *module,
                                    struct sl_error *err);
void sl_trace_modules_free(struct sl_trace_modules *modules);

/* Frees the members of a module that none of the modules has taken over. */
void sl_trace_module_free(struct sl_trace_module *module);

/* The module of a pc; NULL: there is none. */
const struct sl_trace_module *sl_trace_module_of(const struct sl_trace_modules *modules, uint64_t pc);

/* The source line of a pc: that of debug information or .loc, else `line` of the PTX. */
struct sl_location sl_trace_locate(const struct sl_trace_modules *modules, uint64_t pc, uint32_t line);

/* The text of a source file that a module has in memory; NULL: it is in a file, if anywhere. */
const struct sl_source *sl_trace_source(const struct sl_trace_module *module, const char *name);

/* ---- traces ------------------------------------------------------------------------------------------------------ */

struct sl_trace;
struct sl_relay;
struct sl_relay_life;
struct sl_probe_record;

enum {
  SL_TRACE_STAGES = 8,    /* at least the stages of any machine */
  SL_TRACE_WINDOW = 1024, /* cycles of a sampled window */
};

/* An instruction of the program: its text on one line, and its source as "FILE:LINE", empty if it is unknown. */
struct sl_trace_code {
  uint64_t pc;
  bool known;
  char text[96], place[120];
};

/* What a format knows of an instruction in the pipeline. */
struct sl_trace_note {
  bool known;
  uint8_t end;
  uint32_t code, mask;
};

/* An instruction in the pipeline. */
struct sl_trace_insn {
  uint64_t id;   /* in its launch; 0: a free place of the table */
  uint32_t next; /* number + 1 of another one in its chain, or of the next free place; 0: none */
  uint64_t row;  /* number among all instructions of the trace, from 0 */
  uint64_t pc;
  uint64_t began;
  uint32_t spent[SL_TRACE_STAGES]; /* cycles in each stage that it has left */
  uint64_t entered;                /* time at which it has entered its stage */
  unsigned stage;                  /* index in the machine's stages */
  unsigned core, warp;
  sl_lanes active; /* lanes that have executed it; 0: it has not executed */
  struct sl_trace_note note;
};

enum sl_trace_end { SL_TRACE_RETIRED, SL_TRACE_RETRIED, SL_TRACE_FLUSHED, SL_TRACE_ABORTED, SL_TRACE_CUT };

static inline enum sl_trace_end sl_trace_end_of(enum sl_probe_kind kind)
{
  if (kind == SL_PROBE_RETIRED)
    return SL_TRACE_RETIRED;
  switch (kind) {
  case SL_PROBE_RETRIED: return SL_TRACE_RETRIED;
  case SL_PROBE_FLUSHED: return SL_TRACE_FLUSHED;
  case SL_PROBE_ABORTED: return SL_TRACE_ABORTED;
  default: return SL_TRACE_RETIRED;
  }
}

struct sl_trace_format {
  unsigned wanted;   /* event kinds that it uses besides those that move an instruction */
  unsigned payloads; /* set of enum sl_probe_payload, of PTX */
  unsigned arrays;   /* event kinds of which it reads the values and addresses of lanes */
  bool places;       /* it uses the places of struct sl_trace_code */
  enum sl_status (*begin)(struct sl_trace *trace, struct sl_error *err);
  /* An instruction enters the pipeline or its next stage; of the latter, `insn` is still in the one before. NULL: the
   * format does not need it. */
  void (*enter)(struct sl_trace *trace, struct sl_trace_insn *insn, bool first, unsigned stage, uint64_t time);
  /* It leaves its stage and the pipeline. NULL: the format does not need it. */
  void (*leave)(struct sl_trace *trace, struct sl_trace_insn *insn, enum sl_trace_end how, uint64_t time);
  /* All of an instruction at once, in place of its `leave` and of its events EXECUTED, WAITED and BANKED. `row` is its
   * number. If it goes on (enum sl_record_life_flag), it leaves later, with a note. NULL: the format needs events.
   */
  void (*lived)(struct sl_trace *trace, const struct sl_probe_record *record, const struct sl_relay_life *life,
                uint64_t row, struct sl_trace_note *goes_on);
  /* An event TRANSACTED or DEQUEUED of a whole trace, in place of `event`. NULL: the format needs the event. */
  void (*counted)(struct sl_trace *trace, enum sl_probe_kind kind, uint64_t count, uint64_t time);
  /* Any other event, with its instruction if it is in the pipeline, else NULL. */
  void (*event)(struct sl_trace *trace, const struct sl_probe *probe, const struct sl_trace_insn *insn, uint64_t time);
  void (*end)(struct sl_trace *trace, uint64_t time);
};

/* Names of all formats, ending with NULL. */
extern const char *const sl_trace_formats[];

/* What is traced. */
struct sl_trace_order {
  const struct sl_trace_format *format;
  const struct sl_machine *machine;
  struct sl_soc soc;
  const struct sl_program *program; /* NULL: PTX, or a host program */
  const char *module;               /* file of the PTX text; NULL: machine code, or a host program */
  bool machine_code;                /* of a host program */
  /* The module of the first launch, when it begins; NULL: none is needed. */
  const struct sl_ptx_module *(*ptx)(void *context);
  void *context;
  const char *title, *origin;
  struct sl_commit_choice choice; /* cycles of each launch, and warps */
  const char *kernel;             /* only launches of this kernel; NULL: all */
  uint64_t sample;                /* only the first of every N windows of SL_TRACE_WINDOW cycles; 0: all */
};

struct sl_trace {
  struct sl_trace_order order;
  bool whole;           /* it leaves nothing out */
  bool by_id;           /* instructions are numbered by their ids, since their lives come in another order */
  unsigned swift;       /* event kinds that are heard by their record alone */
  unsigned counts;      /* the same for those that only count */
  struct sl_probe wait; /* the last one of a slot */
  struct sl_trace_file file;
  struct sl_relay *relay;
  struct sl_trace_modules modules;
  struct sl_trace_insn *insn; /* those in the pipeline, at any places */
  uint32_t *chain;            /* by id modulo their number, which is a power of two: number + 1 of the first one */
  uint32_t vacant;            /* number + 1 of a free place; 0: none */
  size_t room, live;          /* of both */
  uint64_t rows;              /* instructions so far */
  uint64_t first_row;         /* of the launch: the row of id 1 */
  uint64_t last_row;          /* + 1: behind the last one so far */
  uint64_t details;           /* time up to which the trace has every instruction; UINT64_MAX: to the end */
  uint64_t traced;            /* launches */
  uint64_t late;              /* events that moved an instruction before the latest event's time */
  uint64_t base, latest;      /* time at which the current launch began, and of the latest event */
  bool launched;              /* the next event is the first of a kernel */
  bool other;                 /* the current launch is not traced */
  bool lost;                  /* out of memory */
  struct sl_trace_code *code; /* cache by pc, since debug information is slow to search */
  void *state;                /* of the format; freed with the trace */
};

/* Opens the file. A trace is closed or dropped. */
enum sl_status sl_trace_open(struct sl_trace *trace, const struct sl_trace_order *order, const char *path,
                             struct sl_error *err);

/* For host programs: adds a module, whose members it takes over; *number is its number. The events that follow are of
 * this module. The run has stopped. */
enum sl_status sl_trace_add(struct sl_trace *trace, const struct sl_trace_module *module, uint32_t *number,
                            struct sl_error *err);
void sl_trace_choose(struct sl_trace *trace, uint32_t number);

/* The kinds and payloads that the trace of an order wants. */
void sl_trace_wants(const struct sl_trace_order *order, struct sl_probes *probes);

/* The observer. */
struct sl_probes sl_trace_probes(struct sl_trace *trace);

/* Ends the trace after the run, also after a fault. Its counts are those of the whole trace only then. SL_INTERNAL: out
 * of memory; SL_USAGE: the file cannot be written.
 */
enum sl_status sl_trace_close(struct sl_trace *trace, struct sl_error *err);

/* The format of a name, or of a file name by its ending; NULL: none. */
const struct sl_trace_format *sl_trace_format_of(const char *name, const char *path);

/* For formats: the name of a launched kernel. */
const char *sl_trace_kernel(const struct sl_trace *trace, const struct sl_probe *launched);

/* For formats: the instruction at a pc; NULL as long as no warp has executed it. */
const struct sl_trace_code *sl_trace_code(const struct sl_trace *trace, uint64_t pc);

/* A line of a text trace: numbers and short texts are appended without a format to interpret, since a trace has
 * millions of them. What does not fit is left out. */

enum { SL_TRACE_LINE = 4096, SL_TRACE_DIGITS = 20 };

struct sl_trace_line {
  size_t size;
  char text[SL_TRACE_LINE];
};

static inline void sl_line_bytes(struct sl_trace_line *line, const char *bytes, size_t size)
{
  if (size > SL_TRACE_LINE - line->size)
    size = SL_TRACE_LINE - line->size;
  memcpy(line->text + line->size, bytes, size);
  line->size += size;
}

/* Appends a string literal. */
#define SL_LINE_LITERAL(line, literal) sl_line_bytes(line, literal, sizeof(literal) - 1)

static inline void sl_line_text(struct sl_trace_line *line, const char *text)
{
  sl_line_bytes(line, text, strlen(text));
}

/* Appends a number in a base from 10 to 16, with zeros before it up to a number of digits. */
static inline void sl_line_padded(struct sl_trace_line *line, uint64_t value, unsigned base, unsigned least)
{
  char digits[SL_TRACE_DIGITS];
  size_t at = sizeof digits;
  do
    digits[--at] = "0123456789abcdef"[value % base];
  while ((value /= base) != 0 || (sizeof digits - at < least && at > 0));
  sl_line_bytes(line, digits + at, sizeof digits - at);
}

static inline void sl_line_number(struct sl_trace_line *line, uint64_t value, unsigned base)
{
  sl_line_padded(line, value, base, 1);
}

#endif
