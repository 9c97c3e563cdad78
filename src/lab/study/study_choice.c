/* What options choose of a study: programs by --only, sampled timing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "device/device.h"
#include "lab/study/study_file.h"

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

/* Whether a list "NAME,NAME" has a name. */
static bool lists(const char *list, const char *name)
{
  for (size_t length; *list != '\0'; list += length + (list[length] == ',')) {
    length = strcspn(list, ",");
    if (strlen(name) == length && strncmp(list, name, length) == 0)
      return true;
  }
  return false;
}

enum sl_status sl_study_keep(struct sl_study *study, const char *only, struct sl_error *err)
{
  for (const char *at = only; *at != '\0'; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
    char word[SL_STUDY_NAME];
    struct sl_nearest nearest;
    size_t i = 0;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ","), at);
    sl_nearest_begin(&nearest, word);
    for (; i < study->program_count && strcmp(study->programs[i].name, word) != 0; i++)
      sl_nearest_offer(&nearest, study->programs[i].name);
    if (i == study->program_count)
      return sl_fail(err, SL_USAGE, "--only: unknown program '%s'%s%s%s", word,
                     nearest.name != NULL ? "; did you mean '" : "", nearest.name != NULL ? nearest.name : "",
                     nearest.name != NULL ? "'?" : "");
  }
  size_t kept = 0;
  for (size_t i = 0; i < study->program_count; i++)
    if (lists(only, study->programs[i].name))
      study->programs[kept++] = study->programs[i];
    else
      sl_study_program_free(&study->programs[i]);
  study->program_count = kept;
  study->reduced = true;
  return kept > 0 ? SL_OK : sl_fail(err, SL_USAGE, "--only names no program");
}

const char *sl_study_mode(const struct sl_study *study)
{
  return study->fast ? "fast" : study->sample != NULL ? study->sample : "cycle";
}

enum sl_status sl_study_sample(struct sl_study *study, const char *plan, struct sl_error *err)
{
  struct sl_sampling_choice sampling;
  const size_t size = strlen(SL_SAMPLED) + strlen(plan) + 1;
  char *sample = malloc(size);
  if (sample == NULL)
    return sl_no_memory(err, size);
  snprintf(sample, size, "%s%s", SL_SAMPLED, plan);
  free(study->sample);
  study->sample = sample;
  return sl_choose_sampling(&sampling, plan, err);
}
