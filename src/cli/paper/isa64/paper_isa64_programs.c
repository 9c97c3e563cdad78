/* Compiles the programs that the folder does not have, and analyses the instruction words. */
#include <dirent.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/jobs.h"
#include "cli/locations.h"
#include "cli/paper/isa64/paper_isa64.h"
#include "compiler/cc/compile.h"
#include "isa/banks.h"
#include "isa/wide.h"
#include "observe/output.h"
#include "program/wide_file.h"

enum { FLAGS_MOST = 8, KEY_MOST = 1024 };

static const char graphs[] = "bench-vortex/gcn_graphs.S";

/* Compilation state. */
struct progress {
  struct sl_isa64_runs *runs;
  atomic_bool stop;
  pthread_mutex_t mutex;
  struct sl_error failure; /* first error */
};

/* Compiler options of a program, with storage for their strings. */
struct recipe {
  char source[SL_PATH], graphs[SL_PATH], runtime[SL_PATH], output[SL_PATH + 64];
  char define[3][32], registers[16], banks[16];
  const char *flags[FLAGS_MOST];
  struct sl_input inputs[2];
  struct sl_compile_order order;
  char key[KEY_MOST]; /* hash of its sources and of the compiler */
};

static bool is_bare(const struct sl_isa64_program *program)
{
  return program->part < SL_ISA64_KERNELS;
}

/* ---- sources ------------------------------------------------------------------------------------------------------
 */

static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t count)
{
  for (size_t i = 0; i < count; i++)
    hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
  return hash;
}

static uint64_t hash_file(const char *path)
{
  char bytes[4096];
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  FILE *file = fopen(path, "rb");
  for (size_t n; file != NULL && (n = fread(bytes, 1, sizeof bytes, file)) > 0;)
    hash = hash_bytes(hash, bytes, n);
  if (file != NULL)
    fclose(file);
  return hash;
}

/* Combines the hashes of all files of a folder, in any order of listing. */
static uint64_t hash_folder(const char *path)
{
  char file[2 * SL_PATH];
  uint64_t sum = 0;
  DIR *folder = opendir(path);
  for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
    if (entry->d_name[0] != '.') {
      snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
      sum += hash_bytes(hash_file(file), entry->d_name, strlen(entry->d_name));
    }
  if (folder != NULL)
    closedir(folder);
  return sum;
}

static uint64_t hash_of_sources(const struct sl_isa64_program *program, const struct recipe *recipe)
{
  char folder[SL_PATH + 16];
  snprintf(folder, sizeof folder, "%s", recipe->source);
  *strrchr(folder, '/') = '\0';
  uint64_t hash = hash_folder(folder);
  if (is_bare(program))
    return hash;
  strcat(folder, "/../common");
  hash += hash_folder(folder) + hash_folder(recipe->runtime);
  return recipe->graphs[0] != '\0' ? hash + hash_file(recipe->graphs) : hash;
}

/* ---- compiler options ---------------------------------------------------------------------------------------------
 */

static void choose_flags(struct recipe *r, const struct sl_isa64_program *program)
{
  size_t count = 0;
  if (!is_bare(program))
    return;
  r->flags[count++] = "-ffp-contract=off"; /* so that the check rounds in the same places */
  if (program->tile == 0)
    return;
  snprintf(r->define[0], sizeof r->define[0], "-DTILE=%u", program->tile);
  snprintf(r->define[1], sizeof r->define[1], "-DSIZE=%u", program->size);
  snprintf(r->define[2], sizeof r->define[2], "-DDEPTH=%d", SL_ISA64_DEPTH);
  for (size_t i = 0; i < 3; i++)
    r->flags[count++] = r->define[i];
  if (program->floats)
    r->flags[count++] = "-DFLOAT";
}

static enum sl_status choose_code(struct recipe *r, const struct sl_isa64_program *program, struct sl_error *err)
{
  struct sl_wide_words words = {.allocation = sl_isa64_compilers[program->compiler]};
  if (program->compiler != SL_ISA64_STOCK) {
    snprintf(r->registers, sizeof r->registers, "%u", program->registers);
    snprintf(r->banks, sizeof r->banks, "%u", program->banks);
    words.registers = r->registers;
    words.banks = r->banks;
    words.saved = program->saved;
  }
  return sl_wide_options_read(&r->order.code, &words, err);
}

static void write_key(struct recipe *r, const struct sl_isa64_runs *runs, const struct sl_isa64_program *program)
{
  int n = snprintf(r->key, sizeof r->key,
                   "simtlab %s, build 0x%016" PRIx64 "\nsources 0x%016" PRIx64 "\n--allocation %s --registers %s "
                   "--banks %s --saved %s\n",
                   SL_VERSION, runs->build, hash_of_sources(program, r), sl_isa64_compilers[program->compiler],
                   r->registers, r->banks, program->saved != NULL ? program->saved : "default");
  for (const char *const *flag = r->flags; *flag != NULL && n > 0 && (size_t)n < sizeof r->key; flag++)
    n += snprintf(r->key + n, sizeof r->key - (size_t)n, "%s\n", *flag);
}

static enum sl_status prepare(struct recipe *r, const struct sl_isa64_runs *runs,
                              const struct sl_isa64_program *program, struct sl_error *err)
{
  const bool bare = is_bare(program);
  snprintf(r->output, sizeof r->output, "%.3000s/programs/%s.elf", runs->order->folder, program->name);
  r->inputs[0].word = r->source;
  r->inputs[1].word = r->graphs;
  enum sl_status code = sl_find_data(program->source, r->source, err);
  if (code == SL_OK)
    code = sl_find_data("runtime", r->runtime, err);
  if (code == SL_OK && program->part == SL_ISA64_PARTS - 1)
    code = sl_find_data(graphs, r->graphs, err);
  if (code != SL_OK)
    return code;
  r->order = (struct sl_compile_order){.inputs = r->inputs,
                                       .input_count = r->graphs[0] != '\0' ? 2 : 1,
                                       .goal = SL_GOAL_PROGRAM,
                                       .output = r->output,
                                       .runtime = r->runtime,
                                       .flags = r->flags,
                                       .vortex = true,
                                       .wide = true,
                                       .fp = true,
                                       .no_start = bare,
                                       .no_libraries = bare};
  choose_flags(r, program);
  code = choose_code(r, program, err);
  write_key(r, runs, program);
  return code;
}

/* ---- compilation --------------------------------------------------------------------------------------------------
 */

static void key_path(const struct recipe *r, char path[SL_PATH + 64])
{
  snprintf(path, SL_PATH + 64, "%.*s.key", (int)(strlen(r->output) - strlen(".elf")), r->output);
}

static bool is_kept(const struct recipe *r)
{
  char path[SL_PATH + 64], text[KEY_MOST];
  key_path(r, path);
  FILE *file = fopen(path, "rb");
  const size_t size = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file != NULL)
    fclose(file);
  text[size] = '\0';
  return strcmp(text, r->key) == 0 && access(r->output, R_OK) == 0;
}

static enum sl_status keep(const struct recipe *r, struct sl_error *err)
{
  char path[SL_PATH + 64];
  struct sl_output output;
  key_path(r, path);
  enum sl_status code = sl_output_open(&output, path, err);
  if (code == SL_OK) {
    sl_output_write(&output, r->key, strlen(r->key));
    code = sl_output_close(&output, err);
  }
  return code;
}

/* A function that fell back to stock code would falsify the measurement. */
static enum sl_status compile(const struct recipe *r, struct sl_error *err)
{
  struct sl_log log = {0};
  struct sl_tools tools = {.log = &log};
  enum sl_status code = sl_compile(&r->order, &tools, err);
  if (code != SL_OK && log.text != NULL)
    fputs(log.text, stderr);
  const char *note = log.text != NULL ? strstr(log.text, "has the stock compiler's code") : NULL;
  if (code == SL_OK && note != NULL) {
    while (note > log.text && note[-1] != '\n')
      note--;
    code = sl_fail(err, SL_INTERNAL, "%.300s: not every function could be compiled: %.*s", r->source,
                   (int)strcspn(note, "\n"), note);
  }
  sl_log_free(&log);
  return code;
}

/* Counts instructions with three registers and both sources in one bank; x0 is encoded as another instruction (Table
 * 1). */
static bool conflicts(const struct sl_insn *in, unsigned banks)
{
  return sl_reads_rs1(in) && sl_reads_rs2(in) && !sl_reads_rs3(in) && sl_writes_rd(in) && in->rs1 != 0 &&
         in->rs2 != 0 &&
         sl_bank_of(SL_BANK_MODULO, banks, SL_WIDE_REGISTERS, in->rs1) ==
             sl_bank_of(SL_BANK_MODULO, banks, SL_WIDE_REGISTERS, in->rs2);
}

static void count_words(struct sl_isa64_program *program)
{
  const struct sl_isa *isa = sl_isa(SL_ISA_WIDE64);
  program->instructions = program->conflicts = 0;
  for (size_t s = 0; s < sl_program_segment_count(program->program); s++) {
    const struct sl_segment *segment = sl_program_segment(program->program, s);
    for (uint32_t at = 0; segment->executable && at + isa->word_bytes <= segment->file_size; at += isa->word_bytes) {
      const struct sl_insn in =
          isa->decode(sl_program_instruction(program->program, segment->address + at), ~(unsigned)SL_ISA_SIMT_FPU);
      program->instructions += in.op != SL_OP_UNKNOWN;
      program->conflicts += conflicts(&in, SL_ISA64_USUAL_BANKS);
    }
  }
}

static enum sl_status make(const struct sl_isa64_runs *runs, struct sl_isa64_program *program, struct sl_error *err)
{
  struct recipe *r = calloc(1, sizeof *r);
  if (r == NULL)
    return sl_no_memory(err, sizeof *r);
  enum sl_status code = prepare(r, runs, program, err);
  if (code == SL_OK && !is_kept(r)) {
    code = compile(r, err);
    if (code == SL_OK)
      code = keep(r, err);
  }
  if (code == SL_OK)
    code = sl_program_load(r->output, &program->program, err);
  if (code == SL_OK)
    count_words(program);
  free(r);
  return code;
}

static void name_job(const void *context, size_t index, char *text, size_t size)
{
  snprintf(text, size, "compiling %s", ((const struct progress *)context)->runs->programs[index].name);
}

static void run_job(void *context, size_t index, struct sl_running *running)
{
  struct progress *progress = context;
  struct sl_error failure = {0};
  (void)running;
  if (atomic_load(&progress->stop) || make(progress->runs, &progress->runs->programs[index], &failure) == SL_OK)
    return;
  pthread_mutex_lock(&progress->mutex);
  if (!atomic_exchange(&progress->stop, true))
    progress->failure = failure;
  pthread_mutex_unlock(&progress->mutex);
}

enum sl_status sl_isa64_compile(struct sl_isa64_runs *runs, struct sl_error *err)
{
  struct progress progress = {.runs = runs};
  char folder[SL_PATH];
  snprintf(folder, sizeof folder, "%.3000s/programs", runs->order->folder);
  enum sl_status code = sl_paper_make_folders(folder, err);
  if (code != SL_OK)
    return code;
  const struct sl_jobs jobs = {runs->program_count, name_job, run_job, &progress, runs->order->quiet};
  pthread_mutex_init(&progress.mutex, NULL);
  code = sl_jobs_run(&jobs, runs->order->jobs, err);
  pthread_mutex_destroy(&progress.mutex);
  if (code == SL_OK && atomic_load(&progress.stop)) {
    *err = progress.failure;
    code = err->code;
  }
  return code;
}
