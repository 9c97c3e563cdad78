#include "runtime/opencl/ocl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/cc/compile.h"
#include "compiler/cc/lanes/lane_code.h"
#include "machine/machine.h"

enum { PATH_MOST = 4096, ITEMS_MOST = 1024 };
static const char vortex[] = "vortex", vortex64[] = "vortex64", simt[] = "simt", pc[] = "pc";

/* ---- devices ----------------------------------------------------------------------------------------------------- */

/* Whether annotations order a diverged warp's lanes; their number is 0 in the key's list. */
static bool has_nesting(const struct sl_config *config)
{
  uint32_t scheme;
  return sl_config_value(config, "convergence", &scheme) && scheme == 0;
}

/* The family of a device; NULL: PTX. */
static const char *family_of(cl_device_id device)
{
  if (sl_ocl_open(device) != CL_SUCCESS || device->host.facts.ptx)
    return NULL;
  uint32_t isa;
  if (sl_config_value(&device->host.config, "isa", &isa) && isa != 0)
    return vortex64;
  return device->host.config.machine == &sl_vortex ? vortex : has_nesting(&device->host.config) ? simt : pc;
}

enum sl_status sl_ocl_riscv_open(cl_device_id device, struct sl_error *err)
{
  struct sl_gpu_facts *f = &device->host.facts;
  const uint64_t threads = (uint64_t)f->lanes * f->warps;
  if (f->powers_of_two == false)
    return sl_fail(err, SL_USAGE, "machine %.100s distributes blocks in hardware: OpenCL runs on it as PTX",
                   device->name);
  f->max_threads = threads < ITEMS_MOST ? (uint32_t)threads : ITEMS_MOST;
  for (unsigned i = 0; i < 3; i++)
    f->max_block[i] = f->max_threads;
  f->max_shared -= f->max_shared < OCL_BARRIER_BYTES ? 0 : OCL_BARRIER_BYTES;
  return SL_OK;
}

static bool lacks_float(cl_device_id device)
{
  uint32_t fpu;
  return family_of(device) != NULL && sl_config_value(&device->host.config, "fpu", &fpu) && fpu == 0;
}

bool sl_ocl_riscv_same(cl_device_id a, cl_device_id b)
{
  return family_of(a) == family_of(b) && lacks_float(a) == lacks_float(b);
}

void sl_ocl_riscv_options(cl_device_id device, struct ocl_options *options)
{
  options->family = family_of(device);
  options->no_float = lacks_float(device);
  if (options->family != NULL) /* the cache tells families apart by their flags */
    sl_words_add_text(&options->flags, "-D__SIMTLAB_FAMILY__=%s%s", options->family,
                      options->no_float ? "_no_float" : "");
}

/* ---- tools ------------------------------------------------------------------------------------------------------- */

void sl_ocl_riscv_compiler(char *path, size_t size)
{
  static const char *const places[] = {"", "/../libexec/simtlab", "/../../libexec/simtlab"};
  Dl_info info;
  char *own =
      dladdr((const void *)(uintptr_t)&sl_ocl_riscv_missing, &info) != 0 ? realpath(info.dli_fname, NULL) : NULL;
  char *slash = own != NULL ? strrchr(own, '/') : NULL;
  if (slash != NULL)
    *slash = '\0';
  for (size_t i = 0; own != NULL && i < sizeof places / sizeof *places; i++) {
    snprintf(path, size, "%s%s/simtlab-clc", own, places[i]);
    if (access(path, X_OK) == 0) {
      free(own);
      return;
    }
  }
  free(own);
  snprintf(path, size, "simtlab-clc");
}

const char *sl_ocl_riscv_missing(void)
{
  char path[PATH_MOST];
  return sl_ocl_find_file("vortex.bc", path, sizeof path)
             ? NULL
             : "OpenCL for RISC-V machines is not there; build simtlab with llvm-19-dev, or install simtlab-opencl";
}

void sl_ocl_riscv_add_target(struct sl_words *words)
{
  static const char *const target[] = {SL_CLANG, "--target=nvptx--", "-nogpulib", NULL};
  sl_words_add_all(words, target);
}

void sl_ocl_riscv_add_language(struct sl_words *words)
{
  static const char *const language[] = {
      "-Xclang",
      "-cl-ext=-all,+cl_khr_byte_addressable_store,+cl_khr_global_int32_base_atomics,"
      "+cl_khr_global_int32_extended_atomics,+cl_khr_local_int32_base_atomics,+cl_khr_local_int32_extended_atomics",
      "-Xclang",
      "-mlink-builtin-bitcode",
      "-Xclang",
      NULL};
  static const char *const library[] = {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", "/usr/lib/clc/nvptx--.bc",
                                        NULL};
  char path[PATH_MOST];
  sl_words_add_all(words, language);
  /* The first definition of a function is taken: own ones come before libclc's. */
  sl_words_add_text(words, "%s", sl_ocl_find_file("functions32.bc", path, sizeof path) ? path : library[3]);
  sl_words_add_all(words, library);
}

/* ---- compiling --------------------------------------------------------------------------------------------------- */

/* Adds the path of a file of the family; false: it is not there. */
static bool add_file(struct sl_words *words, const char *family, const char *suffix)
{
  char name[64], path[PATH_MOST];
  snprintf(name, sizeof name, "%s%s", family, suffix);
  if (!sl_ocl_find_file(name, path, sizeof path))
    return false;
  sl_words_add_text(words, "%s", path);
  return true;
}

/* The kernels' names and arguments are in the front end's metadata. */
static enum sl_status describe(const char *folder, const char *bitcode, struct sl_log *described, struct sl_log *log)
{
  struct sl_words words = {NULL, 0, 0, false};
  size_t length;
  sl_words_add(&words, "llvm-dis-19");
  sl_words_add_text(&words, "%s/%s", folder, bitcode);
  sl_words_add(&words, "-o");
  sl_words_add_text(&words, "%s/k.ll", folder);
  const enum sl_status status = sl_ocl_run_tool(&words, log);
  sl_words_free(&words);
  char *ir = status == SL_OK ? sl_ocl_read_file(folder, "k.ll", &length) : NULL;
  if (ir != NULL)
    sl_ocl_metadata(ir, described);
  free(ir);
  return status;
}

static enum sl_status compile(const char *folder, const char *bitcode, const struct ocl_options *options,
                              struct sl_log *log)
{
  const char *family = options->family;
  struct sl_words words = {NULL, 0, 0, false};
  char compiler[PATH_MOST];
  sl_ocl_riscv_compiler(compiler, sizeof compiler);
  sl_words_add_text(&words, "%s", compiler);
  sl_words_add_text(&words, "%s", family);
  if (!add_file(&words, family, ".bc")) {
    sl_ocl_log(log, sl_ocl_riscv_missing());
    sl_words_free(&words);
    return SL_USAGE;
  }
  sl_words_add_text(&words, "%s/%s", folder, bitcode);
  sl_words_add_text(&words, "%s/k", folder);
  if (options->no_float)
    sl_words_add(&words, "no-float");
  const enum sl_status status = sl_ocl_run_tool(&words, log);
  sl_words_free(&words);
  return status;
}

/* Links the objects k.0.o, k.1.o, ... to k.elf. */
static enum sl_status link_all(const char *folder, const char *family, struct sl_log *log)
{
  static const char *const linker[] = {"riscv64-unknown-elf-ld",         "-m", "elf32lriscv", "--no-warn-rwx-segments",
                                       "--defsym=__instr_size=0x100000", NULL};
  struct sl_words words = {NULL, 0, 0, false};
  char path[2 * PATH_MOST];
  sl_words_add_all(&words, linker);
  sl_words_add(&words, "-T");
  bool there = add_file(&words, family, ".ld");
  there = add_file(&words, family, ".o") && there;
  for (unsigned i = 0; there; i++) {
    snprintf(path, sizeof path, "%s/k.%u.o", folder, i);
    if (access(path, R_OK) != 0)
      break;
    sl_words_add_text(&words, "%s", path);
  }
  sl_words_add(&words, "-o");
  sl_words_add_text(&words, "%s/k.elf", folder);
  enum sl_status status = SL_USAGE;
  if (there)
    status = sl_ocl_run_tool(&words, log);
  else
    sl_ocl_log(log, sl_ocl_riscv_missing());
  sl_words_free(&words);
  return status;
}

/* The same for 64-bit instruction words: code of bitcode k.0.bc, k.1.bc, ..., linked by simtlab's own linker. */
static enum sl_status link_wide(const char *folder, struct sl_log *log)
{
  static const char *const parts[] = {".o", ".library.o", ".main.o"};
  char bitcode[2 * PATH_MOST], object[2 * PATH_MOST], output[2 * PATH_MOST];
  struct sl_words objects = {NULL, 0, 0, false};
  struct sl_tools tools = {.log = log};
  struct sl_error err = {.text = ""};
  const struct sl_wide_words usual = {.registers = NULL};
  snprintf(output, sizeof output, "%s/k.elf", folder);
  struct sl_compile_order order = {.output = output, .vortex = true, .wide = true, .auto_marks = true};
  enum sl_status status = sl_wide_options_read(&order.code, &usual, &err);
  for (size_t i = 0; i < sizeof parts / sizeof *parts && status == SL_OK; i++)
    status = add_file(&objects, vortex64, parts[i]) ? SL_OK : sl_fail(&err, SL_USAGE, "%s", sl_ocl_riscv_missing());
  for (unsigned i = 0; status == SL_OK; i++) {
    snprintf(bitcode, sizeof bitcode, "%s/k.%u.bc", folder, i);
    snprintf(object, sizeof object, "%s/k.%u.o", folder, i);
    if (access(bitcode, R_OK) != 0)
      break;
    status = sl_machine_ir_object(bitcode, true, object, &tools, &err);
    sl_words_add_text(&objects, "%s", object);
  }
  if (status == SL_OK)
    status = sl_link_wide(&order, objects.items, objects.count, log, &err);
  if (status != SL_OK)
    sl_ocl_log(log, err.text);
  sl_words_free(&objects);
  return status;
}

/* Checks the final code of the kernels in the helper's list: lines "BRANCHES ANNOTATIONS NAME KINDS". */
static enum sl_status check_branches(const char *folder, const char *family, struct sl_log *log)
{
  const char *suffix = family == simt ? ".thread" : ""; /* the entry only sets up the stack */
  char path[2 * PATH_MOST];
  size_t length, count = 0;
  char *list = sl_ocl_read_file(folder, "k.branches", &length), *rest = NULL;
  struct sl_kernel_branches *kernels = list != NULL ? calloc(length / 6 + 1, sizeof *kernels) : NULL;
  if (kernels == NULL) {
    free(list);
    sl_ocl_log(log, "error: the list of the kernels' branches cannot be read");
    return SL_INTERNAL;
  }
  for (char *line = strtok_r(list, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
    struct sl_kernel_branches *k = &kernels[count++];
    k->branches = (unsigned)strtoul(line, &line, 10);
    k->annotations = (unsigned)strtoul(line, &line, 10);
    line += strspn(line, "\t");
    const size_t name = strcspn(line, "\t");
    snprintf(k->name, sizeof k->name, "%.*s%s", (int)name, line, suffix);
    k->kinds = line + name + (line[name] == '\t');
  }
  snprintf(path, sizeof path, "%s/k.elf", folder);
  const bool right = sl_check_kernel_branches(path, kernels, count, log);
  free(kernels);
  free(list);
  return right ? SL_OK : SL_CHECK_FAILED;
}

enum sl_status sl_ocl_riscv_finish(const char *folder, const char *bitcode, const struct ocl_options *options,
                                   struct ocl_code **code, struct sl_log *log)
{
  struct sl_log described = {NULL, 0, 0};
  size_t length = 0;
  enum sl_status status = describe(folder, bitcode, &described, log);
  if (status == SL_OK)
    status = compile(folder, bitcode, options, log);
  char *layouts = status == SL_OK ? sl_ocl_read_file(folder, "k.txt", &length) : NULL;
  if (layouts != NULL)
    sl_log_add(&described, layouts, length);
  if (status == SL_OK)
    status = options->family == vortex64 ? link_wide(folder, log) : link_all(folder, options->family, log);
  if (status == SL_OK && options->family != pc) /* there lanes have program counters of their own */
    status = check_branches(folder, options->family, log);
  free(layouts);
  char *elf = status == SL_OK ? sl_ocl_read_file(folder, "k.elf", &length) : NULL;
  if (elf != NULL) {
    *code =
        sl_ocl_new_code(CL_PROGRAM_BINARY_TYPE_EXECUTABLE, elf, length, described.text != NULL ? described.text : "");
    status = *code != NULL ? SL_OK : SL_INTERNAL;
  }
  free(elf);
  sl_log_free(&described);
  return status;
}

/* ---- printf ------------------------------------------------------------------------------------------------------ */

/* Kernels put records into a buffer, which the host formats after the
 * launch (src/compiler/opencl/clc_legalise.c, runtime/opencl/riscv.cl). */

/* The buffer: bytes in use, capacity, two free words, the records, and a place for those that find no room. */
enum { CAPACITY = 1 << 20, HEADER = 16, RECORD_MOST = 1024, FORMAT_MOST = 4096, TEXT_MOST = 1 << 16 };

struct record {
  const struct sl_gpu *gpu;
  const uint8_t *bytes; /* after its header */
  size_t size;
};

static bool read_argument(void *context, uint64_t offset, void *to, size_t bytes)
{
  const struct record *r = context;
  if (offset > r->size || bytes > r->size - offset)
    return false;
  memcpy(to, r->bytes + offset, bytes);
  return true;
}

static bool read_character(void *context, uint64_t address, uint64_t offset, char *to)
{
  const struct record *r = context;
  return sl_gpu_read(r->gpu, SL_GPU_GLOBAL, address + offset, to, 1, NULL) == SL_OK;
}

static void print_record(cl_device_id device, const uint8_t *bytes, uint32_t size)
{
  struct record r = {device->host.gpu, bytes + HEADER, size - HEADER};
  const struct sl_host_arguments arguments = {&r, read_argument, read_character};
  char format[FORMAT_MOST];
  uint32_t address;
  size_t n = 0;
  memcpy(&address, bytes + 4, sizeof address);
  while (n < sizeof format - 1 && read_character(&r, address, n, &format[n]) && format[n] != '\0')
    n++;
  format[n] = '\0';
  char *text = malloc(TEXT_MOST);
  if (text == NULL)
    return;
  const size_t length = sl_host_format(format, &arguments, text, TEXT_MOST);
  device->host.print(text, length < TEXT_MOST ? length : TEXT_MOST);
  free(text);
}

enum sl_status sl_ocl_print_open(cl_device_id device, struct sl_error *err)
{
  const uint32_t begin[4] = {0, CAPACITY, 0, 0};
  struct sl_gpu *gpu = device->host.gpu;
  if (device->print_buffer != 0)
    return SL_OK;
  const enum sl_status code = sl_gpu_alloc(gpu, HEADER + CAPACITY + RECORD_MOST, &device->print_buffer, err);
  return code == SL_OK ? sl_gpu_write(gpu, SL_GPU_GLOBAL, device->print_buffer, begin, sizeof begin, err) : code;
}

/* What is read is set to 0, so that a record that does not fit leaves no size behind. */
static void empty(cl_device_id device, uint32_t used, struct sl_error *err)
{
  const uint8_t zero = 0;
  const uint32_t none = 0;
  sl_gpu_fill(device->host.gpu, device->print_buffer + HEADER, &zero, 1, used, err);
  sl_gpu_write(device->host.gpu, SL_GPU_GLOBAL, device->print_buffer, &none, sizeof none, err);
}

void sl_ocl_print_records(cl_device_id device)
{
  struct sl_error err = {.text = ""};
  uint32_t used = 0, at = 0, size = 0;
  if (sl_gpu_read(device->host.gpu, SL_GPU_GLOBAL, device->print_buffer, &used, sizeof used, &err) != SL_OK ||
      used == 0)
    return;
  const bool full = used > CAPACITY;
  used = full ? CAPACITY : used;
  uint8_t *bytes = malloc(used);
  if (bytes != NULL && device->host.print != NULL &&
      sl_gpu_read(device->host.gpu, SL_GPU_GLOBAL, device->print_buffer + HEADER, bytes, used, &err) == SL_OK)
    for (; at + HEADER <= used; at += size) {
      memcpy(&size, bytes + at, sizeof size);
      if (size < HEADER || size > RECORD_MOST || size > used - at)
        break;
      print_record(device, bytes + at, size);
    }
  free(bytes);
  if (full)
    sl_ocl_say("calls of printf are not shown: a launch prints at most %d bytes of arguments", CAPACITY);
  empty(device, used, &err);
}
