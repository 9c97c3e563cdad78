#include "observe/commits.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/grow.h"
#include "program/program.h"

/* ---- writer ------------------------------------------------------------------------------------------------------ */

enum { LONGEST_LINE = 256 + SL_MAX_LANES * 9 };

static bool read_window(struct sl_commit_choice *choice, const char *text)
{
  choice->from = 0;
  choice->to = UINT64_MAX;
  if (*text != ':' && !sl_take_digits(&text, &choice->from))
    return false;
  if (*text++ != ':')
    return false;
  return (*text == '\0' || sl_take_digits(&text, &choice->to)) && *text == '\0' && choice->from <= choice->to;
}

static bool read_warps(struct sl_commit_choice *choice, const char *text)
{
  memset(choice->warp, 0, sizeof choice->warp);
  do {
    uint64_t first, last;
    if (!sl_take_digits(&text, &first))
      return false;
    last = first;
    if (*text == '-' && (text++, !sl_take_digits(&text, &last)))
      return false;
    if (first > last || last >= SL_COMMIT_WARPS)
      return false;
    for (uint64_t warp = first; warp <= last; warp++)
      choice->warp[warp / 64] |= UINT64_C(1) << (warp % 64);
  } while (*text++ == ',');
  return text[-1] == '\0';
}

enum sl_status sl_commit_choose(struct sl_commit_choice *choice, const char *window, const char *warps,
                                struct sl_error *err)
{
  *choice = (struct sl_commit_choice){.window = window, .warps = warps, .to = UINT64_MAX};
  memset(choice->warp, 0xff, sizeof choice->warp);
  if (window != NULL && !read_window(choice, window))
    return sl_fail(err, SL_USAGE,
                   "a window of cycles is FROM:TO, counted from the launch, such as 1000:2000, not '%.80s'", window);
  if (warps != NULL && !read_warps(choice, warps))
    return sl_fail(err, SL_USAGE, "warps are numbers and ranges below %d, such as 0,3,8-11, not '%.80s'",
                   SL_COMMIT_WARPS, warps);
  return SL_OK;
}

static bool is_chosen(const struct sl_commit_choice *choice, const struct sl_probe *commit)
{
  return commit->cycle >= choice->from && commit->cycle <= choice->to &&
         (commit->warp >= SL_COMMIT_WARPS || (choice->warp[commit->warp / 64] >> (commit->warp % 64) & 1) != 0);
}

void sl_commits_begin(struct sl_commits *commits, struct sl_trace_file *file, const struct sl_commit_choice *choice,
                      const char *origin)
{
  *commits = (struct sl_commits){.file = file, .choice = *choice};
  sl_trace_file_print(file, "# simtlab commits 2: cycle warp mask pc instruction [register=values]\n");
  if (origin != NULL) {
    sl_trace_file_print(file, "# made by ");
    sl_trace_file_write(file, origin, strlen(origin));
    sl_trace_file_print(file, "\n");
  }
  if (choice->window != NULL)
    sl_trace_file_print(file, "# only cycles %s\n", choice->window);
  if (choice->warps != NULL)
    sl_trace_file_print(file, "# only warps %s\n", choice->warps);
}

void sl_commits_end(struct sl_commits *commits)
{
  sl_trace_file_print(commits->file, "# end: %" PRIu64 " instructions\n", commits->count);
}

static char *put_hex(char *out, uint64_t value, unsigned digits)
{
  for (unsigned i = digits; i-- > 0;)
    *out++ = "0123456789abcdef"[(value >> (4 * i)) & 15];
  return out;
}

static char *put_decimal(char *out, uint64_t value)
{
  char digits[20];
  size_t n = 0;
  do
    digits[n++] = (char)('0' + value % 10);
  while ((value /= 10) != 0);
  while (n > 0)
    *out++ = digits[--n];
  return out;
}

static char *put_text(char *out, const char *text)
{
  for (; *text != '\0'; text++)
    *out++ = *text == '\t' ? ' ' : *text;
  return out;
}

static char *put_values(char *out, const struct sl_probe *commit)
{
  *out++ = ' ';
  out = put_text(out, sl_register_name(commit->insn, commit->insn->rd));
  char separator = '=';
  for (sl_lanes lanes = commit->active; lanes != 0; lanes &= lanes - 1) {
    *out++ = separator;
    out = put_hex(out, commit->values[sl_lowest(lanes)], 8);
    separator = ',';
  }
  return out;
}

/* Traces have millions of lines, so fields are not formatted with printf. */
bool sl_commits_write(void *context, const struct sl_probe *commit)
{
  struct sl_commits *commits = context;
  char line[LONGEST_LINE], text[128];
  if (!is_chosen(&commits->choice, commit))
    return true;
  if (!commits->begun || commits->launch != commit->launch)
    sl_trace_file_print(commits->file, "launch %u\n", commit->launch);
  commits->begun = true;
  commits->count++;
  commits->launch = commit->launch;
  char *out = put_decimal(line, commit->cycle);
  *out++ = ' ';
  out = put_decimal(out, commit->warp);
  *out++ = ' ';
  out = put_hex(out, commit->active, (commit->lanes + 3) / 4);
  *out++ = ' ';
  out = put_hex(out, commit->pc, 8);
  *out++ = ' ';
  sl_disassemble(commit->insn, (uint32_t)commit->pc, text, sizeof text);
  out = put_text(out, text);
  if (commit->values != NULL)
    out = put_values(out, commit);
  *out++ = '\n';
  sl_trace_file_write(commits->file, line, (size_t)(out - line));
  return true;
}

/* ---- reader ------------------------------------------------------------------------------------------------------ */

enum { LONGEST_READ = 1 << 16 };

#define HEADER "# simtlab commits "

const char *const sl_commit_field_names[SL_COMMIT_FIELDS] = {"launch", "cycle",       "warp",     "mask",
                                                             "pc",     "instruction", "register", "values"};

static unsigned bit(enum sl_commit_field field)
{
  return 1u << field;
}

/* ---- a parsed line ----------------------------------------------------------------------------------------------- */

static bool is(struct sl_commit_word word, const char *text)
{
  return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

static struct sl_commit_word trimmed(struct sl_commit_word text)
{
  while (text.length > 0 && is_blank(text.text[0])) {
    text.text++;
    text.length--;
  }
  while (text.length > 0 && is_blank(text.text[text.length - 1]))
    text.length--;
  return text;
}

/* Removes and returns the first word; empty at the end. */
static struct sl_commit_word next_word(struct sl_commit_word *rest)
{
  *rest = trimmed(*rest);
  struct sl_commit_word word = {rest->text, 0};
  while (word.length < rest->length && !is_blank(word.text[word.length]))
    word.length++;
  rest->text += word.length;
  rest->length -= word.length;
  return word;
}

/* Removes and returns the last word. */
static struct sl_commit_word last_word(struct sl_commit_word *rest)
{
  *rest = trimmed(*rest);
  const struct sl_commit_word all = *rest;
  while (rest->length > 0 && !is_blank(rest->text[rest->length - 1]))
    rest->length--;
  const struct sl_commit_word word = {all.text + rest->length, all.length - rest->length};
  *rest = trimmed(*rest);
  return word;
}

/* Parses a number of at most `bits` bits, digits only. */
static bool number(struct sl_commit_word word, unsigned base, unsigned bits, uint64_t *value)
{
  const uint64_t most = sl_low_bits(bits);
  uint64_t sum = 0;
  for (size_t i = 0; i < word.length; i++) {
    const char c = word.text[i];
    const unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                           : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                           : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                                  : base;
    if (digit >= base || sum > (most - digit) / base)
      return false;
    sum = sum * base + digit;
  }
  *value = sum;
  return word.length > 0;
}

/* Parses the values of the active lanes, or of the first lanes if the mask is unknown. */
static const char *read_values(struct sl_commit_word list, struct sl_commit_line *line)
{
  const bool masked = line->known & bit(SL_COMMIT_MASK);
  sl_lanes rest = masked ? line->mask : ~(sl_lanes)0;
  while (rest != 0 && list.length > 0) {
    const unsigned lane = sl_lowest(rest);
    const char *comma = memchr(list.text, ',', list.length);
    const struct sl_commit_word word = {list.text, comma != NULL ? (size_t)(comma - list.text) : list.length};
    uint64_t value = 0;
    if (!is(word, "-")) {
      if (!number(word, 16, 32, &value))
        return "a value is not a 32-bit hexadecimal number";
      line->value_lanes |= sl_bit(lane);
    }
    line->value[lane] = (uint32_t)value;
    rest &= rest - 1;
    const size_t used = word.length + (comma != NULL);
    list.text += used;
    list.length -= used;
  }
  if (list.length > 0 || (masked && rest != 0))
    return masked ? "the number of values differs from the number of active lanes" : "there are more values than lanes";
  return NULL;
}

/* The rest is the instruction, except for a last word that is the destination. */
static const char *read_instruction(struct sl_commit_word rest, struct sl_commit_line *line)
{
  struct sl_commit_word before = rest;
  const struct sl_commit_word last = last_word(&before);
  if (last.length == 0)
    return "the instruction is missing";
  const char *equals = memchr(last.text, '=', last.length);
  const bool unknown = is(last, "-");
  line->instruction = equals != NULL || (unknown && before.length > 0) ? before : trimmed(rest);
  if (line->instruction.length > 0 && !is(line->instruction, "-"))
    line->known |= bit(SL_COMMIT_INSTRUCTION);
  if (!unknown)
    line->known |= bit(SL_COMMIT_REGISTER) | bit(SL_COMMIT_VALUES);
  if (equals == NULL)
    return NULL;
  line->reg = (struct sl_commit_word){last.text, (size_t)(equals - last.text)};
  return read_values((struct sl_commit_word){equals + 1, last.length - line->reg.length - 1}, line);
}

/* Parses a line; returns NULL, or the error. */
static const char *read_line(struct sl_commit_word text, uint32_t launch, struct sl_commit_line *line)
{
  *line = (struct sl_commit_line){.launch = launch};
  line->known = bit(SL_COMMIT_LAUNCH) | bit(SL_COMMIT_WARP) | bit(SL_COMMIT_PC);
  const struct sl_commit_word cycle = next_word(&text), warp = next_word(&text), mask = next_word(&text),
                              pc = next_word(&text);
  uint64_t value;
  if (!is(cycle, "-")) {
    if (!number(cycle, 10, 64, &line->cycle))
      return "the cycle is not a decimal number";
    line->known |= bit(SL_COMMIT_CYCLE);
  }
  if (!number(warp, 10, 32, &value) || value >= SL_COMMIT_WARPS)
    return "the warp is not a warp number";
  line->warp = (uint32_t)value;
  if (!is(mask, "-")) {
    if (!number(mask, 16, 64, &line->mask))
      return "the mask is not a hexadecimal number";
    line->known |= bit(SL_COMMIT_MASK);
  }
  if (!number(pc, 16, 32, &value))
    return "the pc is not a 32-bit hexadecimal number";
  line->pc = (uint32_t)value;
  return read_instruction(text, line);
}

/* ---- a log ------------------------------------------------------------------------------------------------------- */

static enum sl_status cannot_read(const char *path, struct sl_error *err)
{
  return sl_fail(err, SL_USAGE, "%.200s: cannot be read (%s)", path, strerror(errno));
}

/* Reads input of unknown size, such as a pipe. */
static enum sl_status read_pipe(struct sl_commit_log *log, int file, struct sl_error *err)
{
  size_t capacity = 1 << 16;
  ssize_t n = 1;
  log->text = malloc(capacity);
  while (log->text != NULL && n > 0) {
    n = read(file, log->text + log->size, capacity - log->size);
    if (n > 0)
      log->size += (size_t)n;
    if (log->size == capacity) {
      char *larger = realloc(log->text, capacity *= 2);
      if (larger == NULL)
        free(log->text);
      log->text = larger;
    }
  }
  if (log->text == NULL)
    return sl_no_memory(err, capacity);
  return n < 0 ? cannot_read(log->name, err) : SL_OK;
}

/* Traces are large, so files are memory-mapped. */
static enum sl_status read_text(struct sl_commit_log *log, const char *path, struct sl_error *err)
{
  struct stat status;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return sl_fail(err, SL_USAGE, "%.200s: cannot be opened (%s)", path, strerror(errno));
  enum sl_status code = SL_OK;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    log->size = (size_t)status.st_size;
    void *map = mmap(NULL, log->size, PROT_READ, MAP_PRIVATE, file, 0);
    log->mapped = map != MAP_FAILED;
    log->text = log->mapped ? map : NULL;
    if (!log->mapped)
      code = cannot_read(path, err);
  } else {
    code = read_pipe(log, file, err);
  }
  close(file);
  return code;
}

static enum sl_status add_entry(struct sl_commit_log *log, const struct sl_commit_entry *entry, struct sl_error *err)
{
  if (!SL_GROW(log->entries, log->count))
    return sl_no_memory(err, 2 * log->count * sizeof *log->entries);
  log->entries[log->count++] = *entry;
  return SL_OK;
}

/* Parses "launch N"; false for other lines. */
static bool read_launch(struct sl_commit_word text, uint32_t *launch)
{
  uint64_t value;
  if (!is(next_word(&text), "launch") || !number(next_word(&text), 10, 32, &value))
    return false;
  *launch = (uint32_t)value;
  return true;
}

/* Adds a line that is neither empty nor a comment. */
static enum sl_status take_line(struct sl_commit_log *log, struct sl_commit_word text, struct sl_commit_entry *entry,
                                struct sl_error *err)
{
  struct sl_commit_line line;
  if (read_launch(text, &entry->launch))
    return SL_OK;
  const char *wrong = read_line(text, entry->launch, &line);
  if (wrong != NULL || text.length > LONGEST_READ)
    return sl_fail(err, SL_USAGE, "%.200s:%" PRIu32 ": not a line of a commit trace: %s", log->name, entry->line,
                   wrong != NULL ? wrong : "it is too long");
  entry->warp = line.warp;
  return add_entry(log, entry, err);
}

/* Version 1 has no last line, version 2 has one. A log without a first line is from another source and is treated as
 * version 1. */
static enum sl_status read_version(const struct sl_commit_log *log, uint64_t *version, struct sl_error *err)
{
  const size_t length = sizeof HEADER - 1;
  *version = 1;
  if (log->size <= length || memcmp(log->text, HEADER, length) != 0)
    return SL_OK;
  const size_t digits = log->size - length < 9 ? log->size - length : 9;
  const char *colon = memchr(log->text + length, ':', digits);
  const struct sl_commit_word word = {log->text + length, colon != NULL ? (size_t)(colon - log->text) - length : 0};
  if (number(word, 10, 32, version) && (*version == 1 || *version == 2))
    return SL_OK;
  return sl_fail(err, SL_USAGE, "%.200s: a commit trace of another version; this simtlab reads versions 1 and 2",
                 log->name);
}

/* "# end: N instructions" */
static bool read_end(struct sl_commit_word text, uint64_t *count)
{
  return is(next_word(&text), "#") && is(next_word(&text), "end:") && number(next_word(&text), 10, 64, count) &&
         is(next_word(&text), "instructions");
}

static enum sl_status check_end(const struct sl_commit_log *log, uint64_t version, bool ended, uint64_t count,
                                struct sl_error *err)
{
  if (version == 1)
    return log->count > 0 ? SL_OK : sl_fail(err, SL_USAGE, "%.200s: contains no instruction", log->name);
  if (!ended)
    return sl_fail(err, SL_USAGE,
                   "%.200s: cut, its last line, \"# end\", is missing: the run that wrote it did not end, or the "
                   "copy is incomplete",
                   log->name);
  if (count != log->count)
    return sl_fail(err, SL_USAGE, "%.200s: %zu instructions, but its last line says %" PRIu64 ": the file was modified",
                   log->name, log->count, count);
  return SL_OK;
}

static enum sl_status index_lines(struct sl_commit_log *log, struct sl_error *err)
{
  struct sl_commit_entry entry = {0};
  uint64_t version, count = 0;
  bool ended = false;
  enum sl_status code = read_version(log, &version, err);
  for (size_t at = 0; at < log->size && code == SL_OK;) {
    const char *start = log->text + at, *end = memchr(start, '\n', log->size - at);
    const struct sl_commit_word whole = {start, end != NULL ? (size_t)(end - start) : log->size - at};
    const struct sl_commit_word text = trimmed(whole);
    entry.offset = at;
    entry.length = (uint32_t)whole.length;
    entry.line++;
    at += whole.length + (end != NULL);
    if (end == NULL && version > 1)
      break; /* a partial line: the trace is truncated */
    if (text.length > 0 && *text.text != '#')
      code = take_line(log, text, &entry, err);
    else if (read_end(text, &count))
      ended = true;
  }
  return code == SL_OK ? check_end(log, version, ended, count, err) : code;
}

static void free_text(struct sl_commit_log *log)
{
  if (log->mapped)
    munmap(log->text, log->size);
  else
    free(log->text);
  log->mapped = false;
  log->text = NULL;
}

static enum sl_status unpack(struct sl_commit_log *log, struct sl_error *err)
{
  char *text;
  size_t size;
  const enum sl_status code = sl_unpack(log->name, log->text, log->size, SIZE_MAX, &text, &size, err);
  if (code != SL_OK)
    return code;
  free_text(log);
  log->text = text;
  log->size = size;
  return SL_OK;
}

enum sl_status sl_commit_log_read(struct sl_commit_log *log, const char *path, struct sl_error *err)
{
  *log = (struct sl_commit_log){0};
  snprintf(log->name, sizeof log->name, "%.255s", path);
  enum sl_status code = read_text(log, path, err);
  if (code == SL_OK && sl_is_packed(log->text, log->size))
    code = unpack(log, err);
  if (code == SL_OK)
    code = index_lines(log, err);
  if (code != SL_OK)
    sl_commit_log_free(log);
  return code;
}

void sl_commit_log_free(struct sl_commit_log *log)
{
  free_text(log);
  free(log->entries);
  *log = (struct sl_commit_log){0};
}

void sl_commit_log_line(const struct sl_commit_log *log, size_t i, struct sl_commit_line *line)
{
  const struct sl_commit_entry *entry = &log->entries[i];
  read_line((struct sl_commit_word){log->text + entry->offset, entry->length}, entry->launch, line);
}

/* ---- comparison -------------------------------------------------------------------------------------------------- */

static bool same_word(struct sl_commit_word a, struct sl_commit_word b)
{
  return a.length == b.length && (a.length == 0 || memcmp(a.text, b.text, a.length) == 0);
}

sl_lanes sl_commit_lanes_that_differ(const struct sl_commit_line *a, const struct sl_commit_line *b)
{
  sl_lanes differ = 0;
  for (sl_lanes rest = a->value_lanes & b->value_lanes; rest; rest &= rest - 1)
    if (a->value[sl_lowest(rest)] != b->value[sl_lowest(rest)])
      differ |= sl_bit(sl_lowest(rest));
  return differ;
}

unsigned sl_commit_differences(const struct sl_commit_line *a, const struct sl_commit_line *b)
{
  const bool equal[SL_COMMIT_FIELDS] = {
      [SL_COMMIT_LAUNCH] = a->launch == b->launch,
      [SL_COMMIT_CYCLE] = a->cycle == b->cycle,
      [SL_COMMIT_WARP] = a->warp == b->warp,
      [SL_COMMIT_MASK] = a->mask == b->mask,
      [SL_COMMIT_PC] = a->pc == b->pc,
      [SL_COMMIT_INSTRUCTION] = same_word(a->instruction, b->instruction),
      [SL_COMMIT_REGISTER] = same_word(a->reg, b->reg),
      [SL_COMMIT_VALUES] = sl_commit_lanes_that_differ(a, b) == 0,
  };
  unsigned differ = 0;
  for (unsigned field = 0; field < SL_COMMIT_FIELDS; field++)
    if (!equal[field])
      differ |= 1u << field;
  return differ & a->known & b->known;
}
