/* Loops in which lanes may wait for each other, such as `while (!done) if (!atomicExch(lock, 1)) { ...; done = 1; }`.
 *
 * The optimiser would move what follows a successful turn behind the loop. Then the lane that holds the lock leaves the
 * loop, and it may wait for the lanes that spin: on most machines for ever. Here the exits of such loops get conditions
 * that the optimiser does not know, so that each loop keeps its shape. */
#ifndef SL_MARKS_WAITS_H
#define SL_MARKS_WAITS_H

#include "compiler/reconverge/tool.h"

/* Keeps the loops of a module that has not been optimised, and lists them if the tool is to warn. Returns false after
 * an error message. */
bool sl_waits_keep(const struct sl_tool *tool);

#endif
