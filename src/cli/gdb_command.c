/* simtlab gdb: a stub that gdb-multiarch connects to. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/help/help.h"
#include "cli/options.h"
#include "cli/session.h"
#include "debug/debug.h"
#include "debug/ptx/ptx_stub.h"
#include "debug/remote.h"
#include "device/gpu_kind.h"
#include "observe/trace/trace.h"
#include "ptx/ptx.h"

static const char standard_machine[] = "simtight";

struct gdb_options {
  struct sl_machine_choice choice;
  const char *symbols;
  uint64_t port;
  bool stdio, fast;
};

static int get_standard_input(void *context)
{
  uint8_t byte;
  (void)context;
  return read(STDIN_FILENO, &byte, 1) == 1 ? byte : SL_CONSOLE_END;
}

/* Waits for one connection from this computer. Port 0 lets the system choose. */
static enum sl_status accept_one(uint64_t port, int *connection, struct sl_error *err)
{
  int listener;
  const enum sl_status code = sl_debug_listen(&port, &listener, err);
  if (code != SL_OK)
    return code;
  sl_print(stderr, "waiting for gdb: gdb-multiarch -ex 'target remote :%" PRIu64 "' PROGRAM\n", port);
  return sl_debug_accept(listener, connection, err);
}

/* The traces of `monitor trace`, one after the other. */
struct tracer {
  struct sl_trace_order order;
  struct sl_trace trace;
};

static enum sl_status open_trace(void *context, const char *path, struct sl_probes *probes, struct sl_error *err)
{
  struct tracer *t = context;
  t->order.format = sl_trace_format_of(NULL, path);
  if (t->order.format == NULL)
    t->order.format = sl_trace_format_of(sl_trace_formats[0], NULL);
  enum sl_status code = sl_commit_choose(&t->order.choice, NULL, NULL, err);
  if (code == SL_OK)
    code = sl_trace_open(&t->trace, &t->order, path, err);
  if (code == SL_OK)
    *probes = sl_trace_probes(&t->trace);
  return code;
}

static enum sl_status close_trace(void *context, uint64_t *instructions, struct sl_error *err)
{
  struct tracer *t = context;
  const enum sl_status code = sl_trace_close(&t->trace, err);
  *instructions = t->trace.rows;
  return code;
}

static enum sl_status serve(const struct gdb_options *o, struct sl_session *session, const struct sl_operands *operands,
                            struct sl_error *err)
{
  char *path = realpath(operands->items[0], NULL);
  const struct sl_origin origin = sl_provenance_text();
  struct tracer tracer = {.order = {.machine = session->config.machine,
                                    .soc = session->config.machine->soc(session->config.spec),
                                    .program = session->program,
                                    .title = operands->items[0],
                                    .origin = origin.text}};
  struct sl_debug_order order = {.run = {.config = &session->config,
                                         .program = session->program,
                                         .options = {.fast = o->fast, .mode = SL_MODE_INSTRUCTIONS},
                                         .argc = operands->count,
                                         .argv = (const char *const *)operands->items,
                                         .get = o->stdio ? NULL : get_standard_input},
                                 .path = path != NULL ? path : operands->items[0],
                                 .in = STDIN_FILENO,
                                 .out = STDOUT_FILENO,
                                 .tracer = {open_trace, close_trace, &tracer}};
  enum sl_status code = SL_OK;
  if (!o->stdio) {
    code = accept_one(o->port, &order.in, err);
    order.out = order.in;
  }
  if (code == SL_OK)
    code = sl_debug_serve(&order, err);
  if (!o->stdio && order.in >= 0 && order.in != STDIN_FILENO)
    close(order.in);
  free(path);
  return code;
}

/* ---- launch scripts of PTX --------------------------------------------------------------------------------------- */

/* Parses the modules of a script as the machine does: it may lower the text. */
static enum sl_status parse_modules(const struct sl_script_session *s, struct sl_ptx_symbols *of, unsigned *count,
                                    struct sl_error *err)
{
  struct sl_ptx_options options = {.code = 0};
  enum sl_status code = SL_OK;
  s->config.machine->ptx->parse(s->config.spec, &options);
  for (unsigned i = 0; i < s->script.module_count && code == SL_OK; i++) {
    struct sl_ptx_module *module;
    code = sl_ptx_load(&module, s->script.modules[i], &options, err);
    if (code != SL_OK)
      return code;
    options.code += module->code_count;
    of[(*count)++].module = module;
  }
  return code;
}

static enum sl_status write_symbols(const struct gdb_options *o, const char *script_path, struct sl_error *err)
{
  struct sl_script_session session;
  unsigned count = 0;
  /* without timing, a machine of another kind stands for sm7 */
  enum sl_status code =
      sl_script_open(&session, script_path, &o->choice, (struct sl_gpu_options){.fast = true}, true, err);
  struct sl_ptx_symbols *of = code == SL_OK ? calloc(session.script.module_count + (size_t)1, sizeof *of) : NULL;
  if (code == SL_OK)
    code = of != NULL ? parse_modules(&session, of, &count, err) : sl_no_memory(err, sizeof *of);
  if (code == SL_OK)
    code = sl_ptx_symbols_write(of, count, o->symbols, err);
  while (count > 0)
    sl_ptx_free((struct sl_ptx_module *)of[--count].module);
  free(of);
  sl_script_close(&session);
  return code;
}

struct script_debug {
  struct sl_script_session session;
  struct sl_ptx_stub *stub;
  struct tracer tracer;
  char module[sizeof((struct sl_script *)0)->module];
};

static enum sl_status begin_script(void *context, struct sl_script_player *player, struct sl_error *err)
{
  struct script_debug *d = context;
  for (const struct sl_gpu_module *m = d->session.gpu->modules; m != NULL; m = m->next)
    sl_ptx_stub_module(d->stub, m->ptx);
  return sl_ptx_stub_begin(d->stub, d->session.gpu, player, err);
}

static bool prints_sum(void *context)
{
  return sl_ptx_stub_prints(((struct script_debug *)context)->stub);
}

static bool script_reached(void *context, const struct sl_ptx_under_way *launch, uint64_t now, uint64_t *next)
{
  const struct script_debug *d = ((struct sl_script_session *)context)->keeper;
  return sl_ptx_stub_reached(d->stub, launch, now, next);
}

/* The module of the present run, for its trace. */
static const struct sl_ptx_module *module_of(void *context)
{
  const struct script_debug *d = context;
  return d->session.gpu->modules->ptx;
}

/* Plays the script up to its end, or up to where the debugger leaves it. Stores whether it is to be played again. */
static enum sl_status play_script(struct script_debug *d, const struct gdb_options *o, const char *path, bool *again,
                                  struct sl_error *err)
{
  struct sl_error outcome = {.code = SL_OK};
  const struct sl_gpu_options options = {.fast = o->fast,
                                         .bounds = {.probes = sl_ptx_stub_probes(d->stub), .reached = script_reached}};
  enum sl_status code = sl_script_open(&d->session, path, &o->choice, options, true, err);
  *again = false;
  if (code == SL_OK && d->session.script.elf)
    code = sl_fail(err, SL_USAGE, "%.100s launches kernels of machine code: debug a program that launches them", path);
  d->session.begun = begin_script;
  d->session.prints = prints_sum;
  d->session.keeper = d;
  if (code == SL_OK) {
    struct sl_trace_order *order = &d->tracer.order;
    order->machine = d->session.config.machine;
    order->soc = order->machine->soc(d->session.config.spec);
    snprintf(d->module, sizeof d->module, "%s", d->session.script.module);
    outcome.code = sl_script_play(&d->session, &outcome);
    if (outcome.code != SL_OK && !sl_ptx_stub_served(d->stub)) {
      *err = outcome;
      code = outcome.code;
    }
  }
  if (code == SL_OK)
    *again = sl_ptx_stub_end(d->stub, d->session.gpu, outcome.code, outcome.text);
  sl_script_close(&d->session);
  return code;
}

static enum sl_status debug_script(const struct gdb_options *o, const char *path, struct sl_error *err)
{
  struct script_debug d = {.stub = NULL};
  const struct sl_origin origin = sl_provenance_text();
  const struct sl_debug_tracer tracer = {open_trace, close_trace, &d.tracer};
  int in = STDIN_FILENO;
  bool again = true;
  d.tracer.order = (struct sl_trace_order){
      .module = d.module, .ptx = module_of, .context = &d, .title = path, .origin = origin.text};
  enum sl_status code = o->stdio ? SL_OK : accept_one(o->port, &in, err);
  if (code == SL_OK)
    code = sl_ptx_stub_open(&d.stub, in, o->stdio ? STDOUT_FILENO : in, o->fast, &tracer, NULL, err);
  while (code == SL_OK && again)
    code = play_script(&d, o, path, &again, err);
  sl_ptx_stub_close(d.stub);
  if (!o->stdio && in != STDIN_FILENO)
    close(in);
  return code;
}

/* ---- host programs ----------------------------------------------------------------------------------------------- */

/* The runtime in the program waits for gdb at its first kernel. */
static enum sl_status debug_host(const struct gdb_options *o, const struct sl_operands *operands, struct sl_error *err)
{
  const char *program = operands->items[0], *folder = o->symbols;
  char name[SL_PATH];
  int status = 0;
  if (o->stdio)
    return sl_fail(err, SL_USAGE, "%.200s has standard input and output of its own: leave --stdio out", program);
  snprintf(name, sizeof name, "%.*s.gdb", SL_PATH - 5, program);
  if (o->choice.set.count > 0)
    return sl_fail(err, SL_USAGE, "--set is not for programs of the host: give -m a machine file");
  sl_host_command_set("GDB", folder != NULL ? folder : name);
  sl_host_command_set("MODE", o->fast ? "fast" : NULL);
  if (o->port != 0)
    sl_host_command_number("GDB_PORT", o->port);
  const char *machine = o->choice.machine != standard_machine ? o->choice.machine : NULL;
  enum sl_status code = sl_host_command_prepare(program, machine, err);
  if (code == SL_OK)
    code = sl_host_command_run(program, operands, false, &status, err);
  return code == SL_OK && status != 0 ? sl_fail(err, SL_CHECK_FAILED, "%.300s: exit status %d", program, status) : code;
}

static enum sl_status gdb_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct gdb_options o = {.choice.machine = standard_machine};
  const struct sl_option options[] = {
      SL_MACHINE_OPTION(o.choice),
      SL_SET_OPTION(o.choice),
      {'p', "port", SL_OPTION_NUMBER, "PORT", "wait for gdb on this port of this computer [any free]", &o.port},
      {0, "stdio", SL_OPTION_FLAG, NULL, "talk to gdb over standard input and output", &o.stdio},
      {0, "fast", SL_OPTION_FLAG, NULL, "without timing", &o.fast},
      {0, "symbols", SL_OPTION_OUTPUT, "FILE",
       "PTX: only write the symbols that gdb needs; CUDA and OpenCL: a folder for them", &o.symbols},
      {0},
  };
  struct sl_operands operands;
  struct sl_session session;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (operands.count == 0)
    return sl_fail(err, SL_USAGE, "which program? simtlab gdb PROGRAM.elf; simtlab cc -g makes one");
  if (o.port > UINT16_MAX)
    return sl_fail(err, SL_USAGE, "--port %" PRIu64 ": ports are below 65536", o.port);
  if (sl_is_script(operands.items[0]))
    return o.symbols != NULL ? write_symbols(&o, operands.items[0], err) : debug_script(&o, operands.items[0], err);
  if (sl_is_host_program(operands.items[0]))
    return debug_host(&o, &operands, err);
  if (o.symbols != NULL)
    return sl_fail(err, SL_USAGE, "--symbols is for launch scripts of PTX: %.100s has symbols of its own",
                   operands.items[0]);
  if (sl_is_source(operands.items[0]))
    return sl_fail(err, SL_USAGE, "%.100s: gdb needs a compiled program; simtlab cc -g makes one", operands.items[0]);
  code = sl_session_open(&session, &o.choice, operands.items[0], true, err);
  if (code == SL_OK)
    code = serve(&o, &session, &operands, err);
  sl_session_close(&session);
  return code;
}

const struct sl_command sl_gdb_command = {
    .name = "gdb",
    .operands = "[OPTION]... PROGRAM.elf [ARGUMENT]...",
    .summary = "Debug with gdb: lanes are threads, and time runs backwards",
    .details = "gdb can start it itself:\n"
               "  gdb-multiarch PROGRAM.elf\n"
               "  (gdb) target remote | simtlab gdb --stdio PROGRAM.elf\n"
               "or connect to it: target remote :PORT. Compile with simtlab cc -g -O1. In gdb,\n"
               "`monitor help` lists what the machine can tell (docs/how-to/debugging.md).\n"
               "A launch script of PTX, with the same commands: first simtlab gdb --symbols x.sym\n"
               "x.launch, then gdb-multiarch x.sym and, in gdb,\n"
               "target extended-remote | simtlab gdb -m sm7 --stdio x.launch.\n"
               "A CUDA or OpenCL program waits for gdb at its first kernel: simtlab gdb ./PROGRAM.\n",
    .no_tables = true,
    .run = gdb_command,
};
