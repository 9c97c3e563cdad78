/* Reads the section `machines` of a study. */
#include <stdlib.h>
#include <string.h>

#include "config/yaml.h"
#include "lab/study/study_file.h"

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
