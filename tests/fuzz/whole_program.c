#include "whole_program.h"

#include <string.h>

#include "encode.h"

/* The prologue of the input's code: a host program that launches the kernel after it, with a block of two warps; and
 * the kernel's first instructions, which set its registers to addresses and other values that differ by thread. */
static const uint32_t host_code[] = {
    0x10000537, /* lui   a0,0x10000 */
    0x82651073, /* csrw  0x826,a0       closure */
    0x82715073, /* csrwi 0x827,2        warps per block */
    0x00000517, /* auipc a0,0 */
    0x01450513, /* addi  a0,a0,20 */
    0x82351073, /* csrw  0x823,a0       starts the kernel below */
    0x825025f3, /* csrr  a1,0x825       its answer */
    0x80159073, /* csrw  0x801,a1       ends */
};
static const uint32_t kernel_code[] = {
    0xf1402573, /* csrr  a0,mhartid */
    0x00251593, /* slli  a1,a0,2 */
    0x10000637, /* lui   a2,0x10000     data memory */
    0xbfff06b7, /* lui   a3,0xbfff0     scratchpad */
    0x00b60733, /* add   a4,a2,a1 */
    0x00b687b3, /* add   a5,a3,a1 */
    0xfe000113, /* addi  sp,zero,-32    stack */
    0x08001437, /* lui   s0,0x8001      above the data segment */
    0xffd50493, /* addi  s1,a0,-3 */
    0x40a00933, /* sub   s2,zero,a0 */
};
static const uint32_t kernel_end[] = {
    0x00300f93, /* li    t6,3 */
    0x830f9073, /* csrw  0x830,t6       ends the warp */
};

/* Registers that hold addresses. */
static const uint8_t bases[] = {12, 13, 14, 15, 2, 8, 14, 15};

static const uint16_t csrs[] = {0x800, 0x830, 0x831, 0xf14, 0x820, 0x824, 0x825, 0x828, 0x803, 0x804, 0x805, 0xc00};

enum { WORD_BYTES = 4, ROW_BYTES = 5, CSRS = sizeof csrs / sizeof csrs[0], END_WORDS = sizeof kernel_end / 4 };

static bool accesses_memory(enum sl_kind kind)
{
  return kind == SL_KIND_LOAD || kind == SL_KIND_STORE || kind == SL_KIND_AMO;
}

/* Short jumps and offsets, so that more than the first instruction is executed. */
static uint32_t row_immediate(enum sl_format format, const uint8_t *b)
{
  const uint32_t small = (uint32_t)(int32_t)(int8_t)b[4];
  switch (format) {
  case SL_FORMAT_J:
  case SL_FORMAT_B: return small * 4;
  case SL_FORMAT_U: return (uint32_t)b[3] << 24 | (uint32_t)b[4] << 12;
  case SL_FORMAT_SH:
  case SL_FORMAT_CI: return b[4] & 31;
  case SL_FORMAT_IL:
  case SL_FORMAT_S: return b[2] & 0x40 ? small & ~3u : small;
  default: return small;
  }
}

static uint32_t row_word(const uint8_t *b)
{
  const unsigned op = SL_OP_UNKNOWN + 1 + b[0] % (SL_OP_COUNT - 1u);
  const struct sl_op_info *info = sl_op_info(op);
  const bool based = accesses_memory(info->kind) && (b[2] & 0x20);
  const uint32_t raw = (uint32_t)b[1] | (uint32_t)b[2] << 8 | (uint32_t)b[3] << 16 | (uint32_t)b[4] << 24;
  const struct sl_insn in = {
      .op = (uint8_t)op,
      .rd = b[1] & 31,
      .rs1 = based ? bases[b[2] & 7] : b[2] & 31,
      .rs2 = b[3] & 31,
      .csr = csrs[b[3] % CSRS],
      .imm = row_immediate(info->format, b),
      .word = raw,
  };
  uint32_t word, given;
  return sl_encode(&in, &word, &given) ? word : info->match | (raw & ~info->mask);
}

/* Appends words up to a limit. */
struct writer {
  uint32_t *code;
  size_t count;
};

static void put(struct writer *w, uint32_t word)
{
  if (w->count < SL_WHOLE_CODE_WORDS - END_WORDS)
    w->code[w->count++] = word;
}

static void put_all(struct writer *w, const uint32_t *words, size_t count)
{
  for (size_t i = 0; i < count; i++)
    put(w, words[i]);
}

static void put_code(struct writer *w, bool rows, const uint8_t *bytes, size_t size)
{
  const size_t step = rows ? ROW_BYTES : WORD_BYTES;
  for (; size >= step; bytes += step, size -= step) {
    uint32_t word;
    memcpy(&word, bytes, WORD_BYTES);
    put(w, rows ? row_word(bytes) : word);
  }
}

static void put_headers(struct sl_whole_program *p, uint32_t code_bytes, uint32_t data_bytes)
{
  p->header = (Elf32_Ehdr){.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
                           .e_type = ET_EXEC,
                           .e_machine = EM_RISCV,
                           .e_version = EV_CURRENT,
                           .e_entry = SL_WHOLE_CODE_BASE,
                           .e_phoff = offsetof(struct sl_whole_program, segments),
                           .e_ehsize = sizeof(Elf32_Ehdr),
                           .e_phentsize = sizeof(Elf32_Phdr),
                           .e_phnum = 2};
  p->segments[0] = (Elf32_Phdr){.p_type = PT_LOAD,
                                .p_offset = offsetof(struct sl_whole_program, code),
                                .p_vaddr = SL_WHOLE_CODE_BASE,
                                .p_filesz = code_bytes,
                                .p_memsz = code_bytes,
                                .p_flags = PF_R | PF_X};
  p->segments[1] = (Elf32_Phdr){.p_type = PT_LOAD,
                                .p_offset = offsetof(struct sl_whole_program, data),
                                .p_vaddr = SL_WHOLE_DATA_BASE,
                                .p_filesz = data_bytes,
                                .p_memsz = data_bytes,
                                .p_flags = PF_R | PF_W};
}

void sl_whole_program(struct sl_whole_program *program, const uint8_t *bytes, size_t size)
{
  *program = (struct sl_whole_program){0};
  struct writer writer = {program->code, 0};
  const unsigned flags = size > 0 ? bytes[0] : 0;
  size_t data = size > 1 ? bytes[1] : 0;
  const size_t rest = size > 2 ? size - 2 : 0;
  if (data > rest)
    data = rest;
  if (data > 0)
    memcpy(program->data, bytes + 2, data);
  if (!(flags & SL_WHOLE_HOST)) {
    put_all(&writer, host_code, sizeof host_code / 4);
    put_all(&writer, kernel_code, sizeof kernel_code / 4);
  }
  if (rest > data)
    put_code(&writer, flags & SL_WHOLE_ROWS, bytes + 2 + data, rest - data);
  for (size_t i = 0; i < END_WORDS; i++)
    program->code[writer.count++] = kernel_end[i];
  put_headers(program, (uint32_t)writer.count * 4, (uint32_t)data);
}
