#include "host/host_observers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "device/gpu_kind.h"
#include "device/script.h"

enum { PATH = SL_HOST_PATH };

/* A buffer of the current launch. */
struct recorded {
  uint64_t address, bytes;
  XXH128_hash_t hash; /* of its contents before the launch */
};

struct sl_host_recorder {
  char *text; /* the script of the current launch; NULL: it is not recorded */
  size_t length;
  uint64_t number;
  struct recorded *buffers;
  size_t buffer_count, room;
  bool failed; /* said once */
};

static void fail(struct sl_host_device *device, const struct sl_error *err)
{
  char sentence[1200];
  if (device->recorder->failed)
    return;
  device->recorder->failed = true;
  snprintf(sentence, sizeof sentence, "launches are recorded incompletely: %.1000s", err->text);
  if (device->options.warn != NULL)
    device->options.warn(device->options.context, sentence);
}

enum sl_status sl_host_recorder_open(struct sl_host_device *device, struct sl_error *err)
{
  char data[PATH];
  if (device->options.record[0] == '\0')
    return SL_OK;
  snprintf(data, sizeof data, "%s/data", device->options.record);
  device->recorder = calloc(1, sizeof *device->recorder);
  if (device->recorder == NULL)
    return sl_no_memory(err, sizeof *device->recorder);
  const enum sl_status code = sl_host_make_folder(device->options.record, "recorded launches", err);
  return code == SL_OK ? sl_host_make_folder(data, "recorded launches", err) : code;
}

void sl_host_recorder_close(struct sl_host_device *device)
{
  if (device->recorder == NULL)
    return;
  free(device->recorder->text);
  free(device->recorder->buffers);
  free(device->recorder);
}

void sl_host_record_module(struct sl_host_device *device, const struct sl_host_code *code)
{
  char path[SL_HOST_PATH], source[SL_HOST_PATH];
  struct sl_error err;
  if (device->recorder != NULL &&
      sl_host_module_write(device, device->options.record, code, path, source, &err) != SL_OK)
    fail(device, &err);
}

/* ---- contents ---------------------------------------------------------------------------------------------------- */

/* Without the zeros at the end, which a script need not fill in. */
static size_t without_zeros(const uint8_t *bytes, size_t size)
{
  uint64_t word;
  while (size >= sizeof word && size % sizeof word == 0 &&
         (memcpy(&word, bytes + size - sizeof word, sizeof word), word == 0))
    size -= sizeof word;
  while (size > 0 && bytes[size - 1] == 0 && size % sizeof word != 0)
    size--;
  return size;
}

/* Writes contents that are not in the folder yet, and prints how a script fills them in. */
static void put_contents(struct sl_host_device *device, FILE *script, const uint8_t *bytes, size_t size)
{
  char name[48], path[PATH];
  struct sl_error err;
  const size_t used = without_zeros(bytes, size);
  if (used == 0) {
    fprintf(script, "zero\n");
    return;
  }
  const XXH128_hash_t hash = XXH3_128bits(bytes, used);
  snprintf(name, sizeof name, "data/%016" PRIx64 "%016" PRIx64 ".bin", (uint64_t)hash.high64, (uint64_t)hash.low64);
  snprintf(path, sizeof path, "%s/%s", device->options.record, name);
  if (access(path, F_OK) != 0 && sl_host_write_file(path, bytes, used, &err) != SL_OK)
    fail(device, &err);
  fprintf(script, "file %s\n", name);
}

/* Variables whose contents differ from their initial values. */
static void put_variables(struct sl_host_device *device, FILE *script, const struct sl_gpu_module *module)
{
  const struct sl_ptx_module *m = module->ptx;
  const struct sl_ptx_memory *memory = sl_gpu_ptx_memory(device->gpu);
  for (unsigned i = 0; i < m->variable_count; i++) {
    const struct sl_ptx_variable *v = &m->variables[i];
    const bool constant = v->space == SL_PTX_CONST;
    const uint64_t at = v->address - (constant ? 0 : SL_PTX_STATIC_BASE);
    const uint64_t own = at - (constant ? m->options.constants : m->options.globals);
    const uint8_t *bytes = (constant ? memory->constants.data : memory->statics.data) + at;
    const uint8_t *image = (constant ? m->const_image : m->global_image) + own;
    if (v->texture || v->bytes == 0 || memcmp(bytes, image, v->bytes) == 0)
      continue;
    fprintf(script, "variable %s ", v->name);
    put_contents(device, script, bytes, v->bytes);
  }
}

/* All modules of PTX. Of machine code only the launched one: others are at the same addresses, and variables are as in
 * the file when a launch loads it again. */
static void put_modules(struct sl_host_device *device, FILE *script, const struct sl_gpu_module *launched)
{
  unsigned number = 0;
  for (const struct sl_gpu_module *m = device->gpu->modules; m != NULL; m = m->next) {
    if (m->ptx == NULL) {
      if (m == launched)
        fprintf(script, "elf module-%u.elf\n", number);
      number++;
      continue;
    }
    fprintf(script, "%s module-%u.ptx\n", m == launched ? "ptx" : "module", number++);
    put_variables(device, script, m);
  }
}

static bool add_buffer(struct sl_host_recorder *r, const struct sl_range *range)
{
  if (r->buffer_count == r->room) {
    const size_t room = 2 * r->room + 16;
    struct recorded *grown = realloc(r->buffers, room * sizeof *grown);
    if (grown == NULL)
      return false;
    r->buffers = grown;
    r->room = room;
  }
  r->buffers[r->buffer_count++] = (struct recorded){.address = range->first, .bytes = range->end - range->first};
  return true;
}

/* A buffer's contents; *copy: to be freed. NULL: out of memory. */
static const uint8_t *contents(struct sl_host_device *device, const struct recorded *b, uint8_t **copy)
{
  struct sl_error err;
  size_t size = (size_t)b->bytes;
  const void *bytes = NULL;
  *copy = NULL;
  if (device->facts.ptx)
    return sl_gpu_map(device->gpu, b->address, &bytes, &size, &err) == SL_OK ? bytes : NULL;
  *copy = malloc(size + 1);
  if (*copy != NULL && sl_gpu_read(device->gpu, SL_GPU_GLOBAL, b->address, *copy, size, &err) == SL_OK)
    return *copy;
  sl_no_memory(&err, size);
  fail(device, &err);
  return NULL;
}

static void put_buffers(struct sl_host_device *device, FILE *script)
{
  struct sl_host_recorder *r = device->recorder;
  const struct sl_allocator *buffers = sl_gpu_buffers(device->gpu);
  r->buffer_count = 0;
  for (size_t i = 0; i < buffers->count; i++) {
    const struct sl_range *range = &buffers->ranges[i];
    uint8_t *copy;
    if (!range->buffer || !add_buffer(r, range))
      continue;
    struct recorded *b = &r->buffers[r->buffer_count - 1];
    const uint8_t *bytes = contents(device, b, &copy);
    fprintf(script, "buffer b%zu %" PRIu64 " at 0x%" PRIx64 " ", r->buffer_count - 1, b->bytes, b->address);
    if (bytes != NULL) {
      b->hash = XXH3_128bits(bytes, b->bytes);
      put_contents(device, script, bytes, b->bytes);
    }
    free(copy);
  }
}

/* ---- launches ---------------------------------------------------------------------------------------------------- */

/* The buffer of an address. */
static const struct recorded *buffer_of(const struct sl_host_recorder *r, uint64_t address)
{
  size_t low = 0, high = r->buffer_count; /* ascending */
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (r->buffers[middle].address + r->buffers[middle].bytes <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low < r->buffer_count && r->buffers[low].address <= address ? &r->buffers[low] : NULL;
}

/* The variable of a module that a texture is bound to. */
static const struct sl_ptx_variable *variable_of(const struct sl_gpu_module *module, const struct sl_ptx_texture *t)
{
  const struct sl_ptx_module *m = module->ptx;
  for (unsigned i = 0; i < m->variable_count; i++)
    if (m->variables[i].texture && m->variables[i].address == t->variable)
      return &m->variables[i];
  return NULL;
}

static void put_texture_options(FILE *script, const struct sl_ptx_texture *t)
{
  static const char *const modes[] = {"clamp", "wrap", "mirror", "border"};
  if (t->depth > 1)
    fprintf(script, " depth=%u", t->depth);
  if (t->pitch > 0)
    fprintf(script, " pitch=%" PRIu64, t->pitch);
  fprintf(script, "%s%s", t->linear ? " linear" : "",
          t->normalised_coordinates ? (t->layered ? " unit layered" : " unit") : "");
  for (unsigned i = 0; i < 3; i++)
    if (t->mode[i] != SL_PTX_TEXTURE_CLAMP)
      fprintf(script, " %c=%s", "xyz"[i], modes[t->mode[i]]);
  fputc('\n', script);
}

static void put_textures(struct sl_host_device *device, FILE *script, const struct sl_gpu_module *module)
{
  const struct sl_ptx_memory *memory = sl_gpu_ptx_memory(device->gpu);
  for (unsigned i = 0; i < memory->texture_count; i++) {
    const struct sl_ptx_texture *t = &memory->textures[i];
    const struct recorded *b = buffer_of(device->recorder, t->address);
    const struct sl_ptx_variable *v = variable_of(module, t);
    const bool is_signed = t->type == SL_PTX_S8 || t->type == SL_PTX_S16 || t->type == SL_PTX_S32;
    if (b == NULL || t->width == 0 || (t->variable != 0 && v == NULL))
      continue;
    if (v != NULL)
      fprintf(script, "texture %s", v->name);
    else
      fprintf(script, "texture @%u", i + 1);
    fprintf(script, " buf:b%zu+%" PRIu64 " %u %u %s%s%u", (size_t)(b - device->recorder->buffers),
            t->address - b->address, t->width, t->height > 0 ? t->height : 1,
            t->type == SL_PTX_F32 ? "f"
            : is_signed           ? "s"
                                  : "u",
            t->normalised ? "n" : "", 8 * sl_ptx_type_bytes(t->type));
    if (t->channels > 1)
      fprintf(script, "x%u", t->channels);
    put_texture_options(script, t);
  }
}

static void put_bytes(FILE *script, const uint8_t *bytes, size_t size)
{
  fprintf(script, " bytes:");
  for (size_t i = 0; i < size; i++)
    fprintf(script, "%02x", bytes[i]);
}

static void put_parameter(const struct sl_host_recorder *r, FILE *script, const uint8_t *bytes, uint32_t size)
{
  uint64_t value = 0;
  if (size == 1 || size == 2 || size == 4 || size == 8) {
    memcpy(&value, bytes, size);
    const struct recorded *b = size == 8 ? buffer_of(r, value) : NULL;
    if (b != NULL)
      fprintf(script, " buf:b%zu+%" PRIu64, (size_t)(b - r->buffers), value - b->address);
    else
      fprintf(script, " u%u:0x%" PRIx64, 8 * size, value);
    return;
  }
  put_bytes(script, bytes, size);
}

static void put_launch(const struct sl_host_recorder *r, FILE *script, const struct sl_gpu_launch *l,
                       const struct sl_gpu_kernel *kernel)
{
  uint32_t sizes[6];
  for (unsigned i = 0; i < 6; i++) {
    sizes[i] = i < 3 ? l->grid[i] : l->block[i - 3];
    sizes[i] += sizes[i] == 0;
  }
  if (l->registers > 0)
    fprintf(script, "regs %s %u\n", l->kernel, l->registers);
  fprintf(script, "launch %s %u %u %u %u %u %u %u", l->kernel, sizes[0], sizes[1], sizes[2], sizes[3], sizes[4],
          sizes[5], l->shared);
  if (!kernel->described && l->argument_bytes > 0)
    put_bytes(script, l->arguments, l->argument_bytes);
  for (unsigned i = 0; kernel->described && i < kernel->parameter_count; i++)
    put_parameter(r, script, (const uint8_t *)l->arguments + kernel->parameter[i].offset, kernel->parameter[i].bytes);
  fputc('\n', script);
}

static void put_script(struct sl_host_device *device, FILE *script, const struct sl_gpu_module *module,
                       const struct sl_gpu_launch *launch, const struct sl_gpu_kernel *kernel, bool timed)
{
  const struct sl_host_options *o = &device->options;
  fprintf(script, "# launch %" PRIu64 " of a host program, %s, on %s%s%s%s\n", device->launches,
          timed ? "timed" : "without timing", device->config.name, o->set[0] != '\0' ? " with " : "", o->set,
          o->r2d2 ? ", r2d2=on" : "");
  put_modules(device, script, module);
  put_buffers(device, script);
  if (device->facts.ptx)
    put_textures(device, script, module);
  put_launch(device->recorder, script, launch, kernel);
}

static void write_script(struct sl_host_device *device)
{
  char path[PATH];
  struct sl_error err;
  snprintf(path, sizeof path, "%s/launch-%06" PRIu64 ".launch", device->options.record, device->recorder->number);
  if (sl_host_write_file(path, device->recorder->text, device->recorder->length, &err) != SL_OK)
    fail(device, &err);
}

void sl_host_record_begin(struct sl_host_device *device, const struct sl_gpu_launch *launch, bool timed)
{
  struct sl_host_recorder *r = device->recorder;
  struct sl_error err;
  if (r == NULL || sl_gpu_check(device->gpu, launch, &err) != SL_OK)
    return;
  struct sl_gpu_kernel *kernel = malloc(sizeof *kernel);
  free(r->text);
  r->text = NULL;
  r->number = device->launches;
  const bool known = kernel != NULL && sl_gpu_kernel(launch->module, launch->kernel, kernel);
  FILE *script = known && kernel->parameter_count <= SL_GPU_PARAMETERS ? open_memstream(&r->text, &r->length) : NULL;
  if (script == NULL) {
    sl_no_memory(&err, sizeof *kernel);
    fail(device, &err);
  } else {
    put_script(device, script, launch->module, launch, kernel, timed);
    fclose(script);
    write_script(device);
  }
  free(kernel);
}

void sl_host_record_end(struct sl_host_device *device, enum sl_status code)
{
  struct sl_host_recorder *r = device->recorder;
  char *text = NULL;
  size_t length = 0;
  FILE *script = r != NULL && r->text != NULL && code == SL_OK ? open_memstream(&text, &length) : NULL;
  if (script == NULL)
    return;
  fwrite(r->text, 1, r->length, script);
  for (size_t i = 0; i < r->buffer_count; i++) {
    uint8_t *copy;
    const uint8_t *bytes = contents(device, &r->buffers[i], &copy);
    if (bytes != NULL && !XXH128_isEqual(XXH3_128bits(bytes, r->buffers[i].bytes), r->buffers[i].hash))
      fprintf(script, "expect b%zu %016" PRIx64 "\n", i, sl_script_sum(bytes, r->buffers[i].bytes));
    free(copy);
  }
  fclose(script);
  free(r->text);
  r->text = text;
  r->length = length;
  write_script(device);
}
