#include "backend/assembler/assembler64.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "backend/assembler/asm_aliases.h"
#include "backend/assembler/asm_data.h"
#include "backend/assembler/asm_instruction.h"
#include "backend/assembler/asm_raw.h"

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
  struct sl_asm_label64 *grown = sl_grow64(a->out->labels, a->out->label_count, sizeof *grown, err);
  if (grown == NULL)
    return SL_INTERNAL;
  a->out->labels = grown;
  char *name = strndup(text, length);
  if (name == NULL)
    return sl_no_memory(err, length + 1);
  for (size_t i = 0; i < a->out->label_count && !isdigit((unsigned char)name[0]); i++)
    if (strcmp(grown[i].name, name) == 0) {
      free(name);
      return sl_fail(err, SL_USAGE, "inline assembly: the label %.100s is defined twice", grown[i].name);
    }
  struct sl_asm_label64 *label = &grown[a->out->label_count++];
  *label = (struct sl_asm_label64){.name = name, .at = a->count, .data = a->data.open};
  return label->data ? sl_asm_data_label(&a->data, &label->symbol, err) : SL_OK;
}

static enum sl_status add_piece(struct assembler *a, const char *text, size_t length, struct sl_error *err)
{
  static const char option[] = ".option";
  if (length >= sizeof option - 1 && strncmp(text, option, sizeof option - 1) == 0)
    return SL_OK; /* concerns features that this assembler does not have: relaxation, compressed instructions */
  struct piece *grown = sl_grow64(a->pieces, a->count, sizeof *grown, err);
  if (grown == NULL)
    return SL_INTERNAL;
  a->pieces = grown;
  grown[a->count++] = (struct piece){text, length};
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
