#include "ptx/run/ptx_access.h"

#include <stdio.h>
#include <string.h>

#include "base/lanes_text.h"

/* A string at a generic address of global or constant memory, as far as there is room. */
static const char *string_at(const struct sl_ptx_launch *launch, uint64_t address, char *text, size_t room)
{
  size_t n = 0;
  for (const uint8_t *at; n + 1 < room; n++) {
    at = sl_ptx_memory_generic(launch->memory, address + n, 1);
    if (at == NULL || *at == 0)
      break;
    text[n] = (char)*at;
  }
  text[n] = '\0';
  return text;
}

static enum sl_status assertion_text(const struct sl_ptx_launch *launch, const struct sl_ptx_fault *f, const char *at,
                                     const char *who, struct sl_error *err)
{
  char message[200], file[200], function[100];
  return sl_fail(err, SL_FAULT, "%s: %s: assertion `%s' failed at %s:%u in %s", at, who,
                 string_at(launch, f->assertion[0], message, sizeof message),
                 string_at(launch, f->assertion[1], file, sizeof file), (unsigned)f->assertion[2],
                 string_at(launch, f->assertion[3], function, sizeof function));
}

static const char *space_name(enum sl_ptx_space space)
{
  static const char *const names[] = {
      [SL_PTX_GENERIC] = "generic", [SL_PTX_GLOBAL] = "global",  [SL_PTX_SHARED] = "shared",
      [SL_PTX_LOCAL] = "local",     [SL_PTX_CONST] = "constant", [SL_PTX_PARAM] = "parameter"};
  return names[space];
}

/* Position in the PTX text, and in the original source if it is known. */
static void place_text(const struct sl_ptx_module *m, uint32_t pc, char *text, size_t room)
{
  const struct sl_ptx_insn *in = &m->code[pc];
  const struct sl_ptx_source *source = in->source > 0 ? &m->sources[in->source - 1] : NULL;
  if (source != NULL && source->file < m->file_count && m->files[source->file][0] != '\0')
    snprintf(text, room, "%s:%u (%s:%u)", m->path, in->line, m->files[source->file], source->line);
  else
    snprintf(text, room, "%s:%u", m->path, in->line);
}

/* `at` and `who`: the instruction and the thread. */
static enum sl_status address_text(const struct sl_ptx_launch *launch, const struct sl_ptx_fault *f, const char *at,
                                   const char *who, struct sl_error *err)
{
  char near[100] = "";
  const unsigned long long address = f->address;
  const struct sl_range *range =
      f->space == SL_PTX_GLOBAL ? sl_allocator_nearest(&launch->memory->buffers, address) : NULL;
  if (range != NULL)
    snprintf(near, sizeof near, "; the nearest buffer has %llu bytes at 0x%llx",
             (unsigned long long)(range->end - range->first), (unsigned long long)range->first);
  if (f->kind == SL_PTX_FAULT_BUFFER)
    return sl_fail(err, SL_FAULT,
                   "%s: %s: %llu bytes at address 0x%llx are not in one live buffer or variable%s: check the index and "
                   "the sizes in the launch",
                   at, who, (unsigned long long)f->value, address, near);
  return sl_fail(err, SL_FAULT,
                 "%s: %s: address 0x%llx is outside %s memory%s: check the index and the sizes in the launch", at, who,
                 address, space_name(f->space), near);
}

static enum sl_status difference_text(const struct sl_ptx_launch *launch, const struct sl_ptx_fault *f, const char *at,
                                      const char *who, struct sl_error *err)
{
  char there[3 * SL_PTX_NAME] = "its end";
  const char *name = launch->shadow->kernel->name;
  const unsigned long long is = f->value, was = f->original;
  if (f->original_pc != SL_PTX_NOWHERE)
    place_text(launch->module, f->original_pc, there, sizeof there);
  switch (f->difference) {
  case SL_PTX_DIFFERS_ADDRESS:
    return sl_fail(err, SL_FAULT, "%s: %s: address 0x%llx in %s memory differs from that of %.200s, 0x%llx (%s)", at,
                   who, is, space_name(f->space), name, was, there);
  case SL_PTX_DIFFERS_VALUE:
    return sl_fail(err, SL_FAULT, "%s: %s: value 0x%llx differs from that of %.200s, 0x%llx (%s)", at, who, is, name,
                   was, there);
  case SL_PTX_DIFFERS_LANES:
    return sl_fail(err, SL_FAULT,
                   "%s: %s: lanes 0x%llx of the warp execute or take this, but those of %.200s (%s) are 0x%llx", at,
                   who, is, name, there, was);
  case SL_PTX_DIFFERS_INSTRUCTION: break;
  }
  return sl_fail(err, SL_FAULT, "%s: %s: %.200s is at another instruction (%s)", at, who, name, there);
}

static enum sl_status livelock_text(const struct sl_ptx_launch *launch, const struct sl_ptx_fault *f, const char *at,
                                    const char *who, struct sl_error *err)
{
  char lanes[SL_LANES_TEXT], others[SL_LANES_TEXT], there[3 * SL_PTX_NAME], rest[5 * SL_PTX_NAME] = "";
  sl_lanes_format(f->lanes, lanes, sizeof lanes);
  sl_lanes_format(f->waiting, others, sizeof others);
  if (f->waiting != 0) {
    const bool one = sl_count(f->waiting) == 1;
    place_text(launch->module, f->waiting_pc, there, sizeof there);
    snprintf(rest, sizeof rest, "; lane%s %s of this warp wait%s at %s, %s", one ? "" : "s", others, one ? "s" : "",
             there, f->parked ? "which needs the others" : "never selected while the others run");
  }
  return sl_fail(err, SL_FAULT,
                 "%s: %s, warp %u, lane%s %s: livelock: these lanes loop forever, as do all others that run, because "
                 "nothing that they read will change%s",
                 at, who, f->warp, sl_count(f->lanes) == 1 ? "" : "s", lanes, rest);
}

static enum sl_status partial_text(const struct sl_ptx_fault *f, const char *at, const char *who, struct sl_error *err)
{
  char lanes[SL_LANES_TEXT];
  sl_lanes_format(f->lanes, lanes, sizeof lanes);
  return sl_fail(err, SL_FAULT,
                 "%s: %s: this instruction needs all %d threads of the warp, but lane%s %s execute%s it alone: let the "
                 "whole warp reach it",
                 at, who, SL_PTX_LANES, sl_count(f->lanes) == 1 ? "" : "s", lanes, sl_count(f->lanes) == 1 ? "s" : "");
}

void sl_ptx_fault_barrier(struct sl_ptx_fault *fault, const struct sl_ptx_warp *warp)
{
  *fault = (struct sl_ptx_fault){.kind = SL_PTX_FAULT_BARRIER,
                                 .pc = sl_simt_stack_pc(&warp->stack) - 1,
                                 .warp = warp->index,
                                 .lane = sl_lowest(sl_simt_stack_mask(&warp->stack))};
  memcpy(fault->block, warp->block->index, sizeof fault->block);
}

enum sl_status sl_ptx_fault_text(const struct sl_ptx_launch *launch, const struct sl_ptx_fault *f, struct sl_error *err)
{
  char at[3 * SL_PTX_NAME], who[2 * SL_PTX_NAME];
  const uint32_t thread = f->warp * SL_PTX_LANES + f->lane, x = launch->block[0], y = launch->block[1];
  place_text(launch->module, f->pc, at, sizeof at);
  snprintf(who, sizeof who, "%.200s block (%u,%u,%u) thread (%u,%u,%u)", launch->kernel->name, f->block[0], f->block[1],
           f->block[2], thread % x, thread / x % y, thread / x / y);
  const unsigned long long address = f->address;
  switch (f->kind) {
  case SL_PTX_FAULT_ADDRESS:
  case SL_PTX_FAULT_BUFFER: return address_text(launch, f, at, who, err);
  case SL_PTX_FAULT_ALIGNMENT:
    return sl_fail(err, SL_FAULT, "%s: %s: misaligned address 0x%llx in %s memory is not a multiple of the access size",
                   at, who, address, space_name(f->space));
  case SL_PTX_FAULT_STACK:
    return sl_fail(err, SL_FAULT, "%s: %s: branches are nested deeper than the %d entries of the warp's stack", at, who,
                   SL_SIMT_STACK_DEPTH);
  case SL_PTX_FAULT_DEPTH:
    return sl_fail(err, SL_FAULT,
                   "%s: %s: the stack of the thread is full: recursive calls are nested deeper than %llu levels", at,
                   who, address);
  case SL_PTX_FAULT_FUNCTION:
    return sl_fail(err, SL_FAULT, "%s: %s: the address 0x%llx is that of no function with the parameters of this call",
                   at, who, address);
  case SL_PTX_FAULT_TRAP: return sl_fail(err, SL_FAULT, "%s: %s: the kernel has executed trap", at, who);
  case SL_PTX_FAULT_ASSERT: return assertion_text(launch, f, at, who, err);
  case SL_PTX_FAULT_SERVICE:
    return sl_fail(err, SL_FAULT,
                   "%s: %s: the kernel calls %s, a function of the host program, which this run does not have", at, who,
                   launch->module->functions[launch->module->code[f->pc].target].name);
  case SL_PTX_FAULT_BARRIER:
    return sl_fail(err, SL_FAULT,
                   "%s: %s: all remaining warps of the block wait at barriers, none of which can open: as many threads "
                   "as the instruction names, or all that have not exited, must reach the same barrier",
                   at, who);
  case SL_PTX_FAULT_TEXTURE:
    return sl_fail(err, SL_FAULT,
                   "%s: %s: no texture has the handle %llu: bind the .texref variable with the statement texture", at,
                   who, address);
  case SL_PTX_FAULT_TEXEL:
    return sl_fail(err, SL_FAULT,
                   "%s: %s: the texture cannot be fetched as this type: use f32 for f32 and normalised formats, s32 or "
                   "u32 for the others",
                   at, who);
  case SL_PTX_FAULT_TEXTURES:
    return sl_fail(err, SL_FAULT,
                   "%s: %s: threads of the warp fetch from different textures: simtlab supports one texture per fetch",
                   at, who);
  case SL_PTX_FAULT_PARTIAL: return partial_text(f, at, who, err);
  case SL_PTX_FAULT_LIVELOCK: return livelock_text(launch, f, at, who, err);
  case SL_PTX_FAULT_SHADOW: return difference_text(launch, f, at, who, err);
  case SL_PTX_FAULT_NONE: break;
  }
  return SL_OK;
}
