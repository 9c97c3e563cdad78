#include "compiler/cc/compile.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { CUDA_PATH = 4096 };

/* One source on its way to an object. */
struct unit {
  const struct sl_cuda_order *order;
  bool alloca;            /* the source names it: PTX has it from version 7.3 on */
  const char *given;      /* the source's path in the command */
  char source[CUDA_PATH]; /* the file that is compiled: the given one, or a copy */
  char quoted[CUDA_PATH]; /* folder of the given source, where #include "..." of a copy looks; "" for none */
  char ptx[CUDA_PATH], ir[CUDA_PATH], image[CUDA_PATH];
  struct sl_tools host_tools;
  struct sl_log host_log;
  struct sl_words host;
  struct sl_error host_error;
  enum sl_status host_code;
  atomic_bool host_done;
};

static void path_in(char path[CUDA_PATH], const char *folder, size_t index, const char *suffix)
{
  snprintf(path, CUDA_PATH, "%.4000s/%zu%s", folder, index, suffix);
}

/* Returns the name of an output next to nothing: the source's, in the current folder. */
static void output_name(char path[CUDA_PATH], const char *source, const char *suffix)
{
  const char *slash = strrchr(source, '/'), *name = slash != NULL ? slash + 1 : source, *dot = strrchr(name, '.');
  snprintf(path, CUDA_PATH, "%.*s%s", (int)(dot != NULL && dot != name ? dot - name : (long)strlen(name)), name,
           suffix);
}

/* Flags of both passes. Without an installed SDK's path Clang would look for one and take its version. */
static void add_common(const struct unit *unit, struct sl_words *words)
{
  static const char *const always[] = {SL_CLANG,
                                       "--driver-mode=g++",
                                       "-x",
                                       "cuda",
                                       "-nocudainc",
                                       "-nocudalib",
                                       "--cuda-gpu-arch=sm_70",
                                       "-Xclang",
                                       "-target-sdk-version=10.1",
                                       "-Wno-unknown-cuda-version",
                                       "-Wno-pass-failed",
                                       "-Wno-register",
                                       "-Wno-c++11-narrowing",
                                       "-Wno-reserved-user-defined-literal",
                                       NULL};
  const struct sl_cuda_order *order = unit->order;
  sl_words_add_all(words, always);
  sl_words_add_text(words, "--cuda-path=%s/empty", order->root);
  sl_words_add(words, order->standard);
  if (unit->quoted[0] != '\0') {
    sl_words_add(words, "-iquote");
    sl_words_add(words, unit->quoted);
  }
  sl_words_add_all(words, (const char *const *)order->both.items);
  sl_words_add(words, "-isystem");
  sl_words_add_text(words, "%s/include", order->root);
  sl_words_add(words, "-include");
  sl_words_add_text(words, "%s/include/cuda_runtime.h", order->root);
}

static void add_device(const struct unit *unit, struct sl_words *words, const char *output)
{
  static const char *const always[] = {"--cuda-device-only",
                                       "-S",
                                       "-w", /* the host pass warns */
                                       "-fno-jump-tables",
                                       "-fno-delete-null-pointer-checks", /* an access by a null pointer faults */
                                       "-ffp-contract=fast-honor-pragmas",
                                       "-Xclang",
                                       "-mlink-builtin-bitcode",
                                       "-Xclang",
                                       NULL};
  const struct sl_cuda_order *order = unit->order;
  add_common(unit, words);
  sl_words_add_all(words, always);
  sl_words_add_text(words, "%s/simtlab-device.bc", order->root);
  sl_words_add(words, "-Xclang");
  sl_words_add(words, "-target-feature");
  sl_words_add(words, "-Xclang");
  sl_words_add(words, unit->alloca ? "+ptx73" : "+ptx64");
  sl_words_add(words, order->plain ? "-O1" : "-O3");
  if (order->lines)
    sl_words_add(words, "-gline-tables-only");
  if (order->fast_math) {
    sl_words_add(words, "-fcuda-flush-denormals-to-zero");
    sl_words_add(words, "-fgpu-approx-transcendentals");
  }
  sl_words_add_all(words, (const char *const *)order->device.items);
  sl_words_add(words, "-o");
  sl_words_add(words, output);
  sl_words_add(words, unit->source);
}

static bool has_word(const struct sl_words *words, const char *word)
{
  for (size_t i = 0; i < words->count; i++)
    if (strcmp(words->items[i], word) == 0)
      return true;
  return false;
}

/* Clang would name a dependency file and its target after the output, which has a temporary name. */
static void add_dependencies(const struct sl_cuda_order *order, struct sl_words *words, const char *output)
{
  const char *slash = strrchr(output, '/'), *dot = strrchr(output, '.');
  const size_t stem = dot != NULL && (slash == NULL || dot > slash + 1) ? (size_t)(dot - output) : strlen(output);
  if (!has_word(&order->host, "-MD") && !has_word(&order->host, "-MMD"))
    return;
  if (!has_word(&order->host, "-MF")) {
    sl_words_add(words, "-MF");
    sl_words_add_text(words, "%.*s.d", (int)stem, output);
  }
  if (!has_word(&order->host, "-MT") && !has_word(&order->host, "-MQ")) {
    sl_words_add(words, "-MQ");
    sl_words_add(words, output);
  }
}

static void add_host(const struct unit *unit, struct sl_words *words, const char *action)
{
  add_common(unit, words);
  sl_words_add(words, "--cuda-host-only");
  if (unit->order->separate) /* Clang embeds no device code of a file without kernels and variables */
    sl_words_add(words, "-DSIMTLAB_SEPARATE");
  sl_words_add_all(words, (const char *const *)unit->order->host.items);
  if (action != NULL)
    sl_words_add(words, action);
}

/* Makes a copy of a source whose launches or assembly Clang would not read. */
static enum sl_status prepare(struct unit *unit, const char *folder, size_t index, const struct sl_tools *tools,
                              struct sl_error *err)
{
  size_t length;
  snprintf(unit->source, sizeof unit->source, "%s", unit->given);
  if (tools->dry && access(unit->given, R_OK) != 0)
    return SL_OK;
  char *text = sl_cuda_read(unit->given, &length, err);
  if (text == NULL)
    return SL_USAGE;
  unit->alloca = strstr(text, "alloca") != NULL;
  enum sl_status code = SL_OK;
  const bool escaped = sl_cuda_escape_asm(&text, &length);
  if (sl_cuda_join_launches(text, length) || escaped) {
    const char *slash = strrchr(unit->given, '/');
    snprintf(unit->quoted, sizeof unit->quoted, "%.*s", slash != NULL ? (int)(slash - unit->given + 1) : 1,
             slash != NULL ? unit->given : ".");
    path_in(unit->source, folder, index, ".cu");
    FILE *copy = tools->dry ? NULL : fopen(unit->source, "w");
    if (copy != NULL) {
      fprintf(copy, "#line 1 \"%s\"\n", unit->given);
      fwrite(text, 1, length, copy);
    }
    if (!tools->dry && (copy == NULL || fclose(copy) != 0))
      code = sl_fail(err, SL_USAGE, "%.300s cannot be written (%s)", unit->source, strerror(errno));
  }
  free(text);
  return code;
}

static void *compile_host(void *context)
{
  struct unit *unit = context;
  unit->host_code = sl_tools_run(&unit->host_tools, &unit->host, SL_OUTPUT_LOGGED, &unit->host_error);
  atomic_store(&unit->host_done, true);
  return NULL;
}

/* Opens the pipe that the host pass reads the image from, once it does. Below 0: it ended without. */
static int open_image(struct unit *unit)
{
  for (;;) {
    const int file = open(unit->image, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0 && fcntl(file, F_SETFL, 0) == 0)
      return file;
    if (atomic_load(&unit->host_done))
      return -1;
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
}

static bool write_all(int file, const void *bytes, size_t size)
{
  for (size_t done = 0; done < size;) {
    const ssize_t n = write(file, (const char *)bytes + done, size - done);
    if (n < 0 && errno != EINTR)
      return false;
    done += n > 0 ? (size_t)n : 0;
  }
  return true;
}

/* Gives the host pass its image; without a text an empty one, which ends the pass. */
static void send_image(struct unit *unit, const char *text, size_t length)
{
  unsigned char header[SL_CUDA_HEADER];
  const int file = open_image(unit);
  if (file < 0)
    return;
  sl_cuda_image_header(header, length, unit->order->registers | (unit->order->separate ? SL_CUDA_SEPARATE : 0));
  if (text != NULL && write_all(file, header, sizeof header))
    write_all(file, text, length + 1);
  close(file);
}

/* Runs the device pass. Clang's words for a kernel that launches a kernel do not say what is missing. */
static enum sl_status run_device(const struct unit *unit, const struct sl_words *words, struct sl_tools *tools,
                                 struct sl_error *err)
{
  const size_t before = tools->log->length;
  const enum sl_status code = sl_tools_run(tools, words, SL_OUTPUT_LOGGED, err);
  if (code != SL_USAGE || tools->log->length == before ||
      strstr(tools->log->text + before, "reference to __global__ function") == NULL)
    return code;
  return sl_fail(err, SL_USAGE,
                 "%.300s: a kernel launches a kernel (dynamic parallelism), which simtlab does not support; launch it "
                 "from the host",
                 unit->given);
}

/* Changes what the optimiser would take from the checker. */
static enum sl_status edit_ir(const char *path, struct sl_error *err)
{
  size_t length;
  char *ir = sl_cuda_read(path, &length, err), *kept = ir != NULL ? sl_keep_accesses(ir, &length) : NULL;
  const bool read = ir != NULL;
  free(ir);
  if (kept == NULL)
    return read ? sl_no_memory(err, length) : SL_USAGE;
  FILE *file = fopen(path, "w");
  bool written = file != NULL && fwrite(kept, 1, length, file) == length;
  written = file != NULL && fclose(file) == 0 && written;
  free(kept);
  return written ? SL_OK : sl_fail(err, SL_USAGE, "%.300s cannot be written (%s)", path, strerror(errno));
}

/* Compiles a changed representation to PTX. */
static enum sl_status compile_ir(const struct unit *unit, const char *output, struct sl_tools *tools,
                                 struct sl_error *err)
{
  static const char *const always[] = {SL_CLANG,
                                       "-x",
                                       "ir",
                                       "--target=nvptx64-nvidia-cuda",
                                       "-march=sm_70",
                                       "-nogpulib",
                                       "-S",
                                       "-w",
                                       "-ffp-contract=fast",
                                       "-mllvm",
                                       "-sink-common-insts=0",
                                       "-Xclang",
                                       "-target-feature",
                                       "-Xclang",
                                       NULL};
  struct sl_words words = {0};
  sl_words_add_all(&words, always);
  sl_words_add(&words, unit->alloca ? "+ptx73" : "+ptx64");
  sl_words_add_text(&words, "--cuda-path=%s/empty", unit->order->root);
  sl_words_add(&words, unit->order->plain ? "-O1" : "-O3");
  sl_words_add(&words, "-o");
  sl_words_add(&words, output);
  sl_words_add(&words, unit->ir);
  const enum sl_status code = sl_tools_run(tools, &words, SL_OUTPUT_LOGGED, err);
  sl_words_free(&words);
  return code;
}

/* The device pass: from the source to PTX. */
static enum sl_status make_ptx(const struct unit *unit, const char *output, struct sl_tools *tools,
                               struct sl_error *err)
{
  static const char *const to_ir[] = {"-emit-llvm", "-Xclang", "-disable-llvm-passes", NULL};
  const bool checkable = unit->order->checkable;
  struct sl_words words = {0};
  add_device(unit, &words, checkable ? unit->ir : output);
  if (checkable)
    sl_words_add_all(&words, to_ir);
  enum sl_status code = run_device(unit, &words, tools, err);
  sl_words_free(&words);
  if (code == SL_OK && checkable && !tools->dry)
    code = edit_ir(unit->ir, err);
  return code == SL_OK && checkable ? compile_ir(unit, output, tools, err) : code;
}

static enum sl_status compile_device(struct unit *unit, struct sl_tools *tools, struct sl_error *err)
{
  char *text = NULL;
  size_t length = 0;
  enum sl_status code = make_ptx(unit, unit->ptx, tools, err);
  if (tools->dry)
    return code;
  if (code == SL_OK && (text = sl_cuda_read(unit->ptx, &length, err)) == NULL)
    code = SL_USAGE;
  if (code == SL_OK && !unit->order->separate)
    code = sl_cuda_check_defined(unit->given, text, err);
  send_image(unit, code == SL_OK ? text : NULL, length);
  free(text);
  return code;
}

/* Both passes at once. The host pass is longer in parsing than in the rest, so it waits for the image late. */
static enum sl_status compile_both(struct unit *unit, struct sl_tools *tools, const char *output, const char *target,
                                   struct sl_error *err)
{
  sigset_t pipe_signal, before;
  pthread_t thread;
  unit->host_tools = *tools;
  unit->host_tools.log = &unit->host_log;
  add_host(unit, &unit->host, "-c");
  add_dependencies(unit->order, &unit->host, target);
  sl_words_add(&unit->host, "-Xclang");
  sl_words_add(&unit->host, "-fcuda-include-gpubinary");
  sl_words_add(&unit->host, "-Xclang");
  sl_words_add(&unit->host, unit->image);
  sl_words_add(&unit->host, "-o");
  sl_words_add(&unit->host, output);
  sl_words_add(&unit->host, unit->source);
  if (!tools->dry && mkfifo(unit->image, 0600) != 0)
    return sl_fail(err, SL_USAGE, "%.300s cannot be made (%s)", unit->image, strerror(errno));
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  const bool beside = !tools->dry && pthread_create(&thread, NULL, compile_host, unit) == 0;
  if (!beside && !tools->dry) {
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return sl_fail(err, SL_INTERNAL, "no thread for the host pass");
  }
  const enum sl_status code = compile_device(unit, tools, err);
  if (beside)
    pthread_join(thread, NULL);
  else
    compile_host(unit);
  const struct timespec now = {0};
  sigtimedwait(&pipe_signal, NULL, &now); /* a SIGPIPE of the image's pipe */
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (code == SL_OK && unit->host_log.text != NULL)
    sl_log_add(tools->log, unit->host_log.text, unit->host_log.length);
  tools->refused |= unit->host_tools.refused;
  if (code == SL_OK && unit->host_code != SL_OK)
    *err = unit->host_error;
  return code != SL_OK ? code : unit->host_code;
}

static enum sl_status compile_plain(const struct sl_cuda_order *order, const struct sl_cuda_input *input,
                                    const char *action, const char *output, const char *target, struct sl_tools *tools,
                                    struct sl_error *err)
{
  struct sl_words words = {0};
  sl_words_add(&words, SL_CLANG);
  sl_words_add(&words, input->language == SL_CUDA_C ? "-xc" : "-xc++");
  sl_words_add_all(&words, (const char *const *)order->both.items);
  sl_words_add_all(&words, (const char *const *)order->host.items);
  sl_words_add(&words, "-isystem");
  sl_words_add_text(&words, "%s/include", order->root);
  if (action != NULL)
    sl_words_add(&words, action);
  if (output != NULL) {
    add_dependencies(order, &words, target);
    sl_words_add(&words, "-o");
    sl_words_add(&words, output);
  }
  sl_words_add(&words, input->word);
  const enum sl_status code = sl_tools_run(tools, &words, output == NULL ? SL_OUTPUT_PASSED : SL_OUTPUT_LOGGED, err);
  sl_words_free(&words);
  return code;
}

/* Compiles one source as the goal says. output: where; target: the name that dependency files give it. */
static enum sl_status compile_one(const struct sl_cuda_order *order, size_t index, const char *folder,
                                  const char *output, const char *target, struct sl_tools *tools, struct sl_error *err)
{
  const struct sl_cuda_input *input = &order->inputs[index];
  const char *action = order->goal == SL_CUDA_PREPROCESSED ? "-E" : order->goal == SL_CUDA_DEPENDENCIES ? NULL : "-c";
  if (input->language != SL_CUDA_CU)
    return compile_plain(order, input, action, output, target, tools, err);
  struct unit *unit = calloc(1, sizeof *unit);
  if (unit == NULL)
    return sl_no_memory(err, sizeof *unit);
  struct sl_words words = {0};
  *unit = (struct unit){.order = order, .given = input->word};
  path_in(unit->ptx, folder, index, ".ptx");
  path_in(unit->ir, folder, index, ".ll");
  path_in(unit->image, folder, index, ".img");
  enum sl_status code = prepare(unit, folder, index, tools, err);
  if (code != SL_OK) {
    free(unit);
    return code;
  }
  if (order->goal == SL_CUDA_PTX) {
    code = make_ptx(unit, output, tools, err);
  } else if (order->goal == SL_CUDA_PREPROCESSED || order->goal == SL_CUDA_DEPENDENCIES) {
    add_host(unit, &words, action);
    if (output != NULL) {
      sl_words_add(&words, "-o");
      sl_words_add(&words, output);
    }
    sl_words_add(&words, unit->source);
    code = sl_tools_run(tools, &words, output == NULL ? SL_OUTPUT_PASSED : SL_OUTPUT_LOGGED, err);
  } else {
    code = compile_both(unit, tools, output, target, err);
  }
  sl_words_free(&words);
  sl_words_free(&unit->host);
  sl_log_free(&unit->host_log);
  free(unit);
  return code;
}

/* Compiles a source to its own output, which appears whole. */
static enum sl_status compile_to(const struct sl_cuda_order *order, size_t index, const char *folder,
                                 struct sl_tools *tools, struct sl_error *err)
{
  char name[CUDA_PATH];
  const bool to_output = order->goal == SL_CUDA_PREPROCESSED || order->goal == SL_CUDA_DEPENDENCIES;
  output_name(name, order->inputs[index].word,
              order->goal != SL_CUDA_PTX ? ".o"
              : order->suffix != NULL    ? order->suffix
                                         : ".ptx");
  const char *output = order->output != NULL ? order->output : to_output ? NULL : name;
  struct sl_staged_output staged;
  enum sl_status code = sl_staged_output_begin(&staged, tools, output, err);
  if (code != SL_OK)
    return code;
  code = compile_one(order, index, folder, output != NULL ? staged.path : NULL, output, tools, err);
  return sl_staged_output_end(&staged, code, err);
}

/* Links objects (and files that are linked as they are) in the order of the command. */
static enum sl_status link_all(const struct sl_cuda_order *order, char *const *objects, struct sl_tools *tools,
                               struct sl_error *err)
{
  struct sl_words words = {0};
  struct sl_staged_output staged;
  const char *output = order->output != NULL ? order->output : order->goal == SL_CUDA_ARCHIVE ? "a.a" : "a.out";
  enum sl_status code = sl_staged_output_begin(&staged, tools, output, err);
  if (code != SL_OK)
    return code;
  if (order->goal == SL_CUDA_ARCHIVE) {
    /* ar would add to the empty file */
    if (staged.path != output && !tools->dry)
      unlink(staged.path);
    sl_words_add(&words, "ar");
    sl_words_add(&words, "rcs");
    sl_words_add(&words, staged.path);
  } else {
    sl_words_add(&words, SL_CLANGXX);
    sl_words_add_text(&words, "-L%s/lib64", order->root); /* before the command's own, which may be an SDK's */
    if (order->shared)
      sl_words_add(&words, "-shared");
    sl_words_add(&words, "-o");
    sl_words_add(&words, staged.path);
  }
  for (size_t i = 0; i < order->input_count; i++)
    if (objects[i] != NULL || order->goal != SL_CUDA_ARCHIVE || order->inputs[i].word[0] != '-')
      sl_words_add(&words, objects[i] != NULL ? objects[i] : order->inputs[i].word);
  if (order->goal == SL_CUDA_PROGRAM) {
    sl_words_add_all(&words, (const char *const *)order->link.items);
    sl_words_add_text(&words, "-Wl,-rpath,%s/lib64", order->root);
    sl_words_add(&words, "-lcudart");
  }
  code = sl_tools_run(tools, &words, SL_OUTPUT_LOGGED, err);
  sl_words_free(&words);
  if (code == SL_OK && order->goal == SL_CUDA_PROGRAM && !tools->dry)
    code = sl_cuda_check_linked(staged.path, output, err);
  return sl_staged_output_end(&staged, code, err);
}

static enum sl_status make_empty_object(const struct sl_cuda_order *order, struct sl_tools *tools, struct sl_error *err)
{
  const char *output = order->output != NULL ? order->output : "a_dlink.o";
  const char *const empty[] = {SL_CLANG, "-xc", "-c", "/dev/null", "-o", NULL};
  struct sl_words words = {0};
  struct sl_staged_output staged;
  enum sl_status code = sl_staged_output_begin(&staged, tools, output, err);
  if (code != SL_OK)
    return code;
  sl_words_add_all(&words, empty);
  sl_words_add(&words, staged.path);
  code = sl_tools_run(tools, &words, SL_OUTPUT_LOGGED, err);
  sl_words_free(&words);
  return sl_staged_output_end(&staged, code, err);
}

static enum sl_status compile_and_link(const struct sl_cuda_order *order, const char *folder, struct sl_tools *tools,
                                       struct sl_error *err)
{
  char **objects = calloc(order->input_count + 1, sizeof *objects);
  enum sl_status code = objects != NULL ? SL_OK : sl_no_memory(err, order->input_count * sizeof *objects);
  for (size_t i = 0; i < order->input_count && code == SL_OK; i++) {
    char path[CUDA_PATH];
    if (order->inputs[i].language == SL_CUDA_LINKED)
      continue;
    path_in(path, folder, i, ".o");
    objects[i] = strdup(path);
    code = objects[i] == NULL ? sl_no_memory(err, strlen(path))
                              : compile_one(order, i, folder, objects[i], order->inputs[i].word, tools, err);
  }
  if (code == SL_OK)
    code = link_all(order, objects, tools, err);
  for (size_t i = 0; objects != NULL && i < order->input_count; i++)
    free(objects[i]);
  free(objects);
  return code;
}

static void remove_folder(const char *folder, size_t count)
{
  static const char *const suffixes[] = {".cu", ".ptx", ".ll", ".img", ".o"};
  char path[CUDA_PATH];
  for (size_t i = 0; i < count; i++)
    for (size_t s = 0; s < sizeof suffixes / sizeof *suffixes; s++) {
      path_in(path, folder, i, suffixes[s]);
      unlink(path);
    }
  rmdir(folder);
}

enum sl_status sl_compile_cuda(const struct sl_cuda_order *order, struct sl_tools *tools, struct sl_error *err)
{
  char folder[CUDA_PATH] = "TEMPORARY";
  if (order->goal == SL_CUDA_DEVICE_LINK)
    return make_empty_object(order, tools, err);
  enum sl_status code = tools->dry ? SL_OK : sl_make_folder(folder, sizeof folder, err);
  if (code != SL_OK)
    return code;
  if (order->goal == SL_CUDA_PROGRAM || order->goal == SL_CUDA_ARCHIVE)
    code = compile_and_link(order, folder, tools, err);
  else
    for (size_t i = 0; i < order->input_count && code == SL_OK; i++)
      if (order->inputs[i].language != SL_CUDA_LINKED)
        code = compile_to(order, i, folder, tools, err);
  if (!tools->dry)
    remove_folder(folder, order->input_count);
  return code;
}
