#include "observe/kernel_sums.h"

#include <string.h>

#include "observe/json.h"
#include "observe/launch_choice.h"

static struct sl_kernel_sum *find(struct sl_kernel_sums *sums, const char *name)
{
  for (size_t i = 0; i < sums->count; i++)
    if (strncmp(sums->kernel[i].name, name, SL_KERNEL_SUM_NAME - 1) == 0)
      return &sums->kernel[i];
  if (sums->count == SL_KERNEL_SUMS) {
    struct sl_kernel_sum *last = &sums->kernel[SL_KERNEL_SUMS - 1];
    snprintf(last->name, sizeof last->name, "others");
    return last;
  }
  struct sl_kernel_sum *new = &sums->kernel[sums->count++];
  *new = (struct sl_kernel_sum){0};
  snprintf(new->name, sizeof new->name, "%.*s", SL_KERNEL_SUM_NAME - 1, name);
  return new;
}

void sl_kernel_sums_add(struct sl_kernel_sums *sums, const struct sl_machine *machine, const char *kernel,
                        const struct sl_launch *launch)
{
  const struct sl_figures figures = sl_figures_of(machine, launch, 1);
  struct sl_kernel_sum *sum = find(sums, kernel);
  sum->launches++;
  sum->cycles += figures.cycles;
  sum->thread_instructions += figures.thread_instructions;
}

void sl_kernel_sums(struct sl_kernel_sums *sums, const struct sl_machine *machine, const struct sl_program *program,
                    const struct sl_launch *launches, size_t count)
{
  sums->count = 0;
  for (size_t i = 0; i < count; i++) {
    char text[SL_KERNEL_TEXT];
    sl_kernel_sums_add(sums, machine, sl_kernel_name(program, launches[i].entry, text), &launches[i]);
  }
}

json_t *sl_kernel_sums_json(const struct sl_kernel_sums *sums)
{
  json_t *json = json_array();
  for (size_t i = 0; i < sums->count && json != NULL; i++) {
    const struct sl_kernel_sum *sum = &sums->kernel[i];
    json_t *kernel = json_object();
    sl_json_put(&kernel, "kernel", sl_json_text(sum->name));
    sl_json_put(&kernel, "launches", sl_json_count(sum->launches));
    sl_json_put(&kernel, "cycles", sum->cycles > 0 ? sl_json_count(sum->cycles) : json_null());
    sl_json_put(&kernel, "thread_instrs", sl_json_count(sum->thread_instructions));
    sl_json_append(&json, kernel);
  }
  return json;
}
