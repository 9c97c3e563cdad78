/* Processes that the laboratory starts or asks about: shell commands of a study, workers, and names of processes. */
#ifndef SL_LAB_PROCESS_H
#define SL_LAB_PROCESS_H

#include <sys/types.h>

#include "base/error.h"
#include "base/types.h"

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* Names of processes that no later process gets: boot, process number and start time. */

enum { SL_PROCESS = 96 };

/* The name of a living process. False: there is none of that number, or /proc is not mounted. */
bool sl_process_name(long pid, char name[SL_PROCESS]);

/* Whether the process of a name still lives. False for NULL. */
bool sl_process_lives(const char *name);

/* ---- shell commands ---------------------------------------------------------------------------------------------- */

/* Runs a command in a folder; its output goes to `put`. Returns its status as wait() has it; -1: not started. */
int sl_shell(const char *folder, const char *command, int (*put)(void *context, uint8_t byte), void *context);

/* Writes a text as one word of the shell. */
void sl_shell_quote(const char *text, char *word, size_t size);

/* ---- workers ----------------------------------------------------------------------------------------------------- */

/* A worker (lab/sweep.h) as a child process, with pipes to and from it. */

enum { SL_WORKER_QUEUE = 128 };

struct sl_worker_process {
  pid_t process; /* 0: none */
  int to, from;
  size_t runs[SL_WORKER_QUEUE]; /* sent and not done, in order */
  unsigned queued;
  uint64_t megabytes; /* reserved for them */
  char *text;         /* read; the first bytes are taken as lines */
  size_t text_size, text_room, text_taken;
};

enum sl_status sl_worker_start(struct sl_worker_process *worker, const char *const *command, struct sl_error *err);

/* Sends a line. A worker that has ended does not get it; reading shows its end. */
void sl_worker_send(struct sl_worker_process *worker, const char *line);

/* Reads what has come; false: the worker has ended, or there is no memory. Takes the next complete line, without its
 * end and valid until the next read; NULL: there is none. */
bool sl_worker_read(struct sl_worker_process *worker);
char *sl_worker_line(struct sl_worker_process *worker);

/* Closes the pipes, which ends an idle worker, and waits. Returns its status as of waitpid. */
int sl_worker_end(struct sl_worker_process *worker);

#endif
