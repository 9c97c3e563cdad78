/* Expands the lists of a study: an item with `for` stands for an item per combination of the values in `for`, with
 * {NAME} replaced in all of its texts. A mapping of names to values is their product; a list of such mappings is one
 * product after the other. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "lab/study/study.h"

enum { MOST_VARIABLES = 8, MOST_ITEMS = 20000, MOST_NODES = 1000000, DEEPEST = 32, LONGEST = 65536 };

struct variable {
  char name[SL_STUDY_NAME];
  struct sl_study_values values;
  char text[SL_STUDY_TEXT];
  const char *current;
};

struct expansion {
  struct sl_study_file *file;
  struct variable variables[MOST_VARIABLES];
  size_t count;
  int *items; /* of the list under way */
  size_t item_count;
};

static yaml_node_t *node_of(const struct sl_study_file *file, int id)
{
  return yaml_document_get_node((yaml_document_t *)(uintptr_t)&file->document, id);
}

/* The value of `for` in an item; 0: it has none. */
static int for_of(const struct sl_study_file *file, int id)
{
  const yaml_node_t *node = node_of(file, id);
  if (node->type != YAML_MAPPING_NODE)
    return 0;
  for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
    const yaml_node_t *key = node_of(file, pair->key);
    if (key->type == YAML_SCALAR_NODE && strcmp((const char *)key->data.scalar.value, "for") == 0)
      return pair->value;
  }
  return 0;
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

/* Replaces the names in braces; the length, or 0 if the text becomes too long. */
static size_t replace(const struct expansion *e, const char *from, char *to)
{
  size_t used = 0;
  while (*from != '\0') {
    const struct variable *found = NULL;
    for (const struct variable *v = e->variables; v < e->variables + e->count && *from == '{'; v++)
      if (strncmp(from + 1, v->name, strlen(v->name)) == 0 && from[1 + strlen(v->name)] == '}')
        found = v;
    const size_t size = found != NULL ? strlen(found->current) : 1;
    if (used + size >= LONGEST)
      return 0;
    memcpy(to + used, found != NULL ? found->current : from, size);
    used += size;
    from += found != NULL ? strlen(found->name) + 2 : 1;
  }
  to[used] = '\0';
  return used;
}

/* Adds a node with a mark; 0: out of memory. */
static int marked(struct sl_study_file *file, int added, yaml_mark_t mark)
{
  if (added != 0)
    node_of(file, added)->start_mark = mark;
  return added;
}

static int copy_scalar(struct expansion *e, int id)
{
  const yaml_node_t from = *node_of(e->file, id);
  char *text = malloc(LONGEST);
  const char *own = (const char *)from.data.scalar.value;
  if (text == NULL)
    return 0;
  if (strlen(own) != from.data.scalar.length || replace(e, own, text) == 0)
    snprintf(text, LONGEST, "%s", strlen(own) < LONGEST ? own : "");
  const int added = yaml_document_add_scalar(&e->file->document, NULL, (yaml_char_t *)text, (int)strlen(text),
                                             from.data.scalar.style);
  free(text);
  return marked(e->file, added, from.start_mark);
}

/* A copy of a node with the names replaced; without `for`, if it has one. 0: out of memory, or too large. */
static int copy(struct expansion *e, int id, unsigned depth)
{
  yaml_document_t *document = &e->file->document;
  const yaml_node_t from = *node_of(e->file, id); /* the copies move the nodes, but not what they point to */
  if (depth == DEEPEST || document->nodes.top - document->nodes.start > MOST_NODES)
    return 0;
  if (from.type == YAML_SCALAR_NODE)
    return copy_scalar(e, id);
  if (from.type == YAML_SEQUENCE_NODE) {
    const int added =
        marked(e->file, yaml_document_add_sequence(document, NULL, YAML_ANY_SEQUENCE_STYLE), from.start_mark);
    const yaml_node_item_t *item = from.data.sequence.items.start;
    for (int own = added; item < from.data.sequence.items.top && own != 0; item++)
      if ((own = copy(e, *item, depth + 1)) == 0 || !yaml_document_append_sequence_item(document, added, own))
        return 0;
    return added;
  }
  const int added = marked(e->file, yaml_document_add_mapping(document, NULL, YAML_ANY_MAPPING_STYLE), from.start_mark);
  const int left_out = depth == 0 ? for_of(e->file, id) : 0;
  const yaml_node_pair_t *pair = from.data.mapping.pairs.start;
  for (; pair < from.data.mapping.pairs.top && added != 0; pair++) {
    if (pair->value == left_out)
      continue;
    const int key = copy(e, pair->key, depth + 1), value = key != 0 ? copy(e, pair->value, depth + 1) : 0;
    if (value == 0 || !yaml_document_append_mapping_pair(document, added, key, value))
      return 0;
  }
  return added;
}

/* ---- combinations ------------------------------------------------------------------------------------------------ */

static enum sl_status add_item(struct expansion *e, int id)
{
  if (!SL_GROW(e->items, e->item_count))
    return sl_no_memory(e->file->err, (e->item_count + 1) * sizeof *e->items);
  e->items[e->item_count++] = id;
  return SL_OK;
}

static enum sl_status read_variable(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target)
{
  struct expansion *e = target;
  if (e->count == MOST_VARIABLES)
    return sl_study_fail(file, sl_yaml_line(node), "'for' has at most %d names", MOST_VARIABLES);
  struct variable *variable = &e->variables[e->count++];
  *variable = (struct variable){.current = ""};
  snprintf(variable->name, sizeof variable->name, "%s", name);
  return sl_study_values(file, node, &variable->values);
}

/* Adds the copies of an item for one mapping of `for`. */
static enum sl_status add_product(struct expansion *e, int item, int names)
{
  uint64_t product = 1;
  const size_t line = sl_yaml_line(node_of(e->file, names));
  e->count = 0;
  enum sl_status code = sl_study_mapping(e->file, node_of(e->file, names), "'for'", read_variable, e);
  for (size_t i = 0; i < e->count && code == SL_OK; i++) {
    product = e->variables[i].values.count > MOST_ITEMS ? UINT64_MAX : product * e->variables[i].values.count;
    if (product > MOST_ITEMS)
      code = sl_study_fail(e->file, line, "'for' makes more than %d items", MOST_ITEMS);
  }
  for (uint64_t number = 0; number < product && code == SL_OK; number++) {
    uint64_t rest = number;
    for (size_t i = e->count; i-- > 0; rest /= e->variables[i].values.count)
      e->variables[i].current =
          sl_study_value(&e->variables[i].values, rest % e->variables[i].values.count, e->variables[i].text);
    const int made = copy(e, item, 0);
    code = made != 0 ? add_item(e, made) : sl_study_fail(e->file, line, "'for' makes too large a study");
  }
  for (size_t i = 0; i < e->count; i++)
    sl_study_values_free(&e->variables[i].values);
  return code;
}

/* Adds an item, or its copies. */
static enum sl_status add_copies(struct expansion *e, int item)
{
  const int names = for_of(e->file, item);
  if (names == 0)
    return add_item(e, item);
  const yaml_node_t list = *node_of(e->file, names);
  if (list.type != YAML_SEQUENCE_NODE)
    return add_product(e, item, names);
  enum sl_status code = SL_OK;
  for (const yaml_node_item_t *i = list.data.sequence.items.start; i < list.data.sequence.items.top && code == SL_OK;
       i++)
    code = add_product(e, item, *i);
  return code;
}

/* ---- the document ------------------------------------------------------------------------------------------------ */

/* Replaces the items of a list by their copies. */
static enum sl_status expand_list(struct sl_study_file *file, int list)
{
  struct expansion *e = calloc(1, sizeof *e);
  if (e == NULL)
    return sl_no_memory(file->err, sizeof *e);
  e->file = file;
  enum sl_status code = SL_OK;
  const yaml_node_t before = *node_of(file, list);
  for (const yaml_node_item_t *i = before.data.sequence.items.start;
       i < before.data.sequence.items.top && code == SL_OK; i++)
    code = add_copies(e, *i);
  node_of(file, list)->data.sequence.items.top = before.data.sequence.items.start;
  for (size_t i = 0; i < e->item_count && code == SL_OK; i++)
    if (!yaml_document_append_sequence_item(&file->document, list, e->items[i]))
      code = sl_no_memory(file->err, e->item_count);
  free(e->items);
  free(e);
  return code;
}

static bool has_copies(const struct sl_study_file *file, const yaml_node_t *list)
{
  for (const yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top; i++)
    if (for_of(file, *i) != 0)
      return true;
  return false;
}

enum sl_status sl_study_expand(struct sl_study_file *file)
{
  enum sl_status code = SL_OK;
  /* Copies come behind the nodes before, so that lists in them are expanded later. */
  for (int id = 1; node_of(file, id) != NULL && code == SL_OK; id++) {
    const yaml_node_t *node = node_of(file, id);
    if (node->type == YAML_SEQUENCE_NODE && has_copies(file, node))
      code = expand_list(file, id);
  }
  return code;
}

enum sl_status sl_study_replace(struct sl_study_file *file, const char *name, const char *text)
{
  struct expansion e = {.file = file, .variables = {{.current = text}}, .count = 1};
  char *replaced = malloc(LONGEST);
  snprintf(e.variables[0].name, sizeof e.variables[0].name, "%s", name);
  yaml_node_t *node = file->document.nodes.start;
  for (; node < file->document.nodes.top && replaced != NULL; node++) {
    char *own = node->type == YAML_SCALAR_NODE ? (char *)node->data.scalar.value : NULL;
    if (own == NULL || strchr(own, '{') == NULL || replace(&e, own, replaced) == 0 || strcmp(own, replaced) == 0)
      continue;
    own = strdup(replaced);
    if (own == NULL)
      break;
    free(node->data.scalar.value);
    node->data.scalar.value = (yaml_char_t *)own;
    node->data.scalar.length = strlen(own);
  }
  const bool complete = replaced != NULL && node == file->document.nodes.top;
  free(replaced);
  return complete ? SL_OK : sl_no_memory(file->err, LONGEST);
}
