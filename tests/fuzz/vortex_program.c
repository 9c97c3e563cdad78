#include "vortex_program.h"

#include <string.h>

#include "encode.h"
#include "func/extensions/streams.h"
#include "isa/wide.h"

enum { PROLOGUE = 13, START = 2 /* its word that counts the started warps */ };

/* Starts all warps and lanes at the following code, with addresses of data, local memory and I/O in registers. */
static void write_prologue(uint32_t *code, bool old)
{
  const uint32_t spawn = old ? 0x0000106b : 0x0000100b, tmc = old ? 0x0000006b : 0x0000000b;
  const uint32_t words[PROLOGUE] = {
      0x00400293,                  /* li t0, 4 */
      0x00000317,                  /* auipc t1, 0 */
      0x00c30313,                  /* addi t1, t1, 12 */
      spawn | 5u << 15 | 6u << 20, /* wspawn t0, t1 */
      0xfff00293,                  /* li t0, -1 */
      tmc | 5u << 15,              /* tmc t0 */
      0x80001437,                  /* lui s0, DATA */
      0xffff04b7,                  /* lui s1, local memory */
      0xf1402573,                  /* csrr a0, mhartid */
      0x00251593,                  /* slli a1, a0, 2 */
      0x008585b3,                  /* add a1, a1, s0 */
      0x00151613,                  /* slli a2, a0, 1 */
      0xd0057053,                  /* fcvt.s.w ft0, a0 */
  };
  memcpy(code, words, sizeof words);
}

/* Registers and CSRs of programs made from rows; CSRs of the time would differ between modes. */
static uint8_t a_register(unsigned byte, bool floats)
{
  static const uint8_t some[8] = {0, 1, 8, 9, 10, 11, 12, 5};
  return (uint8_t)(floats && byte & 8 ? 32 + (byte & 7) : some[byte & 7]);
}

static uint16_t a_csr(unsigned byte)
{
  static const uint16_t some[] = {0x001, 0x002, 0x003, 0x340, 0xcc0, 0xcc1, 0xcc2, 0xcc4, 0xfc0, 0xfc3, 0xf14};
  const unsigned count = sizeof some / sizeof some[0];
  return byte & 0x80 ? (uint16_t)(SL_EXTENSION_CSRS | (byte & 0x40) << 1 | (byte & 0x1f)) : some[byte % count];
}

static uint32_t row(const uint8_t *b, unsigned sets)
{
  const struct sl_op_info *info = sl_op_info(1u + b[0] % (SL_OP_COUNT - 1));
  const bool floats = ((unsigned)info->set & SL_ISA_F) != 0;
  struct sl_insn in = {.op = (uint8_t)(1u + b[0] % (SL_OP_COUNT - 1)),
                       .rd = a_register(b[1], floats),
                       .rs1 = a_register(b[1] >> 4, floats),
                       .rs2 = a_register(b[2], floats),
                       .csr = a_csr(b[4]),
                       .imm = (uint32_t)(int8_t)b[3] * 4};
  uint32_t word, given;
  if (((unsigned)info->set & sets) == 0)
    return UINT32_C(0x13) | (uint32_t)b[3] << 20; /* nothing */
  if (info->format == SL_FORMAT_R4M || info->format == SL_FORMAT_R4)
    in.imm = b[4] & 31u;
  if (info->format == SL_FORMAT_U)
    in.imm = (uint32_t)b[3] << 12;
  return sl_encode(&in, &word, &given) ? word : info->match;
}

size_t sl_vortex_program(uint32_t *code, unsigned flags, const uint8_t *bytes, size_t size)
{
  const unsigned sets = SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR | SL_ISA_F |
                        (flags & SL_VORTEX_OLD ? (unsigned)SL_ISA_WARP1 : (unsigned)SL_ISA_WARP2);
  const size_t each = flags & SL_VORTEX_ROWS ? 5 : 4;
  size_t count = PROLOGUE;
  write_prologue(code, flags & SL_VORTEX_OLD);
  for (; size >= each && count < SL_VORTEX_WORDS - 1; bytes += each, size -= each) {
    if (flags & SL_VORTEX_ROWS)
      code[count++] = row(bytes, sets);
    else
      memcpy(&code[count++], bytes, sizeof *code);
  }
  code[count++] = flags & SL_VORTEX_OLD ? 0x0000006b : 0x0000000b; /* tmc x0 */
  return count;
}

size_t sl_vortex_wide_program(uint64_t *code, const uint8_t *bytes, size_t size)
{
  const unsigned sets = SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR | SL_ISA_F | (unsigned)SL_ISA_WARP2;
  uint32_t narrow[SL_VORTEX_WORDS];
  const size_t count = sl_vortex_program(narrow, SL_VORTEX_ROWS, bytes, size);
  for (size_t i = 0; i < count; i++) {
    const struct sl_insn in = sl_decode(narrow[i], sets);
    const enum sl_format format = sl_op_info(in.op)->format;
    const bool relative = format == SL_FORMAT_B || format == SL_FORMAT_J || i == START;
    const struct sl_wide wide = {.op = (enum sl_op)in.op,
                                 .rd = in.rd,
                                 .rs1 = in.rs1,
                                 .rs2 = in.rs2,
                                 .rs3 = in.rs3,
                                 .csr = in.csr,
                                 .imm = relative ? 2 * in.imm : in.imm};
    code[i] = in.op == SL_OP_UNKNOWN ? 0 : sl_wide_encode(&wide);
  }
  return count;
}
