#include "debug/debug.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_MOST = 1 << 15, CONSOLE_PIECE = 512, ANY_THREAD = 0 };

static void send_console(struct sl_debug *d)
{
  struct sl_reply packet = {0};
  if (d->console.size == 0)
    return;
  sl_reply_print(&packet, "O");
  sl_reply_hex(&packet, d->console.text, d->console.size);
  d->console.size = 0;
  if (!packet.failed)
    sl_packet_write(&d->connection, packet.text, packet.size);
  sl_reply_clear(&packet);
}

static void put_console(void *context, uint8_t byte)
{
  struct sl_debug *d = context;
  sl_reply_bytes(&d->console, &byte, 1);
  if (byte == '\n' || d->console.size >= CONSOLE_PIECE)
    send_console(d);
}

static void ok(struct sl_debug *d)
{
  sl_reply_print(&d->reply, "OK");
}

static void refuse(struct sl_debug *d)
{
  sl_reply_print(&d->reply, "E01");
}

static void expedite(struct sl_debug *d, unsigned number, uint32_t value)
{
  sl_reply_print(&d->reply, "%02x:", number);
  sl_reply_hex(&d->reply, &value, sizeof value);
  sl_reply_print(&d->reply, ";");
}

/* The stop reply has the registers that gdb needs at each stop, so it asks for no others. */
static void answer_stop(struct sl_debug *d)
{
  static const unsigned expedited[] = {1, 2, 8};
  const struct sl_stop *stop = &d->stop;
  send_console(d);
  if (stop->text[0] != '\0') {
    sl_reply_print(&d->console, "%s", stop->text);
    send_console(d);
  }
  if (stop->exited) {
    sl_reply_print(&d->reply, "W%02x", stop->status & 0xff);
    return;
  }
  d->focus = d->chosen = d->control.selected = stop->thread;
  sl_reply_print(&d->reply, "T%02x%sthread:%x;", stop->signal, stop->reason, stop->thread);
  expedite(d, SL_REG_PC, stop->has_pc ? stop->pc : sl_target_pc(&d->target, stop->thread));
  for (size_t i = 0; i < sizeof expedited / sizeof *expedited; i++) {
    uint64_t value;
    sl_target_register(&d->target, stop->thread, expedited[i], &value);
    expedite(d, expedited[i], (uint32_t)value);
  }
}

static void stopped(struct sl_debug *d, struct sl_stop stop)
{
  d->left = d->launches && stop.exited;
  if (d->left)
    return;
  d->stop = stop;
  answer_stop(d);
}

/* ---- registers and memory ---- */

static void read_registers(struct sl_debug *d)
{
  for (unsigned i = 0; i <= SL_REG_PC; i++) {
    uint64_t value;
    const unsigned bytes = sl_target_register(&d->target, d->focus, i, &value);
    sl_reply_hex(&d->reply, &value, bytes);
  }
}

static void read_register(struct sl_debug *d, const char *text)
{
  uint64_t number, value;
  const unsigned bytes = sl_take_hex(&text, &number) ? sl_target_register(&d->target, d->focus, number, &value) : 0;
  if (bytes == 0)
    refuse(d);
  else
    sl_reply_hex(&d->reply, &value, bytes);
}

static void write_register(struct sl_debug *d, const char *text)
{
  uint64_t number, value = 0;
  if (sl_take_hex(&text, &number) && sl_take_char(&text, '=') &&
      sl_take_hex_bytes(&text, (uint8_t *)&value, sizeof value) >= 4 &&
      sl_target_set_register(&d->target, d->focus, number, value))
    ok(d);
  else
    refuse(d);
}

static void write_registers(struct sl_debug *d, const char *text)
{
  for (unsigned i = 0; i <= SL_REG_PC; i++) {
    uint32_t value;
    uint64_t before;
    if (sl_take_hex_bytes(&text, (uint8_t *)&value, sizeof value) != sizeof value) {
      refuse(d);
      return;
    }
    sl_target_register(&d->target, d->focus, i, &before);
    if ((uint32_t)before != value && !sl_target_set_register(&d->target, d->focus, i, value) && i != 0) {
      refuse(d);
      return;
    }
  }
  ok(d);
}

/* Parses "ADDRESS,SIZE". */
static bool take_range(const char **text, uint64_t *address, uint64_t *size)
{
  return sl_take_hex(text, address) && sl_take_char(text, ',') && sl_take_hex(text, size);
}

static void read_memory(struct sl_debug *d, const char *text)
{
  uint64_t address, size;
  if (!take_range(&text, &address, &size) || address > UINT32_MAX || size > MEMORY_MOST) {
    refuse(d);
    return;
  }
  uint8_t *bytes = malloc(size + 1);
  if (bytes == NULL) {
    refuse(d);
    return;
  }
  sl_target_load(&d->target, d->focus, (uint32_t)address, bytes, size);
  sl_reply_hex(&d->reply, bytes, size);
  free(bytes);
}

/* `binary`: X has the bytes themselves, M hexadecimal digits. */
static void write_memory(struct sl_debug *d, const char *text, bool binary)
{
  uint64_t address, size;
  if (!take_range(&text, &address, &size) || !sl_take_char(&text, ':') || address > UINT32_MAX || size > MEMORY_MOST) {
    refuse(d);
    return;
  }
  uint8_t *bytes = malloc(size + 1);
  const size_t left = d->connection.size - (size_t)(text - d->connection.packet);
  size_t got = 0;
  if (bytes != NULL && binary && left >= size)
    memcpy(bytes, text, got = size);
  else if (bytes != NULL && !binary)
    got = sl_take_hex_bytes(&text, bytes, size);
  if (bytes != NULL && got == size && sl_target_store(&d->target, d->focus, (uint32_t)address, bytes, size))
    ok(d);
  else
    refuse(d);
  free(bytes);
}

/* ---- breakpoints ---- */

/* "TYPE,ADDRESS,KIND[;XLENGTH,BYTES]..." Several conditions: any may hold, so gdb decides. */
static void set_point(struct sl_debug *d, const char *text, bool insert)
{
  uint64_t type, address, size, length = 0;
  uint8_t condition[SL_CONDITION_MOST];
  size_t condition_size = 0;
  bool done = sl_take_hex(&text, &type) && sl_take_char(&text, ',') && take_range(&text, &address, &size);
  if (!done || type > 4 || address > UINT32_MAX) {
    refuse(d);
    return;
  }
  if (insert && type < 2 && sl_take_char(&text, ';') && sl_take_char(&text, 'X') && sl_take_hex(&text, &length) &&
      sl_take_char(&text, ',') && length <= sizeof condition)
    condition_size = sl_take_hex_bytes(&text, condition, length);
  if (condition_size != length || *text == 'X' || (*text == ';' && text[1] == 'X'))
    condition_size = 0;
  if (!insert)
    sl_control_remove(&d->control, (unsigned)type, (uint32_t)address, (uint32_t)size);
  else if (type < 2)
    done = sl_control_insert(&d->control, (uint32_t)address, condition, condition_size);
  else
    done = size <= 8 && sl_control_watch(&d->control, (unsigned)type, (uint32_t)address, (uint32_t)size);
  if (done)
    ok(d);
  else
    refuse(d);
}

/* ---- execution ---- */

static bool take_thread(const char **text, uint64_t *thread)
{
  if (sl_take_char(text, '-')) {
    uint64_t ignored;
    *thread = ANY_THREAD;
    return sl_take_hex(text, &ignored);
  }
  return sl_take_hex(text, thread);
}

static unsigned thread_or_current(const struct sl_debug *d, uint64_t thread)
{
  return sl_thread_lives(&d->target, thread) ? (unsigned)thread : d->focus;
}

/* The actions of vCont: the first one that steps names the thread; the others run. */
static void resume(struct sl_debug *d, const char *text)
{
  uint64_t thread = ANY_THREAD, from = 0, to = 0, signal;
  bool steps = false, runs = false, good = true;
  while (good && sl_take_char(&text, ';')) {
    uint64_t of = ANY_THREAD;
    const char action = *text != '\0' ? *text++ : '\0';
    const bool step = action == 's' || action == 'S' || action == 'r';
    good = step || action == 'c' || action == 'C' || action == 't';
    if (action == 'S' || action == 'C')
      good = good && sl_take_hex(&text, &signal);
    if (action == 'r')
      good = take_range(&text, &from, &to) && from <= to && to <= UINT32_MAX;
    if (sl_take_char(&text, ':'))
      good = good && take_thread(&text, &of);
    if (step && !steps) {
      steps = true;
      thread = of;
    }
    runs |= !step;
  }
  if (!good || *text != '\0' || (!steps && !runs))
    refuse(d);
  else if (steps)
    stopped(d, sl_control_step(&d->control, thread_or_current(d, thread), (uint32_t)from, (uint32_t)to, !runs));
  else if (d->launches && d->stop.faults)
    d->left = true;
  else
    stopped(d, sl_control_continue(&d->control));
  if (d->left)
    d->due = steps ? SL_STEP_ANSWER : SL_RUN_ANSWER;
}

static void reverse(struct sl_debug *d, const char *text)
{
  if (strcmp(text, "s") == 0)
    stopped(d, sl_control_reverse_step(&d->control, sl_thread_lives(&d->target, d->resumed)
                                                        ? d->resumed
                                                        : thread_or_current(d, d->chosen)));
  else if (strcmp(text, "c") == 0)
    stopped(d, sl_control_reverse_continue(&d->control));
}

/* A host program cannot begin again. */
static void restart(struct sl_debug *d)
{
  if (d->launches)
    return;
  sl_replay_go(&d->replay, 0);
  d->replay.printed = 0;
  d->control.offer = 0;
  d->control.arrivals = 0;
  d->stop = sl_control_here(&d->control, SL_SIGNAL_TRAP);
}

static void verbose(struct sl_debug *d, const char *text)
{
  if (strcmp(text, "Cont?") == 0)
    sl_reply_print(&d->reply, "vCont;c;C;s;S;t;r");
  else if (strncmp(text, "Cont;", 5) == 0)
    resume(d, text + 4);
  else if (strncmp(text, "Kill", 4) == 0) {
    d->done = !d->extended;
    d->killed = d->done;
    ok(d);
  } else if (strncmp(text, "Run", 3) == 0) {
    restart(d);
    answer_stop(d);
  }
}

/* ---- queries ---- */

/* Answers "OFFSET,LENGTH" of a document. */
static void send_piece(struct sl_debug *d, const char *text, const char *document, size_t size)
{
  uint64_t offset, length;
  if (!take_range(&text, &offset, &length) || offset > size) {
    refuse(d);
    return;
  }
  const size_t left = size - (size_t)offset, most = length < MEMORY_MOST ? (size_t)length : MEMORY_MOST;
  sl_reply_print(&d->reply, "%c", left > most ? 'm' : 'l');
  sl_reply_bytes(&d->reply, document + offset, left < most ? left : most);
}

/* One copy of the list per stop: gdb reads it in pieces. */
static void send_threads(struct sl_debug *d, const char *text)
{
  d->control.prompted = true;
  if (strncmp(text, "0,", 2) == 0) {
    d->threads.size = 0;
    sl_target_threads(&d->target, d->focus == SL_THREAD_HOST ? UINT32_MAX : sl_warp_of(&d->target, d->focus),
                      &d->threads);
  }
  send_piece(d, text, d->threads.text != NULL ? d->threads.text : "", d->threads.size);
}

static void send_description(struct sl_debug *d, const char *text)
{
  if (d->description.size == 0)
    sl_target_description(&d->target, &d->description);
  send_piece(d, text, d->description.text, d->description.size);
}

static void monitor(struct sl_debug *d, const char *text)
{
  char command[256];
  struct sl_reply answer = {0};
  const size_t size = sl_take_hex_bytes(&text, (uint8_t *)command, sizeof command - 1);
  command[size] = '\0';
  sl_monitor(d, command, &answer);
  sl_reply_hex(&d->reply, answer.text, answer.size);
  if (answer.size == 0)
    ok(d);
  sl_reply_clear(&answer);
}

/* Returns what follows a prefix of the text, or NULL. */
static const char *after(const char *text, const char *prefix)
{
  const size_t size = strlen(prefix);
  return strncmp(text, prefix, size) == 0 ? text + size : NULL;
}

static void query(struct sl_debug *d, const char *text)
{
  const char *rest;
  if (after(text, "Supported"))
    sl_reply_print(&d->reply,
                   "PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;qXfer:threads:read+;"
                   "qXfer:exec-file:read+;vContSupported+;ReverseStep+;ReverseContinue+;hwbreak+;swbreak+;"
                   "QThreadEvents+;no-resumed+;QPassSignals+;ConditionalBreakpoints+",
                   SL_PACKET_MOST);
  else if ((rest = after(text, "Xfer:features:read:target.xml:")) != NULL)
    send_description(d, rest);
  else if ((rest = after(text, "Xfer:threads:read::")) != NULL)
    send_threads(d, rest);
  else if ((rest = after(text, "Xfer:exec-file:read:")) != NULL && strchr(rest, ':') != NULL)
    send_piece(d, strchr(rest, ':') + 1, d->path, strlen(d->path));
  else if ((rest = after(text, "Rcmd,")) != NULL)
    monitor(d, rest);
  else if (after(text, "Attached"))
    sl_reply_print(&d->reply, "1");
  else if (strcmp(text, "C") == 0)
    sl_reply_print(&d->reply, "QC%x", d->focus);
  else if (after(text, "fThreadInfo"))
    sl_reply_print(&d->reply, "m%x", d->focus);
  else if (after(text, "sThreadInfo"))
    sl_reply_print(&d->reply, "l");
}

static void set(struct sl_debug *d, const char *text)
{
  if (after(text, "StartNoAckMode")) {
    ok(d);
    d->connection.no_acknowledgements = true;
  } else if (after(text, "PassSignals") || after(text, "ThreadEvents"))
    ok(d);
}

/* Hg selects the thread of registers and memory, Hc the one of reverse commands. gdb's `info threads` selects each
 * thread; when the user selects one, gdb first asks whether it lives. */
static void choose_thread(struct sl_debug *d, const char *text)
{
  const char operation = *text != '\0' ? *text++ : '\0';
  uint64_t thread;
  if (!take_thread(&text, &thread)) {
    refuse(d);
    return;
  }
  const bool lives = thread == ANY_THREAD || thread == d->focus || sl_thread_lives(&d->target, thread);
  if (operation == 'g' && lives && thread != ANY_THREAD)
    d->focus = d->control.selected = (unsigned)thread;
  if (operation == 'g' && lives && thread == d->alive && thread != ANY_THREAD)
    d->chosen = d->focus;
  d->alive = ANY_THREAD;
  if (operation == 'c' && lives)
    d->resumed = (unsigned)thread;
  if (lives)
    ok(d);
  else
    refuse(d);
}

static void is_alive(struct sl_debug *d, const char *text)
{
  uint64_t thread;
  const bool lives = sl_take_hex(&text, &thread) && (sl_thread_lives(&d->target, thread) || thread == d->focus);
  d->alive = lives ? (unsigned)thread : ANY_THREAD;
  if (lives)
    ok(d);
  else
    refuse(d);
}

static void perform(struct sl_debug *d)
{
  const char *text = d->connection.packet;
  d->reply.size = 0;
  switch (*text++) {
  case '?': answer_stop(d); break;
  case 'g': read_registers(d); break;
  case 'G': write_registers(d, text); break;
  case 'p': read_register(d, text); break;
  case 'P': write_register(d, text); break;
  case 'm': read_memory(d, text); break;
  case 'M': write_memory(d, text, false); break;
  case 'X': write_memory(d, text, true); break;
  case 'Z': set_point(d, text, true); break;
  case 'z': set_point(d, text, false); break;
  case 'H': choose_thread(d, text); break;
  case 'T': is_alive(d, text); break;
  case 'v': verbose(d, text); break;
  case 'b': reverse(d, text); break;
  case 'q': query(d, text); break;
  case 'Q': set(d, text); break;
  case '!':
    d->extended = true;
    ok(d);
    break;
  case 'R': restart(d); break;
  case 'D':
    d->done = true;
    ok(d);
    break;
  case 'k': d->done = d->killed = true; break;
  default: break;
  }
}

static void close_debug(struct sl_debug *d)
{
  sl_control_close(&d->control);
  sl_reply_clear(&d->reply);
  sl_reply_clear(&d->threads);
  sl_reply_clear(&d->description);
  sl_reply_clear(&d->console);
  sl_reply_clear(&d->connection.frame);
  free(d);
}

/* A stub whose run is not yet open. */
static struct sl_debug *new_debug(const struct sl_debug_order *order, struct sl_error *err)
{
  struct sl_debug *d = calloc(1, sizeof *d);
  if (d == NULL) {
    sl_no_memory(err, sizeof *d);
    return NULL;
  }
  d->connection.in = order->in;
  d->connection.out = order->out;
  d->path = order->path;
  d->tracer = order->tracer;
  return d;
}

static enum sl_status open_run(struct sl_debug *d, const struct sl_replay_order *order, struct sl_error *err)
{
  struct sl_replay_order run = *order;
  run.put = put_console;
  run.context = d;
  const enum sl_status code = sl_replay_open(&d->replay, &run, err);
  if (code != SL_OK)
    return code;
  d->target = sl_target_of(&d->replay, run.program);
  d->target.has_host &= !d->launches;
  d->control.replay = &d->replay;
  d->control.target = &d->target;
  d->control.connection = &d->connection;
  d->focus = d->chosen = d->control.selected = sl_thread_default(&d->target);
  d->stop = sl_control_here(&d->control, SL_SIGNAL_TRAP);
  return SL_OK;
}

static void answer_packets(struct sl_debug *d)
{
  while (!d->done && !d->left) {
    if (!sl_packet_read(&d->connection)) {
      d->done = true;
      break;
    }
    const bool kills = d->connection.packet[0] == 'k';
    perform(d);
    if (!kills && !d->left)
      sl_packet_write(&d->connection, d->reply.text, d->reply.size);
  }
  if (d->tracing)
    sl_monitor_end_trace(d, &d->reply);
}

enum sl_status sl_debug_serve(const struct sl_debug_order *order, struct sl_error *err)
{
  struct sl_debug *d = new_debug(order, err);
  if (d == NULL)
    return err->code;
  const enum sl_status code = open_run(d, &order->run, err);
  if (code == SL_OK)
    answer_packets(d);
  sl_replay_close(&d->replay);
  close_debug(d);
  return code;
}

/* ---- launches of a host program ---------------------------------------------------------------------------------- */

enum sl_status sl_debug_open(struct sl_debug **debug, const struct sl_debug_order *order, struct sl_error *err)
{
  *debug = new_debug(order, err);
  if (*debug == NULL)
    return err->code;
  (*debug)->launches = true;
  return SL_OK;
}

bool sl_debug_hear(struct sl_debug *debug, const struct sl_probe *probe)
{
  return debug->replay.device == NULL || sl_replay_hear(&debug->replay, probe);
}

/* What the latest launch leaves behind: breakpoints and watchpoints stay. */
static void forget_run(struct sl_control *c)
{
  c->arrivals = c->missed_count = c->known_count = c->known_next = 0;
  c->offer = 0;
  c->prompted = false;
  c->ghost = 0;
  c->passed = 0;
  c->moved = SL_NOT_MOVED;
}

/* The launch begins, and gdb waits for an answer since an earlier one. */
static void answer_due(struct sl_debug *d)
{
  const bool stops = d->due == SL_STEP_ANSWER || d->stops_at_launches;
  d->reply.size = 0;
  if (stops)
    snprintf(d->stop.text, sizeof d->stop.text, "simtlab: a kernel begins, whose module is %.900s\n", d->path);
  stopped(d, stops ? d->stop : sl_control_continue(&d->control));
  if (d->left)
    return;
  d->due = SL_NO_ANSWER;
  sl_packet_write(&d->connection, d->reply.text, d->reply.size);
}

enum sl_status sl_debug_launch(struct sl_debug *d, const struct sl_replay_order *run, const char *path,
                               struct sl_error *err)
{
  if (d->done)
    return SL_OK;
  forget_run(&d->control);
  d->left = false;
  d->path = path;
  const enum sl_status code = open_run(d, run, err);
  if (code == SL_OK && d->due != SL_NO_ANSWER)
    answer_due(d);
  if (code == SL_OK)
    answer_packets(d);
  if (d->replay.over == SL_OK) /* the launch ends once more, for the host program */
    sl_replay_go(&d->replay, sl_replay_point_below(&d->replay, sl_replay_now(&d->replay)));
  sl_replay_close(&d->replay);
  d->replay.device = NULL;
  return code;
}

void sl_debug_close(struct sl_debug *d, int status)
{
  if (d == NULL)
    return;
  if (!d->done && d->due != SL_NO_ANSWER) {
    d->reply.size = 0;
    sl_reply_print(&d->reply, "W%02x", status & 0xff);
    sl_packet_write(&d->connection, d->reply.text, d->reply.size);
  }
  close_debug(d);
}
