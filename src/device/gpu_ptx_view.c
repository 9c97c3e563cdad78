/* A GPU for PTX as its clients see it: its limits, whether a kernel takes a launch, what occupancy gives, and faults.
 */
#include <stdio.h>
#include <string.h>

#include "device/gpu_kind.h"
#include "machine/sm7/sm7_gpu.h"
#include "machine/sm7/sm7_ptx.h"
#include "ptx/ptx.h"

struct sl_gpu_facts sl_gpu_ptx_facts(const struct sl_gpu *g, const struct sl_allocator *buffers)
{
  const struct sl_sm7_spec *s = g->config->spec;
  return (struct sl_gpu_facts){.ptx = true,
                               .address_bits = 64,
                               .memory_bytes = buffers->end - buffers->base,
                               .lanes = SL_SM7_LANES,
                               .warps = s->warps,
                               .cores = s->clusters * s->sms_per_cluster,
                               .max_threads = SL_GPU_PTX_THREADS,
                               .max_block = {SL_GPU_PTX_THREADS, SL_GPU_PTX_THREADS, SL_GPU_PTX_BLOCK_Z},
                               .max_grid = {SL_GPU_PTX_X, SL_GPU_PTX_YZ, SL_GPU_PTX_YZ},
                               .shared_bytes = s->shared_bytes,
                               .max_shared = s->shared_bytes < SL_GPU_PTX_SHARED ? s->shared_bytes : SL_GPU_PTX_SHARED,
                               .registers = s->registers,
                               .channels = s->channels,
                               .dram_mhz = s->dram_mhz,
                               .l2_bytes = (uint64_t)s->channels * SL_SM7_CHANNEL_SLICES * s->l2_sets * s->l2_ways *
                                           SL_SM7_LINE,
                               .clock_mhz = s->core_mhz,
                               .peak = g->config->machine->peaks(s).operations.per_cycle};
}

enum sl_status sl_gpu_check_ptx_kernel(const struct sl_ptx_module *module, const struct sl_ptx_function *k,
                                       const uint32_t block[3], struct sl_error *err)
{
  for (uint32_t pc = k->begin; pc < k->end; pc++)
    if (module->code[pc].kind == SL_PTX_K_LINEAR)
      return sl_fail(err, SL_USAGE,
                     "kernel '%.100s' needs linear registers: launch the original kernel; a machine with r2d2=on then "
                     "runs this variant",
                     k->name);
  if (k->block[0] > 0 && memcmp(k->block, block, sizeof k->block) != 0)
    return sl_fail(err, SL_USAGE,
                   "kernel '%.100s' requires blocks of %u x %u x %u threads (.reqntid), but the launch has %u x %u x "
                   "%u: launch it with the required size",
                   k->name, k->block[0], k->block[1], k->block[2], block[0], block[1], block[2]);
  if (k->max_threads > 0 && (uint64_t)block[0] * block[1] * block[2] > k->max_threads)
    return sl_fail(err, SL_USAGE, "kernel '%.100s' allows at most %u threads per block", k->name, k->max_threads);
  return SL_OK;
}

void sl_gpu_describe_ptx(const struct sl_gpu *g, const struct sl_ptx_launch *l, struct sl_gpu_record *r)
{
  const struct sl_sm7_demand demand =
      sl_sm7_ptx_demand(l, g->options.registers ? g->options.registers : l->regs_per_thread);
  struct sl_sm7_occupancy o;
  r->launch.entry = l->kernel->begin;
  r->launch.warps_per_block = (demand.threads + SL_SM7_LANES - 1) / SL_SM7_LANES;
  r->registers = demand.registers;
  r->shared_bytes = demand.shared_bytes;
  if (sl_sm7_occupancy(g->config->spec, &demand, &o, NULL) != SL_OK)
    return;
  r->fits = o.fits;
  r->limits = o.limited;
  r->resident = o.resident;
}

unsigned sl_gpu_fits(const struct sl_gpu *g, uint32_t threads, uint32_t registers, uint32_t shared_bytes)
{
  const struct sl_sm7_demand demand = {
      .blocks = UINT32_MAX, .threads = threads, .registers = registers, .shared_bytes = shared_bytes};
  struct sl_sm7_occupancy o;
  return sl_sm7_occupancy(g->config->spec, &demand, &o, NULL) == SL_OK ? o.fits : 0;
}

static enum sl_gpu_fault_kind kind_of(enum sl_ptx_fault_kind kind)
{
  switch (kind) {
  case SL_PTX_FAULT_BUFFER:
  case SL_PTX_FAULT_ADDRESS: return SL_GPU_FAULT_ADDRESS;
  case SL_PTX_FAULT_ALIGNMENT: return SL_GPU_FAULT_MISALIGNED;
  case SL_PTX_FAULT_STACK: return SL_GPU_FAULT_CONVERGENCE;
  case SL_PTX_FAULT_DEPTH: return SL_GPU_FAULT_STACK;
  case SL_PTX_FAULT_FUNCTION: return SL_GPU_FAULT_JUMP;
  case SL_PTX_FAULT_ASSERT:
  case SL_PTX_FAULT_TRAP: return SL_GPU_FAULT_TRAP;
  case SL_PTX_FAULT_TEXTURE:
  case SL_PTX_FAULT_TEXEL:
  case SL_PTX_FAULT_TEXTURES: return SL_GPU_FAULT_TEXTURE;
  case SL_PTX_FAULT_BARRIER: return SL_GPU_FAULT_DEADLOCK;
  case SL_PTX_FAULT_LIVELOCK: return SL_GPU_FAULT_LIVELOCK;
  default: return SL_GPU_FAULT_OTHER;
  }
}

void sl_gpu_describe_ptx_fault(const struct sl_ptx_launch *launch, const struct sl_ptx_fault *own,
                               struct sl_gpu_fault *f)
{
  const struct sl_ptx_module *m = launch->module;
  if (own->kind == SL_PTX_FAULT_NONE)
    return;
  const uint32_t *block = launch->block, thread = own->warp * SL_PTX_LANES + own->lane;
  f->kind = kind_of(own->kind);
  f->assertion = own->kind == SL_PTX_FAULT_ASSERT;
  f->in_grid = true;
  memcpy(f->block, own->block, sizeof f->block);
  f->thread[0] = thread % block[0];
  f->thread[1] = thread / block[0] % block[1];
  f->thread[2] = thread / block[0] / block[1];
  f->warp = own->warp;
  f->lanes = UINT64_C(1) << own->lane;
  f->pc = own->pc;
  f->address = own->address;
  f->global = own->space == SL_PTX_GLOBAL;
  if (own->pc >= m->code_count)
    return;
  const struct sl_ptx_insn *in = &m->code[own->pc];
  const struct sl_ptx_source *source = in->source > 0 ? &m->sources[in->source - 1] : NULL;
  const bool known = source != NULL && source->file < m->file_count && m->files[source->file][0] != '\0';
  snprintf(f->file, sizeof f->file, "%.*s", (int)sizeof f->file - 1, known ? m->files[source->file] : m->path);
  f->line = known ? source->line : in->line;
}
