/* Findings: what the checker reports, once for each pair of places, with the number of times. */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "observe/check/check_feed.h"
#include "observe/json.h"
#include "program/program.h"
#include "ptx/ptx.h"

enum { MOST = 4096 /* findings; further ones are only counted in those */ };

/* ---- places ------------------------------------------------------------------------------------------------------ */

static size_t site_slot(const struct sl_check_sites *s, const void *owner, uint64_t pc)
{
  size_t i = (size_t)((pc ^ (uintptr_t)owner >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (s->slots - 1);
  while (s->slot[i] != 0 && (s->site[s->slot[i] - 1].pc != pc || s->site[s->slot[i] - 1].owner != owner))
    i = (i + 1) & (s->slots - 1);
  return i;
}

static bool more_slots(struct sl_check *check)
{
  struct sl_check_sites *s = &check->sites;
  const size_t slots = s->slots != 0 ? 2 * s->slots : 1024;
  uint32_t *slot = calloc(slots, sizeof *slot);
  check->out_of_memory |= slot == NULL;
  if (slot == NULL)
    return false;
  free(s->slot);
  s->slot = slot;
  s->slots = slots;
  for (size_t i = 0; i < s->count; i++)
    slot[site_slot(s, s->site[i].owner, s->site[i].pc)] = (uint32_t)i + 1;
  return true;
}

uint32_t sl_check_search_site(struct sl_check *check, const void *owner, uint64_t pc)
{
  struct sl_check_sites *s = &check->sites;
  if (2 * s->count >= s->slots && !more_slots(check))
    return 0;
  uint32_t *slot = &s->slot[site_slot(s, owner, pc)];
  if (*slot != 0)
    return *slot - 1;
  if (s->count == SL_CHECK_SITE || !sl_check_grow(check, &s->site, s->count, &s->room, sizeof *s->site))
    return 0;
  s->site[s->count++] = (struct sl_check_site){.owner = owner, .pc = pc};
  *slot = (uint32_t)s->count;
  return *slot - 1;
}

static const struct sl_ptx_source *source_of(const struct sl_ptx_module *m, uint64_t pc)
{
  const uint32_t number = pc < m->code_count ? m->code[pc].source : 0;
  const struct sl_ptx_source *source = number > 0 ? &m->sources[number - 1] : NULL;
  return source != NULL && source->line != 0 && source->file < m->file_count && m->files[source->file][0] != '\0'
             ? source
             : NULL;
}

/* A file of the compiler or of an SDK: its functions are inlined, and PTX does not say where. */
static bool is_header(const char *file)
{
  return strncmp(file, "/usr/", 5) == 0 || strstr(file, "/include/") != NULL;
}

/* Its own line, or the program's line before the inlined function. */
static const struct sl_ptx_source *program_line(const struct sl_ptx_module *m, uint64_t pc)
{
  const struct sl_ptx_source *source = source_of(m, pc), *own = source;
  uint64_t begin = 0;
  for (unsigned i = 0; i < m->function_count; i++)
    if (m->functions[i].begin <= pc && pc < m->functions[i].end)
      begin = m->functions[i].begin;
  while (m->source_count > 0 && (source == NULL || is_header(m->files[source->file])) && pc > begin) {
    const struct sl_ptx_source *before = source_of(m, --pc);
    source = before != NULL ? before : source;
  }
  return source != NULL && is_header(m->files[source->file]) ? own : source;
}

static void locate_ptx(const struct sl_ptx_module *m, uint64_t pc, struct sl_check_party *party)
{
  const struct sl_ptx_insn *in = pc < m->code_count ? &m->code[pc] : NULL;
  const struct sl_ptx_source *source = program_line(m, pc);
  const bool known = source != NULL;
  party->module_line = in != NULL ? in->line : 0;
  party->line = known ? source->line : party->module_line;
  snprintf(party->file, sizeof party->file, "%s", known ? m->files[source->file] : m->path);
}

static void locate(const struct sl_check *check, uint32_t number, struct sl_check_party *party)
{
  const struct sl_check_site *site = number < check->sites.count ? &check->sites.site[number] : NULL;
  party->pc = site != NULL ? site->pc : 0;
  if (site == NULL)
    return;
  if (check->program == NULL) {
    locate_ptx(site->owner, site->pc, party);
    return;
  }
  struct sl_location at = sl_program_locate(check->program, (uint32_t)site->pc);
  const char *file;
  unsigned line;
  if (at.file != NULL && sl_program_call_line(check->program, (uint32_t)site->pc, &file, &line)) {
    at.file = file;
    at.line = line;
  }
  party->line = at.line;
  if (at.file != NULL)
    snprintf(party->file, sizeof party->file, "%s", at.file);
  else
    snprintf(party->file, sizeof party->file, "%s+0x%x", at.function != NULL ? at.function : "code",
             at.function != NULL ? at.function_offset : (unsigned)site->pc);
}

uint64_t sl_check_place(struct sl_check *check, uint32_t number)
{
  struct sl_check_party party = {.line = 0};
  if (number >= check->sites.count)
    return 1;
  struct sl_check_site *site = &check->sites.site[number];
  if (site->place != 0)
    return site->place;
  locate(check, number, &party);
  uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ (party.line != 0 ? party.line : site->pc);
  for (const char *at = party.file; *at != '\0'; at++)
    hash = (hash ^ (uint8_t)*at) * UINT64_C(0x100000001b3);
  return site->place = hash | 1;
}

/* Position of a number in a box of these sizes. */
static void place_in(uint32_t number, const uint32_t size[3], uint32_t place[3])
{
  const uint32_t x = size[0] != 0 ? size[0] : 1, y = size[1] != 0 ? size[1] : 1;
  place[0] = number % x;
  place[1] = number / x % y;
  place[2] = number / x / y;
}

/* A thread of a launch with this grid and size of blocks. */
static void set_thread(uint32_t who, unsigned lanes, const uint32_t grid[3], const uint32_t size[3],
                       struct sl_check_party *party)
{
  const unsigned thread = who & ((1u << SL_CHECK_THREAD_BITS) - 1);
  party->has_thread = size[0] != 0;
  party->core = who >> SL_CHECK_THREAD_BITS;
  party->warp = thread / SL_MAX_LANES;
  party->lane = thread % SL_MAX_LANES;
  place_in(who >> SL_CHECK_THREAD_BITS, grid, party->block);
  place_in(party->warp * lanes + party->lane, size, party->thread);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void name_offset(char *text, size_t size, const char *name, uint64_t offset)
{
  snprintf(text, size, offset != 0 ? "%.100s + %" PRIu64 : "%.100s", name, offset);
}

static void name_buffer(const struct sl_check *check, uint64_t address, char *text, size_t size)
{
  for (size_t i = check->buffers; i-- > 0;) {
    const struct sl_check_buffer *b = &check->buffer[i];
    if (address < b->first || address - b->first >= b->bytes)
      continue;
    snprintf(text, size, "byte %" PRIu64 " of %s buffer of %" PRIu64 " bytes", address - b->first,
             b->freed ? "a freed" : "a", b->bytes);
    return;
  }
}

/* The name in the source of a variable in a function: what follows the last E and the length of the name in
 * "_ZZ4funcPiE5local". Source: Itanium C++ ABI, "External Names". */
static const char *local_name(const char *name)
{
  const char *found = name;
  for (const char *at = name; strncmp(name, "_ZZ", 3) == 0 && *at != '\0'; at++) {
    const size_t digits = strspn(at + 1, "0123456789");
    if (*at == 'E' && digits > 0 && (size_t)atoi(at + 1) == strlen(at + 1 + digits))
      found = at + 1 + digits;
  }
  return found;
}

/* "_ZZ4workPiE4tile" is a variable in the body of "_Z4workPi". */
static bool in_body(const char *variable, const char *kernel)
{
  if (strncmp(variable, "_ZZ", 3) != 0 || strncmp(kernel, "_Z", 2) != 0)
    return false;
  for (variable += 3, kernel += 2; *kernel != '\0' && *kernel == *variable; kernel++)
    variable++;
  return *kernel == '\0';
}

/* Variables of different kernels may have the same place. */
static void name_shared(const struct sl_check *check, uint64_t address, char *text, size_t size)
{
  const struct sl_ptx_module *m = check->module;
  const struct sl_ptx_shared *found = NULL;
  bool sure = false, several = false;
  for (unsigned i = 0; m != NULL && i < m->shared_count && !sure; i++) {
    const struct sl_ptx_shared *v = &m->shared[i];
    const bool own = v->function == UINT32_MAX || !m->functions[v->function].entry ||
                     strcmp(m->functions[v->function].name, check->kernel) == 0;
    if (!own || address < v->address || address - v->address >= v->bytes)
      continue;
    sure = v->function != UINT32_MAX || in_body(v->name, check->kernel);
    several = found != NULL && !sure;
    found = v;
  }
  if (found != NULL && !several)
    name_offset(text, size, local_name(found->name), address - found->address);
}

static void name_memory(const struct sl_check *check, bool shared, uint64_t address, char *text, size_t size)
{
  const struct sl_ptx_module *m = check->module;
  text[0] = '\0';
  for (unsigned i = 0; m != NULL && i < m->variable_count; i++) {
    const struct sl_ptx_variable *v = &m->variables[i];
    if (!shared && v->space == SL_PTX_GLOBAL && address >= v->address && address - v->address < v->bytes) {
      name_offset(text, size, v->name, address - v->address);
      return;
    }
  }
  if (shared)
    name_shared(check, address, text, size);
  else
    name_buffer(check, address, text, size);
}

/* ---- findings ---------------------------------------------------------------------------------------------------- */

static struct sl_check_finding *find(struct sl_check *check, const char *kind, uint64_t key)
{
  for (size_t i = check->findings; i-- > 0;)
    if (check->finding[i].key == key && check->finding[i].kind == kind)
      return &check->finding[i];
  return NULL;
}

static struct sl_check_finding *add(struct sl_check *check, const char *kind, uint64_t key)
{
  if (check->findings == MOST ||
      !sl_check_grow(check, &check->finding, check->findings, &check->finding_room, sizeof *check->finding))
    return NULL;
  struct sl_check_finding *f = &check->finding[check->findings++];
  *f = (struct sl_check_finding){.kind = kind, .key = key, .count = 1, .schedule = check->schedule};
  snprintf(f->kernel, sizeof f->kernel, "%s", check->kernel);
  return f;
}

/* Adds a finding. NULL: there is one of this kind and place, which counts it; or there is no room. */
static struct sl_check_finding *add_new(struct sl_check *check, const char *kind, uint64_t key)
{
  struct sl_check_finding *f = find(check, kind, key);
  if (f == NULL)
    return add(check, kind, key);
  f->count++;
  return NULL;
}

/* Whether a line of the file of suppressions matches the finding. */
static bool is_suppressed(const struct sl_check *check, const struct sl_check_finding *f)
{
  char sentence[sizeof f->text + 40], pattern[512];
  snprintf(sentence, sizeof sentence, "%s: %s", f->kind, f->text);
  for (const char *at = check->suppressions; at != NULL && *at != '\0';) {
    const size_t length = strcspn(at, "\n");
    snprintf(pattern, sizeof pattern, "%.*s", (int)length, at);
    if (pattern[0] != '#' && pattern[0] != '\0' && fnmatch(pattern, sentence, 0) == 0)
      return true;
    at += length + (at[length] == '\n');
  }
  return false;
}

/* "thread (3,0,0) of block (1,0,0)" */
static void name_thread(const struct sl_check_party *p, char *text, size_t size)
{
  if (!p->has_thread) {
    snprintf(text, size, "a thread of core %u", p->core);
    return;
  }
  snprintf(text, size, "thread (%u,%u,%u) of block (%u,%u,%u)%s%.200s", p->thread[0], p->thread[1], p->thread[2],
           p->block[0], p->block[1], p->block[2], p->kernel[0] != '\0' ? " of kernel " : "", p->kernel);
}

static void name_place(const struct sl_check_party *p, char *text, size_t size)
{
  if (p->line != 0)
    snprintf(text, size, "%s:%u", p->file, p->line);
  else
    snprintf(text, size, "%s", p->file);
}

/* " at shared memory 0x10 (tile + 4)" */
static void name_target(const struct sl_check_finding *f, char *text, size_t size)
{
  snprintf(text, size, "%s memory 0x%" PRIx64 "%s%s%s", f->space, f->address, f->variable[0] != '\0' ? " (" : "",
           f->variable, f->variable[0] != '\0' ? ")" : "");
}

static void name_value(const struct sl_check_party *p, char *text, size_t size)
{
  text[0] = '\0';
  if (p->has_value)
    snprintf(text, size, ", value %" PRIu64, p->value);
}

static const char *missing(const struct sl_check_finding *f)
{
  const struct sl_check_party *p = f->party;
  if (f->apart)
    return "nothing orders the launches in their streams";
  if (f->copies)
    return "the copying thread has not waited for the copy";
  if (p[0].core != p[1].core)
    return "only atomics with fences order different blocks";
  if (p[0].warp != p[1].warp)
    return "no barrier is between them";
  return f->together ? "both lanes do it in one instruction" : "no synchronisation of the warp is between them";
}

static void write_race(struct sl_check_finding *f)
{
  char thread[2][320], place[2][300], target[220], value[2][40];
  for (unsigned i = 0; i < 2; i++) {
    name_thread(&f->party[i], thread[i], sizeof thread[i]);
    name_place(&f->party[i], place[i], sizeof place[i]);
    name_value(&f->party[i], value[i], sizeof value[i]);
  }
  name_target(f, target, sizeof target);
  snprintf(f->text, sizeof f->text, "%s: %s (warp %u, lane %u%s) %s %s, which %s (warp %u, lane %u%s) %s at %s: %s",
           place[0], thread[0], f->party[0].warp, f->party[0].lane, value[0], f->party[0].does, target, thread[1],
           f->party[1].warp, f->party[1].lane, value[1], f->party[1].does, place[1], missing(f));
}

static const char *does(const struct sl_check_access *a)
{
  if ((a->flags & SL_CHECK_ASYNC) != 0)
    return "copies asynchronously to";
  return a->loads && a->stores ? "updates atomically" : a->stores ? "writes" : "reads";
}

static void set_target(struct sl_check *check, struct sl_check_finding *f, const struct sl_check_access *a,
                       unsigned lane, uint64_t address, unsigned bytes)
{
  f->address = address;
  f->bytes = bytes;
  f->parties = 1;
  snprintf(f->space, sizeof f->space, "%s", a->shared ? "shared" : a->own ? "local" : "global");
  if (!a->own)
    name_memory(check, a->shared, address, f->variable, sizeof f->variable);
  locate(check, a->site & SL_CHECK_SITE, &f->party[0]);
  set_thread(a->block->number << SL_CHECK_THREAD_BITS | (a->warp * SL_MAX_LANES + lane), a->block->lanes, check->grid,
             check->size, &f->party[0]);
  f->party[0].does = does(a);
}

/* The value that the access stores there. */
static void set_value(struct sl_check_party *p, const struct sl_check_access *a, unsigned lane, uint64_t address)
{
  const uint64_t offset = address - a->address[lane];
  const unsigned e = a->bytes != 0 ? (unsigned)(offset / a->bytes) : 0, bytes = a->bytes < 4 ? a->bytes : 4;
  if (a->element[0] == NULL || e >= 4 || a->element[e] == NULL || offset % a->bytes + bytes > 8)
    return;
  memcpy(&p->value, a->element[e] + lane * ((a->wide >> e & 1) != 0 ? 8u : 4u) + offset % a->bytes, bytes);
  p->has_value = true;
}

void sl_check_race(struct sl_check *check, const struct sl_check_access *a, unsigned lane, uint64_t address,
                   const struct sl_check_stamp *earlier, const char *did, const uint32_t *value, unsigned bytes)
{
  const uint32_t two = earlier->site & SL_CHECK_SITE;
  const uint64_t here = sl_check_place(check, a->site & SL_CHECK_SITE), there = sl_check_place(check, two);
  const uint64_t key = here < there ? here * 31 + there : there * 31 + here;
  struct sl_check_finding *f = add_new(check, "race", key);
  if (f == NULL)
    return;
  set_target(check, f, a, lane, address, bytes);
  set_value(&f->party[0], a, lane, address);
  f->parties = 2;
  locate(check, two, &f->party[1]);
  set_thread(earlier->who, a->block->lanes, check->other != NULL ? check->other->grid : check->grid,
             check->other != NULL ? check->other->size : check->size, &f->party[1]);
  f->apart = check->other != NULL;
  if (f->apart)
    snprintf(f->party[1].kernel, sizeof f->party[1].kernel, "%s", check->other->kernel);
  f->party[1].does = did;
  f->party[1].has_value = value != NULL;
  f->party[1].value = value != NULL ? *value : 0;
  f->copies = (earlier->site & SL_CHECK_ASYNC) != 0;
  f->together = a->stores && earlier->time == check->clock;
  write_race(f);
  f->suppressed = is_suppressed(check, f);
}

void sl_check_defect(struct sl_check *check, const char *kind, const struct sl_check_access *a, unsigned lane,
                     uint64_t address, unsigned bytes, const char *what)
{
  char thread[100], place[300], target[220];
  const uint64_t key = sl_check_place(check, a->site & SL_CHECK_SITE);
  struct sl_check_finding *f = add_new(check, kind, key);
  if (f == NULL)
    return;
  set_target(check, f, a, lane, address, bytes);
  name_thread(&f->party[0], thread, sizeof thread);
  name_place(&f->party[0], place, sizeof place);
  name_target(f, target, sizeof target);
  snprintf(f->text, sizeof f->text, "%s: %s (warp %u, lane %u) %s %s, %s", place, thread, f->party[0].warp,
           f->party[0].lane, f->party[0].does, target, what);
  f->suppressed = is_suppressed(check, f);
}

void sl_check_note(struct sl_check *check, const char *kind, uint64_t key, const char *text)
{
  struct sl_check_finding *f = add_new(check, kind, key);
  if (f == NULL)
    return;
  snprintf(f->text, sizeof f->text, "%s", text);
  f->suppressed = is_suppressed(check, f);
}

void sl_check_name_place(const struct sl_check *check, uint32_t site, char *text, size_t size)
{
  struct sl_check_party party = {.line = 0};
  locate(check, site, &party);
  name_place(&party, text, size);
}

uint32_t sl_check_column(const struct sl_check *check, uint32_t number)
{
  const struct sl_check_site *site = number < check->sites.count ? &check->sites.site[number] : NULL;
  const struct sl_ptx_source *source = site != NULL && check->program == NULL ? source_of(site->owner, site->pc) : NULL;
  return source != NULL ? source->column : 0;
}

/* A header of the library whose functions contain barriers, and its start code. */
static bool is_library(const char *path)
{
  const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path, *dot = strrchr(name, '.');
  if (strcmp(name, "vortex.c") == 0)
    return true;
  return dot != NULL && strcmp(dot, ".h") == 0 &&
         (strcmp(name, "simt.h") == 0 || strncmp(name, "simt_", 5) == 0 || strncmp(name, "vortex", 6) == 0 ||
          strncmp(name, "vx_", 3) == 0);
}

bool sl_check_frame(const struct sl_check *check, uint32_t number, struct sl_check_frame *frame)
{
  const struct sl_check_site *site = number < check->sites.count ? &check->sites.site[number] : NULL;
  *frame = (struct sl_check_frame){.file = NULL};
  if (site == NULL || check->program == NULL)
    return false;
  const uint32_t pc = (uint32_t)site->pc;
  if (!sl_program_frame(check->program, pc, is_library, &frame->file, &frame->line) || frame->line == 0)
    return false;
  const struct sl_location at = sl_program_locate(check->program, pc);
  const char *file;
  unsigned line;
  frame->ends = at.function != NULL &&
                sl_program_frame(check->program, pc - at.function_offset, is_library, &file, &line) &&
                line == frame->line && strcmp(file, frame->file) == 0;
  return true;
}

bool sl_check_is_same_place(const struct sl_check *check, uint32_t a, uint32_t b)
{
  char one[300], two[300];
  if (a == b)
    return true;
  struct sl_check_frame first, second;
  if (check->program != NULL && sl_check_frame(check, a, &first) && sl_check_frame(check, b, &second))
    return first.line == second.line && strcmp(first.file, second.file) == 0;
  sl_check_name_place(check, a, one, sizeof one);
  sl_check_name_place(check, b, two, sizeof two);
  return strcmp(one, two) == 0 && sl_check_column(check, a) == sl_check_column(check, b);
}

/* ---- reports ----------------------------------------------------------------------------------------------------- */

/* The value that a racy or stray read finds is no defect of its own. */
static bool is_of_other(const struct sl_check *check, const struct sl_check_finding *f)
{
  for (size_t i = 0; strcmp(f->kind, "uninitialised read") == 0 && i < check->findings; i++) {
    const struct sl_check_finding *other = &check->finding[i];
    const bool explains = other->parties == 2 || strcmp(other->kind, "out of bounds") == 0;
    for (unsigned k = 0; k < other->parties && explains; k++)
      if (other->party[k].line == f->party[0].line && strcmp(other->kernel, f->kernel) == 0)
        return true;
  }
  return false;
}

size_t sl_check_count(const struct sl_check *check)
{
  size_t count = 0;
  for (size_t i = 0; i < check->findings; i++)
    count += !check->finding[i].suppressed && !check->finding[i].follows;
  return count;
}

void sl_check_say(struct sl_check *check, void (*say)(void *context, const char *sentence), void *context)
{
  char sentence[sizeof check->finding->text + SL_GPU_NAME + 160], schedule[40];
  for (size_t i = 0; i < check->findings; i++) {
    struct sl_check_finding *f = &check->finding[i];
    f->follows |= is_of_other(check, f);
    if (f->said || f->suppressed || f->follows)
      continue;
    f->said = true;
    snprintf(schedule, sizeof schedule, "schedule %" PRIu64 "; ", f->schedule);
    snprintf(sentence, sizeof sentence, "%s: %s (%s%s%s%s%" PRIu64 " time%s)", f->kind, f->text,
             f->kernel[0] != '\0' ? "kernel " : "", f->kernel, f->kernel[0] != '\0' ? "; " : "",
             f->schedule != 0 ? schedule : "", f->count, f->count == 1 ? "" : "s");
    say(context, sentence);
  }
}

static json_t *json_of_party(const struct sl_check_party *p)
{
  json_t *j = json_pack("{s:s, s:s, s:i, s:I}", "does", p->does, "file", p->file, "line", (int)p->line, "pc",
                        (json_int_t)p->pc);
  if (j == NULL)
    return NULL;
  if (p->module_line != 0)
    json_object_set_new(j, "ptx_line", json_integer(p->module_line));
  if (p->has_thread) {
    json_object_set_new(j, "block", json_pack("[i,i,i]", p->block[0], p->block[1], p->block[2]));
    json_object_set_new(j, "thread", json_pack("[i,i,i]", p->thread[0], p->thread[1], p->thread[2]));
  }
  json_object_set_new(j, "warp", json_integer(p->warp));
  json_object_set_new(j, "lane", json_integer(p->lane));
  if (p->has_value)
    json_object_set_new(j, "value", json_integer((json_int_t)p->value));
  return j;
}

static json_t *json_of_finding(const struct sl_check_finding *f)
{
  json_t *parties = json_array();
  for (unsigned i = 0; i < f->parties; i++)
    json_array_append_new(parties, json_of_party(&f->party[i]));
  json_t *j = json_pack("{s:s, s:s, s:s, s:I, s:b, s:o}", "kind", f->kind, "text", f->text, "kernel", f->kernel,
                        "count", (json_int_t)f->count, "suppressed", f->suppressed, "accesses", parties);
  if (j != NULL && f->schedule != 0)
    json_object_set_new(j, "schedule", json_integer((json_int_t)f->schedule));
  if (j != NULL && f->parties > 0) {
    json_object_set_new(j, "space", json_string(f->space));
    json_object_set_new(j, "address", json_integer((json_int_t)f->address));
    json_object_set_new(j, "bytes", json_integer(f->bytes));
    json_object_set_new(j, "variable", json_string(f->variable));
  }
  return j;
}

json_t *sl_check_json(const struct sl_check *check, const char *program)
{
  json_t *all = json_array();
  for (size_t i = 0; i < check->findings; i++)
    if (!check->finding[i].follows)
      json_array_append_new(all, json_of_finding(&check->finding[i]));
  return json_pack("{s:i, s:s, s:I, s:o}", "schema", 1, "program", program, "findings",
                   (json_int_t)sl_check_count(check), "list", all);
}
