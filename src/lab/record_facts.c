/* Facts about the recorded runs as a whole. */
#include <stdio.h>

#include "lab/record.h"

enum sl_status sl_record_builds(struct sl_record *record, unsigned *count, struct sl_error *err)
{
  sqlite3_stmt *statement = NULL;
  enum sl_status code = sl_record_prepare(
      record,
      "SELECT (SELECT count(*) FROM pragma_table_info('run') WHERE name = 'task') * count(DISTINCT hash) FROM build",
      &statement, err);
  if (code == SL_OK && sqlite3_step(statement) != SQLITE_ROW)
    code = sl_record_fail(record, err);
  *count = code == SL_OK ? (unsigned)sqlite3_column_int(statement, 0) : 0;
  sqlite3_finalize(statement);
  return code;
}

double sl_record_seconds(struct sl_record *record, const char *program, const char *pipeline)
{
  sqlite3_stmt *s = NULL;
  double seconds = -1;
  if (sl_record_prepare(record,
                        "SELECT avg(seconds) FROM run JOIN program ON program.id = run.program JOIN machine_config ON "
                        "machine_config.id = run.config WHERE program.hash = ? AND pipeline = ? AND outcome = 'passed'",
                        &s, NULL) != SL_OK)
    return seconds;
  sqlite3_bind_text(s, 1, program, -1, SQLITE_STATIC);
  sqlite3_bind_text(s, 2, pipeline, -1, SQLITE_STATIC);
  if (sqlite3_step(s) == SQLITE_ROW && sqlite3_column_type(s, 0) != SQLITE_NULL)
    seconds = sqlite3_column_double(s, 0);
  sqlite3_finalize(s);
  return seconds;
}

uint64_t sl_record_megabytes(struct sl_record *record, const char *program, const char *pipeline)
{
  sqlite3_stmt *s = NULL;
  uint64_t megabytes = 0;
  if (sl_record_prepare(record,
                        "SELECT max(megabytes) FROM run JOIN program ON program.id = run.program JOIN machine_config "
                        "ON machine_config.id = run.config WHERE program.hash = ? AND pipeline = ?",
                        &s, NULL) != SL_OK)
    return 0; /* an older database */
  sqlite3_bind_text(s, 1, program, -1, SQLITE_STATIC);
  sqlite3_bind_text(s, 2, pipeline, -1, SQLITE_STATIC);
  if (sqlite3_step(s) == SQLITE_ROW)
    megabytes = (uint64_t)sqlite3_column_int64(s, 0);
  sqlite3_finalize(s);
  return megabytes;
}
