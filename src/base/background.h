/* A background thread: it does jobs of one kind, one after another, while its owner goes on.
 *
 * A job is data that owner and thread share. The owner may touch it only after sl_background_wait, and the thread only
 * while it does the job. If the host cannot start a thread, the owner does the jobs itself, so that results are the
 * same. Memory ordering: the thread sees the owner's writes before sl_background_start, and the owner the thread's
 * writes after sl_background_wait. */
#ifndef SL_BASE_BACKGROUND_H
#define SL_BASE_BACKGROUND_H

struct sl_background;

/* Returns NULL if out of memory. */
struct sl_background *sl_background_create(void (*work)(void *context), void *context);

/* Waits for the job before, and starts the next. */
void sl_background_start(struct sl_background *background);

/* Waits until no job is left. */
void sl_background_wait(struct sl_background *background);

/* Waits, and ends the thread. */
void sl_background_free(struct sl_background *background);

#endif
