/* A compressed register file with the threads of its registers, without a pipeline. */
#ifndef SL_TESTS_REGISTERS_H
#define SL_TESTS_REGISTERS_H

#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "timing/pipeline/register_file.h"
#include "words.h"

enum {
  FILE_CODE = 0x08000000,
  FILE_CODE_WORDS = 512,
  FILE_PC = FILE_CODE + 0x400, /* address of instructions: jumps reach code on both sides */
  FILE_ADDRESS = 31            /* register with the address of each lane's own word */
};

#define FILE_DATA UINT32_C(0x90000000)

struct file {
  struct sl_memory memory;
  struct sl_path_warps threads;
  struct sl_register_file file;
  struct sl_request request;
  struct sl_execution ex; /* the latest instruction */
};

/* Execution in all lanes: the other lanes' path waits at a lower level. */
static inline void file_activate(struct file *f, unsigned warp, sl_lanes lanes)
{
  struct sl_paths *paths = &f->threads.paths[warp];
  sl_paths_start(paths, SL_CONVERGENCE_NESTING, f->threads.all, FILE_PC);
  if (lanes == f->threads.all)
    return;
  paths->path[0].lanes = lanes;
  paths->path[0].level = 1;
  paths->path[1] = (struct sl_path){.lanes = f->threads.all & ~lanes, .pc = FILE_CODE};
  paths->count = 2;
}

/* Executes a word with some lanes active. Its result waits for write-back. */
static inline enum sl_effect file_execute(struct file *f, unsigned warp, sl_lanes lanes, uint32_t word)
{
  unsigned path;
  file_activate(f, warp, lanes);
  sl_path_warps_write_code(&f->threads, FILE_PC, word);
  assert_true(sl_path_warps_fetch(&f->threads, warp, &path, &f->ex));
  return sl_register_file_execute(&f->file, &f->threads, warp, path, &f->ex, &f->request);
}

/* The write-back of the last executed instruction. */
static inline void file_write_back(struct file *f, unsigned warp, int64_t now)
{
  sl_register_file_write(&f->file, warp, f->ex.insn->rd, f->ex.active == f->threads.all, now);
}

/* Writes new values to the active lanes of a register, as a load's answer does. */
static inline void file_load(struct file *f, unsigned warp, unsigned reg, sl_lanes active, const uint32_t *values,
                             int64_t now)
{
  for (unsigned l = 0; l < f->threads.spec.lanes; l++)
    sl_memory_store(&f->memory, FILE_DATA + 4 * l, 4, values[l]);
  assert_int_equal(file_execute(f, warp, active, word_i(SL_OP_LW, reg, FILE_ADDRESS, 0)), SL_EFFECT_NONE);
  file_write_back(f, warp, now);
}

/* Sets lane l of a register to first + l * step, in one write of all lanes. */
static inline void file_set(struct file *f, unsigned warp, unsigned reg, uint32_t first, uint32_t step, int64_t now)
{
  uint32_t values[SL_MAX_LANES];
  for (unsigned l = 0; l < f->threads.spec.lanes; l++)
    values[l] = first + l * step;
  file_load(f, warp, reg, f->threads.all, values, now);
}

/* The scalar pipeline writes a uniform value. */
static inline void file_set_scalar(struct file *f, unsigned warp, unsigned reg, uint32_t value, int64_t now)
{
  f->file.warp[warp].result = (struct sl_regular){.base = value, .regular = true, .once = true};
  sl_register_file_write_scalar(&f->file, warp, reg, now);
}

static inline struct file *file_create(const struct sl_register_file_spec *spec)
{
  struct file *f = aligned_alloc(SL_CACHE_LINE, sizeof *f);
  assert_non_null(f);
  memset(f, 0, sizeof *f);
  const struct sl_path_warps_spec threads = {
      .lanes = spec->lanes,
      .warps = spec->warps,
      .isa_sets = simtight_sets() & ~(unsigned)SL_ISA_HOST,
      .code_base = FILE_CODE,
      .code_words = FILE_CODE_WORDS,
      .scratchpad_base = 0xbfff0000,
      .scratchpad_bytes = 65536,
      .scratchpad_banks = 16,
      .stack_bytes = 4096,
  };
  assert_int_equal(sl_memory_init(&f->memory, FILE_CODE + FILE_CODE_WORDS * 4, NULL), SL_OK);
  assert_int_equal(sl_path_warps_init(&f->threads, &threads, sl_lane_ops(spec->lanes), &f->memory, NULL), SL_OK);
  f->threads.s.timing = true;
  sl_path_warps_start(&f->threads, FILE_CODE, 0);
  sl_register_file_init(&f->file, spec);
  for (unsigned w = 0; w < spec->warps; w++) { /* the address register, in its own slot */
    uint32_t *address = sl_path_warps_registers(&f->threads, w) + ((size_t)FILE_ADDRESS << f->threads.lane_bits);
    f->threads.ops->fill(address, FILE_DATA, 4, spec->lanes);
    f->file.warp[w].stale &= ~(UINT32_C(1) << FILE_ADDRESS);
    sl_register_file_write(&f->file, w, FILE_ADDRESS, false, 0);
  }
  for (int64_t c = 0; c < 4; c++)
    sl_register_file_clock(&f->file, c);
  return f;
}

static inline void file_free(struct file *f)
{
  sl_path_warps_free(&f->threads);
  sl_memory_free(&f->memory);
  free(f);
}

static inline uint32_t file_bit(unsigned reg)
{
  return UINT32_C(1) << reg;
}

static inline bool file_compressed(const struct file *f, unsigned warp, unsigned reg)
{
  return !((f->file.warp[warp].vector | f->file.warp[warp].spilled) & file_bit(reg));
}

/* A register's value in a lane, as the file stores it. */
static inline uint32_t file_value(const struct file *f, unsigned warp, unsigned lane, unsigned reg)
{
  const struct sl_warp_registers *r = &f->file.warp[warp];
  if (file_compressed(f, warp, reg))
    return r->base[reg] + lane * r->stride[reg];
  return sl_path_warps_registers(&f->threads, warp)[((size_t)reg << f->threads.lane_bits) + lane];
}

/* The same after expansion into the threads' arrays. */
static inline uint32_t file_expanded(struct file *f, unsigned warp, unsigned lane, unsigned reg)
{
  sl_register_file_expand(&f->file, &f->threads, warp, file_bit(reg));
  return sl_path_warps_registers(&f->threads, warp)[((size_t)reg << f->threads.lane_bits) + lane];
}

static inline unsigned file_vectors(const struct file *f)
{
  unsigned sum = 0;
  for (unsigned w = 0; w < f->file.spec.warps; w++)
    sum += sl_count(f->file.warp[w].vector);
  return sum;
}

#endif
