/* Commands in several queues, such as CUDA streams. Here they are performed one after another; on a GPU those that
 * nothing orders may run at the same time, so two launches must not access one word if one of them writes it, nor a
 * launch and a copy, nor two copies. The order is that of queues, events and waits of the host
 * (device/command_queue.h). Of two accesses to a word within one launch the shadow keeps the later one, so a race with
 * the earlier one may not be seen. Source: CUDA C++ Programming Guide, "Asynchronous Concurrent Execution". */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "isa/lanes.h"
#include "observe/check/check_feed.h"

enum { MOST = 256 /* past commands; of more, the oldest are forgotten */ };

void sl_check_past_clear(struct sl_check *check)
{
  check->pasts = 0;
  check->queued = check->launches_apart = check->copies_apart = false;
}

void sl_check_past_forget(struct sl_check *check, uint64_t first, uint64_t bytes)
{
  size_t kept = 0;
  for (size_t i = 0; i < check->pasts; i++) {
    const struct sl_check_past *p = &check->past[i];
    if (!p->copy || p->first >= first + bytes || first >= p->first + p->bytes)
      check->past[kept++] = *p;
  }
  check->pasts = kept;
}

/* Forgets commands that the host has waited for, since they are before all later ones. */
static void prune(struct sl_check *check, const struct sl_check_queued *order)
{
  size_t kept = 0, surplus = check->pasts >= MOST ? check->pasts - MOST / 2 : 0;
  for (size_t i = 0; i < check->pasts; i++) {
    const struct sl_check_past *p = &check->past[i];
    if (order->host[p->queue] < p->number && i >= surplus)
      check->past[kept++] = *p;
  }
  check->pasts = kept;
}

static void mark(struct sl_check *check, const struct sl_check_queued *order)
{
  check->launches_apart = check->copies_apart = false;
  for (size_t i = check->pasts; i-- > 0;) {
    struct sl_check_past *p = &check->past[i];
    p->apart = order->seen[p->queue] < p->number;
    if (!p->apart)
      continue;
    check->copies_apart |= p->copy;
    check->launches_apart |= !p->copy;
    if (!p->copy)
      check->apart_from = p->begin;
  }
}

/* The launch of a time, if it is apart; NULL: it is not. Launches ascend by time. */
static const struct sl_check_past *launch_of(const struct sl_check *check, uint32_t time)
{
  const struct sl_check_past *found = NULL;
  if (time < check->apart_from)
    return NULL;
  for (size_t i = 0; i < check->pasts && (check->past[i].copy || check->past[i].begin <= time); i++)
    if (!check->past[i].copy)
      found = &check->past[i];
  return found != NULL && found->apart ? found : NULL;
}

/* ---- launches ---------------------------------------------------------------------------------------------------- */

void sl_check_past_begin(struct sl_check *check)
{
  if (check->queued)
    check->past[check->pasts - 1].begin = check->launched;
}

void sl_check_past_name(struct sl_check *check)
{
  if (!check->queued)
    return;
  struct sl_check_past *p = &check->past[check->pasts - 1];
  memcpy(p->grid, check->grid, sizeof p->grid);
  memcpy(p->size, check->size, sizeof p->size);
  snprintf(p->kernel, sizeof p->kernel, "%s", check->kernel);
  check->queued = false;
}

/* Against one earlier access of another launch. Atomic operations and stores of one constant are no race. */
static void against(struct sl_check *check, const struct sl_check_access *a, unsigned lane, uint64_t address,
                    const struct sl_check_stamp *other, bool wrote)
{
  const uint32_t both = a->flags & other->site;
  const struct sl_check_past *launch = other->time < check->launched ? launch_of(check, other->time) : NULL;
  if (launch == NULL || (both & SL_CHECK_STRONG) != 0 || ((both & SL_CHECK_CONSTANT) != 0 && wrote && a->stores))
    return;
  const char *did = !wrote ? "reads" : (other->site & SL_CHECK_ATOMIC) != 0 ? "updates atomically" : "writes";
  check->other = launch;
  sl_check_race(check, a, lane, address, other, did, NULL, a->width);
  check->other = NULL;
}

static void against_cell(struct sl_check *check, const struct sl_check_access *a, unsigned lane, uint64_t address,
                         const struct sl_check_cell *c)
{
  against(check, a, lane, address, &c->write, true);
  against(check, a, lane, address, &c->strong, true);
  for (unsigned i = 0; i < 2 && a->stores; i++)
    against(check, a, lane, address, &c->read[i], false);
}

static void against_launches(struct sl_check *check, const struct sl_check_access *a, unsigned lane)
{
  const uint64_t first = a->address[lane], end = first + a->width;
  for (uint64_t at = first / 4 * 4; at < end; at += 4) {
    struct sl_check_cell *c = sl_check_cell_at(check, a, at);
    if (c == NULL || (c->write.site & SL_CHECK_SPLIT) == 0) {
      if (c != NULL)
        against_cell(check, a, lane, at > first ? at : first, c);
      continue;
    }
    const struct sl_check_cell *byte = sl_check_bytes_of(check, c);
    for (unsigned i = 0; i < 4; i++)
      if (at + i >= first && at + i < end)
        against_cell(check, a, lane, at + i, &byte[i]);
  }
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

static void against_copies(struct sl_check *check, const struct sl_check_access *a, unsigned lane)
{
  char what[200];
  const uint64_t at = a->address[lane];
  for (size_t i = 0; i < check->pasts; i++) {
    const struct sl_check_past *p = &check->past[i];
    if (!p->copy || !p->apart || !(p->writes || a->stores) || at >= p->first + p->bytes || at + a->width <= p->first)
      continue;
    snprintf(what, sizeof what, "which a copy of %" PRIu64 " bytes in another stream %s: nothing orders the two",
             p->bytes, p->writes ? "writes" : "reads");
    sl_check_defect(check, "race", a, lane, at, a->width, what);
    return;
  }
}

void sl_check_apart(struct sl_check *check, const struct sl_check_access *a)
{
  for (sl_lanes rest = a->active; rest != 0; rest &= rest - 1) {
    if (check->launches_apart)
      against_launches(check, a, sl_lowest(rest));
    if (check->copies_apart)
      against_copies(check, a, sl_lowest(rest));
  }
}

static void report_copy(struct sl_check *check, const struct sl_check_past *copy, uint32_t site, const char *kernel,
                        uint64_t address, const char *does)
{
  char place[300], text[900];
  sl_check_name_place(check, site, place, sizeof place);
  snprintf(text, sizeof text,
           "%s: kernel %.200s %s global memory 0x%" PRIx64 ", which a copy of %" PRIu64
           " bytes in another stream %s: nothing orders the two",
           place, kernel, does, address, copy->bytes, copy->writes ? "writes" : "reads");
  sl_check_note(check, "race", sl_check_place(check, site) ^ 1, text);
}

/* A copy begins: against what launches have done to its words. */
static void copy_against_launches(struct sl_check *check, const struct sl_check_past *copy)
{
  for (uint64_t at = copy->first / 4 * 4; at < copy->first + copy->bytes; at += 4) {
    const struct sl_check_cell *c = sl_check_known_cell(check, at);
    if (c == NULL) {
      at = at / SL_CHECK_PAGE * SL_CHECK_PAGE + SL_CHECK_PAGE - 4; /* the page is unknown */
      continue;
    }
    const struct sl_check_stamp *stamps[] = {&c->write, &c->strong, &c->read[0], &c->read[1]};
    for (unsigned i = 0; i < (copy->writes ? 4u : 2u); i++) {
      const struct sl_check_past *launch = launch_of(check, stamps[i]->time);
      if (launch == NULL)
        continue;
      report_copy(check, copy, stamps[i]->site & SL_CHECK_SITE, launch->kernel, at, i < 2 ? "writes" : "reads");
    }
  }
}

static void copy_against_copies(struct sl_check *check, const struct sl_check_past *copy)
{
  char text[300];
  for (size_t i = 0; i < check->pasts; i++) {
    const struct sl_check_past *p = &check->past[i];
    if (!p->copy || !p->apart || !(p->writes || copy->writes) || p->first >= copy->first + copy->bytes ||
        copy->first >= p->first + p->bytes)
      continue;
    snprintf(text, sizeof text,
             "a copy of %" PRIu64 " bytes %s global memory 0x%" PRIx64 ", which a copy of %" PRIu64
             " bytes in another stream %s: nothing orders the two",
             copy->bytes, copy->writes ? "writes" : "reads", copy->first > p->first ? copy->first : p->first, p->bytes,
             p->writes ? "writes" : "reads");
    sl_check_note(check, "race", copy->first ^ p->first << 1 ^ 3, text);
  }
}

static void add_copy(struct sl_check *check, const struct sl_check_queued *order, uint64_t first, uint64_t bytes,
                     bool writes)
{
  const struct sl_check_past copy = {
      .queue = order->queue, .number = order->number, .copy = true, .first = first, .bytes = bytes, .writes = writes};
  if (check->launches_apart)
    copy_against_launches(check, &copy);
  if (check->copies_apart)
    copy_against_copies(check, &copy);
  if (sl_check_grow(check, &check->past, check->pasts, &check->past_room, sizeof *check->past))
    check->past[check->pasts++] = copy;
}

void sl_check_queued(struct sl_check *check, const struct sl_check_queued *c)
{
  prune(check, c);
  mark(check, c);
  check->queued = false;
  if (c->reads)
    add_copy(check, c, c->from, c->bytes, false);
  if (c->writes)
    add_copy(check, c, c->to, c->bytes, true);
  if (!c->launch || !sl_check_grow(check, &check->past, check->pasts, &check->past_room, sizeof *check->past))
    return;
  check->queued = true;
  check->past[check->pasts++] = (struct sl_check_past){.queue = c->queue, .number = c->number, .begin = UINT32_MAX};
}
