/* Straight-line programs for tests of the SM7 core: instructions with registers, and accesses at an address with a
 * stride between lanes. The front end only counts. */
#ifndef SM7_PROGRAM_H
#define SM7_PROGRAM_H

#include <string.h>

#include "machine/sm7/sm7_gpu.h"

enum { PROGRAM_MAX = 256, PROGRAM_SMS = 128, NO_REGISTER = -1 };
#define HEAP UINT64_C(0xc0000000)

struct program {
  struct sl_sm7_instruction code[PROGRAM_MAX];
  struct {
    uint8_t space;
    uint64_t address;
    uint64_t stride;
  } access[PROGRAM_MAX];
  uint32_t count;
  uint32_t threads;
  uint32_t pc[PROGRAM_SMS][SL_SM7_MAX_WARPS];
};

static struct program program;

static inline struct sl_sm7_instruction *put(enum sl_sm7_unit unit, enum sl_sm7_class class, enum sl_sm7_kind kind,
                                             int d, int a, int b)
{
  struct sl_sm7_instruction *i = &program.code[program.count++];
  *i = (struct sl_sm7_instruction){.unit = (uint8_t)unit, .class = (uint8_t) class, .kind = (uint8_t)kind};
  const int sources[] = {a, b};
  for (unsigned n = 0; n < 2; n++) {
    if (sources[n] == NO_REGISTER)
      continue;
    i->watch[i->watched++] = (uint16_t)sources[n];
    sl_sm7_add_source(i, (unsigned)sources[n], 1);
    if (n == 0 || b != a)
      i->read_bank[i->reads++] = (uint16_t)sources[n];
  }
  if (d != NO_REGISTER) {
    i->watch[i->watched++] = (uint16_t)d;
    i->write[0] = i->write_bank[0] = (uint16_t)d;
    i->writes = 1;
  }
  return i;
}

static inline void alu(enum sl_sm7_unit unit, enum sl_sm7_class class, int d, int a, int b)
{
  put(unit, class, SL_SM7_ALU, d, a, b);
}

static inline struct sl_sm7_instruction *memory(enum sl_sm7_kind kind, enum sl_sm7_space space, int d, int a,
                                                uint64_t address, uint64_t stride)
{
  program.access[program.count].space = (uint8_t)space;
  program.access[program.count].address = address;
  program.access[program.count].stride = stride;
  return put(SL_SM7_MEM, SL_SM7_C_MEMORY, kind, d, a, NO_REGISTER);
}

static inline void end_program(void)
{
  alu(SL_SM7_INT, SL_SM7_C_OTHER, NO_REGISTER, NO_REGISTER, NO_REGISTER);
}

static inline bool program_begin(void *context, unsigned sm, unsigned slot, uint64_t block)
{
  (void)context;
  (void)sm;
  (void)slot;
  (void)block;
  return true;
}

static inline unsigned warp_number(unsigned slot, unsigned warp)
{
  return slot * ((program.threads + SL_SM7_LANES - 1) / SL_SM7_LANES) + warp;
}

static inline uint32_t program_lanes(void *context, unsigned sm, unsigned slot, unsigned warp, uint32_t *pc)
{
  (void)context;
  program.pc[sm][warp_number(slot, warp)] = *pc = 0;
  return UINT32_MAX;
}

static inline bool program_issue(void *context, unsigned sm, unsigned slot, unsigned warp, uint64_t cycle,
                                 struct sl_sm7_effect *effect)
{
  (void)context;
  (void)cycle;
  uint32_t *pc = &program.pc[sm][warp_number(slot, warp)];
  const uint32_t at = (*pc)++;
  *effect = (struct sl_sm7_effect){.next = *pc, .counted = UINT32_MAX, .bytes = 4, .space = program.access[at].space};
  effect->live = *pc < program.count ? UINT32_MAX : 0;
  effect->exited = effect->live == 0;
  effect->active = UINT32_MAX;
  for (unsigned lane = 0; lane < SL_SM7_LANES; lane++)
    effect->address[lane] = program.access[at].address + lane * program.access[at].stride;
  return true;
}

static inline struct sl_sm7_spec defaults(void)
{
  struct sl_sm7_spec spec;
  sl_keys_defaults(&sl_sm7_keys, &spec);
  return spec;
}

static inline struct sl_sm7_front program_front(void)
{
  return (struct sl_sm7_front){.code = program.code,
                               .count = program.count,
                               .code_address = HEAP,
                               .code_bytes = 8,
                               .begin = program_begin,
                               .lanes = program_lanes,
                               .issue = program_issue};
}

/* Cycles of one launch of the program on a new GPU. The host has copied `warm` bytes from HEAP on. */
static inline uint64_t cycles_of(const struct sl_sm7_spec *spec, uint64_t blocks, uint32_t threads, uint64_t warm)
{
  struct sl_error err = {0};
  struct sl_sm7_gpu *gpu = NULL;
  program.threads = threads;
  const struct sl_sm7_front front = program_front();
  const struct sl_sm7_demand demand = {.blocks = blocks, .threads = threads, .registers = 16};
  uint64_t cycles = 0;
  if (sl_sm7_gpu_create(&gpu, spec, &err) == SL_OK) {
    sl_sm7_gpu_copy(gpu, HEAP, warm);
    if (sl_sm7_gpu_launch(gpu, &front, &demand, &err) == SL_OK && sl_sm7_gpu_run(gpu, 1000000) == SL_OK)
      cycles = gpu->cycle;
  }
  sl_sm7_gpu_destroy(gpu);
  return cycles;
}

static inline void new_program(void)
{
  memset(&program, 0, sizeof program);
}

#endif
