#include "runtime/opencl/ocl.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/cc/compile.h"
#include "compiler/cc/tools.h"

static bool is_one_of(const char *word, const char *const *list)
{
  for (; *list != NULL; list++)
    if (strcmp(word, *list) == 0)
      return true;
  return false;
}

static void say(struct sl_log *log, const char *text, const char *word, const char *rest)
{
  sl_log_add(log, text, strlen(text));
  sl_log_add(log, word, strlen(word));
  sl_log_add(log, rest, strlen(rest));
}

/* Takes an option; `rest`: the words after it. */
static bool take(struct ocl_options *o, const char *word, char **rest, bool linker, struct sl_log *log)
{
  static const char *const passed[] = {"-cl-single-precision-constant",
                                       "-cl-denorms-are-zero",
                                       "-cl-fp32-correctly-rounded-divide-sqrt",
                                       "-cl-mad-enable",
                                       "-cl-no-signed-zeros",
                                       "-cl-unsafe-math-optimizations",
                                       "-cl-finite-math-only",
                                       "-cl-fast-relaxed-math",
                                       "-cl-std=CL1.0",
                                       "-cl-std=CL1.1",
                                       "-cl-std=CL1.2",
                                       "-cl-std=CL2.0",
                                       "-cl-std=CL3.0",
                                       "-w",
                                       "-Werror",
                                       NULL};
  static const char *const ignored[] = {
      "-cl-kernel-arg-info",         "-g", "-cl-strict-aliasing", "-O0", "-O1", "-O2", "-O3",
      "-cl-uniform-work-group-size", NULL};
  if (strcmp(word, "-D") == 0 || strcmp(word, "-I") == 0 || strcmp(word, "-U") == 0) {
    const char *value = sl_next_word(rest);
    if (value != NULL)
      sl_words_add_text(&o->flags, "%s%s", word, value);
    return value != NULL;
  }
  if (strncmp(word, "-D", 2) == 0 || strncmp(word, "-I", 2) == 0 || strncmp(word, "-U", 2) == 0 ||
      is_one_of(word, passed)) {
    sl_words_add(&o->flags, word);
    o->strict |= strcmp(word, "-Werror") == 0;
    return true;
  }
  if (strcmp(word, "-cl-opt-disable") == 0) {
    o->optimised = false;
    return true;
  }
  if (linker && (strcmp(word, "-create-library") == 0 || strcmp(word, "-enable-link-options") == 0)) {
    o->library |= word[1] == 'c';
    return true;
  }
  if (strncmp(word, "-cl-nv-", 7) == 0)
    say(log, "warning: option ", word, " has no effect\n");
  return strncmp(word, "-cl-nv-", 7) == 0 || is_one_of(word, ignored);
}

enum sl_status sl_ocl_options_read(struct ocl_options *options, const char *text, bool linker, struct sl_log *log)
{
  char *copy = strdup(text != NULL ? text : ""), *rest = copy, *word;
  bool known = copy != NULL;
  *options = (struct ocl_options){.optimised = true};
  while (known && (word = sl_next_word(&rest)) != NULL)
    if (!take(options, word, &rest, linker, log)) {
      say(log, "error: option ", word, " is not known, or lacks its value\n");
      known = false;
    }
  free(copy);
  return known ? SL_OK : SL_USAGE;
}

void sl_ocl_options_free(struct ocl_options *options)
{
  sl_words_free(&options->flags);
}

enum { PATH_MOST = 4096 };
#define LIBRARY "simtlab-opencl.bc"

/* ---- tools ------------------------------------------------------------------------------------------------------- */

/* The device library: beside this library in a build folder, or in an installation. */
bool sl_ocl_find_file(const char *name, char *path, size_t size)
{
  static const char *const places[] = {"/opencl", "/../share/simtlab/opencl", "/../../share/simtlab/opencl"};
  const char *home = getenv("SIMTLAB_HOME");
  Dl_info info;
  char *own =
      dladdr((const void *)(uintptr_t)&sl_ocl_compiler_missing, &info) != 0 ? realpath(info.dli_fname, NULL) : NULL;
  char *slash = own != NULL ? strrchr(own, '/') : NULL;
  bool found = false;
  if (slash != NULL)
    *slash = '\0';
  for (size_t i = 0; i <= sizeof places / sizeof *places && !found; i++) {
    const char *folder = i == 0 ? home : own;
    found = folder != NULL &&
            (size_t)snprintf(path, size, "%s%s/%s", folder, i == 0 ? "/opencl" : places[i - 1], name) < size &&
            access(path, R_OK) == 0;
  }
  free(own);
  return found;
}

bool sl_ocl_find_library(char *path, size_t size)
{
  return sl_ocl_find_file(LIBRARY, path, size);
}

static bool in_path(const char *tool)
{
  char path[PATH_MOST];
  const char *at = getenv("PATH");
  while (at != NULL && *at != '\0') {
    const size_t length = strcspn(at, ":");
    snprintf(path, sizeof path, "%.*s/%s", (int)length, at, tool);
    if (access(path, X_OK) == 0)
      return true;
    at += length + (at[length] == ':');
  }
  return false;
}

const char *sl_ocl_compiler_missing(const char *family)
{
  char path[PATH_MOST];
  static const struct {
    const char *tool, *sentence;
    bool links; /* only for machine code; simtlab itself links vortex64's */
  } tools[] = {
      {SL_CLANG, "clang-19 is not installed; install the Debian package clang-19", false},
      {"llc-19", "llc-19 is not installed; install the Debian package llvm-19", false},
      {"opt-19", "opt-19 is not installed; install the Debian package llvm-19", false},
      {"llvm-link-19", "llvm-link-19 is not installed; install the Debian package llvm-19", false},
      {"llvm-dis-19", "llvm-dis-19 is not installed; install the Debian package llvm-19", false},
      {"llvm-objcopy-19", "llvm-objcopy-19 is not installed; install the Debian package llvm-19", false},
      {"riscv64-unknown-elf-ld",
       "riscv64-unknown-elf-ld is not installed; install the Debian package binutils-riscv64-unknown-elf", true},
  };
  for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
    if ((!tools[i].links || (family != NULL && strcmp(family, "vortex64") != 0)) && !in_path(tools[i].tool))
      return tools[i].sentence;
  return sl_ocl_find_library(path, sizeof path) ? NULL
                                                : "the OpenCL device library " LIBRARY
                                                  " is not there; install simtlab-opencl";
}

/* ---- flags ------------------------------------------------------------------------------------------------------- */

static void add_target(struct sl_words *words, const struct ocl_options *options)
{
  if (options->family != NULL) {
    sl_ocl_riscv_add_target(words);
    return;
  }
  static const char *const target[] = {SL_CLANG,  "--target=nvptx64--", "-march=sm_70",
                                       "-Xclang", "-target-feature",    "-Xclang",
                                       "+ptx64",  "-nogpulib",          NULL};
  sl_words_add_all(words, target);
}

static void add_language(struct sl_words *words, const struct ocl_options *options)
{
  static const char *const language[] = {
      "-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header", "-Xclang", "-fdeclare-opencl-builtins", NULL};
  static const char *const ptx[] = {
      "-Xclang",
      "-cl-ext=-all,+cl_khr_fp64,+cl_khr_3d_image_writes,+cl_khr_byte_addressable_store,"
      "+cl_khr_global_int32_base_atomics,+cl_khr_global_int32_extended_atomics,+cl_khr_local_int32_base_atomics,"
      "+cl_khr_local_int32_extended_atomics,+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics",
      "-D__IMAGE_SUPPORT__=1", "-fno-discard-value-names", NULL};
  static const char *const macros[] = {"-U__NVPTX__",
                                       "-U__PTX__",
                                       "-D__OPENCL_VERSION__=120",
                                       "-D__ENDIAN_LITTLE__=1",
                                       "-D__kernel_exec(X,typen)=__kernel __attribute__((work_group_size_hint(X,1,1))) "
                                       "__attribute__((vec_type_hint(typen)))",
                                       "-cl-kernel-arg-info",
                                       "-fdebug-compilation-dir=.",
                                       "-ferror-limit=50",
                                       "-fno-color-diagnostics",
                                       "-Wno-format",
                                       "-Wno-unused-command-line-argument",
                                       NULL};
  sl_words_add_all(words, language);
  if (options->family == NULL)
    sl_words_add_all(words, ptx);
  else
    sl_ocl_riscv_add_language(words);
  sl_words_add_all(words, macros);
  sl_words_add(words, "-gdwarf-3"); /* later versions have labels within calls; behind it, as it demands all else */
  sl_words_add(words, options->family != NULL ? "-gline-tables-only" : "-gline-directives-only");
}

/* To text of LLVM's representation, with the device library. */
static bool add_output(struct sl_words *words, const struct ocl_options *options)
{
  char library[PATH_MOST];
  static const char *const flags[] = {"-fno-jump-tables",       "-emit-llvm", "-S", "-Xclang",
                                      "-mlink-builtin-bitcode", "-Xclang",    NULL};
  if (!sl_ocl_find_library(library, sizeof library))
    return false;
  sl_words_add(words, options->optimised ? "-O3" : "-O1");
  sl_words_add_all(words, flags);
  sl_words_add(words, library);
  return true;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static bool write_file(const char *folder, const char *name, const char *prefix, const void *bytes, size_t size)
{
  char path[2 * PATH_MOST];
  if (strstr(name, "..") != NULL || strlen(name) >= PATH_MOST)
    return false;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  for (char *at = path + strlen(folder) + 1; (at = strchr(at, '/')) != NULL; at++) {
    *at = '\0';
    mkdir(path, 0700);
    *at = '/';
  }
  FILE *file = fopen(path, "w");
  if (file == NULL)
    return false;
  fputs(prefix, file);
  fwrite(bytes, 1, size, file);
  return fclose(file) == 0;
}

char *sl_ocl_read_file(const char *folder, const char *name, size_t *length)
{
  char path[2 * PATH_MOST];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return sl_cuda_read(path, length, NULL);
}

static void remove_folder(const char *folder)
{
  struct sl_log log = {NULL, 0, 0};
  struct sl_tools tools = {.log = &log};
  struct sl_words words = {NULL, 0, 0, false};
  const char *const command[] = {"rm", "-rf", folder, NULL};
  sl_words_add_all(&words, command);
  sl_tools_run(&tools, &words, SL_OUTPUT_LOGGED, NULL);
  sl_words_free(&words);
  sl_log_free(&log);
}

void sl_ocl_log(struct sl_log *log, const char *sentence)
{
  sl_log_add(log, sentence, strlen(sentence));
  sl_log_add(log, "\n", 1);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

enum sl_status sl_ocl_run_tool(struct sl_words *words, struct sl_log *log)
{
  struct sl_tools tools = {.log = log};
  struct sl_error err = {.text = ""};
  const enum sl_status status = sl_tools_run(&tools, words, SL_OUTPUT_LOGGED, &err);
  if (status != SL_OK && !tools.refused)
    sl_ocl_log(log, err.text);
  return status == SL_OK ? SL_OK : tools.refused ? SL_CHECK_FAILED : SL_USAGE;
}

/* Fails with the name of the first function that is called but not defined. */
static enum sl_status check_defined(const char *ptx, struct sl_error *err)
{
  const enum sl_status status = sl_cuda_check_defined("<kernel>", ptx, err);
  char *end = status != SL_OK ? strstr(err->text, " is called but not defined") : NULL;
  if (end != NULL)
    strcpy(end, " is called but not defined");
  return status;
}

/* Makes PTX of k.ll in a folder. */
static enum sl_status finish(const char *folder, const struct ocl_options *options, struct ocl_code **code,
                             struct sl_log *log)
{
  struct sl_words words = {NULL, 0, 0, false};
  struct sl_log described = {NULL, 0, 0};
  struct sl_error err = {.text = ""};
  size_t length = 0;
  char *ir = sl_ocl_read_file(folder, "k.ll", &length);
  if (ir == NULL)
    return SL_USAGE;
  sl_ocl_metadata(ir, &described);
  free(ir);
  enum sl_status status = sl_ocl_ir_edit(folder, log);
  sl_words_add(&words, "llc-19");
  sl_words_add(&words, options->optimised ? "-O3" : "-O1");
  sl_words_add(&words, "-mcpu=sm_70");
  sl_words_add(&words, "-mattr=+ptx64");
  sl_words_add_text(&words, "%s/k.ll", folder);
  sl_words_add(&words, "-o");
  sl_words_add_text(&words, "%s/k.ptx", folder);
  if (status == SL_OK)
    status = sl_ocl_run_tool(&words, log);
  sl_words_free(&words);
  char *ptx = status == SL_OK ? sl_ocl_read_file(folder, "k.ptx", &length) : NULL;
  if (ptx != NULL && check_defined(ptx, &err) != SL_OK) {
    sl_ocl_log(log, err.text);
    status = SL_CHECK_FAILED;
  } else if (ptx != NULL) {
    *code =
        sl_ocl_new_code(CL_PROGRAM_BINARY_TYPE_EXECUTABLE, ptx, length, described.text != NULL ? described.text : "");
    status = *code != NULL ? SL_OK : SL_INTERNAL;
  }
  free(ptx);
  sl_log_free(&described);
  return status;
}

enum sl_status sl_ocl_compile(const char *source, const struct ocl_options *options, bool object,
                              const struct ocl_header *headers, size_t header_count, struct ocl_code **code,
                              struct sl_log *log)
{
  struct sl_words words = {NULL, 0, 0, false};
  struct sl_error err = {.text = ""};
  char folder[PATH_MOST] = "";
  const bool includes = strstr(source, "include") != NULL;
  const struct ocl_cache_key key = sl_ocl_cache_key(source, options, object, headers, header_count);
  *code = sl_ocl_cache_find(&key, log);
  if (*code != NULL)
    return SL_OK;
  const char *missing = sl_ocl_compiler_missing(options->family);
  if (missing != NULL || sl_make_folder(folder, sizeof folder, &err) != SL_OK) {
    sl_ocl_log(log, missing != NULL ? missing : err.text);
    return SL_USAGE;
  }
  bool written = write_file(folder, "k.cl", "#line 1 \"<kernel>\"\n", source, strlen(source));
  for (size_t i = 0; i < header_count && written; i++)
    written = write_file(folder, headers[i].name, "", headers[i].text, strlen(headers[i].text));
  add_target(&words, options);
  add_language(&words, options);
  if (object || options->family != NULL) {
    static const char *const flags[] = {"-O2", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", NULL};
    sl_words_add_all(&words, flags);
  } else
    written = add_output(&words, options) && written;
  if (includes) {
    sl_words_add(&words, "-MD");
    sl_words_add(&words, "-MF");
    sl_words_add_text(&words, "%s/k.d", folder);
  }
  sl_words_add_all(&words, (const char *const *)options->flags.items);
  sl_words_add(&words, "-I.");
  sl_words_add(&words, "-o");
  sl_words_add_text(&words, "%s/%s", folder, object || options->family != NULL ? "k.bc" : "k.ll");
  sl_words_add_text(&words, "%s/k.cl", folder);
  enum sl_status status = written ? sl_ocl_run_tool(&words, log) : SL_USAGE;
  sl_words_free(&words);
  size_t length = 0;
  if (status == SL_OK && object) {
    char *bitcode = sl_ocl_read_file(folder, "k.bc", &length);
    *code = bitcode != NULL ? sl_ocl_new_code(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, bitcode, length, "") : NULL;
    status = *code != NULL ? SL_OK : SL_INTERNAL;
    free(bitcode);
  } else if (status == SL_OK)
    status = options->family != NULL ? sl_ocl_riscv_finish(folder, "k.bc", options, code, log)
                                     : finish(folder, options, code, log);
  if (status == SL_OK) {
    char *depends = includes ? sl_ocl_read_file(folder, "k.d", &length) : NULL;
    sl_ocl_cache_store(&key, *code, log, depends, folder);
    free(depends);
  }
  remove_folder(folder);
  return status;
}

enum sl_status sl_ocl_link(struct ocl_code *const *objects, size_t count, const struct ocl_options *options,
                           struct ocl_code **code, struct sl_log *log)
{
  struct sl_words words = {NULL, 0, 0, false};
  struct sl_error err = {.text = ""};
  char folder[PATH_MOST] = "", name[32];
  size_t length = 0;
  const char *missing = sl_ocl_compiler_missing(options->family);
  if (missing != NULL || sl_make_folder(folder, sizeof folder, &err) != SL_OK) {
    sl_ocl_log(log, missing != NULL ? missing : err.text);
    return SL_USAGE;
  }
  bool written = true;
  sl_words_add(&words, "llvm-link-19");
  for (size_t i = 0; i < count && written; i++) {
    snprintf(name, sizeof name, "%zu.bc", i);
    written = write_file(folder, name, "", objects[i]->text, objects[i]->bytes);
    sl_words_add_text(&words, "%s/%s", folder, name);
  }
  sl_words_add(&words, "-o");
  sl_words_add_text(&words, "%s/l.bc", folder);
  enum sl_status status = written ? sl_ocl_run_tool(&words, log) : SL_USAGE;
  sl_words_free(&words);
  if (status == SL_OK && options->library) {
    char *bitcode = sl_ocl_read_file(folder, "l.bc", &length);
    *code = bitcode != NULL ? sl_ocl_new_code(CL_PROGRAM_BINARY_TYPE_LIBRARY, bitcode, length, "") : NULL;
    status = *code != NULL ? SL_OK : SL_INTERNAL;
    free(bitcode);
  } else if (status == SL_OK && options->family != NULL) {
    status = sl_ocl_riscv_finish(folder, "l.bc", options, code, log);
  } else if (status == SL_OK) {
    words = (struct sl_words){NULL, 0, 0, false};
    add_target(&words, options);
    add_output(&words, options);
    sl_words_add(&words, "-Wno-unused-command-line-argument");
    sl_words_add(&words, "-x");
    sl_words_add(&words, "ir");
    sl_words_add_text(&words, "%s/l.bc", folder);
    sl_words_add(&words, "-o");
    sl_words_add_text(&words, "%s/k.ll", folder);
    status = sl_ocl_run_tool(&words, log);
    sl_words_free(&words);
    if (status == SL_OK)
      status = finish(folder, options, code, log);
  }
  remove_folder(folder);
  return status;
}
