#include "observe/profile/profile_occupancy.h"

#include <stdlib.h>
#include <string.h>

#include "observe/html.h"
#include "observe/json.h"
#include "observe/launch_choice.h"
#include "observe/wrapped_text.h"

enum { TEXT = 400 };

void sl_occupancies_add(struct sl_occupancies *all, const struct sl_occupancy_launch *launch)
{
  if (all->count == all->room) {
    const size_t room = all->room > 0 ? 2 * all->room : 16;
    struct sl_occupancy_launch *grown = realloc(all->launch, room * sizeof *grown);
    if (grown == NULL)
      return;
    all->launch = grown;
    all->room = room;
  }
  all->launch[all->count++] = *launch;
}

void sl_occupancies_free(struct sl_occupancies *all)
{
  free(all->launch);
  *all = (struct sl_occupancies){0};
}

unsigned sl_occupancy_limits(const struct sl_occupancies *all)
{
  unsigned limits = all->count > 0 ? ~0u : 0;
  for (size_t i = 0; i < all->count; i++)
    limits &= all->launch[i].occupancy.limits;
  return limits;
}

static bool alike(const struct sl_occupancy_launch *a, const struct sl_occupancy_launch *b)
{
  return a->entry == b->entry && a->occupancy.blocks == b->occupancy.blocks &&
         a->occupancy.warps == b->occupancy.warps && a->occupancy.limits == b->occupancy.limits;
}

/* Whether no earlier launch has the same kernel and occupancy. */
static bool is_first(const struct sl_occupancies *all, size_t launch)
{
  bool first = true;
  for (size_t i = 0; i < launch && first; i++)
    first = !alike(&all->launch[i], &all->launch[launch]);
  return first;
}

static void name_limits(unsigned limits, char *text, size_t size)
{
  size_t used = 0;
  text[0] = '\0';
  for (unsigned i = 0; i < SL_OCCUPANCY_LIMITS; i++)
    if ((limits >> i & 1) && used < size)
      used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? " and " : "",
                               sl_occupancy_limit_name((enum sl_occupancy_limit)(1u << i)));
}

static const char *sentence(const struct sl_occupancy_launch *launch, const struct sl_program *program, char text[TEXT])
{
  const struct sl_occupancy *o = &launch->occupancy;
  char kernel[SL_KERNEL_TEXT], limits[120];
  name_limits(o->limits, limits, sizeof limits);
  snprintf(text, TEXT, "%.200s %u block%s on a core at a time, %u of its %u warps (limited by %s)",
           sl_kernel_name(program, launch->entry, kernel), (unsigned)o->blocks, o->blocks == 1 ? "" : "s",
           (unsigned)o->warps, (unsigned)o->most_warps, limits);
  return text;
}

void sl_occupancy_print(const struct sl_occupancies *all, const struct sl_program *program, FILE *file)
{
  char text[TEXT];
  for (size_t i = 0; i < all->count; i++)
    if (is_first(all, i))
      sl_print_lines(file, 2, "occupancy: %s", sentence(&all->launch[i], program, text));
}

void sl_occupancy_html(const struct sl_occupancies *all, const struct sl_program *program, FILE *file)
{
  char text[TEXT];
  for (size_t i = 0; i < all->count; i++)
    if (is_first(all, i)) {
      fputs(i == 0 ? "<p>Occupancy: " : "; ", file);
      sl_html_text(file, sentence(&all->launch[i], program, text));
    }
  fputs(all->count > 0 ? ".</p>\n" : "", file);
}

json_t *sl_occupancy_json(const struct sl_occupancies *all, const struct sl_program *program)
{
  json_t *json = json_array();
  for (size_t i = 0; i < all->count; i++) {
    const struct sl_occupancy_launch *launch = &all->launch[i];
    char kernel[SL_KERNEL_TEXT];
    json_t *one = json_object(), *limits = json_array();
    for (unsigned k = 0; k < SL_OCCUPANCY_LIMITS; k++)
      if (launch->occupancy.limits >> k & 1)
        sl_json_append(&limits, json_string(sl_occupancy_limit_name((enum sl_occupancy_limit)(1u << k))));
    sl_json_put(&one, "launch", sl_json_count(launch->number));
    sl_json_put(&one, "kernel", sl_json_text(sl_kernel_name(program, launch->entry, kernel)));
    sl_json_put(&one, "blocks_per_core", sl_json_count(launch->occupancy.blocks));
    sl_json_put(&one, "warps_per_core", sl_json_count(launch->occupancy.warps));
    sl_json_put(&one, "most_warps", sl_json_count(launch->occupancy.most_warps));
    sl_json_put(&one, "limited_by", limits);
    sl_json_append(&json, one);
  }
  return json;
}
