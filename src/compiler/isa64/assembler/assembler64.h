/* Assembler for inline assembly with substituted operands, to 64-bit words. It accepts instructions of RV32IMA, Zicsr,
 * Zfinx, Zicond and Vortex by their mnemonics, aliases and `.insn`, and registers x0 to x255 by all their names.
 *
 * Newlines or semicolons separate statements. Labels, including numeric ones with 1b and 1f, are local to the text.
 * Every statement is one word: li and la have a 32-bit immediate, call and tail are one jump. Text between
 * `.pushsection` and `.popsection` may be data (asm_data.h). Unknown instructions are errors, and so are directives
 * other than these, `.insn` and `.option`. */
#ifndef SL_BACKEND_ASSEMBLER64_H
#define SL_BACKEND_ASSEMBLER64_H

#include "base/types.h"
#include "compiler/isa64/object64.h"
#include "isa/wide.h"

/* A named label that other texts can refer to. */
struct sl_asm_label64 {
  char *name;
  size_t at; /* index of the following instruction */
  bool data; /* the label is in data of the text, not in the code, and is a symbol of the unit */
  uint32_t symbol;
};

struct sl_assembly64 {
  struct sl_code64 *code;
  size_t count;
  struct sl_asm_label64 *labels;
  size_t label_count;
};

/* Assembles a text. Looks up symbols that the text does not define in the unit, and adds missing ones. SL_USAGE: the
 * message has the statement. */
enum sl_status sl_assemble64(const char *text, struct sl_object64 *object, struct sl_assembly64 *assembly,
                             struct sl_error *err);

/* Assembles a text and returns only the words, which the caller frees; label names are discarded. `context` is
 * unused. */
enum sl_status sl_assemble64_words(void *context, const char *text, struct sl_object64 *object, struct sl_code64 **code,
                                   size_t *count, struct sl_error *err);

void sl_assembly64_free(struct sl_assembly64 *assembly);

/* Instructions in assembly text: the mnemonics of isa/rv32.def, with operands by format. */

/* Numbers and addresses in assembly text. */

/* A statement of assembly text in parts: "lw.x a0, 4(sp)" has a mnemonic and two operands. */

enum { SL_ASM_TEXT_SIZE = 512, SL_ASM_OPERANDS = 8 };

struct sl_asm_statement {
  char text[SL_ASM_TEXT_SIZE]; /* the pointers below point into it */
  const char *mnemonic;
  const char *operand[SL_ASM_OPERANDS];
  unsigned count;
};

/* Splits `length` characters; false if the statement is too long or has too many operands. */
bool sl_asm_split(struct sl_asm_statement *statement, const char *text, size_t length);

enum { SL_ASM_NAME_SIZE = 256 };

/* A number, or a symbol plus a number, and the part of it that is meant. */
struct sl_asm_value {
  enum { SL_ASM_WHOLE, SL_ASM_HI, SL_ASM_LO, SL_ASM_TP_HI, SL_ASM_TP_LO } part;
  char symbol[SL_ASM_NAME_SIZE]; /* "" for a number; "1b" and "1f" for numeric labels */
  uint32_t number;
};

/* Evaluates an expression of numbers with C's operators except comparisons; false if the text is no expression or the
 * value exceeds 32 bits. */
bool sl_asm_number(const char *text, uint32_t *number);

/* "12", "name", "name+4", "1b", "%lo(name+4)". */
bool sl_asm_value(const char *text, struct sl_asm_value *value);

/* Operands of assembly text, and the instruction that is built from them. */

/* An instruction whose immediate may still be an address. */
struct sl_asm_insn {
  struct sl_wide wide;
  bool jumps; /* the address is a target: the immediate is its distance */
  struct sl_asm_value address;
};

/* `.insn`: an instruction as the fields of an RV32 word, with the registers of 64-bit words and 32-bit immediates.
 * Forms r, r4, i, s, b, u and j, and a whole word. */

/* Returns NULL, or the reason why the statement is no instruction. */
const char *sl_asm_raw(const struct sl_asm_statement *statement, struct sl_asm_insn *insn);

/* Returns NULL, or the reason why the statement is no instruction. Aliases must be expanded first. */
const char *sl_asm_instruction(const struct sl_asm_statement *statement, struct sl_asm_insn *insn);

#endif
