#include "timing/memory/dram_controller.h"

#include <string.h>

#define NEVER UINT64_MAX

struct sl_dram_spec sl_dram_default_spec(const struct sl_dram_standard *standard)
{
  return (struct sl_dram_spec){
      .standard = standard,
      .unit_bytes = sl_dram_unit_bytes(standard),
      .read_queue = 33,
      .write_queue = 33,
      .drain_high = 26,
      .drain_low = 6,
      .order = SL_DRAM_READY_FIRST,
      .forward = true,
      .clock_numerator = 1,
      .clock_denominator = 1,
  };
}

enum sl_status sl_dram_spec_check(const struct sl_dram_spec *spec, struct sl_error *err)
{
  enum { MAX_CLOCK = 1 << 16 };
  if (sl_dram_standard_check(spec->standard, err) != SL_OK)
    return SL_USAGE;
  const unsigned least = sl_dram_unit_bytes(spec->standard);
  const unsigned row = spec->standard->columns * (spec->standard->channel_width / 8);
  if (!sl_is_pow2(spec->unit_bytes) || spec->unit_bytes < least || spec->unit_bytes > row)
    return sl_fail(err, SL_USAGE, "DRAM address units cannot have %u bytes; %s takes powers of two from %u to %u.",
                   spec->unit_bytes, spec->standard->name, least, row);
  if (spec->read_queue < 1 || spec->read_queue > SL_DRAM_MAX_QUEUE || spec->write_queue < 1 ||
      spec->write_queue > SL_DRAM_MAX_QUEUE)
    return sl_fail(err, SL_USAGE, "DRAM queues cannot hold %u reads and %u writes; each has 1 to %d entries.",
                   spec->read_queue, spec->write_queue, SL_DRAM_MAX_QUEUE);
  if (spec->drain_low >= spec->drain_high || spec->drain_high > spec->write_queue)
    return sl_fail(err, SL_USAGE,
                   "DRAM writes are drained from %u down to %u of %u; the first must be the larger and fit the queue.",
                   spec->drain_high, spec->drain_low, spec->write_queue);
  if (spec->clock_numerator < 1 || spec->clock_numerator > MAX_CLOCK || spec->clock_denominator < 1 ||
      spec->clock_denominator > MAX_CLOCK)
    return sl_fail(err, SL_USAGE, "The DRAM clock cannot be %u/%u core clocks; both numbers must be from 1 to %d.",
                   spec->clock_numerator, spec->clock_denominator, MAX_CLOCK);
  return SL_OK;
}

static void plan_nodes(struct sl_dram_plan *plan, const struct sl_dram_standard *s)
{
  const unsigned groups = s->pseudo_channels * s->bank_groups;
  plan->banks = groups * s->banks;
  for (unsigned bank = 0; bank < plan->banks; bank++) {
    uint8_t *node = plan->node[bank];
    node[SL_DRAM_CHANNEL] = 0;
    node[SL_DRAM_PSEUDO_CHANNEL] = (uint8_t)(1 + bank / (s->bank_groups * s->banks));
    node[SL_DRAM_BANK_GROUP] = (uint8_t)(1 + s->pseudo_channels + bank / s->banks);
    node[SL_DRAM_BANK] = (uint8_t)(1 + s->pseudo_channels + groups + bank);
  }
}

/* Whether `command` is issued at all: without refreshes, no command closes or refreshes all banks. */
static bool is_issued(const struct sl_dram_spec *spec, unsigned command)
{
  return spec->refresh || (command != SL_DRAM_PREA && command != SL_DRAM_REFAB);
}

/* Whether another constraint between the same commands to the same node never allows the next one earlier. */
static bool is_implied(const struct sl_dram_standard *s, unsigned number)
{
  const struct sl_dram_constraint *a = &s->constraint[number];
  for (unsigned i = 0; i < s->constraints; i++) {
    const struct sl_dram_constraint *b = &s->constraint[i];
    if (i != number && b->level == a->level && b->previous == a->previous && b->next == a->next &&
        b->window == a->window && (b->cycles > a->cycles || (b->cycles == a->cycles && i < number)))
      return true;
  }
  return false;
}

static void plan_constraints(struct sl_dram_plan *plan, const struct sl_dram_spec *spec)
{
  const struct sl_dram_standard *s = spec->standard;
  unsigned count = 0;
  for (unsigned command = 0; command < SL_DRAM_COMMANDS; command++) {
    plan->first_constraint[command] = count;
    for (unsigned windowed = 0; windowed < 2; windowed++) {
      for (unsigned i = 0; i < s->constraints; i++)
        if (s->constraint[i].previous == command && (s->constraint[i].window > 1) == windowed &&
            is_issued(spec, s->constraint[i].next) && !is_implied(s, i))
          plan->constraint[count++] = s->constraint[i];
      if (!windowed)
        plan->first_windowed[command] = count;
    }
  }
  plan->first_constraint[SL_DRAM_COMMANDS] = count;
  for (unsigned i = 0; i < count; i++)
    plan->windowed |= plan->constraint[i].window > 1 ? 1u << plan->constraint[i].level : 0;
}

static void plan_commands(struct sl_dram_plan *plan)
{
  for (unsigned state = 0; state < SL_DRAM_STATES; state++) {
    plan->first_command[false][state] = (uint8_t)sl_dram_commands[SL_DRAM_RD].first[state];
    plan->first_command[true][state] = (uint8_t)sl_dram_commands[SL_DRAM_WR].first[state];
  }
}

void sl_dram_controller_init(struct sl_dram_controller *d, const struct sl_dram_spec *spec)
{
  const struct sl_dram_standard *s = spec->standard;
  memset(d, 0, sizeof(*d));
  d->plan = (struct sl_dram_plan){
      .mapping = sl_dram_mapping(s, spec->unit_bytes),
      .channels = s->channels,
      .read_latency = s->read_latency,
      .refresh_interval = s->refresh_interval,
      .read_queue = spec->read_queue,
      .write_queue = spec->write_queue,
      .drain_high = spec->drain_high,
      .drain_low = spec->drain_low,
      .order = spec->order,
      .eligible = spec->order == SL_DRAM_OLDEST_FIRST ? 1 : SL_DRAM_MAX_QUEUE,
      .forward = spec->forward,
      .refresh = spec->refresh,
      .clock_numerator = spec->clock_numerator,
      .clock_denominator = spec->clock_denominator,
  };
  plan_nodes(&d->plan, s);
  plan_constraints(&d->plan, spec);
  plan_commands(&d->plan);
  for (unsigned c = 0; c < s->channels; c++) {
    struct sl_dram_channel *ch = &d->channel[c];
    memset(ch->history, 0xff, sizeof(ch->history));
    ch->latest.tick = NEVER;
    ch->refresh_due = spec->refresh ? s->refresh_interval : NEVER;
    ch->next = ch->refresh_due;
    ch->next_command = NEVER;
  }
  d->working = spec->refresh ? sl_low_bits(s->channels) : 0;
  d->next = d->channel[0].next;
}

static struct sl_dram_request *place(struct sl_dram_queue *q, unsigned i)
{
  return &q->request[q->order[i]];
}

/* Inserts a request after all that arrived no later. */
static void insert(struct sl_dram_queue *q, struct sl_dram_request request)
{
  unsigned at = q->count;
  for (; at > 0 && place(q, at - 1)->arrived > request.arrived; at--)
    q->order[at] = q->order[at - 1];
  const unsigned slot = sl_lowest(~q->used);
  q->used |= sl_bit(slot);
  q->order[at] = (uint8_t)slot;
  q->request[slot] = request;
  q->count++;
}

static struct sl_dram_request erase(struct sl_dram_queue *q, unsigned i)
{
  const unsigned slot = q->order[i];
  q->count--;
  memmove(&q->order[i], &q->order[i + 1], q->count - i);
  q->used &= ~sl_bit(slot);
  return q->request[slot];
}

static enum sl_dram_state bank_state(const struct sl_dram_channel *ch, const struct sl_dram_request *request)
{
  if ((ch->open >> request->bank & 1) == 0)
    return SL_DRAM_CLOSED;
  return ch->row[request->bank] == request->row ? SL_DRAM_OPEN_SAME : SL_DRAM_OPEN_OTHER;
}

static uint64_t later(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

/* The first cycle in which no constraint forbids a command to a bank. */
static uint64_t earliest(const struct sl_dram_plan *plan, const struct sl_dram_channel *ch,
                         enum sl_dram_command command, unsigned bank)
{
  const uint8_t *node = plan->node[bank];
  const uint64_t outer = later(ch->ready[0][command], ch->ready[node[SL_DRAM_PSEUDO_CHANNEL]][command]);
  const uint64_t inner = later(ch->ready[node[SL_DRAM_BANK_GROUP]][command], ch->ready[node[SL_DRAM_BANK]][command]);
  return later(outer, inner);
}

/* The next command that a request needs. */
static enum sl_dram_command command_for(const struct sl_dram_plan *plan, const struct sl_dram_request *request,
                                        enum sl_dram_state state)
{
  return (enum sl_dram_command)plan->first_command[request->write][state];
}

struct choice {
  bool found;
  enum sl_dram_command command;
  struct sl_dram_queue *queue; /* NULL for a refresh */
  unsigned place;
  uint64_t wake; /* if nothing was found: the first cycle in which a command may be possible */
};

/* Among requests with equal bank and equal next command, only the oldest is considered. activated: the queue of the
 * requests whose row is open. */
static inline __attribute__((always_inline)) struct choice choose(const struct sl_dram_plan *plan,
                                                                  struct sl_dram_channel *ch, struct sl_dram_queue *q,
                                                                  uint64_t tick, const bool activated)
{
  struct choice best = {.queue = q, .wake = NEVER};
  uint64_t seen[2] = {0, 0};
  const unsigned eligible = q->count < plan->eligible ? q->count : plan->eligible;
  for (unsigned i = 0; i < eligible; i++) {
    const struct sl_dram_request *request = place(q, i);
    const enum sl_dram_state state = activated ? SL_DRAM_OPEN_SAME : bank_state(ch, request);
    const bool hit = state == SL_DRAM_OPEN_SAME;
    if (seen[hit] >> request->bank & 1)
      continue;
    seen[hit] |= sl_bit(request->bank);
    const enum sl_dram_command command = command_for(plan, request, state);
    const uint64_t at = earliest(plan, ch, command, request->bank);
    if (at > tick) {
      best.wake = at < best.wake ? at : best.wake;
      continue;
    }
    if (best.found && !hit)
      continue;
    best = (struct choice){true, command, q, i, tick};
    if (hit || plan->order != SL_DRAM_HIT_FIRST)
      break;
  }
  return best;
}

static struct choice choose_refresh(const struct sl_dram_channel *ch, uint64_t tick)
{
  const enum sl_dram_state state = ch->open != 0 ? SL_DRAM_OPEN_OTHER : SL_DRAM_CLOSED;
  const enum sl_dram_command command = sl_dram_commands[SL_DRAM_REFAB].first[state];
  const uint64_t at = ch->ready[0][command];
  return (struct choice){.found = at <= tick, .command = command, .wake = at};
}

static void switch_direction(const struct sl_dram_plan *plan, struct sl_dram_channel *ch)
{
  if (ch->draining)
    ch->draining = ch->writes.count > plan->drain_low || ch->reads.count == 0;
  else
    ch->draining = ch->writes.count >= plan->drain_high || ch->reads.count == 0;
}

static struct choice choose_any(const struct sl_dram_plan *plan, struct sl_dram_channel *ch, uint64_t tick)
{
  struct choice activated = {.wake = NEVER}, other;
  if (ch->activated.count > 0)
    activated = choose(plan, ch, &ch->activated, tick, true);
  if (activated.found)
    return activated;
  if (ch->refreshes_owed > 0) {
    other = choose_refresh(ch, tick);
  } else {
    switch_direction(plan, ch);
    other = choose(plan, ch, ch->draining ? &ch->writes : &ch->reads, tick, false);
  }
  if (!other.found && activated.wake < other.wake)
    other.wake = activated.wake;
  return other;
}

/* Whether a command would close a row that was opened for a request and must stay open until that request is served. */
static bool closes_activated(struct sl_dram_channel *ch, const struct choice *choice)
{
  if (!sl_dram_commands[choice->command].closes)
    return false;
  for (unsigned i = 0; i < ch->activated.count; i++)
    if (choice->queue == NULL || place(&ch->activated, i)->bank == place(choice->queue, choice->place)->bank)
      return true;
  return false;
}

/* Adds an ACT to the history of a node: the latest first. */
static void note_activation(uint64_t history[SL_DRAM_MAX_WINDOW], uint64_t tick)
{
  for (unsigned i = SL_DRAM_MAX_WINDOW - 1; i > 0; i--)
    history[i] = history[i - 1];
  history[0] = tick;
}

static void constrain(const struct sl_dram_plan *plan, struct sl_dram_channel *ch, enum sl_dram_command command,
                      unsigned bank, uint64_t tick)
{
  const uint8_t *node = plan->node[bank];
  const struct sl_dram_constraint *c = &plan->constraint[plan->first_constraint[command]];
  const struct sl_dram_constraint *windowed = &plan->constraint[plan->first_windowed[command]];
  const struct sl_dram_constraint *end = &plan->constraint[plan->first_constraint[command + 1]];
  for (unsigned rest = command == SL_DRAM_ACT ? plan->windowed : 0; rest; rest &= rest - 1)
    note_activation(ch->history[node[sl_lowest(rest)]], tick);
  for (; c < windowed; c++) {
    uint64_t *ready = &ch->ready[node[c->level]][c->next];
    *ready = later(*ready, tick + c->cycles);
  }
  for (; c < end; c++) {
    uint64_t *ready = &ch->ready[node[c->level]][c->next];
    const uint64_t from = ch->history[node[c->level]][c->window - 1];
    *ready = from != NEVER ? later(*ready, from + c->cycles) : *ready;
  }
}

static void count_row(struct sl_dram_statistics *statistics, enum sl_dram_state state)
{
  statistics->row_hits += state == SL_DRAM_OPEN_SAME;
  statistics->row_misses += state == SL_DRAM_CLOSED;
  statistics->row_conflicts += state == SL_DRAM_OPEN_OTHER;
}

static void put_read(struct sl_dram_channel *ch, uint64_t tag, uint64_t ready)
{
  ch->read[(ch->first + ch->under_way++) % SL_DRAM_MAX_READS] = (struct sl_dram_read){tag, ready};
}

/* Issues the choice. Its own command serves a request; a request whose row has been opened moves to the activated
 * queue. */
static void advance(struct sl_dram_controller *d, struct sl_dram_channel *ch, const struct choice *choice,
                    uint64_t tick)
{
  const enum sl_dram_command command = choice->command;
  if (command == SL_DRAM_RD)
    put_read(ch, erase(choice->queue, choice->place).tag, tick + d->plan.read_latency);
  else if (command == SL_DRAM_WR)
    erase(choice->queue, choice->place);
  else if (sl_dram_commands[command].opens)
    insert(&ch->activated, erase(choice->queue, choice->place));
}

static void issue(struct sl_dram_controller *d, struct sl_dram_channel *ch, const struct choice *choice, uint64_t tick)
{
  const enum sl_dram_command command = choice->command;
  const struct sl_dram_command_facts *facts = &sl_dram_commands[command];
  ch->latest = (struct sl_dram_issue){.tick = tick, .command = command};
  if (choice->queue != NULL) {
    struct sl_dram_request *request = place(choice->queue, choice->place);
    if (!request->counted)
      count_row(&d->statistics, bank_state(ch, request));
    request->counted = true;
    ch->latest.bank = request->bank;
    ch->latest.row = request->row;
    advance(d, ch, choice, tick);
  }
  constrain(&d->plan, ch, command, ch->latest.bank, tick);
  if (facts->opens) {
    ch->open |= sl_bit(ch->latest.bank);
    ch->row[ch->latest.bank] = ch->latest.row;
  }
  if (facts->closes)
    ch->open &= facts->scope == SL_DRAM_BANK ? ~sl_bit(ch->latest.bank) : 0;
  if (command == SL_DRAM_REFAB) {
    ch->refreshes_owed--;
    d->statistics.refreshes++;
  }
}

static void hand_out(struct sl_dram_controller *d, struct sl_dram_channel *ch, uint64_t tick, uint64_t cycle)
{
  if (ch->under_way == 0 || ch->read[ch->first].ready > tick || d->done_count == SL_DRAM_MAX_DONE)
    return;
  d->done[(d->first_done + d->done_count++) % SL_DRAM_MAX_DONE] = (struct sl_dram_read){ch->read[ch->first].tag, cycle};
  ch->first = (ch->first + 1) % SL_DRAM_MAX_READS;
  ch->under_way--;
}

static bool has_work(const struct sl_dram_channel *ch)
{
  return ch->reads.count + ch->writes.count + ch->activated.count + ch->under_way > 0;
}

static void run_commands(struct sl_dram_controller *d, struct sl_dram_channel *ch, uint64_t tick)
{
  const struct choice choice = choose_any(&d->plan, ch, tick);
  if (choice.found && !closes_activated(ch, &choice))
    issue(d, ch, &choice, tick);
  ch->next_command = choice.found ? tick + 1 : choice.wake;
}

static void run_channel(struct sl_dram_controller *d, struct sl_dram_channel *ch, uint64_t tick, uint64_t cycle)
{
  hand_out(d, ch, tick, cycle);
  if (tick >= ch->refresh_due) {
    ch->refreshes_owed++;
    ch->refresh_due += d->plan.refresh_interval;
    ch->next_command = tick;
  }
  if (tick >= ch->next_command)
    run_commands(d, ch, tick);
  ch->next = ch->next_command < ch->refresh_due ? ch->next_command : ch->refresh_due;
  if (ch->under_way > 0 && ch->read[ch->first].ready < ch->next)
    ch->next = later(ch->read[ch->first].ready, tick + 1);
  if (ch->busy && !has_work(ch)) {
    d->statistics.busy += tick - ch->busy_since;
    ch->busy = false;
  }
}

void sl_dram_controller_run(struct sl_dram_controller *d, uint64_t cycle)
{
  const uint64_t now = sl_dram_tick(&d->plan, cycle);
  while (d->next <= now) {
    const uint64_t tick = d->next;
    d->next = NEVER;
    for (uint64_t left = d->working; left != 0; left &= left - 1) {
      struct sl_dram_channel *ch = &d->channel[sl_lowest(left)];
      if (ch->next <= tick)
        run_channel(d, ch, tick, cycle);
      d->next = ch->next < d->next ? ch->next : d->next;
      if (ch->next == NEVER)
        d->working &= ~(left & -left);
    }
  }
}

static bool forwards(const struct sl_dram_plan *plan, const struct sl_dram_channel *ch, uint64_t address)
{
  for (unsigned i = 0; plan->forward && i < ch->writes.count; i++)
    if (ch->writes.request[ch->writes.order[i]].address == address)
      return true;
  return false;
}

static bool has_room(const struct sl_dram_plan *plan, const struct sl_dram_channel *ch, bool write, bool forwarded)
{
  if (write)
    return ch->writes.count < plan->write_queue;
  return ch->reads.count + ch->activated.count + ch->under_way < SL_DRAM_MAX_READS &&
         (forwarded || ch->reads.count < plan->read_queue);
}

static unsigned channel_of(const struct sl_dram_plan *plan, uint64_t address)
{
  return sl_dram_field_of(plan->mapping.level[SL_DRAM_CHANNEL], address);
}

bool sl_dram_can_take(const struct sl_dram_controller *d, uint64_t address, bool write)
{
  const struct sl_dram_channel *ch = &d->channel[channel_of(&d->plan, address)];
  return has_room(&d->plan, ch, write, !write && forwards(&d->plan, ch, address));
}

static unsigned bank_of(const struct sl_dram_plan *plan, uint64_t address)
{
  unsigned bank = 0;
  for (unsigned level = SL_DRAM_PSEUDO_CHANNEL; level < SL_DRAM_LEVELS; level++)
    bank = bank << plan->mapping.level[level].bits | sl_dram_field_of(plan->mapping.level[level], address);
  return bank;
}

static void wake(struct sl_dram_controller *d, unsigned c, uint64_t now, uint64_t next)
{
  struct sl_dram_channel *ch = &d->channel[c];
  if (!ch->busy) {
    ch->busy = true;
    ch->busy_since = now;
  }
  ch->next = next < ch->next ? next : ch->next;
  d->working |= sl_bit(c);
  d->next = ch->next < d->next ? ch->next : d->next;
}

/* Enqueues a request and returns the first cycle in which its command can issue. A new request in the queue that is
 * being served cannot change the direction, so nothing changes before that cycle. */
static uint64_t enqueue(const struct sl_dram_plan *plan, struct sl_dram_channel *ch,
                        const struct sl_dram_request *request)
{
  uint64_t next = request->arrived + 1;
  insert(request->write ? &ch->writes : &ch->reads, *request);
  if (ch->draining == request->write)
    next = later(next, earliest(plan, ch, command_for(plan, request, bank_state(ch, request)), request->bank));
  ch->next_command = next < ch->next_command ? next : ch->next_command;
  return next;
}

bool sl_dram_take(struct sl_dram_controller *d, uint64_t cycle, uint64_t address, bool write, uint64_t tag)
{
  const struct sl_dram_plan *plan = &d->plan;
  const unsigned c = channel_of(plan, address);
  struct sl_dram_channel *ch = &d->channel[c];
  const bool forwarded = !write && forwards(plan, ch, address);
  if (!has_room(plan, ch, write, forwarded))
    return false;
  const uint64_t now = sl_dram_tick(plan, cycle);
  d->statistics.reads += !write;
  d->statistics.writes += write;
  d->statistics.forwarded += forwarded;
  uint64_t next = now + 1;
  if (forwarded)
    put_read(ch, tag, next);
  else
    next = enqueue(plan, ch,
                   &(struct sl_dram_request){
                       .address = address,
                       .tag = tag,
                       .arrived = now,
                       .row = sl_dram_field_of(plan->mapping.row, address),
                       .bank = (uint8_t)bank_of(plan, address),
                       .write = write,
                   });
  wake(d, c, now, next);
  return true;
}

uint64_t sl_dram_controller_next(const struct sl_dram_controller *d, uint64_t cycle)
{
  if (d->done_count > 0)
    return cycle;
  if (d->working == 0)
    return NEVER;
  uint64_t at = d->next;
  if (d->plan.clock_numerator != d->plan.clock_denominator)
    at = (at * d->plan.clock_denominator + d->plan.clock_numerator - 1) / d->plan.clock_numerator;
  return at > cycle ? at : cycle;
}

struct sl_dram_statistics sl_dram_statistics(const struct sl_dram_controller *d, uint64_t cycle)
{
  struct sl_dram_statistics s = d->statistics;
  const uint64_t now = sl_dram_tick(&d->plan, cycle);
  for (unsigned c = 0; c < d->plan.channels; c++)
    if (d->channel[c].busy && now > d->channel[c].busy_since)
      s.busy += now - d->channel[c].busy_since;
  return s;
}
