#include "backend/assembler/asm_aliases.h"

#include <string.h>

/* $1 is the first operand. Several forms of a name differ in the number of operands. */
static const struct alias {
  const char *name;
  unsigned count;
  const char *text;
} aliases[] = {
    {"nop", 0, "addi zero, zero, 0"},
    {"li", 2, "addi $1, zero, $2"},
    {"la", 2, "addi $1, zero, $2"},
    {"lla", 2, "addi $1, zero, $2"},
    {"mv", 2, "addi $1, $2, 0"},
    {"not", 2, "xori $1, $2, -1"},
    {"neg", 2, "sub $1, zero, $2"},
    {"zext.b", 2, "andi $1, $2, 255"},
    {"seqz", 2, "sltiu $1, $2, 1"},
    {"snez", 2, "sltu $1, zero, $2"},
    {"sltz", 2, "slt $1, $2, zero"},
    {"sgtz", 2, "slt $1, zero, $2"},
    {"sgt", 3, "slt $1, $3, $2"},
    {"sgtu", 3, "sltu $1, $3, $2"},
    {"beqz", 2, "beq $1, zero, $2"},
    {"bnez", 2, "bne $1, zero, $2"},
    {"blez", 2, "bge zero, $1, $2"},
    {"bgez", 2, "bge $1, zero, $2"},
    {"bltz", 2, "blt $1, zero, $2"},
    {"bgtz", 2, "blt zero, $1, $2"},
    {"bgt", 3, "blt $2, $1, $3"},
    {"ble", 3, "bge $2, $1, $3"},
    {"bgtu", 3, "bltu $2, $1, $3"},
    {"bleu", 3, "bgeu $2, $1, $3"},
    {"j", 1, "jal zero, $1"},
    {"jal", 1, "jal ra, $1"},
    {"jr", 1, "jalr zero, $1, 0"},
    {"jalr", 1, "jalr ra, $1, 0"},
    {"ret", 0, "jalr zero, ra, 0"},
    {"call", 1, "jal ra, $1"},
    {"call", 2, "jal $1, $2"},
    {"tail", 1, "jal zero, $1"},
    {"csrr", 2, "csrrs $1, $2, zero"},
    {"csrw", 2, "csrrw zero, $1, $2"},
    {"csrs", 2, "csrrs zero, $1, $2"},
    {"csrc", 2, "csrrc zero, $1, $2"},
    {"csrwi", 2, "csrrwi zero, $1, $2"},
    {"csrsi", 2, "csrrsi zero, $1, $2"},
    {"csrci", 2, "csrrci zero, $1, $2"},
    {"rdcycle", 1, "csrrs $1, cycle, zero"},
    {"rdcycleh", 1, "csrrs $1, cycleh, zero"},
    {"rdtime", 1, "csrrs $1, time, zero"},
    {"rdtimeh", 1, "csrrs $1, timeh, zero"},
    {"rdinstret", 1, "csrrs $1, instret, zero"},
    {"rdinstreth", 1, "csrrs $1, instreth, zero"},
    {"frcsr", 1, "csrrs $1, fcsr, zero"},
    {"fscsr", 1, "csrrw zero, fcsr, $1"},
    {"fscsr", 2, "csrrw $1, fcsr, $2"},
    {"frrm", 1, "csrrs $1, frm, zero"},
    {"fsrm", 1, "csrrw zero, frm, $1"},
    {"fsrm", 2, "csrrw $1, frm, $2"},
    {"frflags", 1, "csrrs $1, fflags, zero"},
    {"fsflags", 1, "csrrw zero, fflags, $1"},
    {"fsflags", 2, "csrrw $1, fflags, $2"},
    {"fmv.s", 2, "fsgnj.s $1, $2, $2"},
    {"fabs.s", 2, "fsgnjx.s $1, $2, $2"},
    {"fneg.s", 2, "fsgnjn.s $1, $2, $2"},
    {"fgt.s", 3, "flt.s $1, $3, $2"},
    {"fge.s", 3, "fle.s $1, $3, $2"},
    {"fence", 0, "fence iorw, iorw"},
    {"unimp", 0, "csrrw zero, cycle, zero"},
};

static const struct alias *find(const struct sl_asm_statement *statement)
{
  for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
    if (aliases[i].count == statement->count && strcmp(aliases[i].name, statement->mnemonic) == 0)
      return &aliases[i];
  return NULL;
}

bool sl_asm_expand(struct sl_asm_statement *statement)
{
  const struct alias *alias = find(statement);
  if (alias == NULL)
    return true;
  char text[SL_ASM_TEXT_SIZE];
  size_t length = 0;
  for (const char *from = alias->text; *from != '\0'; from++) {
    const bool named = *from == '$';
    from += named;
    const char *piece = named ? statement->operand[*from - '1'] : from;
    const size_t size = named ? strlen(piece) : 1;
    if (length + size >= sizeof text)
      return false;
    for (size_t i = 0; i < size; i++)
      text[length++] = piece[i];
  }
  return sl_asm_split(statement, text, length);
}
