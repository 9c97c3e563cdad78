#include "compiler/isa64/assembler/assembler64.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "compiler/isa64/object64.h"

/* Data in assembly text: the text between .pushsection and .popsection is a section of the unit, with strings (.asciz,
 * .string, .ascii) and numbers (.word, .half, .byte). */

struct sl_asm_data {
  struct sl_object64 *object;
  bool open;
  uint32_t section; /* index in the unit of the open section */
};

static const char push[] = ".pushsection", pop[] = ".popsection";

/* Returns the operands after a directive, if the statement is this directive. */
static const char *behind(const char *statement, const char *directive)
{
  const size_t length = strlen(directive);
  if (strncmp(statement, directive, length) != 0 ||
      (statement[length] != '\0' && !isspace((unsigned char)statement[length])))
    return NULL;
  return statement + length + strspn(statement + length, " \t");
}

/* Whether a statement is a section directive, or data within a section, rather than an instruction. */
static bool sl_asm_is_data(const struct sl_asm_data *data, const char *statement, size_t length)
{
  return data->open || (length >= sizeof push - 1 && strncmp(statement, push, sizeof push - 1) == 0);
}

static enum sl_status append(const struct sl_asm_data *data, const void *bytes, size_t count, struct sl_error *err)
{
  struct sl_section64 *section = &data->object->sections[data->section];
  uint8_t *grown = realloc(section->bytes, section->size + count + 1);
  if (grown == NULL)
    return sl_no_memory(err, section->size + count);
  memcpy(grown + section->size, bytes, count);
  section->bytes = grown;
  section->size += (uint32_t)count;
  return SL_OK;
}

/* `name,"flags",...`: flags for code and for sections that are not loaded are rejected. */
static const char *begin(struct sl_asm_data *data, const char *operands, enum sl_status *status, struct sl_error *err)
{
  const size_t length = strcspn(operands, ", \t");
  const char *flags = strchr(operands, '"');
  const size_t flag_count = flags != NULL ? strcspn(flags + 1, "\"") : 0;
  if (data->open)
    return "the previous section is still open";
  if (length == 0 || flags == NULL || memchr(flags + 1, 'a', flag_count) == NULL ||
      memchr(flags + 1, 'x', flag_count) != NULL || memchr(flags + 1, 'T', flag_count) != NULL)
    return "only sections of data can be pushed, with flags such as \"a\" or \"aw\"";
  struct sl_section64 section = {
      .name = strndup(operands, length), .writable = memchr(flags + 1, 'w', flag_count) != NULL, .alignment = 4};
  *status = section.name != NULL ? sl_object64_add_section(data->object, &section, &data->section, err)
                                 : sl_no_memory(err, length);
  if (*status != SL_OK)
    free(section.name);
  data->open = *status == SL_OK;
  return NULL;
}

static bool escaped(char c, char *value)
{
  static const char from[] = "nt\"\\r", to[] = "\n\t\"\\\r";
  const char *at = c != '\0' ? strchr(from, c) : NULL;
  *value = at != NULL ? to[at - from] : '\0';
  return at != NULL;
}

static const char *text(const struct sl_asm_data *data, const char *operand, bool ends, enum sl_status *status,
                        struct sl_error *err)
{
  if (*operand++ != '"')
    return "a string is expected";
  for (; *operand != '"' && *status == SL_OK; operand++) {
    char c = *operand;
    if (c == '\\' && !escaped(*++operand, &c))
      return "the string has an escape other than \\n, \\t, \\r, \\\" and \\\\";
    if (c == '\0')
      return "the string has no end";
    *status = append(data, &c, 1, err);
  }
  if (*status == SL_OK && ends)
    *status = append(data, "", 1, err);
  return operand[*operand != '\0'] == '\0' ? NULL : "there is text after the string";
}

static const char *number(const struct sl_asm_data *data, const char *operand, size_t size, enum sl_status *status,
                          struct sl_error *err)
{
  uint32_t value;
  if (!sl_asm_number(operand, &value))
    return "a number is expected";
  *status = append(data, &value, size, err); /* both are little-endian, which rv32/rv32_elf.c asserts */
  return NULL;
}

/* Returns NULL, or the reason why the data is invalid. */
static const char *add(struct sl_asm_data *data, const char *statement, enum sl_status *status, struct sl_error *err)
{
  static const struct {
    const char *name;
    size_t size; /* 0: a string */
    bool ends;
  } kinds[] = {{".asciz", 0, true}, {".string", 0, true}, {".ascii", 0, false},
               {".word", 4, false}, {".half", 2, false},  {".byte", 1, false}};
  const char *operands = behind(statement, push);
  if (operands != NULL)
    return begin(data, operands, status, err);
  if (behind(statement, pop) != NULL) {
    data->open = false;
    return NULL;
  }
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    operands = behind(statement, kinds[i].name);
    if (operands != NULL)
      return kinds[i].size == 0 ? text(data, operands, kinds[i].ends, status, err)
                                : number(data, operands, kinds[i].size, status, err);
  }
  return "a data section holds only strings and numbers";
}

/* SL_USAGE: the message has the statement. */
static enum sl_status sl_asm_data_add(struct sl_asm_data *data, const char *statement, size_t length,
                                      struct sl_error *err)
{
  while (length > 0 && isspace((unsigned char)statement[length - 1]))
    length--;
  char *copy = strndup(statement, length);
  if (copy == NULL)
    return sl_no_memory(err, length + 1);
  enum sl_status status = SL_OK;
  const char *reason = add(data, copy, &status, err);
  if (reason != NULL)
    status = sl_fail(err, SL_USAGE, "inline assembly: \"%.200s\": %s", copy, reason);
  free(copy);
  return status;
}

/* Adds a symbol at the current end of the open section. */
static enum sl_status sl_asm_data_label(const struct sl_asm_data *data, uint32_t *symbol, struct sl_error *err)
{
  const struct sl_symbol64 label = {
      .name = strdup(""), .section = data->section, .value = data->object->sections[data->section].size};
  if (label.name == NULL)
    return sl_no_memory(err, 1);
  const enum sl_status status = sl_object64_add_symbol(data->object, &label, symbol, err);
  if (status != SL_OK)
    free(label.name);
  return status;
}

/* Pseudo instructions, such as `mv` and `ret` (The RISC-V Instruction Set Manual, Volume I, chapter 25). Each is one
 * 64-bit word, because immediates hold every constant and address. */

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

/* Rewrites an alias to its instruction; false if the result is too long. */
static bool sl_asm_expand(struct sl_asm_statement *statement)
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

/* A statement in the text, without labels and comments. */
struct piece {
  const char *text;
  size_t length;
};

/* Named and numeric labels. The text is a copy without comments. */
struct assembler {
  char *text;
  struct sl_object64 *object;
  struct sl_assembly64 *out;
  struct sl_asm_data data;
  struct piece *pieces;
  size_t count;
};

/* ---- the text ---------------------------------------------------------------------------------------------------- */

/* Returns the length of a string at the start of the text, with its quotation marks, or 0. */
static size_t string_length(const char *text)
{
  size_t length = 1;
  if (text[0] != '"')
    return 0;
  while (text[length] != '\0' && text[length] != '"')
    length += text[length] == '\\' && text[length + 1] != '\0' ? 2 : 1;
  return length + (text[length] == '"');
}

static size_t statement_length(const char *text)
{
  size_t length = 0;
  while (text[length] != '\0' && text[length] != '\n' && text[length] != ';') {
    const size_t string = string_length(text + length);
    length += string > 0 ? string : 1;
  }
  return length;
}

/* Replaces comments by spaces: from # or // to the end of the line, and C comments. */
static void remove_comments(char *text)
{
  while (*text != '\0') {
    size_t length = 0;
    if (*text == '#' || (text[0] == '/' && text[1] == '/'))
      length = strcspn(text, "\n");
    else if (text[0] == '/' && text[1] == '*') {
      const char *end = strstr(text + 2, "*/");
      length = end != NULL ? (size_t)(end + 2 - text) : strlen(text);
    }
    for (size_t i = 0; i < length; i++)
      text[i] = ' ';
    if (length == 0)
      length = string_length(text);
    text += length > 0 ? length : 1;
  }
}

static bool is_in_label(char c)
{
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* Returns the length of a label at the start of the text, with its colon, or 0. */
static size_t label_length(const char *text)
{
  size_t length = 0;
  while (is_in_label(text[length]))
    length++;
  return length > 0 && text[length] == ':' ? length + 1 : 0;
}

static enum sl_status add_label(struct assembler *a, const char *text, size_t length, struct sl_error *err)
{
  if (!SL_GROW(a->out->labels, a->out->label_count))
    return sl_no_memory(err, 2 * a->out->label_count * sizeof *a->out->labels);
  char *name = strndup(text, length);
  if (name == NULL)
    return sl_no_memory(err, length + 1);
  for (size_t i = 0; i < a->out->label_count && !isdigit((unsigned char)name[0]); i++)
    if (strcmp(a->out->labels[i].name, name) == 0) {
      free(name);
      return sl_fail(err, SL_USAGE, "inline assembly: the label %.100s is defined twice", a->out->labels[i].name);
    }
  struct sl_asm_label64 *label = &a->out->labels[a->out->label_count++];
  *label = (struct sl_asm_label64){.name = name, .at = a->count, .data = a->data.open};
  return label->data ? sl_asm_data_label(&a->data, &label->symbol, err) : SL_OK;
}

static enum sl_status add_piece(struct assembler *a, const char *text, size_t length, struct sl_error *err)
{
  static const char option[] = ".option";
  if (length >= sizeof option - 1 && strncmp(text, option, sizeof option - 1) == 0)
    return SL_OK; /* concerns features that this assembler does not have: relaxation, compressed instructions */
  if (!SL_GROW(a->pieces, a->count))
    return sl_no_memory(err, 2 * a->count * sizeof *a->pieces);
  a->pieces[a->count++] = (struct piece){text, length};
  return SL_OK;
}

static enum sl_status find_pieces(struct assembler *a, struct sl_error *err)
{
  const char *at = a->text;
  enum sl_status code = SL_OK;
  while (*at != '\0' && code == SL_OK) {
    at += strspn(at, " \t\r\n;");
    const size_t label = label_length(at), length = statement_length(at);
    if (label > 0)
      code = add_label(a, at, label - 1, err);
    else if (length > 0 && sl_asm_is_data(&a->data, at, length))
      code = sl_asm_data_add(&a->data, at, length, err);
    else if (length > 0)
      code = add_piece(a, at, length, err);
    at += label > 0 ? label : length;
  }
  return code;
}

/* ---- labels ------------------------------------------------------------------------------------------------------ */

/* Returns the label that a statement at instruction `from` refers to; NULL if the text has none. */
static const struct sl_asm_label64 *find_label(const struct assembler *a, const char *symbol, size_t from)
{
  const size_t length = strlen(symbol), digits = strspn(symbol, "0123456789");
  const bool backward = digits > 0 && symbol[digits] == 'b';
  const struct sl_asm_label64 *found = NULL;
  for (size_t i = 0; i < a->out->label_count; i++) {
    const struct sl_asm_label64 *label = &a->out->labels[i];
    const bool same = digits > 0 ? strlen(label->name) == length - 1 && strncmp(label->name, symbol, length - 1) == 0
                                 : strcmp(label->name, symbol) == 0;
    const bool there = digits == 0 || (backward ? label->at <= from : label->at > from);
    if (!same || !there)
      continue;
    found = label;
    if (!backward)
      break;
  }
  return found;
}

static enum sl_fix64 fix_of(const struct sl_asm_insn *insn)
{
  switch (insn->address.part) {
  case SL_ASM_HI: return SL_FIX_HIGH;
  case SL_ASM_LO: return SL_FIX_LOW;
  case SL_ASM_TP_HI: return SL_FIX_TP_HIGH;
  case SL_ASM_TP_LO: return SL_FIX_TP_LOW;
  default: return insn->jumps || insn->wide.op == SL_OP_AUIPC ? SL_FIX_PC : SL_FIX_VALUE;
  }
}

/* Returns NULL, or the reason why the statement cannot have this address. */
static const char *set_address(struct assembler *a, const struct sl_asm_insn *insn, size_t at, struct sl_code64 *code,
                               enum sl_status *status, struct sl_error *err)
{
  const char *symbol = insn->address.symbol;
  const struct sl_asm_label64 *label = find_label(a, symbol, at);
  const bool number = isdigit((unsigned char)symbol[0]);
  if (label != NULL && label->data == insn->jumps)
    return label->data ? "a jump cannot go to data"
                       : "only jumps and branches can refer to labels of the text's instructions";
  if (label != NULL && !label->data) {
    if (insn->address.part != SL_ASM_WHOLE)
      return "a jump takes a whole address";
    code->insn.imm = ((uint32_t)label->at - (uint32_t)at) * SL_WIDE_BYTES + insn->address.number;
    return NULL;
  }
  if (number && label == NULL)
    return "there is no such label";
  if (insn->wide.op == SL_OP_LUI && insn->address.part == SL_ASM_WHOLE)
    return "the upper part of an address is expected, such as %hi(name)";
  code->fix = fix_of(insn);
  code->addend = (int32_t)insn->address.number;
  if (label != NULL)
    code->symbol = label->symbol;
  else
    *status = sl_object64_symbol(a->object, symbol, &code->symbol, err);
  return NULL;
}

/* Extracts the selected part (%hi, %lo) of a number. */
static uint32_t part_of(const struct sl_asm_insn *insn)
{
  const uint32_t upper = (insn->wide.imm + 0x800) & 0xfffff000u;
  return insn->address.part == SL_ASM_HI   ? upper
         : insn->address.part == SL_ASM_LO ? insn->wide.imm - upper
                                           : insn->wide.imm;
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

static const char *parse(const struct piece *piece, struct sl_asm_insn *insn)
{
  static const char too_long[] = "it is too long";
  static const char raw[] = ".insn";
  const size_t before = sizeof raw - 1;
  struct sl_asm_statement statement;
  if (piece->length > before && strncmp(piece->text, raw, before) == 0 && isspace((unsigned char)piece->text[before]))
    return sl_asm_split(&statement, piece->text + before, piece->length - before) ? sl_asm_raw(&statement, insn)
                                                                                  : too_long;
  if (!sl_asm_split(&statement, piece->text, piece->length) || !sl_asm_expand(&statement))
    return too_long;
  return sl_asm_instruction(&statement, insn);
}

static enum sl_status assemble(struct assembler *a, size_t at, struct sl_error *err)
{
  const struct piece *piece = &a->pieces[at];
  struct sl_code64 *code = &a->out->code[at];
  struct sl_asm_insn insn;
  enum sl_status status = SL_OK;
  const char *reason = parse(piece, &insn);
  if (reason == NULL) {
    code->insn = insn.wide;
    if (insn.address.symbol[0] != '\0')
      reason = set_address(a, &insn, at, code, &status, err);
    else
      code->insn.imm = part_of(&insn);
  }
  if (reason == NULL)
    return status;
  return sl_fail(err, SL_USAGE, "inline assembly: \"%.*s\": %s", piece->length < 200 ? (int)piece->length : 200,
                 piece->text, reason);
}

enum sl_status sl_assemble64(const char *text, struct sl_object64 *object, struct sl_assembly64 *assembly,
                             struct sl_error *err)
{
  *assembly = (struct sl_assembly64){0};
  struct assembler a = {.text = strdup(text), .object = object, .out = assembly, .data = {.object = object}};
  enum sl_status code = SL_OK;
  if (a.text == NULL)
    code = sl_no_memory(err, strlen(text) + 1);
  else {
    remove_comments(a.text);
    code = find_pieces(&a, err);
    if (code == SL_OK && a.data.open)
      code = sl_fail(err, SL_USAGE, "inline assembly: .pushsection without .popsection");
  }
  if (code == SL_OK) {
    assembly->code = calloc(a.count + 1, sizeof *assembly->code);
    code = assembly->code != NULL ? SL_OK : sl_no_memory(err, (a.count + 1) * sizeof *assembly->code);
  }
  for (size_t i = 0; i < a.count && code == SL_OK; i++)
    code = assemble(&a, i, err);
  assembly->count = a.count;
  free(a.pieces);
  free(a.text);
  if (code != SL_OK)
    sl_assembly64_free(assembly);
  return code;
}

enum sl_status sl_assemble64_words(void *context, const char *text, struct sl_object64 *object, struct sl_code64 **code,
                                   size_t *count, struct sl_error *err)
{
  (void)context;
  struct sl_assembly64 assembly;
  const enum sl_status status = sl_assemble64(text, object, &assembly, err);
  *code = status == SL_OK ? assembly.code : NULL;
  *count = status == SL_OK ? assembly.count : 0;
  if (status == SL_OK) {
    assembly.code = NULL;
    sl_assembly64_free(&assembly);
  }
  return status;
}

void sl_assembly64_free(struct sl_assembly64 *assembly)
{
  for (size_t i = 0; i < assembly->label_count; i++)
    free(assembly->labels[i].name);
  free(assembly->labels);
  free(assembly->code);
  *assembly = (struct sl_assembly64){0};
}
