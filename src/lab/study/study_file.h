/* Reads YAML of studies: mappings by tables of fields, lists, ranges. Every error begins with FILE:LINE. */
#ifndef SL_LAB_STUDY_FILE_H
#define SL_LAB_STUDY_FILE_H

#include <yaml.h>

#include "lab/study/study.h"

struct sl_study_file {
  const char *origin;
  yaml_document_t document;
  struct sl_error *err;
  size_t name_line;  /* of the pair that sl_study_mapping visits */
  const char *scale; /* of the sizes; "": none */
};

/* Expands items of lists that have `for`. */
enum sl_status sl_study_expand(struct sl_study_file *file);

/* Replaces a name in all texts of the document. */
enum sl_status sl_study_replace(struct sl_study_file *file, const char *name, const char *text);

/* A field of a mapping, and the function that reads its value into the target. */
struct sl_study_field {
  const char *name;
  enum sl_status (*read)(struct sl_study_file *file, yaml_node_t *node, void *target);
};

/* Parses one document. *root: its mapping. Delete the document also after an error. */
enum sl_status sl_study_file_open(struct sl_study_file *file, const char *text, size_t size, yaml_node_t **root,
                                  struct sl_error *err);

size_t sl_yaml_line(const yaml_node_t *node);

/* Fails with FILE:LINE: and a sentence. */
enum sl_status sl_study_fail(struct sl_study_file *file, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reads the fields of a mapping. The name of another field, or of the same twice, is an error. */
enum sl_status sl_study_fields(struct sl_study_file *file, yaml_node_t *node, const char *what,
                               const struct sl_study_field *fields, void *target);

/* Calls a function for each pair of a mapping, or for each item of a list; a single value counts as a list of one. The
 * function's `name` is the pair's name, or NULL. */
typedef enum sl_status sl_study_item(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target);
enum sl_status sl_study_mapping(struct sl_study_file *file, yaml_node_t *node, const char *what, sl_study_item *item,
                                void *target);
enum sl_status sl_study_list(struct sl_study_file *file, yaml_node_t *node, sl_study_item *item, void *target);

/* A single value: as text, which the caller frees, or as a number from `least` on. */
enum sl_status sl_study_text(struct sl_study_file *file, yaml_node_t *node, char **text);
enum sl_status sl_study_name(struct sl_study_file *file, yaml_node_t *node, char name[SL_STUDY_NAME]);
enum sl_status sl_study_number(struct sl_study_file *file, yaml_node_t *node, uint64_t least, uint64_t *number);

enum sl_status sl_study_switch(struct sl_study_file *file, yaml_node_t *node, bool *on);

/* A value, a list or a range. */
enum sl_status sl_study_values(struct sl_study_file *file, yaml_node_t *node, struct sl_study_values *values);
void sl_study_values_free(struct sl_study_values *values);

/* Sizes: values, or a mapping of scales to values, of which those of the study's scale count. */
enum sl_status sl_study_sizes(struct sl_study_file *file, yaml_node_t *node, struct sl_study_values *values);

/* A mapping of names to single texts. `names`: those that it may have; NULL: any. */
enum sl_status sl_study_texts(struct sl_study_file *file, yaml_node_t *node, const char *what, const char *const *names,
                              struct sl_texts *texts);
enum sl_status sl_study_texts_add(struct sl_study_file *file, const char *name, yaml_node_t *node, const char *what,
                                  const char *const *names, struct sl_texts *texts);
void sl_texts_free(struct sl_texts *texts);

/* An expression. */
enum sl_status sl_study_rule(struct sl_study_file *file, yaml_node_t *node, struct sl_metric *rule);

/* A mapping of keys to single values. */
enum sl_status sl_study_settings(struct sl_study_file *file, yaml_node_t *node, struct sl_study_settings *settings);
void sl_study_settings_free(struct sl_study_settings *settings);

/* The path of a file that the study names, from the current folder; NULL: out of memory. */
char *sl_study_path(const struct sl_study_file *file, const char *name);

/* Read the sections `machines` and `programs`. */
enum sl_status sl_study_machines(struct sl_study_file *file, yaml_node_t *node, struct sl_study *study);
void sl_study_machines_free(struct sl_study *study);
enum sl_status sl_study_programs(struct sl_study_file *file, yaml_node_t *node, struct sl_study *study);

void sl_study_program_free(struct sl_study_program *program);

#endif
