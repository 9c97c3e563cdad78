/* Names of processes that no later process gets: boot, process number and start time. */
#ifndef SL_LAB_PROCESS_H
#define SL_LAB_PROCESS_H

#include "base/types.h"

enum { SL_PROCESS = 96 };

/* The name of a living process. False: there is none of that number, or /proc is not mounted. */
bool sl_process_name(long pid, char name[SL_PROCESS]);

/* Whether the process of a name still lives. False for NULL. */
bool sl_process_lives(const char *name);

#endif
