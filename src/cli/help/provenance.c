#include "cli/help/help.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "build_info.h"
#include "observe/html.h"
#include "observe/json.h"

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "GCC " __VERSION__
#endif

/* The command line, words separated by a space and cut to the available size. */
static void write_command(char *text, size_t size)
{
  FILE *file = fopen("/proc/self/cmdline", "rb");
  const size_t length = file != NULL ? fread(text, 1, size - 1, file) : 0;
  for (size_t i = 0; i + 1 < length; i++)
    if (text[i] == '\0' || text[i] == '\n')
      text[i] = ' ';
  text[length] = '\0';
  if (file != NULL)
    fclose(file);
}

static time_t date_of(const char *epoch)
{
  char *end = NULL;
  errno = 0;
  const intmax_t seconds = epoch != NULL && *epoch != '\0' ? strtoimax(epoch, &end, 10) : -1;
  return end != NULL && *end == '\0' && errno == 0 && seconds >= 0 ? (time_t)seconds : time(NULL);
}

struct sl_provenance sl_provenance(void)
{
  struct sl_provenance p = {.version = SL_VERSION, .compiler = COMPILER, .build = SL_BUILD, .commit = SL_COMMIT};
  struct utsname host;
  struct tm utc;
  const time_t date = date_of(getenv("SOURCE_DATE_EPOCH"));
  write_command(p.command, sizeof p.command);
  if (uname(&host) == 0)
    snprintf(p.system, sizeof p.system, "%.60s %.100s %.60s", host.sysname, host.release, host.machine);
  if (gmtime_r(&date, &utc) != NULL)
    strftime(p.date, sizeof p.date, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return p;
}

json_t *sl_with_provenance(json_t *result)
{
  if (result == NULL)
    return NULL;
  const struct sl_provenance p = sl_provenance();
  const struct {
    const char *name, *text;
  } facts[] = {{"version", p.version}, {"commit", p.commit},   {"compiler", p.compiler}, {"build", p.build},
               {"system", p.system},   {"command", p.command}, {"date", p.date}};
  json_t *host = json_incref(json_object_get(result, "host"));
  if (host == NULL)
    host = json_object();
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
    sl_json_put(&host, facts[i].name, sl_json_text(facts[i].text));
  sl_json_put(&result, "host", host);
  return result;
}

struct sl_origin sl_provenance_text(void)
{
  const struct sl_provenance p = sl_provenance();
  struct sl_origin origin;
  snprintf(origin.text, sizeof origin.text, "simtlab %.40s (commit %.40s, compiler %.100s, build %.100s), %s, %s: %s",
           p.version, p.commit, p.compiler, p.build, p.system, p.date, p.command);
  return origin;
}

void sl_provenance_html_end(FILE *file)
{
  const struct sl_origin origin = sl_provenance_text();
  sl_html_end(file, origin.text);
}
