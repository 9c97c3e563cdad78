/* Runtime compilation of CUDA kernels: Clang compiles the text as simtlab cuda does.
 *
 * The name of a template's instance is what a constant of its address is initialised with, so a name expression becomes
 * such a constant behind the program. Source: NVRTC 10.1, "User Guide". */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/cc/compile.h"
#include "runtime/cuda/cudart.h"
#include <nvrtc.h>

enum { PATH_MOST = 4096 };
#define CONSTANT "simtlab_name_"

/* A file of the program: its text, or a header. */
struct text {
  char *name, *text;
};

struct expression {
  char *text, *lowered;
};

struct _nvrtcProgram {
  struct _nvrtcProgram *next;
  struct text source, *headers;
  size_t header_count;
  struct expression *expressions;
  size_t expression_count;
  char *ptx, *log;
  bool compiled;
};

SL_CUDART_API const char *nvrtcGetErrorString(nvrtcResult result)
{
  static const char *const texts[] = {
      [NVRTC_SUCCESS] = "NVRTC_SUCCESS",
      [NVRTC_ERROR_OUT_OF_MEMORY] = "NVRTC_ERROR_OUT_OF_MEMORY",
      [NVRTC_ERROR_PROGRAM_CREATION_FAILURE] = "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
      [NVRTC_ERROR_INVALID_INPUT] = "NVRTC_ERROR_INVALID_INPUT",
      [NVRTC_ERROR_INVALID_PROGRAM] = "NVRTC_ERROR_INVALID_PROGRAM",
      [NVRTC_ERROR_INVALID_OPTION] = "NVRTC_ERROR_INVALID_OPTION",
      [NVRTC_ERROR_COMPILATION] = "NVRTC_ERROR_COMPILATION",
      [NVRTC_ERROR_BUILTIN_OPERATION_FAILURE] = "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
      [NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION] = "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
      [NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION] = "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
      [NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID] = "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
      [NVRTC_ERROR_INTERNAL_ERROR] = "NVRTC_ERROR_INTERNAL_ERROR",
  };
  return (unsigned)result <= NVRTC_ERROR_INTERNAL_ERROR ? texts[result] : "NVRTC_ERROR unknown";
}

SL_CUDART_API nvrtcResult nvrtcVersion(int *major, int *minor)
{
  if (major == NULL || minor == NULL)
    return NVRTC_ERROR_INVALID_INPUT;
  *major = 10;
  *minor = 1;
  return NVRTC_SUCCESS;
}

/* The link to a program in the list of all; NULL: there is no such program. */
static struct _nvrtcProgram **find(struct cudart *r, nvrtcProgram program)
{
  for (struct _nvrtcProgram **at = &r->programs; *at != NULL; at = &(*at)->next)
    if (*at == program)
      return at;
  return NULL;
}

static bool is_program(nvrtcProgram program)
{
  struct cudart *r;
  const cudaError_t error = sl_cudart_enter(&r, false);
  const bool found = find(r, program) != NULL;
  sl_cudart_leave(r, __func__, error == cudaSuccess ? cudaSuccess : cudaErrorNotReady);
  return found;
}

/* Adds a program to the list, or removes it. */
static void list(nvrtcProgram program, bool adds)
{
  struct cudart *r;
  const cudaError_t error = sl_cudart_enter(&r, false);
  struct _nvrtcProgram **at = find(r, program);
  if (adds) {
    program->next = r->programs;
    r->programs = program;
  } else if (at != NULL)
    *at = program->next;
  sl_cudart_leave(r, __func__, error == cudaSuccess ? cudaSuccess : cudaErrorNotReady);
}

static void free_program(struct _nvrtcProgram *p)
{
  for (size_t i = 0; i < p->header_count; i++) {
    free(p->headers[i].name);
    free(p->headers[i].text);
  }
  for (size_t i = 0; i < p->expression_count; i++) {
    free(p->expressions[i].text);
    free(p->expressions[i].lowered);
  }
  free(p->source.name);
  free(p->source.text);
  free(p->headers);
  free(p->expressions);
  free(p->ptx);
  free(p->log);
  free(p);
}

SL_CUDART_API nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int count,
                                             const char *const *headers, const char *const *names)
{
  if (program == NULL || source == NULL || count < 0 || (count > 0 && (headers == NULL || names == NULL)))
    return NVRTC_ERROR_INVALID_INPUT;
  struct _nvrtcProgram *p = calloc(1, sizeof *p);
  if (p == NULL)
    return NVRTC_ERROR_OUT_OF_MEMORY;
  p->source = (struct text){strdup(name != NULL ? name : "default_program"), strdup(source)};
  p->headers = calloc((size_t)count + 1, sizeof *p->headers);
  bool lost = p->source.name == NULL || p->source.text == NULL || p->headers == NULL;
  for (int i = 0; i < count && !lost; i++) {
    struct text *h = &p->headers[p->header_count++];
    *h = (struct text){strdup(names[i]), strdup(headers[i])};
    lost = h->name == NULL || h->text == NULL;
  }
  if (lost) {
    free_program(p);
    return NVRTC_ERROR_OUT_OF_MEMORY;
  }
  list(p, true);
  *program = p;
  return NVRTC_SUCCESS;
}

SL_CUDART_API nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
  if (program == NULL || !is_program(*program))
    return NVRTC_ERROR_INVALID_PROGRAM;
  list(*program, false);
  free_program(*program);
  *program = NULL;
  return NVRTC_SUCCESS;
}

SL_CUDART_API nvrtcResult nvrtcAddNameExpression(nvrtcProgram p, const char *expression)
{
  if (!is_program(p))
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (expression == NULL || p->compiled)
    return expression == NULL ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  struct expression *more = realloc(p->expressions, (p->expression_count + 1) * sizeof *more);
  char *copy = strdup(expression);
  if (more != NULL)
    p->expressions = more;
  if (more == NULL || copy == NULL) {
    free(copy);
    return NVRTC_ERROR_OUT_OF_MEMORY;
  }
  more[p->expression_count++] = (struct expression){.text = copy};
  return NVRTC_SUCCESS;
}

SL_CUDART_API nvrtcResult nvrtcGetLoweredName(nvrtcProgram p, const char *expression, const char **lowered)
{
  if (!is_program(p))
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!p->compiled)
    return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  for (size_t i = 0; i < p->expression_count && expression != NULL && lowered != NULL; i++)
    if (strcmp(p->expressions[i].text, expression) == 0 && p->expressions[i].lowered != NULL) {
      *lowered = p->expressions[i].lowered;
      return NVRTC_SUCCESS;
    }
  return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

/* ---- compilation ------------------------------------------------------------------------------------------------- */

/* The tree with headers and the device library: beside this library in a build folder, or in an installation. */
static bool find_root(char root[PATH_MOST])
{
  static const char *const places[] = {"/cuda", "/../share/simtlab/cuda", "/../../share/simtlab/cuda"};
  const char *home = getenv("SIMTLAB_HOME");
  Dl_info info;
  char *own = dladdr((const void *)(uintptr_t)&nvrtcVersion, &info) != 0 ? realpath(info.dli_fname, NULL) : NULL;
  char *slash = own != NULL ? strrchr(own, '/') : NULL;
  bool found = false;
  if (slash != NULL)
    *slash = '\0';
  for (size_t i = 0; i <= sizeof places / sizeof *places && !found; i++) {
    const char *folder = i == 0 ? home : own;
    if (folder != NULL &&
        snprintf(root, PATH_MOST, "%s%s", folder, i == 0 ? "/cuda" : places[i - 1]) < PATH_MOST - 32) {
      char library[PATH_MOST + 32];
      snprintf(library, sizeof library, "%s/simtlab-device.bc", root);
      found = access(library, R_OK) == 0;
    }
  }
  free(own);
  return found;
}

static bool write_text(const char *folder, const char *name, const char *text, const struct _nvrtcProgram *p)
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
  fputs(text, file);
  for (size_t i = 0; p != NULL && i < p->expression_count; i++)
    fprintf(file,
            "\nextern \"C\" __device__ __attribute__((used)) const void *const volatile " CONSTANT
            "%zu = (const void *)(%s);\n",
            i, p->expressions[i].text);
  return fclose(file) == 0;
}

static void log_line(struct sl_log *log, const char *text, const char *more)
{
  sl_log_add(log, text, strlen(text));
  sl_log_add(log, more, strlen(more));
  sl_log_add(log, "\n", 1);
}

/* Takes an option of NVRTC; those without effect are named in the log. False: it is wrong. */
static bool take_option(struct sl_cuda_order *order, const char *option, struct sl_log *log)
{
  static const char *const passed[] = {"-D", "-U", "-I", "--define-macro=", "--include-path=", "--undefine-macro="};
  static const char *const spelled[] = {"-D", "-U", "-I", "-D", "-I", "-U"};
  if (option == NULL)
    return false;
  for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
    if (strncmp(option, passed[i], strlen(passed[i])) == 0) {
      sl_words_add_text(&order->both, "%s%s", spelled[i], option + strlen(passed[i]));
      return true;
    }
  const char *standard = strncmp(option, "--std=", 6) == 0 ? option + 1 : option;
  if (strncmp(standard, "-std=", 5) == 0)
    order->standard = standard;
  else if (strcmp(option, "--use_fast_math") == 0 || strcmp(option, "-use_fast_math") == 0)
    order->fast_math = true;
  else if (strcmp(option, "--generate-line-info") == 0 || strcmp(option, "-lineinfo") == 0)
    order->lines = true;
  else if (option[0] == '-')
    log_line(log, option, " has no effect");
  else
    return false;
  return true;
}

/* The names that the constants are initialised with. The constants are not part of the result. */
static void take_names(struct _nvrtcProgram *p)
{
  for (size_t i = 0; i < p->expression_count; i++) {
    char mark[64];
    snprintf(mark, sizeof mark, " " CONSTANT "%zu = ", i);
    char *line = strstr(p->ptx, mark);
    if (line == NULL)
      continue;
    const char *at = line + strlen(mark);
    at += strncmp(at, "generic(", 8) == 0 ? 8 : 0;
    p->expressions[i].lowered = strndup(at, strcspn(at, ");+ "));
    while (line > p->ptx && line[-1] != '\n')
      line--;
    const char *rest = line + strcspn(line, "\n");
    memmove(line, rest, strlen(rest) + 1);
  }
}

static char *read_whole(const char *path)
{
  struct stat status;
  FILE *file = fopen(path, "rb");
  char *text = file != NULL && fstat(fileno(file), &status) == 0 ? calloc(1, (size_t)status.st_size + 1) : NULL;
  if (text != NULL && fread(text, 1, (size_t)status.st_size, file) != (size_t)status.st_size) {
    free(text);
    text = NULL;
  }
  if (file != NULL)
    fclose(file);
  return text;
}

static nvrtcResult compile_in(struct _nvrtcProgram *p, const char *folder, const char *root, int count,
                              const char *const *options)
{
  char source[PATH_MOST], output[PATH_MOST];
  struct sl_log log = {0};
  struct sl_tools tools = {.log = &log};
  struct sl_error err = {.text = ""};
  const struct sl_cuda_input input = {source, SL_CUDA_CU};
  struct sl_cuda_order order = {.inputs = &input,
                                .input_count = 1,
                                .goal = SL_CUDA_PTX,
                                .output = output,
                                .root = root,
                                .standard = "-std=c++14",
                                .separate = true};
  snprintf(source, sizeof source, "%s/program.cu", folder);
  snprintf(output, sizeof output, "%s/program.ptx", folder);
  bool good = write_text(folder, "program.cu", p->source.text, p);
  for (size_t i = 0; i < p->header_count; i++)
    good = write_text(folder, p->headers[i].name, p->headers[i].text, NULL) && good;
  sl_words_add_text(&order.both, "-I%s", folder);
  nvrtcResult result = good ? NVRTC_SUCCESS : NVRTC_ERROR_PROGRAM_CREATION_FAILURE;
  for (int i = 0; i < count && result == NVRTC_SUCCESS; i++)
    if (!take_option(&order, options[i], &log))
      result = NVRTC_ERROR_INVALID_OPTION;
  if (result == NVRTC_SUCCESS && sl_compile_cuda(&order, &tools, &err) != SL_OK) {
    log_line(&log, err.text, "");
    result = NVRTC_ERROR_COMPILATION;
  }
  if (result == NVRTC_SUCCESS && (p->ptx = read_whole(output)) == NULL)
    result = NVRTC_ERROR_INTERNAL_ERROR;
  p->log = strdup(log.text != NULL ? log.text : "");
  sl_words_free(&order.both);
  sl_log_free(&log);
  return result;
}

static void remove_folder(const struct _nvrtcProgram *p, const char *folder)
{
  char path[2 * PATH_MOST];
  static const char *const names[] = {"program.cu", "program.ptx"};
  for (size_t i = 0; i < p->header_count + 2; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, i < 2 ? names[i] : p->headers[i - 2].name);
    unlink(path);
    for (char *slash; (slash = strrchr(path, '/')) != NULL && slash > path + strlen(folder);) {
      *slash = '\0';
      rmdir(path);
    }
  }
  rmdir(folder);
}

SL_CUDART_API nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int count, const char *const *options)
{
  char root[PATH_MOST], folder[256];
  if (!is_program(p))
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (count < 0 || (count > 0 && options == NULL))
    return NVRTC_ERROR_INVALID_INPUT;
  free(p->ptx);
  free(p->log);
  p->ptx = p->log = NULL;
  if (!find_root(root)) {
    p->log = strdup("simtlab's headers and device library are not there: set SIMTLAB_HOME\n");
    return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
  }
  if (sl_make_folder(folder, sizeof folder, NULL) != SL_OK)
    return NVRTC_ERROR_INTERNAL_ERROR;
  const nvrtcResult result = compile_in(p, folder, root, count, options);
  remove_folder(p, folder);
  p->compiled = result == NVRTC_SUCCESS;
  if (p->compiled)
    take_names(p);
  return result;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static nvrtcResult size_of(const char *text, size_t *size)
{
  if (size == NULL)
    return NVRTC_ERROR_INVALID_INPUT;
  *size = text != NULL ? strlen(text) + 1 : 1;
  return NVRTC_SUCCESS;
}

static nvrtcResult copy_of(const char *text, char *to)
{
  if (to == NULL)
    return NVRTC_ERROR_INVALID_INPUT;
  strcpy(to, text != NULL ? text : "");
  return NVRTC_SUCCESS;
}

SL_CUDART_API nvrtcResult nvrtcGetPTXSize(nvrtcProgram p, size_t *size)
{
  return !is_program(p) || !p->compiled ? NVRTC_ERROR_INVALID_PROGRAM : size_of(p->ptx, size);
}

SL_CUDART_API nvrtcResult nvrtcGetPTX(nvrtcProgram p, char *ptx)
{
  return !is_program(p) || !p->compiled ? NVRTC_ERROR_INVALID_PROGRAM : copy_of(p->ptx, ptx);
}

SL_CUDART_API nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, size_t *size)
{
  return !is_program(p) ? NVRTC_ERROR_INVALID_PROGRAM : size_of(p->log, size);
}

SL_CUDART_API nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char *log)
{
  return !is_program(p) ? NVRTC_ERROR_INVALID_PROGRAM : copy_of(p->log, log);
}
