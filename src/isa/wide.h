/* The 64-bit instruction words of R. R. Yan and S. Anand, "Redesigning the Vortex GPU ISA: 64-Bit Instruction Words and
 * Conflict-Aware Register Allocation", section 3.1. They encode the instructions of RV32 and of Vortex 2.x with 8-bit
 * register fields, up to four sources and 32-bit immediates. Field positions are those of the published emulator's
 * decoder.
 *
 *           63:60 59:52        51:44 43:36 35:28      27:20 19:17  16:9       8:7   6:0
 *   R       pred  funct7 52    rs4   rs3   rs2        rs1   funct3 rd         opext opcode
 *   I U J   pred  imm[23:0] 59:36         imm[31:24] rs1   funct3 rd         opext opcode
 *   I3      pred  imm[23:0] 59:36         rs2        rs1   funct3 rd         opext opcode   (no instruction yet)
 *   S B     pred  imm[23:0] 59:36         rs2        rs1   funct3 imm[31:24] opext opcode
 *
 * opcode, funct3 and funct7 are RISC-V's. Immediates are unscaled byte counts; U is imm << 12 for LUI and pc + imm for
 * AUIPC. Shifts have the amount in imm[4:0] and funct7 in 58:52. CSR instructions have the CSR number in imm[11:0] and
 * a 5-bit immediate in rs1. A load or store with opext 1 accesses shared memory. pred and rs4 are decoded but have no
 * meaning yet. */
#ifndef SL_ISA_WIDE_H
#define SL_ISA_WIDE_H

#include "isa/isa.h"

enum { SL_WIDE_BYTES = 8, SL_WIDE_REGISTERS = 256 };

/* The fields of a word. The encoder ignores fields that the format does not have. */
struct sl_wide {
  enum sl_op op;
  uint8_t pred, rd, rs1, rs2, rs3, rs4;
  uint8_t mode; /* rounding mode; of atomics, aq and rl as bits 1 and 0; of split and pred, 1: negated */
  uint16_t csr;
  uint32_t imm; /* as in struct sl_insn; of LUI the resulting value */
};

uint64_t sl_wide_encode(const struct sl_wide *wide);

struct sl_insn sl_wide_decode(uint64_t word, unsigned sets);

/* The fields that struct sl_insn does not hold. */
unsigned sl_wide_pred(const struct sl_insn *in);
unsigned sl_wide_rs4(const struct sl_insn *in);

/* The RV32 word with the same opcode, funct3, funct7 (of formats N and FENCE imm[11:0] in 31:20) and low register
 * fields; the lowest two bits are 3 - opext. It is matched with the rows. */
uint32_t sl_wide_lookalike(uint64_t word, enum sl_format format);

/* Register names: zero to t6 as in RV32; a8 to a23, s12 to s59, t7 to t38 (section 3.2); from 128 on x128. The string
 * is static. */
const char *sl_wide_register_name(unsigned reg);

#endif
