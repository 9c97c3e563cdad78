#include "compiler/isa64/mir/mir.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "compiler/isa64/compile_mir.h"

/* A node of the current document. */
struct node {
  yaml_document_t *document;
  yaml_node_t *at; /* NULL: no node */
};

static bool is_text(struct node node, const char *text)
{
  return node.at != NULL && node.at->type == YAML_SCALAR_NODE && strcmp((char *)node.at->data.scalar.value, text) == 0;
}

static struct node child(struct node node, const char *key)
{
  if (node.at == NULL || node.at->type != YAML_MAPPING_NODE)
    return (struct node){.document = node.document};
  for (yaml_node_pair_t *pair = node.at->data.mapping.pairs.start; pair < node.at->data.mapping.pairs.top; pair++)
    if (is_text((struct node){node.document, yaml_document_get_node(node.document, pair->key)}, key))
      return (struct node){node.document, yaml_document_get_node(node.document, pair->value)};
  return (struct node){.document = node.document};
}

static size_t length_of(struct node node)
{
  if (node.at == NULL || node.at->type != YAML_SEQUENCE_NODE)
    return 0;
  return (size_t)(node.at->data.sequence.items.top - node.at->data.sequence.items.start);
}

static struct node item(struct node node, size_t i)
{
  return (struct node){node.document, yaml_document_get_node(node.document, node.at->data.sequence.items.start[i])};
}

static const char *text_of(struct node node)
{
  return node.at != NULL && node.at->type == YAML_SCALAR_NODE ? (const char *)node.at->data.scalar.value : "";
}

static int64_t number_of(struct node node, const char *key, int64_t otherwise)
{
  char *end;
  const char *text = text_of(child(node, key));
  const long long value = strtoll(text, &end, 10);
  return end != text && *end == '\0' ? value : otherwise;
}

static enum sl_status no_memory(struct sl_mir_parser *parser)
{
  return sl_no_memory(parser->err, sizeof(struct sl_mir_function));
}

/* Refuses functions whose keys have unsupported values. */
static enum sl_status check_keys(struct sl_mir_parser *parser, struct node node)
{
  static const char *const must_be_false[] = {
      "exposesReturnsTwice", "failedISel",  "hasWinCFI",     "callsEHReturn", "callsUnwindInit",
      "hasEHCatchret",       "hasEHScopes", "hasEHFunclets", "isSSA",         "failsVerification"};
  for (size_t i = 0; i < sizeof must_be_false / sizeof must_be_false[0]; i++)
    if (is_text(child(node, must_be_false[i]), "true"))
      return sl_mir_refuse(parser, "%s is set, which is not supported", must_be_false[i]);
  const struct node info = child(node, "frameInfo");
  static const char *const frame[] = {"hasStackMap", "hasPatchPoint", "hasOpaqueSPAdjustment",
                                      "hasMustTailInVarArgFunc"};
  for (size_t i = 0; i < sizeof frame / sizeof frame[0]; i++)
    if (is_text(child(info, frame[i]), "true"))
      return sl_mir_refuse(parser, "%s is set, which is not supported", frame[i]);
  if (text_of(child(info, "stackProtector"))[0] != '\0')
    return sl_mir_refuse(parser, "it has a stack protector; compile with -fno-stack-protector");
  return SL_OK;
}

static enum sl_status registers(struct sl_mir_parser *parser, struct node node)
{
  struct sl_mir_function *f = parser->function;
  const struct node list = child(node, "registers");
  const size_t count = length_of(list);
  for (size_t i = 0; i < count; i++) {
    const int64_t id = number_of(item(list, i), "id", -1);
    if (id < 0 || id >= (int64_t)count * 16 + 64)
      return sl_mir_refuse(parser, "a register has no number");
    f->register_count = id >= f->register_count ? (uint32_t)id + 1 : f->register_count;
  }
  return SL_OK;
}

static enum sl_status objects(struct sl_mir_parser *parser, struct node list, bool fixed)
{
  struct sl_mir_function *f = parser->function;
  struct sl_mir_object **objects = fixed ? &f->fixed : &f->stack;
  size_t *count = fixed ? &f->fixed_count : &f->stack_count;
  size_t *room = fixed ? &f->fixed_room : &f->stack_room;
  for (size_t i = 0; i < length_of(list); i++) {
    const struct node at = item(list, i);
    const bool dynamic = is_text(child(at, "type"), "variable-sized");
    if (!dynamic && !is_text(child(at, "type"), "default") && !is_text(child(at, "type"), "spill-slot"))
      return sl_mir_refuse(parser, "a frame object has the unknown type '%s'", text_of(child(at, "type")));
    const int64_t id = number_of(at, "id", -1);
    if (id < (int64_t)*count || id > INT16_MAX || !is_text(child(at, "stack-id"), "default"))
      return sl_mir_refuse(parser, "a frame object is not supported");
    const int64_t size = number_of(at, "size", 0), alignment = number_of(at, "alignment", 1);
    const int64_t local = number_of(at, "local-offset", 0);
    if (local > 0 || local < -(int64_t)f->local_size)
      return sl_mir_refuse(parser, "a frame object is outside of the local frame");
    if (size < 0 || size > INT32_MAX / 2 || alignment < 1 || alignment > 1 << 20)
      return sl_mir_refuse(parser, "a frame object is too large");
    if (!sl_make_room((void **)objects, room, (size_t)id + 1, sizeof **objects))
      return no_memory(parser);
    while (*count < (size_t)id) /* removed objects leave gaps in the numbering */
      (*objects)[(*count)++] = (struct sl_mir_object){.alignment = 1};
    (*objects)[(*count)++] = (struct sl_mir_object){
        .kind = dynamic ? SL_MIR_DYNAMIC_OBJECT : (fixed ? SL_MIR_FIXED_OBJECT : SL_MIR_FRAME_OBJECT),
        .offset = (int32_t)number_of(at, "offset", 0),
        .local = (int32_t)local,
        .size = (uint32_t)size,
        .alignment = (uint32_t)alignment};
  }
  return SL_OK;
}

/* Parses a number: "float 1.5e0", "double 0x3FF8000000000000", "i32 7". Returns its size in bytes; 0: no number. */
static uint32_t scalar(const char *text, uint8_t bytes[8])
{
  char *end = NULL;
  uint64_t bits = 0;
  uint32_t size = 0;
  const size_t type = strcspn(text, " ");
  const char *value = text[type] == ' ' ? text + type + 1 : text + type;
  if (type == 5 || type == 6) {
    double number = 0;
    if (value[0] == '0' && value[1] == 'x') {
      bits = strtoull(value, &end, 16);
      memcpy(&number, &bits, sizeof number);
    } else {
      number = strtod(value, &end);
    }
    const float single = (float)number;
    size = type == 5 && memcmp(text, "float", 5) == 0 ? 4 : type == 6 && memcmp(text, "double", 6) == 0 ? 8 : 0;
    memcpy(bytes, size == 4 ? (const void *)&single : (const void *)&number, size);
  } else if (type == 3 && (memcmp(text, "i32", 3) == 0 || memcmp(text, "i64", 3) == 0)) {
    bits = (uint64_t)strtoll(value, &end, 10);
    size = text[1] == '3' ? 4 : 8;
    for (unsigned i = 0; i < size; i++)
      bytes[i] = (uint8_t)(bits >> 8 * i);
  }
  return end != NULL && end != value && *end == '\0' ? size : 0;
}

/* Parses a number or bytes: '[2 x i8] c"a\00"'. SL_USAGE: neither. */
static enum sl_status constant_value(struct sl_mir_parser *parser, const char *text, struct sl_mir_constant *constant)
{
  const char *quoted = text[0] == '[' ? strstr(text, " x i8] c\"") : NULL;
  const size_t length = quoted != NULL ? strlen(quoted) : 0;
  constant->bytes = malloc(length + 8);
  if (constant->bytes == NULL)
    return no_memory(parser);
  if (quoted == NULL || quoted[length - 1] != '"') {
    constant->size = scalar(text, constant->bytes);
  } else {
    char *characters = (char *)constant->bytes;
    memcpy(characters, quoted + 9, length - 10);
    constant->size = (uint32_t)sl_mir_unescape(characters, length - 10);
    if (strtoul(text + 1, NULL, 10) != constant->size)
      constant->size = 0;
  }
  if (constant->size != 0)
    return SL_OK;
  free(constant->bytes);
  return sl_mir_refuse(parser, "the constant '%.100s' is not supported", text);
}

static enum sl_status constants(struct sl_mir_parser *parser, struct node list)
{
  struct sl_mir_function *f = parser->function;
  for (size_t i = 0; i < length_of(list); i++) {
    const struct node at = item(list, i);
    struct sl_mir_constant constant = {.alignment = (uint32_t)number_of(at, "alignment", 8)};
    if (number_of(at, "id", -1) != (int64_t)i || constant.alignment < 1 || constant.alignment > 4096)
      return sl_mir_refuse(parser, "a constant is not supported");
    if (!SL_GROW(f->constant, f->constant_count))
      return no_memory(parser);
    const enum sl_status status = constant_value(parser, text_of(child(at, "value")), &constant);
    if (status != SL_OK)
      return status;
    f->constant[f->constant_count++] = constant;
  }
  return SL_OK;
}

static enum sl_status jump_tables(struct sl_mir_parser *parser, struct node node)
{
  struct sl_mir_function *f = parser->function;
  const struct node list = child(node, "entries");
  if (node.at != NULL && !is_text(child(node, "kind"), "block-address"))
    return sl_mir_refuse(parser, "its jump tables do not hold addresses; compile without -fPIC");
  for (size_t i = 0; i < length_of(list); i++) {
    const struct node blocks = child(item(list, i), "blocks");
    if (number_of(item(list, i), "id", -1) != (int64_t)i || !SL_GROW(f->table, f->table_count))
      return sl_mir_refuse(parser, "a jump table is not supported");
    f->table[f->table_count++] =
        (struct sl_mir_table){.target = (uint32_t)f->target_count, .target_count = (uint32_t)length_of(blocks)};
    for (size_t k = 0; k < length_of(blocks); k++) {
      const char *name = text_of(item(blocks, k));
      if (!SL_GROW(f->target, f->target_count))
        return no_memory(parser);
      if (strncmp(name, "%bb.", 4) != 0 ||
          !sl_mir_digits(name + 4, strcspn(name + 4, "."), &f->target[f->target_count]))
        return sl_mir_refuse(parser, "a jump table names '%s', which is not a block", name);
      f->target_count++;
    }
  }
  return SL_OK;
}

/* Reads the symbol's linkage from the IR. */
static enum sl_status linkage(struct sl_mir_parser *parser)
{
  struct sl_mir_function *f = parser->function;
  const struct sl_mir_text_line *line = sl_mir_ir_symbol(&parser->ir, f->name, strlen(f->name));
  if (line == NULL)
    return SL_OK;
  f->local = sl_mir_ir_says(line, "internal") || sl_mir_ir_says(line, "private");
  static const char *const weak[] = {"weak", "weak_odr", "linkonce", "linkonce_odr"};
  for (size_t i = 0; i < sizeof weak / sizeof weak[0]; i++)
    f->weak = f->weak || sl_mir_ir_says(line, weak[i]);
  const struct sl_mir_token section = sl_mir_ir_section(line);
  if (section.length > 0 && (f->section = strndup(section.start, section.length)) == NULL)
    return no_memory(parser);
  return SL_OK;
}

static enum sl_status contents(struct sl_mir_parser *parser, struct node root)
{
  struct sl_mir_function *f = parser->function;
  const struct node info = child(root, "frameInfo"), body = child(root, "body");
  f->frame_address_taken = is_text(child(info, "isFrameAddressTaken"), "true");
  f->variadic = is_text(child(info, "hasVAStart"), "true");
  f->save_size = (uint32_t)number_of(child(root, "machineFunctionInfo"), "varArgsSaveSize", 0);
  const int64_t local_size = number_of(info, "localFrameSize", 0);
  f->local_size = local_size > 0 && local_size < INT32_MAX / 2 ? (uint32_t)local_size : 0;
  enum sl_status status = linkage(parser);
  if (status == SL_OK)
    status = check_keys(parser, root);
  if (status == SL_OK)
    status = registers(parser, root);
  if (status == SL_OK)
    status = objects(parser, child(root, "fixedStack"), true);
  if (status == SL_OK)
    status = objects(parser, child(root, "stack"), false);
  if (status == SL_OK)
    status = constants(parser, child(root, "constants"));
  if (status == SL_OK)
    status = jump_tables(parser, child(root, "jumpTable"));
  if (status != SL_OK)
    return status;
  if (body.at == NULL || body.at->type != YAML_SCALAR_NODE)
    return sl_mir_refuse(parser, "it has no body");
  return sl_mir_body(parser, (const char *)body.at->data.scalar.value, body.at->data.scalar.length);
}

/* A refusal affects only the function; any other error ends reading. */
static enum sl_status function(struct sl_mir_parser *parser, struct node root)
{
  struct sl_mir_module *m = parser->module;
  const char *name = text_of(child(root, "name"));
  if (name[0] == '\0')
    return sl_fail(parser->err, SL_USAGE, "a document of the machine IR has no function name");
  if (!SL_GROW(m->function, m->function_count))
    return no_memory(parser);
  parser->function = &m->function[m->function_count++];
  *parser->function = (struct sl_mir_function){.name = strdup(name)};
  if (parser->function->name == NULL)
    return no_memory(parser);
  const enum sl_status status = contents(parser, root);
  if (status != SL_USAGE)
    return status;
  parser->function->refusal = strdup(parser->err != NULL ? parser->err->text : "");
  return parser->function->refusal != NULL ? SL_OK : no_memory(parser);
}

/* The first text document is the IR, to which the later documents refer. `ir` keeps it in memory. */
static enum sl_status document(struct sl_mir_parser *parser, yaml_document_t *at, yaml_document_t *ir, bool *has_ir)
{
  const struct node root = {at, yaml_document_get_root_node(at)};
  if (root.at->type != YAML_SCALAR_NODE || *has_ir) {
    const enum sl_status status = function(parser, root);
    yaml_document_delete(at);
    return status;
  }
  *ir = *at;
  *has_ir = true;
  return sl_mir_ir_read((const char *)root.at->data.scalar.value, root.at->data.scalar.length, &parser->ir,
                        parser->err);
}

enum sl_status sl_mir_read(const char *name, const char *text, size_t size, struct sl_mir_module *module,
                           struct sl_error *err)
{
  struct sl_error mine;
  struct sl_mir_parser parser = {.module = module, .err = err != NULL ? err : &mine};
  yaml_parser_t yaml;
  yaml_document_t ir, at;
  bool has_ir = false;
  if (!yaml_parser_initialize(&yaml))
    return sl_no_memory(err, sizeof yaml);
  yaml_parser_set_input_string(&yaml, (const unsigned char *)text, size);
  enum sl_status status = SL_OK;
  while (status == SL_OK) {
    if (!yaml_parser_load(&yaml, &at)) {
      status = sl_fail(err, SL_USAGE, "%.200s:%zu: not machine IR: %.200s", name, yaml.problem_mark.line + 1,
                       yaml.problem != NULL ? yaml.problem : "the text cannot be read");
      break;
    }
    if (yaml_document_get_root_node(&at) == NULL) {
      yaml_document_delete(&at);
      break;
    }
    status = document(&parser, &at, &ir, &has_ir);
    if (status != SL_OK)
      sl_error_prefix(err, "%.200s: ", name);
  }
  if (has_ir)
    yaml_document_delete(&ir);
  yaml_parser_delete(&yaml);
  sl_mir_ir_free(&parser.ir);
  if (status == SL_OK && !has_ir && module->function_count == 0)
    status = sl_fail(err, SL_USAGE, "%.200s: contains no function; generate it with llc-19 -stop-before=greedy", name);
  return status;
}
