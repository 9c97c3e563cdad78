/* Reads the sections `machines` and `programs` of a study. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/yaml.h"
#include "host/runtimes.h"
#include "lab/study/study.h"

#define RUNTIME(id, name, ...) "'" name "', "
static const char runtime_names[] =
#include "host/runtimes.def"
    ;
#undef RUNTIME

static enum sl_status read_code(struct sl_study_file *file, yaml_node_t *node, struct sl_study_program *program,
                                unsigned kind)
{
  char *text = NULL;
  if (program->path != NULL)
    return sl_study_fail(file, sl_yaml_line(node), "a program is one of 'elf', 'launch', %sand 'command'",
                         runtime_names);
  program->kind = kind;
  enum sl_status code = sl_study_text(file, node, &text);
  if (code == SL_OK && kind == SL_STUDY_COMMAND) {
    if (program->name[0] == '\0')
      snprintf(program->name, sizeof program->name, "%.*s", (int)strcspn(text, " \t\n"), text);
    program->path = text;
    return SL_OK;
  }
  if (code == SL_OK) {
    if (program->name[0] == '\0') /* 'name' may stand before the file */
      sl_name_of_file(text, program->name);
    program->path = sl_study_path(file, text);
    if (program->path == NULL)
      code = sl_no_memory(file->err, strlen(text));
  }
  free(text);
  return code;
}

static enum sl_status read_elf(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return read_code(file, node, target, SL_STUDY_ELF);
}

static enum sl_status read_launch(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return read_code(file, node, target, SL_STUDY_LAUNCH);
}

#define RUNTIME(id, ...)                                                                                               \
  static enum sl_status read_##id(struct sl_study_file *file, yaml_node_t *node, void *target)                         \
  {                                                                                                                    \
    return read_code(file, node, target, SL_STUDY_HOST + SL_RUNTIME_##id);                                             \
  }
#include "host/runtimes.def"
#undef RUNTIME

static enum sl_status read_command(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return read_code(file, node, target, SL_STUDY_COMMAND);
}

static enum sl_status read_program_name(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_name(file, node, ((struct sl_study_program *)target)->name);
}

static enum sl_status read_arguments(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  char **arguments = &((struct sl_study_program *)target)->arguments;
  if (node->type != YAML_SCALAR_NODE || node->data.scalar.length > 0)
    return sl_study_text(file, node, arguments);
  *arguments = strdup(""); /* none, whatever the sizes are */
  return *arguments != NULL ? SL_OK : sl_no_memory(file->err, 1);
}

static enum sl_status read_sizes(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_sizes(file, node, &((struct sl_study_program *)target)->sizes);
}

static enum sl_status read_seeds(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_values(file, node, &((struct sl_study_program *)target)->seeds);
}

static enum sl_status read_files(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_values(file, node, &((struct sl_study_program *)target)->files);
}

static enum sl_status read_program_keys(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_settings(file, node, &((struct sl_study_program *)target)->keys);
}

static enum sl_status read_where(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_rule(file, node, &((struct sl_study_program *)target)->where);
}

static enum sl_status read_whole(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_switch(file, node, &((struct sl_study_program *)target)->whole);
}

static enum sl_status read_build(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_text(file, node, &((struct sl_study_program *)target)->build);
}

static enum sl_status read_build_prints(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_text(file, node, &((struct sl_study_program *)target)->build_prints);
}

static enum sl_status read_kernel(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_text(file, node, &((struct sl_study_program *)target)->kernel);
}

/* A mapping of addresses to files. */
static enum sl_status read_memory(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  struct sl_study_settings *memory = target;
  enum sl_status code = sl_study_settings(file, node, memory);
  for (size_t i = 0; i < memory->count && code == SL_OK; i++) {
    char *end, *own = memory->list[i];
    const unsigned long long address = strtoull(own, &end, 0);
    if (*end != '=' || end == own || own[0] == '-')
      return sl_study_fail(file, memory->lines[i], "'%.*s' is no address, such as 0x80000000", (int)strcspn(own, "="),
                           own);
    char *path = sl_study_path(file, end + 1);
    const size_t size = path != NULL ? strlen(path) + 24 : 0;
    memory->list[i] = path != NULL ? malloc(size) : NULL;
    if (memory->list[i] != NULL)
      snprintf(memory->list[i], size, "0x%llx=%s", address, path);
    code = memory->list[i] != NULL ? SL_OK : sl_no_memory(file->err, size);
    free(path);
    free(own);
  }
  return code;
}

static enum sl_status read_before(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return read_memory(file, node, &((struct sl_study_program *)target)->memory);
}

static enum sl_status read_expect(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return read_memory(file, node, &((struct sl_study_program *)target)->expect);
}

/* The rules over several fields of a program. Several sizes or seeds that change nothing would be the same run many
 * times. */
static enum sl_status check_program(struct sl_study_file *file, struct sl_study_program *program)
{
  static const char *const places[2] = {"{size}", "{seed}"};
  const struct sl_study_values *values[2] = {&program->sizes, &program->seeds};
  const bool host = program->kind >= SL_STUDY_HOST;
  if (program->path == NULL)
    return sl_study_fail(file, program->line, "a program needs 'elf', 'launch', %sor 'command'", runtime_names);
  if (program->kind == SL_STUDY_LAUNCH &&
      (program->arguments != NULL || program->sizes.count > 0 || program->seeds.count > 0))
    return sl_study_fail(file, program->line, "a launch script takes no arguments, sizes or seeds");
  if (program->kind == SL_STUDY_COMMAND && program->build != NULL)
    return sl_study_fail(file, program->line, "'build' makes the program's file; a command has none");
  if (program->build == NULL && program->build_prints != NULL)
    return sl_study_fail(file, program->line, "'build prints' needs 'build: COMMAND'");
  if (program->kind <= SL_STUDY_LAUNCH && program->build == NULL && program->files.count > 0)
    return sl_study_fail(file, program->line, "'files' lists the inputs of 'build' and of programs of the host only");
  if (program->kind != SL_STUDY_ELF && program->memory.count + program->expect.count > 0)
    return sl_study_fail(file, program->line, "'memory' and 'expect' are for an ELF program only");
  if (program->kernel != NULL && ((program->kind != SL_STUDY_ELF && !host) || program->whole))
    return sl_study_fail(file, program->line,
                         "'kernel' is for an ELF program without 'whole program', or for a program of the host");
  if (program->kind != SL_STUDY_ELF && program->whole)
    return sl_study_fail(file, program->line, "'whole program' is for an ELF program only");
  if (program->arguments == NULL && (program->kind == SL_STUDY_ELF || host)) {
    char text[16];
    snprintf(text, sizeof text, "%s%s%s", program->sizes.count > 0 ? places[0] : "",
             program->sizes.count > 0 && program->seeds.count > 0 ? " " : "",
             program->seeds.count > 0 ? places[1] : "");
    program->arguments = strdup(text);
    if (program->arguments == NULL)
      return sl_no_memory(file->err, sizeof text);
  }
  const bool none = program->arguments != NULL && program->arguments[0] == '\0'; /* then one value is a name */
  for (unsigned i = 0; i < 2; i++)
    if (values[i]->count > 0 && !(values[i]->count == 1 && none) &&
        (program->arguments == NULL || strstr(program->arguments, places[i]) == NULL) &&
        (program->kind != SL_STUDY_COMMAND || strstr(program->path, places[i]) == NULL))
      return sl_study_fail(file, values[i]->line, "the %s change nothing: write %s in 'arguments'",
                           i == 0 ? "sizes" : "seeds", places[i]);
  return SL_OK;
}

static enum sl_status add_program(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target)
{
  static const struct sl_study_field fields[] = {{"elf", read_elf},
                                                 {"launch", read_launch},
#define RUNTIME(id, name, ...) {name, read_##id},
#include "host/runtimes.def"
#undef RUNTIME
                                                 {"command", read_command},
                                                 {"name", read_program_name},
                                                 {"arguments", read_arguments},
                                                 {"sizes", read_sizes},
                                                 {"seeds", read_seeds},
                                                 {"files", read_files},
                                                 {"keys", read_program_keys},
                                                 {"where", read_where},
                                                 {"whole program", read_whole},
                                                 {"build", read_build},
                                                 {"memory", read_before},
                                                 {"expect", read_expect},
                                                 {"build prints", read_build_prints},
                                                 {"kernel", read_kernel},
                                                 {0}};
  struct sl_study *study = target;
  (void)name;
  struct sl_study_program *larger = realloc(study->programs, (study->program_count + 1) * sizeof *larger);
  if (larger == NULL)
    return sl_no_memory(file->err, (study->program_count + 1) * sizeof *larger);
  study->programs = larger;
  struct sl_study_program *program = &larger[study->program_count++];
  *program = (struct sl_study_program){.line = sl_yaml_line(node)};
  enum sl_status code = sl_study_fields(file, node, "a program", fields, program);
  if (code == SL_OK)
    code = check_program(file, program);
  for (uint64_t i = 0; code == SL_OK && i < program->files.count; i++) {
    char *path = sl_study_path(file, program->files.list != NULL ? program->files.list[i] : "");
    if (program->files.list == NULL || path == NULL) {
      free(path);
      return sl_study_fail(file, program->files.line, "'files' is a list of file names");
    }
    free(program->files.list[i]);
    program->files.list[i] = path;
  }
  return code;
}

enum sl_status sl_study_programs(struct sl_study_file *file, yaml_node_t *node, struct sl_study *study)
{
  return sl_study_list(file, node, add_program, study);
}

void sl_study_program_free(struct sl_study_program *program)
{
  sl_study_values_free(&program->files);
  sl_study_values_free(&program->sizes);
  sl_study_values_free(&program->seeds);
  sl_study_settings_free(&program->keys);
  sl_study_settings_free(&program->memory);
  sl_study_settings_free(&program->expect);
  sl_expression_free(program->where.expression);
  free(program->path);
  free(program->build);
  free(program->kernel);
  free(program->build_prints);
  free(program->arguments);
}

/* ---- machines ---------------------------------------------------------------------------------------------------- */

struct machine_reader {
  struct sl_study *study;
  struct sl_study_machine *machine;
};

static enum sl_status read_machine_name(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  char name[SL_STUDY_NAME];
  const enum sl_status code = sl_study_name(file, node, name);
  return code == SL_OK ? sl_study_values(file, node, &((struct machine_reader *)target)->study->machines) : code;
}

static enum sl_status read_base(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  struct sl_study_machine *machine = ((struct machine_reader *)target)->machine;
  const enum sl_status code = sl_study_text(file, node, &machine->base);
  if (code != SL_OK || !sl_is_file_name(machine->base))
    return code;
  char *path = sl_study_path(file, machine->base);
  free(machine->base);
  machine->base = path;
  return path != NULL ? SL_OK : sl_no_memory(file->err, 1);
}

static enum sl_status read_keys(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_settings(file, node, &((struct machine_reader *)target)->machine->keys);
}

static enum sl_status read_machine_programs(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  struct sl_study_values *programs = &((struct machine_reader *)target)->machine->programs;
  const enum sl_status code = sl_study_values(file, node, programs);
  return code == SL_OK && programs->list == NULL
             ? sl_study_fail(file, programs->line, "'programs' of a machine is a list of names")
             : code;
}

static enum sl_status read_form(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_text(file, node, &((struct machine_reader *)target)->machine->form);
}

static enum sl_status read_compare(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  struct sl_study_machine *machine = ((struct machine_reader *)target)->machine;
  machine->compare_line = sl_yaml_line(node);
  return sl_study_text(file, node, &machine->compare);
}

static enum sl_status read_about(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_text(file, node, &((struct machine_reader *)target)->machine->about);
}

static enum sl_status read_machine_where(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_rule(file, node, &((struct machine_reader *)target)->machine->where);
}

/* A preset or a file, whose name is that of its base. */
static enum sl_status read_plain(struct sl_study_file *file, yaml_node_t *node, struct machine_reader *reader)
{
  struct sl_study_values *names = &reader->study->machines;
  enum sl_status code = sl_study_values(file, node, names);
  if (code == SL_OK)
    code = read_base(file, node, reader);
  if (code != SL_OK)
    return code;
  char *name = strdup(reader->machine->base);
  if (name == NULL)
    return sl_no_memory(file->err, 1);
  free(names->list[names->count - 1]);
  names->list[names->count - 1] = name;
  return SL_OK;
}

static enum sl_status add_machine(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target)
{
  static const struct sl_study_field fields[] = {{"programs", read_machine_programs},
                                                 {"compare", read_compare},
                                                 {"name", read_machine_name},
                                                 {"base", read_base},
                                                 {"keys", read_keys},
                                                 {"form", read_form},
                                                 {"where", read_machine_where},
                                                 {"about", read_about},
                                                 {0}};
  struct machine_reader reader = {.study = target};
  const uint64_t count = reader.study->machines.count;
  struct sl_study_machine *larger = realloc(reader.study->machine, (count + 1) * sizeof *larger);
  (void)name;
  if (larger == NULL)
    return sl_no_memory(file->err, (count + 1) * sizeof *larger);
  reader.study->machine = larger;
  reader.machine = &larger[count];
  *reader.machine = (struct sl_study_machine){.named = node->type == YAML_MAPPING_NODE};
  reader.study->machine_count++;
  if (!reader.machine->named)
    return read_plain(file, node, &reader);
  const enum sl_status code = sl_study_fields(file, node, "a machine", fields, &reader);
  if (code != SL_OK || (reader.study->machines.count == count + 1 && reader.machine->base != NULL))
    return code;
  return sl_study_fail(file, sl_yaml_line(node), "a machine with changed keys needs 'name: NAME' and 'base: MACHINE'");
}

enum sl_status sl_study_machines(struct sl_study_file *file, yaml_node_t *node, struct sl_study *study)
{
  const enum sl_status code = sl_study_list(file, node, add_machine, study);
  study->machines.line = sl_yaml_line(node);
  return code == SL_OK && study->machines.count == 0
             ? sl_study_fail(file, study->machines.line, "the list has no values")
             : code;
}

void sl_study_machines_free(struct sl_study *study)
{
  for (size_t i = 0; i < study->machine_count; i++) {
    sl_study_settings_free(&study->machine[i].keys);
    sl_study_values_free(&study->machine[i].programs);
    sl_expression_free(study->machine[i].where.expression);
    free(study->machine[i].base);
    free(study->machine[i].form);
    free(study->machine[i].about);
    free(study->machine[i].compare);
  }
  free(study->machine);
  sl_study_values_free(&study->machines);
}
