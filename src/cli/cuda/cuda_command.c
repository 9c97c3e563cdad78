/* simtlab cuda: compiles and links CUDA programs, in place of nvcc. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cuda/cuda.h"
#include "cli/jobs.h"
#include "cli/options.h"
#include "cli/session.h"
#include "compiler/cc/tools.h"

static bool is_interrupted(void *interruption)
{
  return sl_interrupted(interruption);
}

static bool says_more(void)
{
  const char *level = getenv("SIMTLAB_CUDA_LOG");
  return level != NULL && strcmp(level, "0") != 0 && level[0] != '\0';
}

/* Build systems look for the first words and for "release X.Y". C++17 in CMake needs 11.0. */
static void print_version(void)
{
  printf("nvcc: NVIDIA (R) Cuda compiler driver: simtlab %s stands in for it, with clang-19\n"
         "Cuda compilation tools, release 11.8, V11.8.89\n",
         SL_VERSION);
}

/* What nvcc -v prints first. CMake takes the tree, the link line and the default architecture from it. */
static void print_settings(const char *root)
{
  const char *path = getenv("PATH");
  fprintf(stderr,
          "#$ TOP=%s\n#$ PATH=%s/bin:%s\n#$ INCLUDES=\"-I%s/include\"\n#$ LIBRARIES=-L%s/lib64\n"
          "#$ cicc -arch compute_70\n",
          root, root, path != NULL ? path : "", root, root);
}

static void print_env(const char *root)
{
  static const char *const names[] = {"CUDA_DIR",  "CUDA_PATH",         "CUDA_HOME",
                                      "CUDA_ROOT", "CUDA_INSTALL_PATH", "CUDA_TOOLKIT_PATH"};
  static const struct {
    const char *name, *folder;
  } paths[] = {{"PATH", "bin"}, {"LIBRARY_PATH", "lib64"}, {"CPATH", "include"}, {"LD_LIBRARY_PATH", "lib64"}};
  struct sl_log line = {0};
  struct sl_words word = {0};
  sl_words_add(&word, root);
  sl_log_add_words(&line, &word); /* quoted */
  const char *quoted = line.text != NULL ? line.text : root;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    printf("export %s=%s\n", names[i], quoted);
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    printf("export %s=%s/%s${%s:+:$%s}\n", paths[i].name, quoted, paths[i].folder, paths[i].name, paths[i].name);
  sl_log_free(&line);
  sl_words_free(&word);
  if (access("/usr/local/cuda", F_OK) == 0)
    fputs("simtlab cuda: an SDK is installed in /usr/local/cuda; a Makefile that names this folder links the SDK's "
          "runtime, which reads no image of simtlab\n",
          stderr);
}

/* Whether there are inputs, and the output overwrites none of them. */
static enum sl_status check(const struct sl_cuda *cuda, struct sl_error *err)
{
  const struct sl_cuda_order *order = &cuda->order;
  size_t sources = 0, files = 0;
  for (size_t i = 0; i < order->input_count; i++) {
    sources += order->inputs[i].language != SL_CUDA_LINKED;
    files += order->inputs[i].language != SL_CUDA_LINKED || order->inputs[i].word[0] != '-';
  }
  const bool each =
      order->goal != SL_CUDA_PROGRAM && order->goal != SL_CUDA_ARCHIVE && order->goal != SL_CUDA_DEVICE_LINK;
  if (files == 0 || (each && sources == 0))
    return sl_fail(err, SL_USAGE, "no input files; simtlab cuda --help shows the usage");
  if (each && sources > 1 && order->output != NULL)
    return sl_fail(err, SL_USAGE, "-o %.100s: one output cannot hold what becomes of %zu sources; leave -o out",
                   order->output, sources);
  for (size_t i = 0; i < order->input_count; i++)
    if (order->output != NULL && strcmp(order->output, order->inputs[i].word) == 0)
      return sl_fail(err, SL_USAGE, "%.200s: the output would overwrite this input; give -o another name",
                     order->output);
  return SL_OK;
}

static enum sl_status compile(struct sl_cuda *cuda, struct sl_error *err)
{
  struct sl_log log = {0};
  struct sl_interruption interruption;
  struct sl_tools tools = {
      .log = &log, .shown = cuda->shown, .dry = cuda->dry, .stopped = is_interrupted, .context = &interruption};
  if (cuda->shown)
    print_settings(cuda->order.root);
  sl_interruption_begin(&interruption);
  const enum sl_status code = sl_compile_cuda(&cuda->order, &tools, err);
  if (log.text != NULL)
    fputs(log.text, cuda->dry ? stdout : stderr);
  sl_log_free(&log);
  const bool interrupted = code != SL_OK && sl_interrupted(&interruption);
  sl_interruption_end(&interruption);
  if (interrupted)
    return sl_interrupted_status(&interruption, err, "nothing was made");
  return code != SL_OK && tools.refused ? SL_CHECK_FAILED : code;
}

static enum sl_status carry_out(struct sl_cuda *cuda, struct sl_error *err)
{
  char root[SL_PATH];
  if (cuda->request == SL_CUDA_VERSION) {
    print_version();
    return SL_OK;
  }
  if (cuda->request == SL_CUDA_NOTHING)
    return SL_OK;
  if (sl_find_data("cuda", root, err) != SL_OK || sl_find_data("cuda/simtlab-device.bc", root, err) != SL_OK)
    return sl_fail(
        err, SL_USAGE,
        "this build of simtlab has no CUDA: install the Debian packages clang-19, llvm-19 and libclc-19, and "
        "build it again");
  *strrchr(root, '/') = '\0';
  if (cuda->ignored.text != NULL && says_more())
    fputs(cuda->ignored.text, stderr);
  if (cuda->request == SL_CUDA_ROOT)
    puts(root);
  else if (cuda->request == SL_CUDA_ENV)
    print_env(root);
  else {
    cuda->order.root = root;
    return check(cuda, err) == SL_OK ? compile(cuda, err) : SL_USAGE;
  }
  return SL_OK;
}

static enum sl_status cuda_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  static const struct sl_option described[] = {
      {'o', "", SL_OPTION_TEXT, "FILE", "the output [a.out]", NULL},
      {'c', "", SL_OPTION_FLAG, NULL, "write objects; -dc: device functions of other files may be used", NULL},
      {0, "ptx", SL_OPTION_FLAG, NULL, "write the kernels' PTX", NULL},
      {0, "shared", SL_OPTION_FLAG, NULL, "write a shared library; --lib: an archive", NULL},
      {'E', "", SL_OPTION_FLAG, NULL, "preprocess; -M, -MM, -MD, -MMD, -MF, -MT: dependencies", NULL},
      {'x', "", SL_OPTION_TEXT, "cu|c|c++", "the language of the files that follow", NULL},
      {0, "std", SL_OPTION_TEXT, "c++11|c++14|c++17", "the language's version [c++14]", NULL},
      {0, "maxrregcount", SL_OPTION_TEXT, "N", "the most registers per thread", NULL},
      {0, "lineinfo", SL_OPTION_FLAG, NULL, "profiles by source line; -G: and kernels hardly optimised", NULL},
      {0, "checkable", SL_OPTION_FLAG, NULL, "kernels for simtlab check: accesses stay where they are", NULL},
      {0, "compiler-options", SL_OPTION_TEXT, "LIST", "options of the host compiler (-Xcompiler)", NULL},
      {0, "linker-options", SL_OPTION_TEXT, "LIST", "options of the linker (-Xlinker)", NULL},
      {0, "dry-run", SL_OPTION_FLAG, NULL, "show the commands, run none; -v: run them, too", NULL},
      {0, "root", SL_OPTION_FLAG, NULL, "print the folder that looks like an SDK: bin, include, lib64", NULL},
      {0, "env", SL_OPTION_FLAG, NULL, "print the shell commands that point Makefiles to it", NULL},
      {0},
  };
  struct sl_cuda *cuda = calloc(1, sizeof *cuda);
  if (cuda == NULL)
    return sl_no_memory(err, sizeof *cuda);
  enum sl_status code = sl_cuda_options(cuda, argc, argv, err);
  if (code == SL_OK && cuda->request == SL_CUDA_HELP)
    sl_print_help(command, described);
  else if (code == SL_OK)
    code = carry_out(cuda, err);
  sl_cuda_options_free(cuda);
  free(cuda);
  return code;
}

const struct sl_command sl_cuda_command = {
    .name = "cuda",
    .operands = "[OPTION]... [-o FILE] FILE...",
    .summary = "Compile and link CUDA programs, as nvcc does",
    .details = "Files are CUDA (.cu), C (.c), C++ (.cc, .cpp, .cxx), objects and libraries. nvcc's options\n"
               "are taken in both spellings; some have no effect, which SIMTLAB_CUDA_LOG=1 shows.\n"
               "-use_fast_math takes approximate functions and flushes denormals. Programs run on\n"
               "simulated GPUs: docs/how-to/cuda.md.\n",
    .no_tables = true,
    .run = cuda_command,
};

/* ---- programs of other commands ---------------------------------------------------------------------------------- */

bool sl_is_cuda_source(const char *path)
{
  const char *dot = strrchr(path, '.');
  return dot != NULL && strcmp(dot, ".cu") == 0;
}

/* The words of the caller come last, because the last option of a kind counts. */
static enum sl_status build_program(const char *source, char *words, bool checkable, const char *output,
                                    struct sl_error *err)
{
  const char *const first[] = {"cuda", "-std=c++17", "-lineinfo", "-o", output, source};
  struct sl_words all = {0};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++)
    sl_words_add(&all, first[i]);
  if (checkable)
    sl_words_add(&all, "--checkable");
  for (char *word = words != NULL ? sl_next_word(&words) : NULL; word != NULL; word = sl_next_word(&words))
    sl_words_add(&all, word);
  enum sl_status code = all.lost ? sl_no_memory(err, strlen(source)) : SL_OK;
  if (code == SL_OK)
    code = sl_cuda_command.run(&sl_cuda_command, (int)all.count, all.items, err);
  sl_words_free(&all);
  return code == SL_CHECK_FAILED ? sl_fail(err, SL_USAGE, "%.300s: it does not compile", source) : code;
}

enum sl_status sl_cuda_build(const char *source, const char *words, bool checkable, char program[SL_CUDA_PATH],
                             int *file, struct sl_error *err)
{
  char folder[SL_PATH], output[SL_PATH + 8], *own = words != NULL ? strdup(words) : NULL;
  *file = -1;
  if (words != NULL && own == NULL)
    return sl_no_memory(err, strlen(words));
  enum sl_status code = sl_make_folder(folder, sizeof folder, err);
  if (code != SL_OK) {
    free(own);
    return code;
  }
  snprintf(output, sizeof output, "%s/program", folder);
  code = build_program(source, own, checkable, output, err);
  if (code == SL_OK && (*file = open(output, O_RDONLY | O_CLOEXEC)) < 0)
    code = sl_fail(err, SL_USAGE, "%.300s: no program came of it: leave -o, -c and -ptx out (%s)", source,
                   strerror(errno));
  snprintf(program, SL_CUDA_PATH, "/proc/self/fd/%d", *file); /* the file is open, and needs no name */
  unlink(output);
  rmdir(folder);
  free(own);
  return code;
}
