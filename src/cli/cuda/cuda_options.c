#include "cli/cuda/cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"

/* Where an option's value is. nvcc takes `-name value` and `-name=value`; short names also `-nVALUE`. */
enum shape { ALONE, VALUE, SHORT, PREFIX };

/* What becomes of it */
enum use {
  BOTH, /* to both passes, with its value */
  BOTH_JOINED,
  HOST,    /* to the host pass */
  LINK,    /* to the linker, at its place among the files */
  IGNORED, /* has no effect */
  REFUSED, /* the sentence says why */
  XCOMPILER,
  XLINKER,
  OUTPUT,
  LANGUAGE,
  STANDARD,
  LEVEL, /* -O */
  LIBRARY,
  REGISTERS,
  FAST_MATH,
  DEFAULT_STREAM, /* legacy, per-thread */
  LINES,
  CHECKABLE,
  DEBUG,
  SHARED,
  SEPARATE,
  SEPARATE_IF, /* -rdc=true */
  GOAL_OBJECT,
  GOAL_SEPARATE,
  GOAL_PTX,
  GOAL_IMAGE, /* what another tool would assemble: PTX, under the usual suffix */
  GOAL_PREPROCESSED,
  GOAL_DEPENDENCIES,
  GOAL_ARCHIVE,
  GOAL_DEVICE_LINK,
  GOAL_NOTHING,
  OPENMP,
  FORWARD,
  FILE_OF_OPTIONS,
  DRY,
  SHOW,
  HELP,
  VERSION,
  ROOT,
  ENV,
};

struct rule {
  const char *name;
  enum shape shape;
  enum use use;
  const char *sentence; /* why it is ignored or refused; the other spelling of the rest */
};

static const char one_target[] = "kernels are always compiled for compute capability 7.0";
static const char own_passes[] = "PTX is not assembled further";
static const char one_runtime[] = "programs link with the shared runtime library";
static const char no_binary[] = "there is no machine code to write; -ptx writes PTX";

static const struct rule rules[] = {
#include "cli/cuda/cuda_rules.def"
};

enum { RULES = sizeof rules / sizeof rules[0] };

/* Libraries of an SDK that are not there */
static const struct {
  const char *name, *purpose;
} absent[] = {
    {"cublas", "linear algebra"},    {"cufft", "Fourier transforms"}, {"curand", "random numbers"},
    {"cusparse", "sparse algebra"},  {"cusolver", "linear solvers"},  {"cudnn", "neural networks"},
    {"npp", "image processing"},     {"nccl", "communication"},       {"cudpp", "parallel primitives"},
    {"cupti", "profiling"},          {"nvml", "device management"},   {"nvidia-ml", "device management"},
    {"nvgraph", "graph algorithms"},
};

/* Libraries that the runtime library replaces */
static const char *const replaced[] = {"cuda",  "cudart",     "cudart_static", "cudadevrt",
                                       "nvrtc", "nvToolsExt", "culibos"};

static bool starts(const char *word, const char *with)
{
  return strncmp(word, with, strlen(with)) == 0;
}

static bool matches(const struct rule *rule, const char *word)
{
  const size_t length = strlen(rule->name);
  if (!starts(word, rule->name))
    return false;
  return word[length] == '\0' || rule->shape == SHORT || rule->shape == PREFIX ||
         (rule->shape == VALUE && word[length] == '=');
}

/* The longest name wins: -optf is not -o. */
static const struct rule *find_rule(const char *word)
{
  const struct rule *best = NULL;
  for (size_t i = 0; i < RULES; i++)
    if (matches(&rules[i], word) && (best == NULL || strlen(rules[i].name) > strlen(best->name)))
      best = &rules[i];
  return best;
}

static enum sl_status add_input(struct sl_cuda *cuda, const char *word, enum sl_cuda_language language,
                                struct sl_error *err)
{
  struct sl_cuda_order *order = &cuda->order;
  if (order->input_count == cuda->capacity) {
    const size_t capacity = 2 * cuda->capacity + 64;
    struct sl_cuda_input *grown = realloc(cuda->inputs, capacity * sizeof *grown);
    if (grown == NULL)
      return sl_no_memory(err, capacity * sizeof *grown);
    order->inputs = cuda->inputs = grown;
    cuda->capacity = capacity;
  }
  cuda->inputs[order->input_count++] = (struct sl_cuda_input){word, language};
  return SL_OK;
}

static enum sl_status add_file(struct sl_cuda *cuda, const char *word, struct sl_error *err)
{
  static const struct {
    const char *suffix;
    enum sl_cuda_language language;
  } kinds[] = {{".cu", SL_CUDA_CU},   {".c", SL_CUDA_C},   {".cc", SL_CUDA_CXX}, {".cpp", SL_CUDA_CXX},
               {".cxx", SL_CUDA_CXX}, {".C", SL_CUDA_CXX}, {".c++", SL_CUDA_CXX}};
  const char *dot = strrchr(word, '.');
  if (cuda->language_given)
    return add_input(cuda, word, cuda->language, err);
  for (size_t i = 0; dot != NULL && i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(dot, kinds[i].suffix) == 0)
      return add_input(cuda, word, kinds[i].language, err);
  if (dot != NULL && (strcmp(dot, ".cubin") == 0 || strcmp(dot, ".fatbin") == 0 || strcmp(dot, ".ptx") == 0))
    return sl_fail(err, SL_USAGE, "%.200s: only sources, objects and libraries can be given", word);
  return add_input(cuda, word, SL_CUDA_LINKED, err);
}

/* The linker's words live as long as the command: order.link owns those that are not on the command line. */
static enum sl_status add_linked(struct sl_cuda *cuda, const char *word, struct sl_error *err)
{
  struct sl_words *owned = &cuda->words;
  sl_words_add(owned, word);
  return owned->lost ? sl_no_memory(err, strlen(word))
                     : add_input(cuda, owned->items[owned->count - 1], SL_CUDA_LINKED, err);
}

static enum sl_status add_library(struct sl_cuda *cuda, const char *name, struct sl_error *err)
{
  for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++)
    if (strcmp(name, replaced[i]) == 0)
      return SL_OK;
  if (starts(name, "cutil") || starts(name, "shrutil"))
    return SL_OK;
  for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
    if (starts(name, absent[i].name) && strcmp(name, "cublas_stub") != 0)
      return sl_fail(err, SL_USAGE,
                     "-l%.100s: the library %s (%s) is not part of simtlab; only programs without it link", name,
                     absent[i].name, absent[i].purpose);
  char word[512] = "-l";
  strncat(word, name, sizeof word - 3);
  return add_linked(cuda, word, err);
}

static bool is_of_linker(const char *word)
{
  return starts(word, "-Wl,") || starts(word, "-L") || starts(word, "-l") || strcmp(word, "-static") == 0 ||
         strcmp(word, "-rdynamic") == 0 || strcmp(word, "-no-pie") == 0 || strcmp(word, "-pie") == 0;
}

static void ignore(struct sl_cuda *cuda, const char *word, const char *why)
{
  const char *const parts[] = {"simtlab cuda: ", word, " has no effect: ", why, "\n"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    sl_log_add(&cuda->ignored, parts[i], strlen(parts[i]));
}

/* Headers of an SDK would come before simtlab's. The tree of `simtlab cuda --root` has its device library beside. */
static bool is_sdk(const char *folder)
{
  char path[4096];
  const int n = snprintf(path, sizeof path, "%s/cuda_runtime_api.h", folder);
  if (n < 0 || (size_t)n >= sizeof path || access(path, F_OK) != 0)
    return false;
  snprintf(path, sizeof path, "%.4000s/../include/simtlab/language.h", folder);
  return access(path, F_OK) != 0;
}

static enum sl_status add_host_word(struct sl_cuda *cuda, const char *word, struct sl_error *err)
{
  if (starts(word, "-fopenmp") || strcmp(word, "/openmp") == 0) {
    cuda->openmp = true;
    return SL_OK;
  }
  if (starts(word, "-l"))
    return add_library(cuda, word + 2, err);
  if (is_of_linker(word))
    return strcmp(word, "-static") == 0 ? SL_OK : add_linked(cuda, word, err);
  if (starts(word, "-I") && is_sdk(word + 2)) {
    ignore(cuda, word, "simtlab has its own headers");
    return SL_OK;
  }
  sl_words_add(&cuda->order.host, word);
  if (starts(word, "-fsanitize") || starts(word, "-pthread") || starts(word, "-pg") || starts(word, "--coverage") ||
      starts(word, "-flto"))
    sl_words_add(&cuda->order.link, word);
  return SL_OK;
}

/* The words of a list with commas. Quotes around the list, or around a word of it, keep commas. */
static enum sl_status add_list(struct sl_cuda *cuda, const char *list, bool of_linker, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  while (*list != '\0' && code == SL_OK) {
    char word[2048] = "";
    size_t length = 0;
    char quote = '\0';
    for (; *list != '\0' && (quote != '\0' || (*list != ',' && *list != ' ')); list++)
      if (*list == quote)
        quote = '\0';
      else if (quote == '\0' && (*list == '"' || *list == '\''))
        quote = *list;
      else if (*list == '\\' && list[1] == ',' && length + 1 < sizeof word)
        word[length++] = *++list;
      else if (length + 1 < sizeof word)
        word[length++] = *list;
    list += *list != '\0';
    word[length] = '\0';
    if (length == 0)
      continue;
    if (of_linker) {
      char flag[2100] = "-Xlinker";
      code = add_linked(cuda, flag, err);
      if (code == SL_OK)
        code = add_linked(cuda, word, err);
    } else if (starts(word, "-Wl") && strcmp(word, "-Wl") == 0) {
      /* -Xcompiler -Wl,-rpath,X: the list's commas belong to the linker's word */
      char flag[2100] = "-Wl,";
      strncat(flag, list, sizeof flag - 5);
      return add_linked(cuda, flag, err);
    } else
      code = add_host_word(cuda, word, err);
  }
  return code;
}

static enum sl_status choose_language(struct sl_cuda *cuda, const char *name, struct sl_error *err)
{
  static const char *const names[] = {"cu", "c", "c++", "none"};
  static const enum sl_cuda_language languages[] = {SL_CUDA_CU, SL_CUDA_C, SL_CUDA_CXX};
  for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
    if (strcmp(name, names[i]) == 0) {
      cuda->language = languages[i];
      cuda->language_given = true;
      return SL_OK;
    }
  cuda->language_given = false;
  return strcmp(name, "none") == 0 ? SL_OK : sl_unknown(err, "language", name, names, sizeof names / sizeof names[0]);
}

static enum sl_status set_registers(struct sl_cuda *cuda, const char *value, struct sl_error *err)
{
  char *end;
  const unsigned long number = strtoul(value, &end, 10);
  if (*value < '0' || *value > '9' || *end != '\0' || number > 255)
    return sl_fail(err, SL_USAGE, "-maxrregcount %.100s: the number of registers per thread is 0 to 255", value);
  cuda->order.registers = number;
  return SL_OK;
}

static void add_pair(struct sl_words *words, const char *name, const char *value)
{
  sl_words_add(words, name);
  if (value != NULL)
    sl_words_add(words, value);
}

static enum sl_status take_words(struct sl_cuda *cuda, struct sl_words *words, int depth, struct sl_error *err);

static enum sl_status take_file(struct sl_cuda *cuda, const char *name, int depth, struct sl_error *err)
{
  char at[4096] = "@";
  struct sl_words words = {0};
  if (depth > 10)
    return sl_fail(err, SL_USAGE, "%.200s: files of options name each other without an end", name);
  strncat(at, name, sizeof at - 2);
  enum sl_status code = sl_words_add_expanded(&words, at, err);
  for (size_t i = 0; i < words.count; i++) /* the command's words own the text */
    sl_words_add(&cuda->words, words.items[i]);
  struct sl_words part = {.items = cuda->words.items + cuda->words.count - words.count, .count = words.count};
  char **copies = calloc(words.count + 1, sizeof *copies);
  if (copies == NULL || cuda->words.lost || words.lost)
    code = sl_no_memory(err, words.count);
  else {
    memcpy(copies, part.items, words.count * sizeof *copies);
    part.items = copies;
    if (code == SL_OK)
      code = take_words(cuda, &part, depth + 1, err);
  }
  free(copies);
  sl_words_free(&words);
  return code;
}

static void set_goal(struct sl_cuda_order *order, enum sl_cuda_goal goal)
{
  if (order->goal == SL_CUDA_PROGRAM)
    order->goal = goal;
}

/* Kernels for the checker: their accesses stay where the source has them. Otherwise clang may perform a load before the
 * condition on which it depends, which it does not do in functions for a sanitizer, and join the ends of branches. The
 * sanitizer itself is off. Source: LLVM, mustSuppressSpeculation in ValueTracking.cpp, SinkCommonInsts. */
static void keep_accesses(struct sl_cuda_order *order)
{
  static const char *const off[] = {"hwasan-instrument-reads=0",
                                    "hwasan-instrument-writes=0",
                                    "hwasan-instrument-atomics=0",
                                    "hwasan-instrument-mem-intrinsics=0",
                                    "hwasan-instrument-byval=0",
                                    "hwasan-instrument-stack=0",
                                    "hwasan-globals=0",
                                    "sink-common-insts=0"};
  order->checkable = true;
  sl_words_add(&order->device, "-Xclang");
  sl_words_add(&order->device, "-fsanitize=kernel-hwaddress");
  for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
    sl_words_add(&order->device, "-mllvm");
    sl_words_add_text(&order->device, "-%s", off[i]);
  }
}

static enum sl_status apply(struct sl_cuda *cuda, const struct rule *rule, const char *word, const char *value,
                            int depth, struct sl_error *err)
{
  struct sl_cuda_order *order = &cuda->order;
  switch (rule->use) {
  case BOTH:
    if ((strcmp(rule->sentence, "-I") == 0 || strcmp(rule->sentence, "-isystem") == 0) && is_sdk(value))
      ignore(cuda, value, "simtlab has its own headers");
    else
      add_pair(&order->both, rule->sentence, value);
    return SL_OK;
  case BOTH_JOINED: sl_words_add_text(&order->both, "%s%s", rule->sentence, value); return SL_OK;
  case HOST:
    add_pair(&order->host, rule->sentence, value);
    if (strcmp(rule->sentence, "-pg") == 0 || strcmp(rule->sentence, "-pthread") == 0)
      sl_words_add(&order->link, rule->sentence);
    return SL_OK;
  case LINK: {
    const enum sl_status code = add_linked(cuda, rule->sentence, err);
    return code == SL_OK ? add_linked(cuda, value, err) : code;
  }
  case IGNORED: ignore(cuda, word, rule->sentence); return SL_OK;
  case REFUSED: return sl_fail(err, SL_USAGE, "%.100s: %s", word, rule->sentence);
  case XCOMPILER: return add_list(cuda, value, false, err);
  case XLINKER: return add_list(cuda, value, true, err);
  case OUTPUT: order->output = value; return SL_OK;
  case LANGUAGE: return choose_language(cuda, value, err);
  case STANDARD:
    sl_words_add_text(&cuda->words, "-std=%s%s", starts(value, "c++") ? "gnu" : "", value + starts(value, "c++"));
    order->standard = cuda->words.lost ? NULL : cuda->words.items[cuda->words.count - 1];
    return SL_OK;
  case LEVEL:
    sl_words_add_text(&order->host, "-O%s", value);
    order->plain |= strcmp(value, "0") == 0;
    return SL_OK;
  case LIBRARY: return add_library(cuda, value, err);
  case REGISTERS: return set_registers(cuda, value, err);
  case FAST_MATH:
    order->fast_math = true;
    sl_words_add(&order->device, "-D__USE_FAST_MATH__=1");
    return SL_OK;
  case LINES: order->lines = true; return SL_OK;
  case CHECKABLE: keep_accesses(order); return SL_OK;
  case DEBUG: order->lines = order->plain = true; return SL_OK;
  case SHARED: order->shared = true; return SL_OK;
  case DEFAULT_STREAM:
    if (strcmp(value, "per-thread") == 0)
      sl_words_add(&order->both, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    return SL_OK;
  case SEPARATE_IF: order->separate = strcmp(value, "true") == 0; return SL_OK;
  case SEPARATE: order->separate = true; return SL_OK;
  case GOAL_SEPARATE: order->separate = true; /* fall through */
  case GOAL_OBJECT: set_goal(order, SL_CUDA_OBJECT); return SL_OK;
  case GOAL_IMAGE: order->suffix = rule->sentence; /* fall through */
  case GOAL_PTX: set_goal(order, SL_CUDA_PTX); return SL_OK;
  case GOAL_PREPROCESSED: set_goal(order, SL_CUDA_PREPROCESSED); return SL_OK;
  case GOAL_DEPENDENCIES:
    set_goal(order, SL_CUDA_DEPENDENCIES);
    sl_words_add(&order->host, rule->sentence);
    return SL_OK;
  case GOAL_ARCHIVE: set_goal(order, SL_CUDA_ARCHIVE); return SL_OK;
  case GOAL_DEVICE_LINK: set_goal(order, SL_CUDA_DEVICE_LINK); return SL_OK;
  case GOAL_NOTHING: cuda->request = SL_CUDA_NOTHING; return SL_OK;
  case FORWARD: cuda->forward = true; return SL_OK;
  case OPENMP: cuda->openmp = true; return SL_OK;
  case FILE_OF_OPTIONS: return take_file(cuda, value, depth, err);
  case DRY: cuda->dry = true; return SL_OK;
  case SHOW: cuda->shown = true; return SL_OK;
  case HELP: cuda->request = SL_CUDA_HELP; return SL_OK;
  case VERSION: cuda->request = SL_CUDA_VERSION; return SL_OK;
  case ROOT: cuda->request = SL_CUDA_ROOT; return SL_OK;
  case ENV: cuda->request = SL_CUDA_ENV; return SL_OK;
  }
  return SL_OK;
}

static enum sl_status unknown(const char *word, struct sl_error *err)
{
  const char *names[RULES];
  for (size_t i = 0; i < RULES; i++)
    names[i] = rules[i].name;
  return sl_unknown(err, "option", word, names, RULES);
}

/* next: the following word, NULL at the end; *used: it is the option's value. */
static enum sl_status take_option(struct sl_cuda *cuda, const char *word, const char *next, int depth, bool *used,
                                  struct sl_error *err)
{
  const struct rule *rule = find_rule(word);
  if (rule == NULL &&
      (cuda->forward || starts(word, "-f") || starts(word, "-W") || starts(word, "-m") || starts(word, "--param=")))
    return add_host_word(cuda, word, err);
  if (rule == NULL)
    return unknown(word, err);
  const char *rest = word + strlen(rule->name);
  if (rule->shape == ALONE || rule->shape == PREFIX)
    return apply(cuda, rule, word, NULL, depth, err);
  if (rule->use == LEVEL && *rest == '\0')
    return apply(cuda, rule, word, "2", depth, err); /* a bare -O */
  *used = *rest == '\0';
  if (*used && next == NULL)
    return sl_fail(err, SL_USAGE, "%s needs a value", word);
  return apply(cuda, rule, word, *used ? next : *rest == '=' ? rest + 1 : rest, depth, err);
}

static enum sl_status take_words(struct sl_cuda *cuda, struct sl_words *words, int depth, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < words->count && code == SL_OK; i++) {
    const char *word = words->items[i], *next = i + 1 < words->count ? words->items[i + 1] : NULL;
    bool used = false;
    code = word[0] != '-' || word[1] == '\0' ? add_file(cuda, word, err)
                                             : take_option(cuda, word, next, depth, &used, err);
    i += used;
  }
  return code;
}

enum sl_status sl_cuda_options(struct sl_cuda *cuda, int argc, char **argv, struct sl_error *err)
{
  struct sl_words given = {0};
  enum sl_status code = SL_OK;
  cuda->order.standard = "-std=gnu++14"; /* of the version that the headers say */
  for (int i = 1; i < argc && code == SL_OK; i++)
    code = sl_words_add_expanded(&given, argv[i], err);
  for (size_t i = 0; i < given.count; i++)
    sl_words_add(&cuda->words, given.items[i]);
  if (code == SL_OK && (given.lost || cuda->words.lost))
    code = sl_no_memory(err, given.count);
  struct sl_words first = {.count = given.count};
  char **copies = calloc(given.count + 1, sizeof *copies);
  if (copies != NULL && given.count > 0)
    memcpy(copies, cuda->words.items, given.count * sizeof *copies);
  first.items = copies;
  if (code == SL_OK)
    code = copies == NULL ? sl_no_memory(err, given.count) : take_words(cuda, &first, 0, err);
  free(copies);
  sl_words_free(&given);
  if (code == SL_OK && cuda->openmp)
    sl_words_add(&cuda->order.link, "-lgomp");
  if (code == SL_OK && (cuda->words.lost || cuda->order.both.lost || cuda->order.host.lost))
    code = sl_no_memory(err, cuda->words.capacity);
  return code;
}

void sl_cuda_options_free(struct sl_cuda *cuda)
{
  struct sl_words *const lists[] = {&cuda->words, &cuda->order.both, &cuda->order.host, &cuda->order.device,
                                    &cuda->order.link};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    sl_words_free(lists[i]);
  sl_log_free(&cuda->ignored);
  free(cuda->inputs);
}
