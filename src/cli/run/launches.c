#include "cli/run/run.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "observe/output.h"
#include "program/kernels.h"

enum { CHUNK = 1 << 16, WORDS_OF_A_LINE = 8 };

struct planner {
  struct sl_launches *launches;
  struct sl_device *device;
  const struct sl_program *program;
};

/* The most recent buffer of a name, or NULL. */
static const struct sl_named_buffer *find_buffer(const struct sl_launches *l, const char *name)
{
  for (size_t i = l->buffer_count; i > 0; i--)
    if (strcmp(l->buffer[i - 1].name, name) == 0)
      return &l->buffer[i - 1];
  return NULL;
}

static enum sl_status no_buffer(const struct sl_launches *l, const char *name, struct sl_error *err)
{
  const char *names[64];
  size_t count = 0;
  for (size_t i = 0; i < l->buffer_count && count < 64; i++)
    if (l->buffer[i].name[0] != '\0')
      names[count++] = l->buffer[i].name;
  if (count == 0)
    return sl_fail(err, SL_USAGE, "no buffer is called '%.100s': make one by NAME=zero(BYTES) among the arguments",
                   name);
  return sl_unknown(err, "buffer", name, names, count);
}

/* Copies a file to device memory; with device NULL, only returns its size. */
static enum sl_status read_file(const char *path, struct sl_device *device, uint32_t address, uint64_t *size,
                                struct sl_error *err)
{
  uint8_t bytes[CHUNK];
  FILE *file = fopen(path, "rb");
  uint64_t at = 0;
  size_t n;
  if (file == NULL)
    return sl_fail(err, SL_USAGE, "%.200s: cannot be opened (%s)", path, strerror(errno));
  while ((n = fread(bytes, 1, sizeof bytes, file)) > 0 && at <= UINT32_MAX) {
    if (device != NULL && at + n <= *size)
      sl_device_write(device, address + (uint32_t)at, bytes, n);
    at += n;
  }
  const bool bad = ferror(file) != 0;
  fclose(file);
  if (bad || at == 0)
    return sl_fail(err, SL_USAGE, "%.200s: %s", path, bad ? "cannot be read" : "the file is empty");
  *size = at;
  return SL_OK;
}

static enum sl_status make_buffer(struct planner *p, const struct sl_argument *a, const char *name, uint32_t *address,
                                  struct sl_error *err)
{
  struct sl_launches *l = p->launches;
  uint64_t size = a->kind == SL_ARGUMENT_IOTA ? 4 * a->number : a->number;
  enum sl_status code = a->kind == SL_ARGUMENT_FILE ? read_file(a->text, NULL, 0, &size, err) : SL_OK;
  if (code == SL_OK)
    code = sl_device_alloc(p->device, size, address, err);
  if (code == SL_OK && a->kind == SL_ARGUMENT_FILE)
    code = read_file(a->text, p->device, *address, &size, err);
  if (code != SL_OK)
    return code;
  for (uint32_t i = 0; a->kind == SL_ARGUMENT_IOTA && i < a->number; i++)
    sl_device_write(p->device, *address + 4 * i, &i, 4);
  struct sl_named_buffer *buffer = &l->buffer[l->buffer_count++];
  *buffer = (struct sl_named_buffer){.address = *address, .size = size};
  snprintf(buffer->name, sizeof buffer->name, "%s", a->name[0] != '\0' ? a->name : name);
  return SL_OK;
}

/* Encodes a number as a parameter of the type. */
static enum sl_status number_bits(const struct sl_argument *a, const struct sl_parameter *parameter, const char *kernel,
                                  uint64_t *bits, struct sl_error *err)
{
  const bool to_float = parameter->kind == SL_PARAMETER_FLOAT;
  if (a->kind == SL_ARGUMENT_FLOAT || (to_float && !a->hexadecimal)) {
    const float value = a->kind == SL_ARGUMENT_FLOAT ? (float)a->value : (float)(int64_t)a->number;
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    *bits = word;
    if (to_float || parameter->kind == SL_PARAMETER_OTHER)
      return SL_OK;
    return sl_fail(err, SL_USAGE, "kernel %.100s: argument %s is of type %s; %.100s must be written without a dot",
                   kernel, parameter->name, parameter->type, a->text);
  }
  const unsigned width = parameter->size > 0 && parameter->size < 8 ? 8 * parameter->size : 64;
  const int64_t number = (int64_t)a->number;
  const bool fits = width == 64 || a->number >> width == 0 || (number < 0 && number >= -(INT64_C(1) << (width - 1)));
  *bits = a->number;
  return fits ? SL_OK
              : sl_fail(err, SL_USAGE, "kernel %.100s: argument %s is of type %s, which cannot hold %.100s", kernel,
                        parameter->name, parameter->type, a->text);
}

static enum sl_status argument_bits(struct planner *p, const struct sl_argument *a,
                                    const struct sl_parameter *parameter, const char *kernel, uint64_t *bits,
                                    struct sl_error *err)
{
  uint32_t address = 0;
  enum sl_status code = SL_OK;
  if (a->kind == SL_ARGUMENT_INTEGER || a->kind == SL_ARGUMENT_FLOAT)
    return number_bits(a, parameter, kernel, bits, err);
  if (a->kind == SL_ARGUMENT_NAME) {
    const struct sl_named_buffer *buffer = find_buffer(p->launches, a->name);
    if (buffer == NULL)
      return no_buffer(p->launches, a->name, err);
    address = buffer->address;
  } else
    code = make_buffer(p, a, parameter->name, &address, err);
  *bits = address;
  if (code == SL_OK && (parameter->kind == SL_PARAMETER_FLOAT || (parameter->size != 0 && parameter->size < 4)))
    return sl_fail(err, SL_USAGE, "kernel %.100s: argument %s is of type %s, not a buffer", kernel, parameter->name,
                   parameter->type);
  return code;
}

/* The parameters of the launch's kernel; words of any kind if the image does not describe them. */
static enum sl_status parameters_of(const struct planner *p, const struct sl_launch_text *text,
                                    struct sl_parameter parameter[SL_LAUNCH_ARGUMENTS], struct sl_error *err)
{
  struct sl_kernel kernel;
  const bool told = text->kernel[0] != '\0' && sl_program_find_kernel(p->program, text->kernel, &kernel);
  for (size_t i = 0; i < SL_LAUNCH_ARGUMENTS; i++) {
    parameter[i] = (struct sl_parameter){.kind = SL_PARAMETER_OTHER, .size = 4, .type = "word"};
    snprintf(parameter[i].name, sizeof parameter[i].name, "%zu", i + 1);
  }
  const size_t count = told ? sl_kernel_parameters(&kernel, parameter, SL_LAUNCH_ARGUMENTS) : text->argument_count;
  if (count == text->argument_count)
    return SL_OK;
  return sl_fail(err, SL_USAGE, "kernel %.100s takes %zu argument%s and is given %zu: %.400s", text->kernel, count,
                 count == 1 ? "" : "s", text->argument_count, count > 0 ? kernel.parameters : "it has none");
}

static enum sl_status plan_launch(struct planner *p, struct sl_planned_launch *launch, struct sl_error *err)
{
  const struct sl_launch_text *text = &launch->text;
  struct sl_parameter parameter[SL_LAUNCH_ARGUMENTS];
  size_t at = 0, widest = 1;
  enum sl_status code = parameters_of(p, text, parameter, err);
  for (size_t i = 0; i < text->argument_count && code == SL_OK; i++) {
    const size_t size = parameter[i].size != 0 ? parameter[i].size : 4;
    uint64_t bits = 0;
    code = argument_bits(p, &text->argument[i], &parameter[i], text->kernel, &bits, err);
    at = (at + size - 1) / size * size;
    memcpy(launch->arguments + at, &bits, size);
    at += size;
    widest = size > widest ? size : widest;
  }
  launch->order = (struct sl_launch_order){.program = p->program,
                                           .kernel = text->kernel[0] != '\0' ? text->kernel : NULL,
                                           .entry = text->entry,
                                           .shared = text->shared,
                                           .arguments = launch->arguments,
                                           .argument_bytes = (at + widest - 1) / widest * widest};
  memcpy(launch->order.grid, text->grid, sizeof text->grid);
  memcpy(launch->order.block, text->block, sizeof text->block);
  return code == SL_OK ? sl_device_check_order(p->device, &launch->order, err) : code;
}

/* Splits --dump into the name, which must be a buffer's, and the file. */
static enum sl_status split_dump(const struct sl_launches *l, const char *dump, const struct sl_named_buffer **buffer,
                                 const char **file, struct sl_error *err)
{
  char name[SL_LAUNCH_NAME];
  const char *equals = strchr(dump, '=');
  if (equals == NULL || equals[1] == '\0')
    return sl_fail(err, SL_USAGE, "--dump %.100s: write NAME=FILE; the FILE - is a listing on standard output", dump);
  snprintf(name, sizeof name, "%.*s", (int)(equals - dump), dump);
  *file = equals + 1;
  *buffer = find_buffer(l, name);
  return *buffer != NULL ? SL_OK : no_buffer(l, name, err);
}

/* Copies the text up to the next separator outside of parentheses into `word`. Advances *text past it, or sets it to
 * NULL after the last. Returns false if the word does not fit. */
static bool next_piece(const char **text, char separator, char word[SL_LAUNCH_WORD])
{
  const char *at = *text;
  unsigned depth = 0;
  for (; *at != '\0' && (*at != separator || depth > 0); at++)
    depth += *at == '(' ? 1 : *at == ')' && depth > 0 ? -1u : 0;
  const size_t length = (size_t)(at - *text);
  if (length >= SL_LAUNCH_WORD)
    return false;
  memcpy(word, *text, length);
  word[length] = '\0';
  *text = *at == separator ? at + 1 : NULL;
  return true;
}

/* A number from 0 to 2^32 - 1 that fills the whole text. */
static bool whole_number(const char *text, uint32_t *value)
{
  char *end;
  errno = 0;
  const unsigned long long n = strtoull(text, &end, 0);
  *value = (uint32_t)n;
  return isdigit((unsigned char)text[0]) && *end == '\0' && errno == 0 && n <= UINT32_MAX;
}

static enum sl_status take_size(const char *what, const char *text, uint32_t size[3], struct sl_error *err)
{
  const char *at = text;
  for (unsigned i = 0; i < 3; i++) {
    char *end;
    errno = 0;
    const unsigned long long n = isdigit((unsigned char)*at) ? strtoull(at, &end, 10) : UINT64_MAX;
    if (n > UINT32_MAX || errno != 0 || (*end != '\0' && (*end != 'x' || i == 2)))
      break;
    if (n == 0)
      return sl_fail(err, SL_USAGE, "%s=%.100s: a size of 0; every dimension is at least 1", what, text);
    size[i] = (uint32_t)n;
    if (*end == '\0')
      return SL_OK;
    at = end + 1;
  }
  return sl_fail(err, SL_USAGE, "%s=%.100s: a size is X, XxY or XxYxZ, as in %s=32x8", what, text, what);
}

static bool is_name(const char *text)
{
  size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  return length > 0 && length < SL_LAUNCH_NAME && text[length] == '\0' && !isdigit((unsigned char)text[0]);
}

/* Copies the text in the parentheses of "zero(...)" into `inside`. */
static bool call_of(const char *text, const char *function, char inside[SL_LAUNCH_WORD])
{
  const size_t name = strlen(function), length = strlen(text);
  if (strncmp(text, function, name) != 0 || text[name] != '(' || length < name + 2 || text[length - 1] != ')')
    return false;
  memcpy(inside, text + name + 1, length - name - 2);
  inside[length - name - 2] = '\0';
  return true;
}

static bool take_buffer(const char *text, struct sl_argument *a)
{
  uint32_t size = 0;
  if (call_of(text, "file", a->text)) {
    a->kind = SL_ARGUMENT_FILE;
    return a->text[0] != '\0';
  }
  a->kind = call_of(text, "zero", a->text) ? SL_ARGUMENT_ZERO : SL_ARGUMENT_IOTA;
  if ((a->kind != SL_ARGUMENT_ZERO && !call_of(text, "iota", a->text)) || !whole_number(a->text, &size) || size == 0)
    return false;
  a->number = size;
  return a->kind == SL_ARGUMENT_ZERO || size <= UINT32_MAX / 4;
}

static bool take_number(const char *text, struct sl_argument *a)
{
  char *end;
  const char *digits = text + (text[0] == '-');
  if (!isdigit((unsigned char)digits[0]))
    return false;
  a->hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  errno = 0;
  if (a->hexadecimal || strpbrk(text, ".eE") == NULL) {
    a->kind = SL_ARGUMENT_INTEGER;
    const uint64_t magnitude = strtoull(digits, &end, a->hexadecimal ? 16 : 10);
    a->number = text[0] == '-' ? 0 - magnitude : magnitude;
    return *end == '\0' && errno == 0 && magnitude <= (text[0] == '-' ? UINT64_C(1) << 63 : UINT64_MAX);
  }
  a->kind = SL_ARGUMENT_FLOAT;
  a->value = strtod(text, &end);
  return *end == '\0';
}

static enum sl_status take_argument(const char *text, struct sl_argument *a, struct sl_error *err)
{
  *a = (struct sl_argument){0};
  const char *equals = strchr(text, '='), *open = strchr(text, '(');
  snprintf(a->text, sizeof a->text, "%s", text);
  if (equals != NULL && (open == NULL || equals < open)) {
    snprintf(a->name, sizeof a->name, "%.*s", (int)(equals - text), text);
    if (is_name(a->name) && take_buffer(equals + 1, a))
      return SL_OK;
  } else if (open != NULL ? take_buffer(text, a) : take_number(text, a))
    return SL_OK;
  else if (is_name(text)) {
    a->kind = SL_ARGUMENT_NAME;
    snprintf(a->name, sizeof a->name, "%.47s", text);
    return SL_OK;
  }
  return sl_fail(err, SL_USAGE,
                 "'%.200s' is no argument of a kernel: write a number (3, 0x1f, 2.5), a buffer (zero(BYTES), "
                 "iota(WORDS), file(PATH), with NAME= in front to use it again), or the name of one",
                 text);
}

static enum sl_status take_arguments(const char *text, struct sl_launch_text *launch, struct sl_error *err)
{
  char word[SL_LAUNCH_WORD];
  for (const char *at = text[0] != '\0' ? text : NULL; at != NULL;) {
    if (launch->argument_count == SL_LAUNCH_ARGUMENTS)
      return sl_fail(err, SL_USAGE, "more than %d arguments for a kernel", SL_LAUNCH_ARGUMENTS);
    if (!next_piece(&at, ':', word))
      return sl_fail(err, SL_USAGE, "an argument of a kernel is longer than %d characters", SL_LAUNCH_WORD - 1);
    if (take_argument(word, &launch->argument[launch->argument_count++], err) != SL_OK)
      return SL_USAGE;
  }
  return SL_OK;
}

static enum sl_status take_key(const char *key, const char *value, struct sl_launch_text *launch, struct sl_error *err)
{
  static const char *const keys[] = {"kernel", "grid", "block", "shared", "args"};
  if (strcmp(key, "grid") == 0)
    return take_size(key, value, launch->grid, err);
  if (strcmp(key, "block") == 0)
    return take_size(key, value, launch->block, err);
  if (strcmp(key, "args") == 0)
    return take_arguments(value, launch, err);
  if (strcmp(key, "shared") == 0)
    return whole_number(value, &launch->shared)
               ? SL_OK
               : sl_fail(err, SL_USAGE, "shared=%.100s: write a number of bytes", value);
  if (strcmp(key, "kernel") != 0)
    return sl_unknown(err, "key of a launch", key, keys, sizeof keys / sizeof keys[0]);
  if (!whole_number(value, &launch->entry))
    snprintf(launch->kernel, sizeof launch->kernel, "%s", value);
  return SL_OK;
}

static enum sl_status launch_text_parse(const char *text, struct sl_launch_text *launch, struct sl_error *err)
{
  char word[SL_LAUNCH_WORD];
  bool named = false;
  *launch = (struct sl_launch_text){0};
  for (const char *at = text; at != NULL;) {
    if (!next_piece(&at, ',', word))
      return sl_fail(err, SL_USAGE, "--launch: a key is longer than %d characters", SL_LAUNCH_WORD - 1);
    char *equals = strchr(word, '=');
    if (equals == NULL)
      return sl_fail(err, SL_USAGE, "--launch: '%.100s' has no value; a launch is kernel=NAME,grid=N,block=N,args=A:B",
                     word);
    *equals = '\0';
    named |= strcmp(word, "kernel") == 0 && equals[1] != '\0';
    if (take_key(word, equals + 1, launch, err) != SL_OK) {
      sl_error_prefix(err, "--launch: ");
      return SL_USAGE;
    }
  }
  const char *missing = !named ? "kernel" : launch->grid[0] == 0 ? "grid" : launch->block[0] == 0 ? "block" : NULL;
  return missing == NULL
             ? SL_OK
             : sl_fail(err, SL_USAGE, "--launch: %s= is missing; a launch is kernel=NAME,grid=N,block=N,args=A:B",
                       missing);
}

enum sl_status sl_launches_plan(struct sl_launches *launches, const struct sl_list *texts, const struct sl_list *dumps,
                                struct sl_device *device, const struct sl_program *program, struct sl_error *err)
{
  struct planner p = {launches, device, program};
  const struct sl_named_buffer *buffer;
  const char *file;
  enum sl_status code = SL_OK;
  *launches = (struct sl_launches){.launch = calloc(texts->count, sizeof *launches->launch),
                                   .buffer = calloc(texts->count * SL_LAUNCH_ARGUMENTS, sizeof *launches->buffer)};
  if (launches->launch == NULL || launches->buffer == NULL)
    return sl_no_memory(err, texts->count * sizeof *launches->launch);
  for (size_t i = 0; i < texts->count && code == SL_OK; i++) {
    struct sl_planned_launch *launch = &launches->launch[launches->count++];
    code = launch_text_parse(texts->items[i], &launch->text, err);
    if (code == SL_OK)
      code = plan_launch(&p, launch, err);
  }
  for (size_t i = 0; i < dumps->count && code == SL_OK; i++)
    code = split_dump(launches, dumps->items[i], &buffer, &file, err);
  return code;
}

enum sl_status sl_launches_run(struct sl_launches *launches, struct sl_device *device, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < launches->count && code == SL_OK; i++) {
    code = sl_device_start_kernel(device, &launches->launch[i].order, err);
    if (code == SL_OK)
      code = sl_device_wait(device, err);
  }
  return code;
}

/* Hexadecimal words after the address of the first; the last word has as many bytes as remain. */
static void list(const struct sl_named_buffer *buffer, const uint8_t *bytes, uint64_t at, size_t size,
                 struct sl_output *output)
{
  for (size_t i = 0; i < size; i += 4) {
    uint32_t word = 0;
    memcpy(&word, bytes + i, size - i < 4 ? size - i : 4);
    if (i / 4 % WORDS_OF_A_LINE == 0)
      sl_output_print(output, "%s%08" PRIx64 ":", at + i > 0 ? "\n" : "", buffer->address + at + i);
    sl_output_print(output, " %08" PRIx32, word);
  }
}

static enum sl_status dump_buffer(const struct sl_named_buffer *buffer, const char *file,
                                  const struct sl_device *device, struct sl_error *err)
{
  struct sl_output output = {0};
  uint8_t bytes[CHUNK];
  if (sl_output_open(&output, file, err) != SL_OK)
    return err->code;
  for (uint64_t at = 0; at < buffer->size; at += CHUNK) {
    const size_t n = buffer->size - at < CHUNK ? (size_t)(buffer->size - at) : CHUNK;
    sl_device_read(device, buffer->address + (uint32_t)at, bytes, n);
    if (output.standard)
      list(buffer, bytes, at, n, &output);
    else
      sl_output_write(&output, bytes, n);
  }
  if (output.standard)
    sl_output_print(&output, "\n");
  return sl_output_close(&output, err);
}

enum sl_status sl_launches_dump(const struct sl_launches *launches, const struct sl_list *dumps,
                                const struct sl_device *device, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < dumps->count && code == SL_OK; i++) {
    const struct sl_named_buffer *buffer;
    const char *file;
    code = split_dump(launches, dumps->items[i], &buffer, &file, err);
    if (code == SL_OK)
      code = dump_buffer(buffer, file, device, err);
  }
  return code;
}

void sl_launches_free(struct sl_launches *launches)
{
  free(launches->launch);
  free(launches->buffer);
  *launches = (struct sl_launches){0};
}
