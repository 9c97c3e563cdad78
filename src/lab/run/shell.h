/* Runs a study's commands. */
#ifndef SL_LAB_RUN_SHELL_H
#define SL_LAB_RUN_SHELL_H

#include "base/types.h"

/* Runs a command in a folder; its output goes to `put`. Returns its status as wait() has it; -1: not started. */
int sl_shell(const char *folder, const char *command, int (*put)(void *context, uint8_t byte), void *context);

/* Writes a text as one word of the shell. */
void sl_shell_quote(const char *text, char *word, size_t size);

#endif
