/* Compiles the programs that the folder does not have, and analyses the instruction words. Fills the buffers of bare
 * programs, and checks their results. */
#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "cli/paper/paper_isa64.h"
#include "compiler/cc/compile.h"
#include "isa/banks.h"
#include "isa/wide.h"
#include "observe/output.h"
#include "program/wide_file.h"

const char *const sl_isa64_compilers[SL_ISA64_COMPILERS] = {"stock", "unaware", "first-fit", "cost"};

enum { FLAGS_MOST = 8, KEY_MOST = 1024 };

static const char graphs[] = "bench-vortex/gcn_graphs.S";

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

/* ---- sources ----------------------------------------------------------------------------------------------------- */

/* Combines the hashes of all files of a folder, in any order of listing. */
static uint64_t hash_folder(const char *path)
{
  char file[2 * SL_PATH];
  uint64_t sum = 0;
  DIR *folder = opendir(path);
  for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
    if (entry->d_name[0] != '.') {
      snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
      sum += XXH3_64bits_withSeed(entry->d_name, strlen(entry->d_name), sl_paper_hash_file(file, 0));
    }
  if (folder != NULL)
    closedir(folder);
  return sum;
}

/* Bare programs use neither common files nor the runtime, but these seldom change. */
static uint64_t hash_of_sources(const struct recipe *recipe)
{
  char folder[SL_PATH + 16];
  snprintf(folder, sizeof folder, "%s", recipe->source);
  *strrchr(folder, '/') = '\0';
  const uint64_t hash = hash_folder(folder) + hash_folder(recipe->runtime);
  strcat(folder, "/../common");
  return sl_paper_hash_file(recipe->graphs, hash + hash_folder(folder));
}

/* ---- compiler options -------------------------------------------------------------------------------------------- */

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

static void write_key(struct recipe *r, const struct sl_paper_runs *runs, const struct sl_isa64_program *program)
{
  int n = snprintf(r->key, sizeof r->key,
                   "simtlab %s, build 0x%016" PRIx64 "\nsources 0x%016" PRIx64 "\n--allocation %s --registers %s "
                   "--banks %s --saved %s\n",
                   SL_VERSION, runs->build, hash_of_sources(r), sl_isa64_compilers[program->compiler], r->registers,
                   r->banks, program->saved != NULL ? program->saved : "default");
  for (const char *const *flag = r->flags; *flag != NULL && n > 0 && (size_t)n < sizeof r->key; flag++)
    n += snprintf(r->key + n, sizeof r->key - (size_t)n, "%s\n", *flag);
}

static enum sl_status prepare(struct recipe *r, const struct sl_paper_runs *runs,
                              const struct sl_isa64_program *program, struct sl_error *err)
{
  const bool bare = is_bare(program);
  snprintf(r->output, sizeof r->output, "%.3000s/programs/%s.elf", runs->folder, program->name);
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

/* ---- compilation ------------------------------------------------------------------------------------------------- */

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

static void count_words(struct sl_isa64_program *program, const struct sl_program *made)
{
  const struct sl_isa *isa = sl_isa(SL_ISA_WIDE64);
  program->instructions = program->conflicts = 0;
  for (size_t s = 0; s < sl_program_segment_count(made); s++) {
    const struct sl_segment *segment = sl_program_segment(made, s);
    for (uint32_t at = 0; segment->executable && at + isa->word_bytes <= segment->file_size; at += isa->word_bytes) {
      const struct sl_insn in =
          isa->decode(sl_program_instruction(made, segment->address + at), ~(unsigned)SL_ISA_SIMT_FPU);
      program->instructions += in.op != SL_OP_UNKNOWN;
      program->conflicts += conflicts(&in, SL_ISA64_USUAL_BANKS);
    }
  }
}

static enum sl_status make(const struct sl_paper_runs *runs, struct sl_isa64_program *program, struct recipe *r,
                           struct sl_error *err)
{
  struct sl_program *made = NULL;
  enum sl_status code = prepare(r, runs, program, err);
  if (code == SL_OK && !is_kept(r)) {
    code = compile(r, err);
    if (code == SL_OK)
      code = keep(r, err);
  }
  if (code == SL_OK)
    code = sl_program_load(r->output, &made, err);
  if (code == SL_OK)
    count_words(program, made);
  sl_program_free(made);
  return code;
}

static void name_job(const struct sl_paper_runs *runs, size_t job, char *text, size_t size)
{
  snprintf(text, size, "compiling %s", ((const struct sl_isa64_state *)runs->state)->programs[job].name);
}

static enum sl_status run_job(struct sl_paper_runs *runs, size_t job, struct sl_running *running, struct sl_error *err)
{
  struct sl_isa64_state *state = runs->state;
  struct recipe *r = calloc(1, sizeof *r);
  (void)running;
  const enum sl_status code = r != NULL ? make(runs, &state->programs[job], r, err) : sl_no_memory(err, sizeof *r);
  free(r);
  return code;
}

enum sl_status sl_isa64_compile(struct sl_paper_runs *runs, struct sl_error *err)
{
  const struct sl_isa64_state *state = runs->state;
  const struct sl_paper_jobs jobs = {state->program_count, name_job, run_job};
  const enum sl_status code = sl_paper_make_folder(runs, "programs", err);
  return code == SL_OK ? sl_paper_do(runs, &jobs, err) : code;
}

/* ---- buffers of bare programs ------------------------------------------------------------------------------------ */

/* As in bench-isa64/. */
enum { THREADS = 16, SUMS = 2048, RING = 24, STEPS = 64 };
static const uint32_t a_address = 0xa0000000, b_address = 0xa1000000, c_address = 0xc0000000;

/* A word by its index and buffer (finaliser of MurmurHash3, Appleby 2011). */
static uint32_t word_of(uint32_t i, uint32_t buffer)
{
  uint32_t h = i * 0x9e3779b9u + buffer;
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  return h ^ h >> 16;
}

static float float_of(uint32_t i, uint32_t buffer)
{
  return (float)((int)(word_of(i, buffer) >> 24) - 128) * 0.0078125f;
}

static bool is_ring(const struct sl_isa64_program *program)
{
  return program->part == SL_ISA64_CALLS && program->floats;
}

static uint32_t elements(const struct sl_isa64_program *program)
{
  if (program->part == SL_ISA64_VECADD)
    return SUMS;
  return is_ring(program) ? RING * THREADS : program->size * SL_ISA64_DEPTH;
}

static uint32_t bits_of(float value)
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

void sl_isa64_fill(struct sl_device *device, const struct sl_isa64_program *program)
{
  for (uint32_t i = 0; i < elements(program); i++)
    for (uint32_t buffer = 1; buffer <= 2; buffer++) {
      const uint32_t word = program->floats ? bits_of(float_of(i, buffer)) : word_of(i, buffer);
      sl_device_write(device, (buffer == 1 ? a_address : b_address) + 4 * i, &word, sizeof word);
    }
}

/* An element of A times B transposed, summed in the kernels' order. */
static uint32_t product(const struct sl_isa64_program *program, uint32_t row, uint32_t column)
{
  uint32_t sum = 0;
  float sum_of_floats = 0;
  for (uint32_t k = 0; k < SL_ISA64_DEPTH; k++) {
    const uint32_t a = row * SL_ISA64_DEPTH + k, b = column * SL_ISA64_DEPTH + k;
    sum += word_of(a, 1) * word_of(b, 2);
    sum_of_floats = fmaf(float_of(a, 1), float_of(b, 2), sum_of_floats);
  }
  return program->floats ? bits_of(sum_of_floats) : sum;
}

static float force(float left, float here, float right, float speed)
{
  const float stretch = left - here - (here - right);
  return stretch * (1.0f + 0.125f * stretch * stretch) - 0.03125f * speed;
}

static void move_ring(uint32_t thread, float position[RING], float speed[RING])
{
  for (uint32_t i = 0; i < RING; i++) {
    position[i] = float_of(i * THREADS + thread, 1);
    speed[i] = float_of(i * THREADS + thread, 2);
  }
  for (uint32_t t = 0; t < STEPS; t++) {
    for (uint32_t i = 0; i < RING; i++)
      speed[i] += 0.0625f * force(position[(i + RING - 1) % RING], position[i], position[(i + 1) % RING], speed[i]);
    for (uint32_t i = 0; i < RING; i++)
      position[i] += 0.0625f * speed[i];
  }
}

/* Expected C; returns its number of words. */
static uint32_t expect(const struct sl_isa64_program *program, uint32_t *words)
{
  if (program->part == SL_ISA64_VECADD) {
    for (uint32_t i = 0; i < SUMS; i++)
      words[i] = word_of(i, 1) + word_of(i, 2);
    return SUMS;
  }
  if (!is_ring(program)) {
    for (uint32_t row = 0; row < program->size; row++)
      for (uint32_t column = 0; column < program->size; column++)
        words[row * program->size + column] = product(program, row, column);
    return program->size * program->size;
  }
  for (uint32_t thread = 0; thread < THREADS; thread++) {
    float position[RING], speed[RING];
    move_ring(thread, position, speed);
    for (uint32_t i = 0; i < RING; i++) {
      words[i * THREADS + thread] = bits_of(position[i]);
      words[(RING + i) * THREADS + thread] = bits_of(speed[i]);
    }
  }
  return 2 * RING * THREADS;
}

enum sl_status sl_isa64_check(const struct sl_device *device, const struct sl_isa64_program *program,
                              struct sl_error *err)
{
  const size_t most = SUMS + 2 * RING * THREADS + (size_t)program->size * program->size;
  uint32_t *words = calloc(most, sizeof *words), wrong = 0, first = 0;
  if (words == NULL)
    return sl_no_memory(err, most * sizeof *words);
  const uint32_t count = expect(program, words);
  for (uint32_t i = count; i-- > 0;) {
    uint32_t word;
    sl_device_read(device, c_address + 4 * i, &word, sizeof word);
    if (word != words[i]) {
      wrong++;
      first = i;
    }
  }
  const uint32_t should = words[first];
  free(words);
  return wrong == 0 ? SL_OK
                    : sl_fail(err, SL_CHECK_FAILED,
                              "%" PRIu32 " of %" PRIu32 " results are wrong; the first at 0x%08" PRIx32
                              ", which should be 0x%08" PRIx32,
                              wrong, count, c_address + 4 * first, should);
}
