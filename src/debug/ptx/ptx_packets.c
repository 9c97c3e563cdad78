/* Packets of gdb, for launch scripts of PTX. */
#include <stdio.h>
#include <string.h>

#include "debug/ptx/ptx_debug.h"
#include "debug/ptx/ptx_stub.h"
#include "isa/lanes.h"

enum { MEMORY_MOST = 1 << 15, ANY_THREAD = 0 };

/* ---- packets ----------------------------------------------------------------------------------------------------- */

void sl_ptx_answer_stop(struct sl_ptx_stub *s, uint64_t pc)
{
  sl_reply_print(&s->reply, "T%02x%sthread:%x;%02x:", (unsigned)s->last.signal, s->last.reason, s->focus,
                 SL_PTX_VIEW_PC);
  sl_reply_hex(&s->reply, &pc, sizeof pc);
  sl_reply_print(&s->reply, ";");
}

/* The thread has moved already, or not at all. */
static void answer_here(struct sl_ptx_stub *s)
{
  s->last = (struct sl_ptx_stop){.signal = SL_PTX_TRAP};
  s->moved = SL_PTX_STOP_PLAIN;
  sl_ptx_answer_stop(s, sl_ptx_view_pc(&s->view, s->focus));
}

/* The launch's beginning was not kept. */
static void answer_no_history(struct sl_ptx_stub *s)
{
  sl_ptx_send_text(s, s->replay.rewind.kept ? "simtlab: the GPU's memory is too large to keep the launch's beginning\n"
                                            : "simtlab: launches with an oracle or a shadow have no checkpoints\n");
  s->reply.size = 0;
  s->last = (struct sl_ptx_stop){.signal = SL_PTX_TRAP, .reason = "replaylog:begin;"};
  s->moved = SL_PTX_STOP_PLAIN;
  sl_ptx_answer_stop(s, sl_ptx_view_pc(&s->view, s->focus));
}

void sl_ptx_send_text(struct sl_ptx_stub *s, const char *text)
{
  if (text[0] == '\0')
    return;
  s->reply.size = 0;
  sl_reply_print(&s->reply, "O");
  sl_reply_hex(&s->reply, text, strlen(text));
  sl_packet_write(&s->connection, s->reply.text, s->reply.size);
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
      (address - SL_PTX_CODE >= SL_PTX_CODE && !sl_ptx_view_stack(&s->view, s->focus, address, bytes, size) &&
       sl_ptx_view_memory(&s->view, s->focus, address, size, false) == NULL)) {
    sl_reply_print(&s->reply, "E01");
    return;
  }
  sl_ptx_read_memory(s, s->focus, address, bytes, size);
  sl_reply_hex(&s->reply, bytes, size);
}

/* Remembers a change, so that later runs repeat it. */
static bool note_change(struct sl_ptx_stub *s, bool is_register, uint64_t at, const void *bytes, size_t size)
{
  const struct sl_ptx_spot spot = sl_ptx_spot_of(s, s->focus);
  s->faulted = false;
  sl_ptx_replay_written(&s->replay);
  return sl_ptx_changes_add(&s->changes, &spot, is_register, at, bytes, size);
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
    done = to != NULL && note_change(s, false, address, binary ? (const void *)text : bytes, size);
  }
  if (done && size > 0)
    memcpy(to, binary ? (const void *)text : bytes, size);
  sl_reply_print(&s->reply, done ? "OK" : "E01");
}

/* "NUMBER=BYTES" */
static void write_register(struct sl_ptx_stub *s, const char *text)
{
  uint64_t number, value = 0;
  const bool done = sl_take_hex(&text, &number) && sl_take_char(&text, '=') &&
                    sl_take_hex_bytes(&text, (uint8_t *)&value, sizeof value) > 0 &&
                    sl_ptx_view_set_register(&s->view, s->focus, number, value) &&
                    note_change(s, true, number, &value, sizeof value);
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

/* Forgets breakpoints that gdb has taken away and not set again. */
static void forget_away(struct sl_ptx_stub *s)
{
  unsigned kept = 0;
  for (unsigned i = 0; i < s->breakpoints; i++)
    if (!s->breakpoint[i].away)
      s->breakpoint[kept++] = s->breakpoint[i];
  s->breakpoints = kept;
}

static struct sl_ptx_breakpoint *breakpoint_at(struct sl_ptx_stub *s, uint32_t pc)
{
  for (unsigned i = 0; i < s->breakpoints; i++)
    if (s->breakpoint[i].pc == pc)
      return &s->breakpoint[i];
  return NULL;
}

static bool set_breakpoint(struct sl_ptx_stub *s, uint64_t address, const char *text, bool insert)
{
  uint64_t length = 0;
  if (address < SL_PTX_CODE)
    return false;
  const uint32_t pc = (uint32_t)((address - SL_PTX_CODE) / SL_PTX_CODE_STEP);
  struct sl_ptx_breakpoint *b = breakpoint_at(s, pc);
  if (!insert) {
    if (b != NULL)
      b->away = true;
    return true;
  }
  if (b == NULL && s->breakpoints == SL_PTX_BREAKPOINTS)
    forget_away(s);
  if (b == NULL && s->breakpoints == SL_PTX_BREAKPOINTS)
    return false;
  b = b != NULL ? b : &s->breakpoint[s->breakpoints++];
  *b = (struct sl_ptx_breakpoint){.pc = pc};
  if (sl_take_char(&text, ';') && sl_take_char(&text, 'X') && sl_take_hex(&text, &length) && sl_take_char(&text, ',') &&
      length <= SL_PTX_CONDITION)
    b->size = sl_take_hex_bytes(&text, b->condition, length);
  if (b->size != length || *text == 'X' || *text == ';') /* several conditions: gdb decides */
    b->size = 0;
  return true;
}

/* "TYPE,ADDRESS,KIND[;XLENGTH,BYTES]" */
static void set_point(struct sl_ptx_stub *s, const char *text, bool insert)
{
  uint64_t type, address, size;
  bool done = sl_take_hex(&text, &type) && sl_take_char(&text, ',') && take_range(&text, &address, &size);
  if (done && type > SL_PTX_WATCH_ACCESS)
    return;
  if (done && type < SL_PTX_WATCH_WRITE)
    done = set_breakpoint(s, address, text, insert);
  else if (done && insert)
    done = sl_ptx_watch_set(&s->watches, &s->view, s->focus, (enum sl_ptx_watch_type)type, address, size);
  else if (done)
    sl_ptx_watch_remove(&s->watches, (enum sl_ptx_watch_type)type, address, size);
  sl_reply_print(&s->reply, done ? "OK" : "E01");
}

/* ---- execution --------------------------------------------------------------------------------------------------- */

static bool take_thread(const char **text, uint64_t *thread)
{
  if (sl_take_char(text, '-')) {
    uint64_t ignored;
    *thread = ANY_THREAD;
    return sl_take_hex(text, &ignored);
  }
  return sl_take_hex(text, thread);
}

static unsigned thread_or(const struct sl_ptx_stub *s, uint64_t thread, unsigned other)
{
  return sl_ptx_view_lives(&s->view, thread) ? (unsigned)thread : other;
}

/* Tells gdb of the breakpoint that lanes of a warp have reached, at the lowest of them. */
static void answer_breakpoint(struct sl_ptx_stub *s, const struct sl_ptx_warp *w, uint32_t lanes)
{
  s->focus = s->chosen = sl_ptx_view_thread(&s->view, w, sl_lowest(lanes));
  s->offer = lanes & (lanes - 1);
  s->prompted = false;
  s->moved = SL_PTX_STOP_PLAIN;
  s->last = (struct sl_ptx_stop){.signal = SL_PTX_TRAP, .reason = "hwbreak:;"};
  sl_ptx_answer_stop(s, sl_ptx_view_pc(&s->view, s->focus));
}

/* gdb has not accepted the thread of the stop: the next lane, without a move. Returns false if there is none. */
static bool offer_lane(struct sl_ptx_stub *s, bool steps, unsigned thread)
{
  const struct sl_ptx_warp *w = sl_ptx_view_warp(&s->view, s->focus);
  if (s->offer == 0 || s->prompted || w == NULL)
    return false;
  if (!steps) {
    answer_breakpoint(s, w, s->offer);
    return true;
  }
  s->focus = thread;
  s->last = (struct sl_ptx_stop){.signal = SL_PTX_TRAP};
  sl_ptx_answer_stop(s, sl_ptx_view_pc(&s->view, thread) + SL_PTX_CODE_STEP);
  return true;
}

/* A warp has reached a breakpoint while it was away. If it is still there, gdb hears of it now; else the run goes back
 * there. Returns false if there is none. */
static bool tell_missed(struct sl_ptx_stub *s)
{
  static const struct sl_ptx_stop stop = {.signal = SL_PTX_TRAP, .reason = "hwbreak:;"};
  while (s->missed_count > 0) {
    const struct sl_ptx_missed m = s->missed[0];
    const struct sl_ptx_breakpoint *b = breakpoint_at(s, m.pc);
    struct sl_ptx_view view = s->view;
    memmove(s->missed, s->missed + 1, --s->missed_count * sizeof *s->missed);
    if (b == NULL || b->away)
      continue;
    const bool known = sl_ptx_find_spot(s, &m.spot, &view);
    s->leaving = false;
    const struct sl_ptx_warp *w = known && m.spot.launch == s->launch && sl_ptx_view_number(view.block) == m.spot.block
                                      ? &view.block->warps[m.spot.warp]
                                      : NULL;
    const bool passed =
        w == NULL || (sl_simt_stack_mask(&w->stack) & m.lanes) != m.lanes || sl_ptx_view_place(w) != m.pc;
    if (passed && !sl_ptx_replay_goes_back(&s->replay)) {
      sl_ptx_send_text(s, "simtlab: meanwhile another warp has passed the breakpoint\n");
      s->reply.size = 0;
      continue;
    }
    if (passed) {
      sl_ptx_go(s, &m.spot, &stop);
      return true;
    }
    const struct sl_ptx_view here = s->view;
    s->view = view;
    const uint32_t lanes = sl_ptx_broken(s, w);
    if (lanes == 0) { /* the condition does not hold */
      s->view = here;
      continue;
    }
    answer_breakpoint(s, w, lanes);
    return true;
  }
  return false;
}

/* The actions of vCont: the first one that steps names the thread. Returns whether the run goes on. */
static bool resume(struct sl_ptx_stub *s, const char *text)
{
  bool steps = false, runs = false, good = s->view.block != NULL;
  uint64_t from = 0, to = 0, thread = ANY_THREAD, ignored;
  while (good && sl_take_char(&text, ';')) {
    const char action = *text != '\0' ? *text++ : '?';
    uint64_t of = ANY_THREAD;
    good = strchr("cCsSr", action) != NULL;
    if (action == 'S' || action == 'C')
      good = good && sl_take_hex(&text, &ignored);
    if (action == 'r' && !steps)
      good = take_range(&text, &from, &to);
    if (sl_take_char(&text, ':'))
      good = good && take_thread(&text, &of);
    runs |= strchr("cC", action) != NULL;
    if (strchr("sSr", action) != NULL && !steps) {
      steps = true;
      thread = of;
    }
  }
  if (!good || *text != '\0') {
    sl_reply_print(&s->reply, "E01");
    return false;
  }
  const unsigned of = thread_or(s, thread, s->focus);
  if (steps && s->moved == SL_PTX_STOP_AFTER) {
    answer_here(s);
    return false;
  }
  if ((!steps || !runs) && offer_lane(s, steps, of))
    return false;
  s->offer = 0;
  if (!steps && tell_missed(s))
    return s->leaving;
  const uint64_t pc = sl_ptx_view_pc(&s->view, of);
  const struct sl_ptx_breakpoint *b = breakpoint_at(s, (uint32_t)((pc - SL_PTX_CODE) / SL_PTX_CODE_STEP));
  s->stepped_over =
      b != NULL ? *b : (struct sl_ptx_breakpoint){.pc = (uint32_t)((pc - SL_PTX_CODE) / SL_PTX_CODE_STEP)};
  s->ghost = steps && !runs && (b == NULL || b->away) ? &s->stepped_over : NULL;
  if (!steps)
    forget_away(s);
  s->moved = SL_PTX_STOP_PLAIN;
  s->passes = s->hosted && s->faulted;
  s->steps = steps;
  s->from = from;
  s->to = to;
  s->stepped = sl_ptx_spot_of(s, of);
  return true;
}

/* Returns whether the run goes on. */
static bool reverse(struct sl_ptx_stub *s, const char *text)
{
  const bool steps = strcmp(text, "s") == 0;
  if ((!steps && strcmp(text, "c") != 0) || s->view.block == NULL)
    return false;
  if (!sl_ptx_replay_goes_back(&s->replay)) {
    answer_no_history(s);
    return false;
  }
  s->faulted = false;
  if (steps && s->moved == SL_PTX_STOP_BACK) {
    answer_here(s);
    return false;
  }
  s->offer = 0;
  s->missed_count = 0;
  if (steps)
    sl_ptx_reverse_step(s, thread_or(s, s->resumed, thread_or(s, s->chosen, s->focus)));
  else {
    forget_away(s);
    if (s->prompted) /* else gdb has not accepted the thread of the last stop, and looks on for the same one */
      s->wanted = sl_ptx_spot_of(s, thread_or(s, s->resumed, thread_or(s, s->chosen, s->focus)));
    sl_ptx_reverse_continue(s);
  }
  return true;
}

/* ---- queries ----------------------------------------------------------------------------------------------------- */

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
                   "PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;qXfer:threads:read+%s;vContSupported+;hwbreak+;"
                   "swbreak+;no-resumed+;ConditionalBreakpoints+;ReverseStep+;ReverseContinue+",
                   SL_PACKET_MOST, s->hosted ? ";qXfer:libraries:read+" : "");
  else if ((rest = after(text, "Xfer:features:read:target.xml:")) != NULL) {
    if (s->description.size == 0) {
      sl_ptx_register_set_number(&s->set);
      sl_ptx_view_describe(&s->view, &s->description);
    }
    send_piece(s, rest, &s->description);
  } else if ((rest = after(text, "Xfer:threads:read::")) != NULL) {
    s->prompted = true;
    if (strncmp(rest, "0,", 2) == 0) {
      s->threads.size = 0;
      sl_ptx_view_threads(&s->view, &s->threads);
    }
    send_piece(s, rest, &s->threads);
  } else if ((rest = after(text, "Xfer:libraries:read::")) != NULL && s->hosted) {
    s->library_list.size = 0;
    sl_reply_print(&s->library_list, "<library-list>");
    sl_reply_bytes(&s->library_list, s->libraries.text, s->libraries.size);
    sl_reply_print(&s->library_list, "</library-list>");
    send_piece(s, rest, &s->library_list);
  } else if ((rest = after(text, "Rcmd,")) != NULL) {
    struct sl_reply answer = {0};
    command[sl_take_hex_bytes(&rest, (uint8_t *)command, sizeof command - 1)] = '\0';
    sl_ptx_monitor(s, command, &answer);
    s->monitors = s->leaving;
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

/* Hg selects the thread of registers and memory, Hc the one of reverse commands. gdb's `info threads` selects each
 * thread; when the user selects one, gdb first asks whether it lives. */
static void choose_thread(struct sl_ptx_stub *s, const char *text)
{
  const char operation = *text != '\0' ? *text++ : '\0';
  uint64_t thread;
  if (!take_thread(&text, &thread)) {
    sl_reply_print(&s->reply, "E01");
    return;
  }
  const bool lives = sl_ptx_view_lives(&s->view, thread);
  if (operation == 'g' && lives)
    s->focus = (unsigned)thread;
  if (operation == 'g' && lives && thread == s->alive)
    s->chosen = s->focus;
  if (operation == 'c')
    s->resumed = lives ? (unsigned)thread : ANY_THREAD;
  s->alive = ANY_THREAD;
  sl_reply_print(&s->reply, "OK");
}

static void is_alive(struct sl_ptx_stub *s, const char *text)
{
  uint64_t thread;
  const bool lives = sl_take_hex(&text, &thread) && sl_ptx_view_lives(&s->view, thread);
  s->alive = lives ? (unsigned)thread : ANY_THREAD;
  sl_reply_print(&s->reply, lives ? "OK" : "E01");
}

/* Returns whether the run goes on. */
static bool verbose(struct sl_ptx_stub *s, const char *text)
{
  if (strcmp(text, "Cont?") == 0)
    sl_reply_print(&s->reply, "vCont;c;C;s;S;r");
  else if (after(text, "Cont;"))
    return resume(s, text + 4);
  else if (after(text, "Run") && !s->hosted) {
    sl_ptx_restart(s);
    return true;
  } else if (after(text, "Kill")) {
    s->killed = !s->extended;
    sl_reply_print(&s->reply, "OK");
  }
  return false;
}

/* Returns whether the run goes on. */
static bool perform(struct sl_ptx_stub *s)
{
  const char *text = s->connection.packet;
  s->reply.size = 0;
  switch (*text++) {
  case '?': sl_ptx_answer_stop(s, sl_ptx_view_pc(&s->view, s->focus)); break;
  case 'g': send_registers(s); break;
  case 'p': send_register(s, text); break;
  case 'P': write_register(s, text); break;
  case 'G': sl_reply_print(&s->reply, "E01"); break; /* the registers that it has cannot be set */
  case 'm': send_memory(s, text); break;
  case 'M': write_memory(s, text, false); break;
  case 'X': write_memory(s, text, true); break;
  case 'Z': set_point(s, text, true); break;
  case 'z': set_point(s, text, false); break;
  case 'H': choose_thread(s, text); break;
  case 'T': is_alive(s, text); break;
  case 'q': query(s, text); break;
  case 'Q':
    if (after(text, "StartNoAckMode")) {
      sl_reply_print(&s->reply, "OK");
      s->connection.no_acknowledgements = true;
    }
    break;
  case 'v': return verbose(s, text);
  case 'b': return reverse(s, text);
  case '!':
    s->extended = !s->hosted;
    sl_reply_print(&s->reply, s->hosted ? "" : "OK");
    break;
  case 'R':
    if (!s->hosted)
      sl_ptx_restart(s);
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

void sl_ptx_serve(struct sl_ptx_stub *s)
{
  bool goes_on = false;
  s->monitors = false;
  while (!goes_on && !s->leaving && !s->detached && !s->killed) {
    if (!sl_packet_read(&s->connection)) {
      s->killed = !s->hosted; /* a host program runs on */
      s->detached = s->hosted;
      break;
    }
    goes_on = perform(s);
    if (!goes_on && !s->monitors && s->connection.packet[0] != 'k' && s->connection.packet[0] != 'R')
      sl_packet_write(&s->connection, s->reply.text, s->reply.size);
  }
  s->asked = goes_on;
  if (s->tracing && !s->leaving && (s->killed || s->detached) && s->view.block != NULL) {
    sl_ptx_trace_leave(s, s->killed ? SL_PTX_TRACE_KILLED : SL_PTX_TRACE_DETACHED);
    s->killed = s->detached = false;
  }
}
