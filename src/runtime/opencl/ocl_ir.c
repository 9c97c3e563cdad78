#include "runtime/opencl/ocl.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MOST = 512 };

static void put(struct sl_log *lines, const char *text)
{
  sl_log_add(lines, text, strlen(text));
}

/* ---- what it says about kernels ---------------------------------------------------------------------------------- */

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

enum { PATH_MOST = 8192 };

#define PAIR "<2 x i8> "
#define LABEL "\nentry:\n"
enum { PAIR_LENGTH = sizeof PAIR - 1, LABEL_LENGTH = sizeof LABEL - 1 };

/* ---- calls ------------------------------------------------------------------------------------------------------- */

static const char *find_in(const char *from, const char *end, const char *text)
{
  const size_t length = strlen(text);
  for (; (size_t)(end - from) >= length; from++) {
    from = memchr(from, *text, (size_t)(end - from) - length + 1);
    if (from == NULL)
      return NULL;
    if (memcmp(from, text, length) == 0)
      return from;
  }
  return NULL;
}

static bool has_pair(const char *ir, const char *from, const char *end);

/* Whether the definition of a type, whose name begins at `name`, has a vector of two bytes. Types precede functions. */
static bool type_has_pair(const char *ir, const char *name)
{
  char begin[200];
  const char *types_end = strstr(ir, "\ndefine ");
  snprintf(begin, sizeof begin, "\n%.*s = type ", (int)strcspn(name, " ,)}]>"), name);
  const char *type = types_end != NULL ? find_in(ir, types_end, begin) : NULL;
  return type != NULL && has_pair(ir, type + strlen(begin), type + 1 + strcspn(type + 1, "\n"));
}

/* Whether a text names such a vector, or a type that has one. */
static bool has_pair(const char *ir, const char *from, const char *end)
{
  if (find_in(from, end, "<2 x i8>") != NULL)
    return true;
  for (const char *name = from; (name = find_in(name, end, "%")) != NULL; name++)
    if (type_has_pair(ir, name))
      return true;
  return false;
}

/* The end of the list that begins at `open` or after it. */
static const char *end_of_list(const char *open, const char *end)
{
  unsigned depth = 0;
  do {
    depth += *open == '(';
    depth -= *open == ')';
  } while (++open < end && depth > 0);
  return open;
}

/* The end of the arguments of a call in the line that must be inlined; NULL: there is none. */
static const char *find_call(const char *ir, const char *line, const char *end)
{
  const char *call = find_in(line, end, "call "), *name = call != NULL ? find_in(call, end, "@") : NULL;
  const char *at = name != NULL ? find_in(name, end, "(") : NULL;
  if (at == NULL || *line != ' ' || strncmp(name, "@llvm.", 6) == 0 || find_in(call, name, " asm ") != NULL)
    return NULL;
  at = end_of_list(at, end);
  return find_in(call, name, "_kernel ") != NULL || has_pair(ir, call, at) ? at : NULL;
}

/* The rest of a definition's line, of a function with such values that is not a kernel; NULL: it is none. */
static const char *find_definition(const char *ir, const char *line, const char *end)
{
  static const char begin[] = "define dso_local ";
  const char *name = strncmp(line, begin, sizeof begin - 1) == 0 ? find_in(line, end, "@") : NULL;
  const char *at = name != NULL ? find_in(name, end, "(") : NULL;
  const bool found = at != NULL && find_in(line, name, "_kernel ") == NULL && has_pair(ir, line, end_of_list(at, end));
  return found ? line + sizeof begin - 1 : NULL;
}

static bool has_calls(const char *ir)
{
  bool found = false;
  for (const char *line = ir, *end; *line != '\0' && !found; line = end) {
    end = line + strcspn(line, "\n");
    end += *end == '\n';
    found = find_call(ir, line, end) != NULL || find_definition(ir, line, end) != NULL;
  }
  return found;
}

/* The functions have no other callers. */
static void mark_calls(const char *ir, FILE *file)
{
  for (const char *line = ir, *end; *line != '\0'; line = end) {
    end = line + strcspn(line, "\n");
    end += *end == '\n';
    const char *call = find_call(ir, line, end), *definition = find_definition(ir, line, end);
    const char *rest = call != NULL ? call : definition != NULL ? definition : line;
    if (definition != NULL)
      fputs("define internal ", file);
    else if (call != NULL)
      fprintf(file, "%.*s alwaysinline", (int)(call - line), line);
    fwrite(rest, 1, (size_t)(end - rest), file);
  }
}

static enum sl_status inline_calls(const char *ir, const char *path, struct sl_log *log)
{
  FILE *file = has_calls(ir) ? fopen(path, "w") : NULL;
  struct sl_words words = {NULL, 0, 0, false};
  if (file == NULL)
    return SL_OK;
  mark_calls(ir, file);
  fclose(file);
  sl_words_add(&words, "opt-19");
  sl_words_add(&words, "-passes=always-inline,globaldce,function(sroa,early-cse,instcombine,simplifycfg)");
  sl_words_add(&words, "-S");
  sl_words_add(&words, path);
  sl_words_add(&words, "-o");
  sl_words_add(&words, path);
  const enum sl_status status = sl_ocl_run_tool(&words, log);
  sl_words_free(&words);
  return status;
}

/* ---- kernels ----------------------------------------------------------------------------------------------------- */

/* The next named parameter of two bytes in a line, and its name, which has *length characters; NULL: none. */
static const char *find_pair(const char *at, const char *end, const char **name, size_t *length)
{
  static const char attribute[] = "noundef ";
  for (; (at = strstr(at, PAIR)) != NULL && at < end; at++) {
    *name = at + PAIR_LENGTH;
    *name += strncmp(*name, attribute, sizeof attribute - 1) == 0 ? sizeof attribute - 1 : 0;
    *length = strcspn(*name, " ,)");
    if (**name == '%' && !isdigit((unsigned char)(*name)[1]))
      return at;
  }
  return NULL;
}

/* The line begins a kernel with such a parameter that other kernels do not call. */
static bool has_pairs(const char *ir, const char *line, const char *end)
{
  char call[200];
  size_t length;
  if (strncmp(line, "define ", 7) != 0 || strncmp(end, LABEL, LABEL_LENGTH) != 0)
    return false;
  const char *name = strchr(line, '@'), *open = name != NULL ? strchr(name, '(') : NULL, *pair;
  const char *convention = strstr(line, "_kernel ");
  if (open == NULL || open > end || convention == NULL || convention > name ||
      find_pair(line, end, &pair, &length) == NULL)
    return false;
  snprintf(call, sizeof call, "%.*s", (int)(open + 1 - name), name);
  const char *first = strstr(ir, call);
  return strstr(first + 1, call) == NULL;
}

/* llc-19 takes two bytes for two words of 16 bits: the parameter becomes one word, from which they are cast. Returns
 * the end of the label after the line. */
static const char *copy_with_pairs(FILE *file, const char *line, const char *end)
{
  const char *at = line, *name, *pair;
  size_t length;
  for (; (pair = find_pair(at, end, &name, &length)) != NULL; at = name + length)
    fprintf(file, "%.*si16 %.*s.bits", (int)(pair - at), at, (int)(name + length - pair - PAIR_LENGTH),
            pair + PAIR_LENGTH);
  fprintf(file, "%.*s" LABEL, (int)(end - at), at);
  for (at = line; find_pair(at, end, &name, &length) != NULL; at = name)
    fprintf(file, "  %.*s = bitcast i16 %.*s.bits to <2 x i8>\n", (int)length, name, (int)length, name);
  return end + LABEL_LENGTH;
}

#define PRINT "@printf("

/* Calls of printf become those of the simulator's service. *print: the next one, or NULL. */
static void copy_line(FILE *file, const char *line, const char *end, const char **print)
{
  for (; *print != NULL && *print < end; *print = strstr(line, PRINT)) {
    fprintf(file, "%.*s@vprintf(", (int)(*print - line), line);
    line = *print + sizeof PRINT - 1;
  }
  fwrite(line, 1, (size_t)(end - line), file);
}

/* Changes parameters of kernels, and calls of printf. */
static void edit(const char *ir, const char *path)
{
  const char *print = strstr(ir, PRINT);
  FILE *file = print != NULL || strstr(ir, PAIR) != NULL ? fopen(path, "w") : NULL;
  for (const char *line = ir; file != NULL && *line != '\0';) {
    const char *end = line + strcspn(line, "\n");
    if (has_pairs(ir, line, end)) {
      line = copy_with_pairs(file, line, end);
      continue;
    }
    end += *end == '\n';
    copy_line(file, line, end, &print);
    line = end;
  }
  if (file != NULL)
    fclose(file);
}

enum sl_status sl_ocl_ir_edit(const char *folder, struct sl_log *log)
{
  char path[PATH_MOST];
  size_t length;
  snprintf(path, sizeof path, "%s/k.ll", folder);
  char *ir = sl_ocl_read_file(folder, "k.ll", &length);
  enum sl_status status = ir != NULL ? inline_calls(ir, path, log) : SL_USAGE;
  free(ir);
  ir = status == SL_OK ? sl_ocl_read_file(folder, "k.ll", &length) : NULL;
  if (ir != NULL)
    edit(ir, path);
  free(ir);
  return status;
}
