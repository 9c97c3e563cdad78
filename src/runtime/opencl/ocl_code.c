/* Compiled code: descriptions of kernels, program binaries, and modules on devices. */
#include "runtime/opencl/ocl.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ---- descriptions of kernels ------------------------------------------------------------------------------------- */

/* Cuts the next field off a line. */
static const char *field(char **line)
{
  char *text = *line, *end = text != NULL ? text + strcspn(text, "\t") : NULL;
  if (text == NULL)
    return "";
  *line = *end == '\t' ? end + 1 : NULL;
  *end = '\0';
  return text;
}

static cl_kernel_arg_access_qualifier access_of(const char *word)
{
  return strcmp(word, "read_only") == 0    ? CL_KERNEL_ARG_ACCESS_READ_ONLY
         : strcmp(word, "write_only") == 0 ? CL_KERNEL_ARG_ACCESS_WRITE_ONLY
         : strcmp(word, "read_write") == 0 ? CL_KERNEL_ARG_ACCESS_READ_WRITE
                                           : CL_KERNEL_ARG_ACCESS_NONE;
}

static enum ocl_argument_kind kind_of(char space, const char *base)
{
  if (strncmp(base, "image", 5) == 0)
    return OCL_IMAGE;
  if (strcmp(base, "sampler_t") == 0)
    return OCL_SAMPLED;
  return space == '1' ? OCL_GLOBAL : space == '2' ? OCL_CONSTANT : space == '3' ? OCL_LOCAL : OCL_VALUE;
}

static bool add_argument(struct ocl_kernel_info *kernel, char *line)
{
  struct ocl_argument_info *grown =
      realloc(kernel->arguments, (kernel->argument_count + 1) * sizeof *kernel->arguments);
  if (grown == NULL)
    return false;
  kernel->arguments = grown;
  struct ocl_argument_info *a = &grown[kernel->argument_count++];
  const char *space = field(&line), *access = field(&line), *qualifiers = field(&line), *type = field(&line);
  const char *base = field(&line), *name = field(&line);
  *a = (struct ocl_argument_info){
      .kind = kind_of(space[0], base), .access = access_of(access), .type = strdup(type), .name = strdup(name)};
  static const struct {
    const char *word;
    cl_kernel_arg_type_qualifier bit;
  } bits[] = {{"const", CL_KERNEL_ARG_TYPE_CONST},
              {"restrict", CL_KERNEL_ARG_TYPE_RESTRICT},
              {"volatile", CL_KERNEL_ARG_TYPE_VOLATILE}};
  for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
    if (strstr(qualifiers, bits[i].word) != NULL)
      a->qualifiers |= bits[i].bit;
  return a->type != NULL && a->name != NULL;
}

static struct ocl_kernel_info *add_kernel(struct ocl_code *code, char *line)
{
  struct ocl_kernel_info *grown = realloc(code->kernels, (code->kernel_count + 1) * sizeof *code->kernels);
  if (grown == NULL)
    return NULL;
  code->kernels = grown;
  struct ocl_kernel_info *k = &grown[code->kernel_count++];
  *k = (struct ocl_kernel_info){.name = strdup(field(&line))};
  for (unsigned i = 0; i < 3; i++)
    k->required[i] = strtoul(field(&line), NULL, 10);
  k->attributes = strdup(field(&line));
  return k->name != NULL && k->attributes != NULL ? k : NULL;
}

/* What simtlab-clc tells of a kernel: local memory, and the place of each argument. */
static struct ocl_kernel_info *add_layout(const struct ocl_code *code, char *line)
{
  const char *name = field(&line);
  for (size_t i = 0; i < code->kernel_count; i++)
    if (strcmp(code->kernels[i].name, name) == 0) {
      struct ocl_kernel_info *k = &code->kernels[i];
      k->layout = calloc(1, sizeof *k->layout);
      if (k->layout == NULL)
        return NULL;
      k->layout->name = k->name;
      k->layout->shared_bytes = (uint32_t)strtoul(field(&line), NULL, 10);
      k->layout->parameter_bytes = (uint32_t)strtoul(field(&line), NULL, 10);
      return k;
    }
  return NULL;
}

static bool add_offset(struct ocl_kernel_info *kernel, char *line)
{
  struct sl_gpu_kernel *l = kernel->layout;
  if (l == NULL || l->parameter_count == SL_GPU_PARAMETERS)
    return false;
  struct sl_gpu_parameter *p = &l->parameter[l->parameter_count++];
  p->offset = (uint32_t)strtoul(field(&line), NULL, 10);
  p->bytes = (uint32_t)strtoul(field(&line), NULL, 10);
  return true;
}

static bool read_kernels(struct ocl_code *code, const char *text)
{
  char *copy = strdup(text), *rest = copy;
  struct ocl_kernel_info *kernel = NULL;
  bool right = copy != NULL;
  while (right && *rest != '\0') {
    char *line = rest, *end = line + strcspn(line, "\n");
    rest = *end == '\n' ? end + 1 : end;
    *end = '\0';
    if (strncmp(line, "K\t", 2) == 0)
      right = (kernel = add_kernel(code, line + 2)) != NULL;
    else if (strncmp(line, "L\t", 2) == 0)
      right = (kernel = add_layout(code, line + 2)) != NULL;
    else if (strncmp(line, "O\t", 2) == 0)
      right = kernel != NULL && add_offset(kernel, line + 2);
    else
      right = strncmp(line, "A\t", 2) == 0 && kernel != NULL && add_argument(kernel, line + 2);
  }
  free(copy);
  for (size_t i = 0; i < code->kernel_count; i++) {
    unsigned constants = 0;
    for (unsigned a = 0; a < code->kernels[i].argument_count; a++)
      constants += code->kernels[i].arguments[a].kind == OCL_CONSTANT;
    code->constants = constants > code->constants ? constants : code->constants;
  }
  return right;
}

void sl_ocl_release_code(struct ocl_code *code)
{
  if (code == NULL || --code->references > 0)
    return;
  for (size_t i = 0; i < code->kernel_count; i++) {
    struct ocl_kernel_info *k = &code->kernels[i];
    for (unsigned a = 0; a < k->argument_count; a++) {
      free(k->arguments[a].type);
      free(k->arguments[a].name);
    }
    free(k->arguments);
    free(k->layout);
    free(k->name);
    free(k->attributes);
  }
  free(code->kernels);
  free(code->described);
  free(code->text);
  free(code->source);
  free(code);
}

struct ocl_code *sl_ocl_new_code(cl_program_binary_type type, const char *text, size_t bytes, const char *described)
{
  struct ocl_code *code = calloc(1, sizeof *code);
  if (code == NULL)
    return NULL;
  *code = (struct ocl_code){.references = 1, .type = type, .bytes = bytes, .described = strdup(described)};
  code->text = malloc(bytes + 1);
  if (code->text != NULL) {
    memcpy(code->text, text, bytes);
    code->text[bytes] = '\0';
  }
  if (code->text != NULL && code->described != NULL && read_kernels(code, described))
    return code;
  sl_ocl_release_code(code);
  return NULL;
}

/* ---- binaries ---------------------------------------------------------------------------------------------------- */

/* A header, the text, the descriptions. All numbers are little-endian, as on every host that simtlab runs on. */
struct header {
  char magic[16];
  uint32_t version, type;
  uint64_t bytes, described, hash;
};
static const char magic[16] = "SIMTLAB-OPENCL\n";
enum { VERSION = 1 };

void *sl_ocl_binary(const struct ocl_code *code, size_t *size)
{
  const size_t described = strlen(code->described);
  struct header h = {.version = VERSION, .type = code->type, .bytes = code->bytes, .described = described};
  *size = sizeof h + code->bytes + described;
  uint8_t *bytes = malloc(*size);
  if (bytes == NULL)
    return NULL;
  memcpy(h.magic, magic, sizeof magic);
  memcpy(bytes + sizeof h, code->text, code->bytes);
  memcpy(bytes + sizeof h + code->bytes, code->described, described);
  h.hash = XXH3_64bits(bytes + sizeof h, code->bytes + described);
  memcpy(bytes, &h, sizeof h);
  return bytes;
}

struct ocl_code *sl_ocl_from_binary(const void *binary, size_t size)
{
  struct header h;
  const char *bytes = binary;
  if (size < sizeof h)
    return NULL;
  memcpy(&h, bytes, sizeof h);
  const size_t rest = size - sizeof h;
  if (memcmp(h.magic, magic, sizeof magic) != 0 || h.version != VERSION || h.bytes > rest ||
      h.described != rest - h.bytes || h.hash != XXH3_64bits(bytes + sizeof h, rest))
    return NULL;
  char *described = calloc(h.described + 1, 1);
  if (described == NULL)
    return NULL;
  memcpy(described, bytes + sizeof h + h.bytes, h.described);
  struct ocl_code *code = sl_ocl_new_code((cl_program_binary_type)h.type, bytes + sizeof h, h.bytes, described);
  free(described);
  return code;
}

/* ---- modules on devices ------------------------------------------------------------------------------------------ */

/* The PTX, and the variable for contents of __constant arguments. */
static char *module_text(const struct ocl_code *code, uint64_t room, size_t *length)
{
  char variable[96] = "";
  if (room > 0)
    snprintf(variable, sizeof variable, "\n.visible .const .align 256 .b8 " OCL_CONSTANTS "[%llu];\n",
             (unsigned long long)room);
  *length = code->bytes + strlen(variable);
  char *text = malloc(*length + 1);
  if (text == NULL)
    return NULL;
  memcpy(text, code->text, code->bytes);
  strcpy(text + code->bytes, variable);
  return text;
}

struct ocl_module *sl_ocl_load(cl_device_id device, struct ocl_code *code, uint64_t room, struct sl_error *err)
{
  struct ocl_module *m = device->modules;
  if (!device->host.facts.ptx)
    room = 0; /* constant memory is global memory */
  if (device->host.facts.ptx && code->constants > 0 && room < (uint64_t)code->constants * OCL_CONSTANT_BYTES)
    room = (uint64_t)code->constants * OCL_CONSTANT_BYTES;
  while (m != NULL &&
         (m->room < room || m->code->bytes != code->bytes || memcmp(m->code->text, code->text, code->bytes) != 0))
    m = m->next;
  if (m != NULL)
    return m;
  size_t length;
  char *text = module_text(code, room, &length);
  m = calloc(1, sizeof *m);
  if (m == NULL || text == NULL) {
    free(m);
    free(text);
    sl_no_memory(err, length);
    return NULL;
  }
  *m = (struct ocl_module){.code = code, .room = room};
  sl_ocl_take(device);
  const enum sl_status status =
      sl_host_load(&device->host, "program", &(struct sl_host_code){text, length, code->source}, &m->loaded, err);
  sl_ocl_give(device);
  free(text);
  if (status != SL_OK) {
    free(m);
    return NULL;
  }
  code->references++; /* the GPU keeps modules until it is closed */
  m->next = device->modules;
  device->modules = m;
  return m;
}

/* Queries of programs and builds. */

/* The code of the first device that has an executable; NULL: none. */
static const struct ocl_code *executable(cl_program p)
{
  for (cl_uint i = 0; i < p->device_count; i++)
    if (p->builds[i].status == CL_BUILD_SUCCESS && p->builds[i].code != NULL &&
        p->builds[i].code->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
      return p->builds[i].code;
  return NULL;
}

static cl_int kernel_names(const struct ocl_code *code, size_t room, void *value, size_t *needed)
{
  size_t size = 1;
  for (size_t i = 0; i < code->kernel_count; i++)
    size += strlen(code->kernels[i].name) + 1;
  char *names = calloc(size, 1);
  if (names == NULL)
    return CL_OUT_OF_HOST_MEMORY;
  for (size_t i = 0; i < code->kernel_count; i++) {
    strcat(names, i > 0 ? ";" : "");
    strcat(names, code->kernels[i].name);
  }
  const cl_int error = sl_ocl_answer(names, strlen(names) + 1, room, value, needed);
  free(names);
  return error;
}

static cl_int binary_sizes(cl_program p, size_t room, void *value, size_t *needed)
{
  size_t *sizes = calloc(p->device_count, sizeof *sizes);
  if (sizes == NULL)
    return CL_OUT_OF_HOST_MEMORY;
  for (cl_uint i = 0; i < p->device_count; i++)
    if (p->builds[i].code != NULL)
      free(sl_ocl_binary(p->builds[i].code, &sizes[i]));
  const cl_int error = sl_ocl_answer(sizes, p->device_count * sizeof *sizes, room, value, needed);
  free(sizes);
  return error;
}

static cl_int binaries(cl_program p, size_t room, void *value, size_t *needed)
{
  unsigned char **to = value;
  if (needed != NULL)
    *needed = p->device_count * sizeof *to;
  if (to != NULL && room < p->device_count * sizeof *to)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; to != NULL && i < p->device_count; i++) {
    size_t size = 0;
    void *bytes = to[i] != NULL && p->builds[i].code != NULL ? sl_ocl_binary(p->builds[i].code, &size) : NULL;
    if (bytes != NULL)
      memcpy(to[i], bytes, size);
    free(bytes);
  }
  return CL_SUCCESS;
}

static cl_int info(cl_program p, cl_program_info what, size_t room, void *value, size_t *needed)
{
  if (!sl_ocl_is(p, OCL_PROGRAM))
    return CL_INVALID_PROGRAM;
  switch (what) {
  case CL_PROGRAM_REFERENCE_COUNT: OCL_ANSWER(cl_uint, p->object.references);
  case CL_PROGRAM_CONTEXT: OCL_ANSWER(cl_context, p->context);
  case CL_PROGRAM_NUM_DEVICES: OCL_ANSWER(cl_uint, p->device_count);
  case CL_PROGRAM_DEVICES:
    return sl_ocl_answer(p->devices, p->device_count * sizeof(cl_device_id), room, value, needed);
  case CL_PROGRAM_SOURCE: OCL_ANSWER_TEXT(p->source != NULL ? p->source : "");
  case CL_PROGRAM_BINARY_SIZES: return binary_sizes(p, room, value, needed);
  case CL_PROGRAM_BINARIES: return binaries(p, room, value, needed);
  default: break;
  }
  if (what != CL_PROGRAM_NUM_KERNELS && what != CL_PROGRAM_KERNEL_NAMES)
    return CL_INVALID_VALUE;
  const struct ocl_code *code = executable(p);
  if (code == NULL)
    return CL_INVALID_PROGRAM_EXECUTABLE;
  if (what == CL_PROGRAM_NUM_KERNELS)
    OCL_ANSWER(size_t, code->kernel_count);
  return kernel_names(code, room, value, needed);
}

CL_API_ENTRY cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info what, size_t room, void *value,
                                                 size_t *needed)
{
  OCL_CALL(info(program, what, room, value, needed));
}

static cl_int build_info(cl_program p, cl_device_id device, cl_program_build_info what, size_t room, void *value,
                         size_t *needed)
{
  if (!sl_ocl_is(p, OCL_PROGRAM))
    return CL_INVALID_PROGRAM;
  const struct ocl_build *b = sl_ocl_build_of(p, device);
  if (b == NULL)
    return CL_INVALID_DEVICE;
  switch (what) {
  case CL_PROGRAM_BUILD_STATUS: OCL_ANSWER(cl_build_status, b->status);
  case CL_PROGRAM_BUILD_OPTIONS: OCL_ANSWER_TEXT(b->options != NULL ? b->options : "");
  case CL_PROGRAM_BUILD_LOG: OCL_ANSWER_TEXT(b->log != NULL ? b->log : "");
  case CL_PROGRAM_BINARY_TYPE:
    OCL_ANSWER(cl_program_binary_type, b->code != NULL ? b->code->type : CL_PROGRAM_BINARY_TYPE_NONE);
  default: return CL_INVALID_VALUE;
  }
}

CL_API_ENTRY cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                                      cl_program_build_info what, size_t room, void *value,
                                                      size_t *needed)
{
  OCL_CALL(build_info(program, device, what, room, value, needed));
}
