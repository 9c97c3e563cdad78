#include "debug/ptx_stub.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "debug/agent.h"
#include "debug/ptx_symbols.h"
#include "debug/ptx_view.h"
#include "isa/lanes.h"

enum { BREAKPOINTS = 256, CONDITION = 512, MEMORY_MOST = 1 << 15, POLL = 1024 };
enum { TRAP = 5, INTERRUPT = 2, SEGMENT = 11 };

struct breakpoint {
  uint32_t pc;
  uint8_t condition[CONDITION];
  size_t size;
};

struct sl_ptx_stub {
  struct sl_connection connection;
  struct sl_reply reply, threads, description;
  struct sl_probes probes;
  struct breakpoint breakpoint[BREAKPOINTS];
  unsigned breakpoints;
  /* Where the run has stopped: */
  struct sl_ptx_view view;
  unsigned focus; /* thread */
  /* What gdb wants: */
  bool steps, asked; /* asked: gdb waits for a stop reply */
  const struct sl_ptx_block *step_block;
  unsigned step_thread;
  uint64_t from, to; /* range of a step; equal: one instruction */
  bool stop_at_launch;
  bool launched; /* stop at the next block */
  bool detached, killed;
  unsigned events;
};

static unsigned read_register(const void *context, unsigned thread, uint64_t number, uint64_t *value)
{
  const struct sl_ptx_stub *s = context;
  return sl_ptx_view_register(&s->view, thread, number, value);
}

static void load(const void *context, unsigned thread, uint64_t address, uint8_t *bytes, size_t size)
{
  static const uint8_t nop[4] = {0x13, 0, 0, 0}; /* what gdb reads as code */
  const struct sl_ptx_stub *s = context;
  const bool is_code = address >= SL_PTX_CODE && address < 2 * (uint64_t)SL_PTX_CODE;
  const uint8_t *from = is_code ? NULL : sl_ptx_view_memory(&s->view, thread, address, size, false);
  memset(bytes, 0, size);
  for (size_t i = 0; i < size && is_code; i++)
    bytes[i] = nop[(address + i) % 4];
  if (from != NULL)
    memcpy(bytes, from, size);
}

static void monitor(struct sl_ptx_stub *s, const char *command, struct sl_reply *to)
{
  const char *argument = command + strcspn(command, " ");
  argument += strspn(argument, " ");
  if (strncmp(command, "stop-at-launch", 14) == 0) {
    s->stop_at_launch = strcmp(argument, "on") == 0;
    sl_reply_print(to, "the run %s when a kernel begins\n", s->stop_at_launch ? "stops" : "does not stop");
  } else if (strcmp(command, "help") == 0)
    sl_reply_print(to, "monitor registers [NAME]        the lane's registers of the function\n"
                       "monitor code                    the instructions of PTX here\n"
                       "monitor warps                   the block's warps and their paths\n"
                       "monitor shared ADDRESS [MORE]   words of the block's shared memory\n"
                       "monitor stop-at-launch on|off   stop when a kernel begins\n");
  else if (!sl_ptx_view_show(&s->view, s->focus, command, to))
    sl_reply_print(to, "unknown command '%.80s'; monitor help lists them\n", command);
}

/* ---- packets ----------------------------------------------------------------------------------------------------- */

static void answer_stop(struct sl_ptx_stub *s, int signal, const char *reason)
{
  const uint64_t pc = sl_ptx_view_pc(&s->view, s->focus);
  sl_reply_print(&s->reply, "T%02x%sthread:%x;%02x:", (unsigned)signal, reason, s->focus, SL_PTX_VIEW_PC);
  sl_reply_hex(&s->reply, &pc, sizeof pc);
  sl_reply_print(&s->reply, ";");
}

static void send_piece(struct sl_ptx_stub *s, const char *text, const struct sl_reply *document)
{
  uint64_t offset, length;
  if (!sl_take_hex(&text, &offset) || !sl_take_char(&text, ',') || !sl_take_hex(&text, &length) ||
      offset > document->size) {
    sl_reply_print(&s->reply, "E01");
    return;
  }
  const size_t left = document->size - (size_t)offset, most = length < MEMORY_MOST ? (size_t)length : MEMORY_MOST;
  sl_reply_print(&s->reply, "%c", left > most ? 'm' : 'l');
  sl_reply_bytes(&s->reply, document->text + offset, left < most ? left : most);
}

/* Parses "ADDRESS,SIZE". */
static bool take_range(const char **text, uint64_t *address, uint64_t *size)
{
  return sl_take_hex(text, address) && sl_take_char(text, ',') && sl_take_hex(text, size);
}

static void send_memory(struct sl_ptx_stub *s, const char *text)
{
  uint64_t address, size;
  uint8_t bytes[4096];
  if (!take_range(&text, &address, &size) || size > sizeof bytes ||
      (address - SL_PTX_CODE >= SL_PTX_CODE && sl_ptx_view_memory(&s->view, s->focus, address, size, false) == NULL)) {
    sl_reply_print(&s->reply, "E01");
    return;
  }
  load(s, s->focus, address, bytes, size);
  sl_reply_hex(&s->reply, bytes, size);
}

/* `binary`: X has the bytes themselves, M hexadecimal digits. */
static void write_memory(struct sl_ptx_stub *s, const char *text, bool binary)
{
  uint64_t address, size;
  uint8_t *to = NULL, bytes[4096];
  bool done = take_range(&text, &address, &size) && sl_take_char(&text, ':') && size <= sizeof bytes;
  const size_t left = s->connection.size - (size_t)(text - s->connection.packet);
  done = done && (binary ? left == size : sl_take_hex_bytes(&text, bytes, size) == size && *text == '\0');
  if (done && size > 0) {
    to = sl_ptx_view_memory(&s->view, s->focus, address, size, true);
    done = to != NULL;
  }
  if (to != NULL)
    memcpy(to, binary ? (const void *)text : bytes, size);
  sl_reply_print(&s->reply, done ? "OK" : "E01");
}

/* "NUMBER=BYTES" */
static void write_register(struct sl_ptx_stub *s, const char *text)
{
  uint64_t number, value = 0;
  const bool done = sl_take_hex(&text, &number) && sl_take_char(&text, '=') &&
                    sl_take_hex_bytes(&text, (uint8_t *)&value, sizeof value) > 0 &&
                    sl_ptx_view_set_register(&s->view, s->focus, number, value);
  sl_reply_print(&s->reply, done ? "OK" : "E01");
}

static void send_register(struct sl_ptx_stub *s, const char *text)
{
  uint64_t number, value;
  const unsigned bytes = sl_take_hex(&text, &number) ? sl_ptx_view_register(&s->view, s->focus, number, &value) : 0;
  if (bytes == 0)
    sl_reply_print(&s->reply, "E01");
  else
    sl_reply_hex(&s->reply, &value, bytes);
}

static void send_registers(struct sl_ptx_stub *s)
{
  for (unsigned i = 0; i <= SL_PTX_VIEW_PC; i++) {
    uint64_t value;
    sl_ptx_view_register(&s->view, s->focus, i, &value);
    sl_reply_hex(&s->reply, &value, sizeof value);
  }
}

/* "TYPE,ADDRESS,KIND[;XLENGTH,BYTES]" */
static bool set_breakpoint(struct sl_ptx_stub *s, const char *text, bool insert)
{
  uint64_t type, address, kind, length = 0;
  if (!sl_take_hex(&text, &type) || !sl_take_char(&text, ',') || !sl_take_hex(&text, &address) ||
      !sl_take_char(&text, ',') || !sl_take_hex(&text, &kind) || type > 1 || address < SL_PTX_CODE)
    return false;
  const uint32_t pc = (uint32_t)((address - SL_PTX_CODE) / SL_PTX_CODE_STEP);
  unsigned kept = 0;
  for (unsigned i = 0; i < s->breakpoints; i++)
    if (s->breakpoint[i].pc != pc)
      s->breakpoint[kept++] = s->breakpoint[i];
  s->breakpoints = kept;
  if (!insert)
    return true;
  if (kept == BREAKPOINTS)
    return false;
  struct breakpoint *b = &s->breakpoint[s->breakpoints++];
  *b = (struct breakpoint){.pc = pc};
  if (sl_take_char(&text, ';') && sl_take_char(&text, 'X') && sl_take_hex(&text, &length) && sl_take_char(&text, ',') &&
      length <= CONDITION)
    b->size = sl_take_hex_bytes(&text, b->condition, length);
  if (b->size != length || *text == 'X' || *text == ';') /* several conditions: gdb decides */
    b->size = 0;
  return true;
}

/* The actions of vCont: the first one that steps names the thread. Returns false if the packet is not understood. */
static bool resume(struct sl_ptx_stub *s, const char *text)
{
  s->steps = false;
  s->from = s->to = 0;
  while (sl_take_char(&text, ';')) {
    const char action = *text != '\0' ? *text++ : '\0';
    uint64_t ignored, of = s->focus;
    if ((action == 'S' || action == 'C') && !sl_take_hex(&text, &ignored))
      return false;
    if (action == 'r' && !s->steps &&
        (!sl_take_hex(&text, &s->from) || !sl_take_char(&text, ',') || !sl_take_hex(&text, &s->to)))
      return false;
    if (sl_take_char(&text, ':') && *text == '-')
      text += 2;
    else
      sl_take_hex(&text, &of);
    if (strchr("sSr", action) != NULL && action != '\0' && !s->steps) {
      s->steps = true;
      s->step_thread = sl_ptx_view_lives(&s->view, of) ? (unsigned)of : s->focus;
      s->step_block = s->view.block;
    }
  }
  return *text == '\0';
}

static const char *after(const char *text, const char *prefix)
{
  const size_t size = strlen(prefix);
  return strncmp(text, prefix, size) == 0 ? text + size : NULL;
}

static void query(struct sl_ptx_stub *s, const char *text)
{
  const char *rest;
  char command[256];
  if (after(text, "Supported"))
    sl_reply_print(&s->reply,
                   "PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;qXfer:threads:read+;vContSupported+;hwbreak+;"
                   "swbreak+;no-resumed+;ConditionalBreakpoints+",
                   SL_PACKET_MOST);
  else if ((rest = after(text, "Xfer:features:read:target.xml:")) != NULL) {
    if (s->description.size == 0)
      sl_ptx_view_describe(&s->view, &s->description);
    send_piece(s, rest, &s->description);
  } else if ((rest = after(text, "Xfer:threads:read::")) != NULL) {
    if (strncmp(rest, "0,", 2) == 0) {
      s->threads.size = 0;
      sl_ptx_view_threads(&s->view, &s->threads);
    }
    send_piece(s, rest, &s->threads);
  } else if ((rest = after(text, "Rcmd,")) != NULL) {
    struct sl_reply answer = {0};
    command[sl_take_hex_bytes(&rest, (uint8_t *)command, sizeof command - 1)] = '\0';
    monitor(s, command, &answer);
    sl_reply_hex(&s->reply, answer.text, answer.size);
    sl_reply_clear(&answer);
  } else if (after(text, "Attached"))
    sl_reply_print(&s->reply, "1");
  else if (strcmp(text, "C") == 0)
    sl_reply_print(&s->reply, "QC%x", s->focus);
  else if (after(text, "fThreadInfo"))
    sl_reply_print(&s->reply, "m%x", s->focus);
  else if (after(text, "sThreadInfo"))
    sl_reply_print(&s->reply, "l");
}

static void choose_thread(struct sl_ptx_stub *s, const char *text)
{
  const bool general = *text == 'g';
  uint64_t thread;
  text += *text != '\0';
  if (sl_take_hex(&text, &thread) && sl_ptx_view_lives(&s->view, thread) && general)
    s->focus = (unsigned)thread;
  sl_reply_print(&s->reply, "OK");
}

/* Returns whether the run goes on. */
static bool perform(struct sl_ptx_stub *s)
{
  const char *text = s->connection.packet;
  uint64_t thread;
  s->reply.size = 0;
  switch (*text++) {
  case '?': answer_stop(s, TRAP, ""); break;
  case 'g': send_registers(s); break;
  case 'p': send_register(s, text); break;
  case 'P': write_register(s, text); break;
  case 'G': sl_reply_print(&s->reply, "E01"); break; /* the registers that it has cannot be set */
  case 'm': send_memory(s, text); break;
  case 'M': write_memory(s, text, false); break;
  case 'X': write_memory(s, text, true); break;
  case 'Z': sl_reply_print(&s->reply, set_breakpoint(s, text, true) ? "OK" : ""); break;
  case 'z': sl_reply_print(&s->reply, set_breakpoint(s, text, false) ? "OK" : ""); break;
  case 'H': choose_thread(s, text); break;
  case 'T':
    sl_reply_print(&s->reply, sl_take_hex(&text, &thread) && sl_ptx_view_lives(&s->view, thread) ? "OK" : "E01");
    break;
  case 'q': query(s, text); break;
  case 'Q':
    if (after(text, "StartNoAckMode")) {
      sl_reply_print(&s->reply, "OK");
      s->connection.no_acknowledgements = true;
    }
    break;
  case 'v':
    if (strcmp(text, "Cont?") == 0)
      sl_reply_print(&s->reply, "vCont;c;C;s;S;r");
    else if (after(text, "Cont;") && resume(s, text + 4))
      return true;
    else if (after(text, "Kill")) {
      s->killed = true;
      sl_reply_print(&s->reply, "OK");
    }
    break;
  case 'D':
    s->detached = true;
    sl_reply_print(&s->reply, "OK");
    break;
  case 'k': s->killed = true; break;
  default: break;
  }
  return false;
}

static void serve(struct sl_ptx_stub *s)
{
  bool goes_on = false;
  while (!goes_on && !s->detached && !s->killed) {
    if (!sl_packet_read(&s->connection)) {
      s->killed = true;
      return;
    }
    goes_on = perform(s);
    if (!goes_on && s->connection.packet[0] != 'k')
      sl_packet_write(&s->connection, s->reply.text, s->reply.size);
  }
  s->asked = goes_on;
}

/* ---- the run ----------------------------------------------------------------------------------------------------- */

/* Where the selected thread is, if it is one of these lanes, or else the lowest. */
static void stop(struct sl_ptx_stub *s, const struct sl_ptx_warp *w, uint32_t lanes, int signal, const char *reason)
{
  const unsigned wanted = sl_ptx_view_warp(&s->view, s->focus) == w ? sl_ptx_view_lane(s->focus) : 0;
  s->focus = sl_ptx_view_thread(&s->view, w, (lanes >> wanted & 1) != 0 ? wanted : sl_lowest(lanes));
  if (s->asked) {
    s->reply.size = 0;
    answer_stop(s, signal, reason);
    sl_packet_write(&s->connection, s->reply.text, s->reply.size);
  }
  s->steps = s->launched = false;
  serve(s);
}

static void see(struct sl_ptx_stub *s, const struct sl_ptx_block *b, unsigned first, uint64_t cycle)
{
  s->view.block = b;
  s->view.first = first;
  s->view.cycle = cycle;
}

/* The lanes of a warp whose next instruction has a breakpoint that holds for them. */
static uint32_t broken(const struct sl_ptx_stub *s, const struct sl_ptx_warp *w)
{
  uint32_t wanted = 0;
  const uint32_t pc = w->stack.depth > 0 ? sl_simt_stack_pc(&w->stack) : 0;
  for (unsigned i = 0; w->stack.depth > 0 && i < s->breakpoints; i++) {
    const struct breakpoint *b = &s->breakpoint[i];
    for (uint32_t rest = b->pc == pc ? sl_simt_stack_mask(&w->stack) : 0; rest != 0; rest &= rest - 1) {
      const struct sl_agent_thread of = {read_register, load, s, sl_ptx_view_thread(&s->view, w, sl_lowest(rest))};
      if (b->size == 0 || sl_agent_holds(&of, b->condition, b->size))
        wanted |= (uint32_t)sl_bit(sl_lowest(rest));
    }
  }
  return wanted;
}

/* Whether a step ends here: its lane is next at another place, or has ended. */
static bool step_ends(const struct sl_ptx_stub *s, const struct sl_ptx_warp *w)
{
  const unsigned lane = sl_ptx_view_lane(s->step_thread);
  if (!s->steps || s->step_block != s->view.block || sl_ptx_view_warp(&s->view, s->step_thread) != w)
    return false;
  if (sl_ptx_view_entry(w, lane) == NULL)
    return true;
  if ((sl_simt_stack_mask(&w->stack) >> lane & 1) == 0)
    return false;
  const uint64_t pc = sl_ptx_code_address(sl_simt_stack_pc(&w->stack));
  return s->from == s->to || pc < s->from || pc >= s->to;
}

static void executed(struct sl_ptx_stub *s, const struct sl_probe *p)
{
  const struct sl_ptx_warp *w = p->ptx_warp;
  const uint32_t next = w->stack.depth > 0 ? sl_simt_stack_mask(&w->stack) : 0;
  see(s, w->block, p->warp - w->index, p->cycle);
  const uint32_t lanes = broken(s, w);
  if (lanes != 0)
    stop(s, w, lanes, TRAP, "hwbreak:;");
  else if (step_ends(s, w) && next != 0)
    stop(s, w, next, TRAP, "");
  else if (step_ends(s, w)) /* the warp has ended: the next one that comes to a block's beginning or executes */
    s->launched = true;
  else if (next != 0 && (s->launched || (s->events++ % POLL == 0 && sl_packet_interrupted(&s->connection))))
    stop(s, w, next, s->launched ? TRAP : INTERRUPT, "");
}

static void begun(struct sl_ptx_stub *s, const struct sl_probe *p)
{
  const struct sl_ptx_block *b = p->ptx_block;
  see(s, b, p->warp, p->cycle);
  if (s->view.registers.module == NULL)
    sl_ptx_registers_read(&s->view.registers, b->launch->module);
  for (unsigned i = 0; i < b->warp_count && !s->detached && !s->killed; i++) {
    const struct sl_ptx_warp *w = &b->warps[i];
    const uint32_t lanes = s->launched ? w->threads : broken(s, w);
    if (lanes != 0)
      stop(s, w, lanes, TRAP, s->launched ? "" : "hwbreak:;");
  }
}

static bool tell(void *context, const struct sl_probe *p)
{
  struct sl_ptx_stub *s = context;
  if (s->detached)
    return true;
  if (p->kind == SL_PROBE_LAUNCHED)
    s->launched |= s->stop_at_launch;
  else if (p->kind == SL_PROBE_BEGUN && p->ptx_block != NULL)
    begun(s, p);
  else if (p->kind == SL_PROBE_EXECUTED && p->ptx_warp != NULL)
    executed(s, p);
  return !s->killed;
}

enum sl_status sl_ptx_stub_open(struct sl_ptx_stub **stub, int in, int out, struct sl_error *err)
{
  struct sl_ptx_stub *s = *stub = calloc(1, sizeof *s);
  if (s == NULL)
    return sl_no_memory(err, sizeof *s);
  s->connection.in = in;
  s->connection.out = out;
  s->launched = true; /* the first stop */
  s->probes =
      (struct sl_probes){.wanted = SL_PROBE_LAUNCHED | SL_PROBE_BEGUN | SL_PROBE_EXECUTED, .tell = tell, .context = s};
  return SL_OK;
}

struct sl_probes *sl_ptx_stub_probes(struct sl_ptx_stub *s)
{
  return &s->probes;
}

bool sl_ptx_stub_end(struct sl_ptx_stub *s, enum sl_status code, const char *text)
{
  if (s->killed || s->detached)
    return s->killed;
  s->reply.size = 0;
  s->view.block = NULL;
  if (code != SL_OK && s->asked) {
    sl_reply_print(&s->reply, "O");
    sl_reply_hex(&s->reply, text, strlen(text));
    sl_reply_print(&s->reply, "0a");
    sl_packet_write(&s->connection, s->reply.text, s->reply.size);
  }
  s->reply.size = 0;
  sl_reply_print(&s->reply, code == SL_FAULT ? "X%02x" : "W%02x", code == SL_FAULT ? SEGMENT : code == SL_OK ? 0 : 1);
  if (s->asked)
    sl_packet_write(&s->connection, s->reply.text, s->reply.size);
  serve(s);
  return false;
}

void sl_ptx_stub_close(struct sl_ptx_stub *s)
{
  if (s == NULL)
    return;
  sl_ptx_registers_free(&s->view.registers);
  sl_reply_clear(&s->reply);
  sl_reply_clear(&s->threads);
  sl_reply_clear(&s->description);
  sl_reply_clear(&s->connection.frame);
  free(s);
}
