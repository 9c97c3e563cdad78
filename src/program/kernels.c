#include "program/kernels.h"

#include <ctype.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>

const struct sl_segment *sl_image_code(const struct sl_program *program, uint32_t address)
{
  for (size_t i = 0; i < program->segment_count; i++) {
    const struct sl_segment *segment = &program->segments[i];
    if (segment->executable && address >= segment->address && address - segment->address < segment->size)
      return segment;
  }
  return NULL;
}

/* The bytes of the section and their number; NULL if the image has none. */
static const char *section(const struct sl_program *program, size_t *size)
{
  size_t names;
  if (program->elf == NULL || elf_getshdrstrndx(program->elf, &names) != 0)
    return NULL;
  for (Elf_Scn *s = elf_nextscn(program->elf, NULL); s != NULL; s = elf_nextscn(program->elf, s)) {
    GElf_Shdr header;
    const char *name = gelf_getshdr(s, &header) != NULL ? elf_strptr(program->elf, names, header.sh_name) : NULL;
    if (name == NULL || strcmp(name, ".simt.kernels") != 0)
      continue;
    const Elf_Data *data = elf_rawdata(s, NULL);
    if (data == NULL || data->d_buf == NULL)
      return NULL;
    *size = data->d_size;
    return data->d_buf;
  }
  return NULL;
}

/* Reads the kernel at *at and advances *at; returns false at the end, or if a string is not terminated. */
static bool next_kernel(const char *bytes, size_t size, size_t *at, struct sl_kernel *kernel)
{
  const char *strings[2];
  *at += 4; /* the address, which the symbol table contains, too */
  for (unsigned i = 0; i < 2; i++) {
    const char *end = *at < size ? memchr(bytes + *at, '\0', size - *at) : NULL;
    if (end == NULL)
      return false;
    strings[i] = bytes + *at;
    *at = (size_t)(end - bytes) + 1;
  }
  *kernel = (struct sl_kernel){strings[0], strings[1]};
  return true;
}

size_t sl_program_kernel_count(const struct sl_program *program)
{
  size_t size = 0, at = 0, count = 0;
  const char *bytes = section(program, &size);
  struct sl_kernel kernel;
  while (bytes != NULL && next_kernel(bytes, size, &at, &kernel))
    count++;
  return count;
}

struct sl_kernel sl_program_kernel(const struct sl_program *program, size_t i)
{
  size_t size = 0, at = 0;
  const char *bytes = section(program, &size);
  struct sl_kernel kernel = {"", ""};
  for (size_t k = 0; bytes != NULL && k <= i && next_kernel(bytes, size, &at, &kernel); k++)
    ;
  return kernel;
}

bool sl_program_find_kernel(const struct sl_program *program, const char *name, struct sl_kernel *kernel)
{
  size_t size = 0, at = 0;
  const char *bytes = section(program, &size);
  while (bytes != NULL && next_kernel(bytes, size, &at, kernel))
    if (strcmp(kernel->name, name) == 0)
      return true;
  return false;
}

static bool one_of(const char *type, const char *const *names)
{
  for (; *names != NULL; names++)
    if (strcmp(type, *names) == 0)
      return true;
  return false;
}

/* Normalises a type: no qualifiers, single blanks. */
static void plain_type(const char *type, char *plain, size_t size)
{
  size_t n = 0;
  for (const char *at = type; *at != '\0';) {
    const size_t blanks = strspn(at, " \t\n"), length = strcspn(at + blanks, " \t\n");
    char word[48];
    snprintf(word, sizeof word, "%.*s", (int)length, at + blanks);
    at += blanks + length;
    if (length > 0 && strcmp(word, "const") != 0 && strcmp(word, "volatile") != 0 && n < size)
      n += (size_t)snprintf(plain + n, size - n, "%s%s", n > 0 ? " " : "", word);
  }
  if (n == 0)
    plain[0] = '\0';
}

static void classify(struct sl_parameter *p)
{
  static const char *const words[] = {"int",      "unsigned",  "unsigned int", "long",          "unsigned long",
                                      "int32_t",  "uint32_t",  "size_t",       "ptrdiff_t",     "signed",
                                      "intptr_t", "uintptr_t", "long int",     "long unsigned", NULL};
  static const char *const halves[] = {"short", "unsigned short", "int16_t", "uint16_t", "short int", NULL};
  static const char *const bytes[] = {"char",    "unsigned char", "signed char", "int8_t",
                                      "uint8_t", "bool",          "_Bool",       NULL};
  static const char *const doubles[] = {"long long", "unsigned long long", "int64_t", "uint64_t", NULL};
  char plain[48];
  plain_type(p->type, plain, sizeof plain);
  p->kind = SL_PARAMETER_INTEGER;
  if (strchr(p->type, '*') != NULL || strchr(p->type, '[') != NULL) {
    p->kind = SL_PARAMETER_POINTER;
    p->size = 4;
  } else if (strcmp(plain, "float") == 0) {
    p->kind = SL_PARAMETER_FLOAT;
    p->size = 4;
  } else if (one_of(plain, words) || one_of(plain, halves) || one_of(plain, bytes) || one_of(plain, doubles))
    p->size = one_of(plain, words) ? 4 : one_of(plain, halves) ? 2 : one_of(plain, bytes) ? 1 : 8;
  else
    p->kind = SL_PARAMETER_OTHER;
}

/* Parses "(int *, a)" without the parentheses: the text before the last comma is the type. */
static struct sl_parameter parameter_of(const char *text, size_t length)
{
  struct sl_parameter p = {.kind = SL_PARAMETER_OTHER};
  size_t comma = length;
  while (comma > 0 && text[comma - 1] != ',')
    comma--;
  const char *name = text + comma;
  size_t name_length = length - comma, type_length = comma > 0 ? comma - 1 : 0;
  while (name_length > 0 && isspace((unsigned char)*name)) {
    name++;
    name_length--;
  }
  while (name_length > 0 && isspace((unsigned char)name[name_length - 1]))
    name_length--;
  snprintf(p.name, sizeof p.name, "%.*s", (int)name_length, name);
  snprintf(p.type, sizeof p.type, "%.*s", (int)type_length, text);
  classify(&p);
  return p;
}

size_t sl_kernel_parameters(const struct sl_kernel *kernel, struct sl_parameter *parameter, size_t most)
{
  size_t count = 0;
  unsigned depth = 0;
  const char *first = kernel->parameters;
  for (const char *at = kernel->parameters; *at != '\0'; at++) {
    if (*at == '(' && depth++ == 0)
      first = at + 1;
    if (*at == ')' && depth > 0 && --depth == 0) {
      if (count < most)
        parameter[count] = parameter_of(first, (size_t)(at - first));
      count++;
    }
  }
  return count;
}
