#include "opencl/ocl_metadata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MOST = 512 };

static void put(struct sl_log *lines, const char *text)
{
  sl_log_add(lines, text, strlen(text));
}

/* The elements of node `!number`, after "!{"; NULL: there is no such node. */
static const char *node(const char *ir, unsigned number)
{
  char name[32];
  snprintf(name, sizeof name, "\n!%u = ", number);
  const char *at = strstr(ir, name);
  at = at != NULL ? strstr(at, "!{") : NULL;
  return at != NULL ? at + 2 : NULL;
}

/* The node that a kernel's line names with a key; NULL: none. */
static const char *list_of(const char *ir, const char *line, size_t length, const char *key)
{
  char word[64];
  snprintf(word, sizeof word, " !%s !", key);
  const char *at = memmem(line, length, word, strlen(word));
  return at != NULL ? node(ir, (unsigned)strtoul(at + strlen(word), NULL, 10)) : NULL;
}

static int digit(char c)
{
  return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Takes an element: !"text", or i32 number. False: the list has ended. */
static bool next(const char **list, char text[TEXT_MOST])
{
  const char *at = *list;
  size_t n = 0;
  if (at == NULL)
    return false;
  at += strspn(at, " ,");
  if (*at == '}' || *at == '\0' || *at == '\n')
    return false;
  if (at[0] == '!' && at[1] == '"') {
    for (at += 2; *at != '"' && *at != '\0'; at++) {
      char c = *at;
      if (c == '\\' && digit(at[1]) >= 0 && digit(at[2]) >= 0) {
        c = (char)(16 * digit(at[1]) + digit(at[2]));
        at += 2;
      }
      if (n < TEXT_MOST - 1)
        text[n++] = c == '\t' || c == '\n' ? ' ' : c;
    }
    at += *at == '"';
  } else {
    at += strncmp(at, "i32 ", 4) == 0 ? 4 : 0;
    for (; *at != ',' && *at != '}' && *at != '\0'; at++)
      if (n < TEXT_MOST - 1)
        text[n++] = *at;
  }
  text[n] = '\0';
  *list = at;
  return true;
}

/* "reqd_work_group_size(8,4,1)": adds it to the attributes and stores the numbers. */
static void size_attribute(const char *list, const char *name, char *attributes, size_t room, char numbers[3][16])
{
  char text[TEXT_MOST];
  const size_t used = strlen(attributes);
  for (unsigned i = 0; i < 3; i++)
    snprintf(numbers[i], sizeof numbers[i], "%.15s", next(&list, text) ? text : "0");
  snprintf(attributes + used, room - used, "%s%s(%s,%s,%s)", used > 0 ? " " : "", name, numbers[0], numbers[1],
           numbers[2]);
}

static void put_kernel(const char *ir, const char *name, size_t name_length, const char *line, size_t length,
                       struct sl_log *lines)
{
  char attributes[TEXT_MOST] = "", numbers[3][16] = {"0", "0", "0"}, hint[3][16], text[6][TEXT_MOST];
  const char *list = list_of(ir, line, length, "reqd_work_group_size");
  if (list != NULL)
    size_attribute(list, "reqd_work_group_size", attributes, sizeof attributes, numbers);
  list = list_of(ir, line, length, "work_group_size_hint");
  if (list != NULL)
    size_attribute(list, "work_group_size_hint", attributes, sizeof attributes, hint);
  put(lines, "K\t");
  sl_log_add(lines, name, name_length);
  for (unsigned i = 0; i < 3; i++) {
    put(lines, "\t");
    put(lines, numbers[i]);
  }
  put(lines, "\t");
  put(lines, attributes);
  put(lines, "\n");
  static const char *const keys[] = {"kernel_arg_addr_space", "kernel_arg_access_qual", "kernel_arg_type_qual",
                                     "kernel_arg_type",       "kernel_arg_base_type",   "kernel_arg_name"};
  const char *lists[6];
  for (unsigned k = 0; k < 6; k++)
    lists[k] = list_of(ir, line, length, keys[k]);
  while (next(&lists[0], text[0])) {
    put(lines, "A");
    for (unsigned k = 0; k < 6; k++) {
      if (k > 0 && !next(&lists[k], text[k]))
        text[k][0] = '\0';
      put(lines, "\t");
      put(lines, text[k]);
    }
    put(lines, "\n");
  }
}

void sl_ocl_metadata(const char *ir, struct sl_log *lines)
{
  static const char define[] = "\ndefine ";
  for (const char *at = ir; (at = strstr(at, define)) != NULL;) {
    at += sizeof define - 1;
    const size_t length = strcspn(at, "\n");
    const char *name = memchr(at, '@', length);
    const char *kernel = memmem(at, length, "spir_kernel ", 12);
    if (name == NULL || kernel == NULL || kernel > name)
      continue;
    put_kernel(ir, name + 1, strcspn(name + 1, "("), at, length, lines);
  }
}
