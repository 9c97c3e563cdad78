/* A thread pool: fork-join workers that simulate the parts of a GPU in parallel. They run one function per quantum of
 * cycles, and the caller waits for all of them after each quantum.
 *
 * The caller is member 0. Idle members first spin, since a quantum takes microseconds; then they yield the processor;
 * then they sleep. While other programs have the processors, the caller does the work of all members, since each wait
 * would take milliseconds. Memory ordering: every member sees the caller's writes before sl_thread_pool_run, and the
 * caller sees all members' writes after it. */
#ifndef SL_BASE_THREAD_POOL_H
#define SL_BASE_THREAD_POOL_H

struct sl_thread_pool;

/* The work of member `member`, numbered from 0. The caller may do it, too. */
typedef void sl_thread_pool_work(void *context, unsigned member);

/* Creates a pool. Every member except the caller first runs `enter` (NULL: nothing). If the host cannot start all
 * threads, the pool runs with fewer. Returns NULL if out of memory. */
struct sl_thread_pool *sl_thread_pool_create(unsigned members, sl_thread_pool_work *enter, sl_thread_pool_work *work,
                                             void *context);
void sl_thread_pool_free(struct sl_thread_pool *pool);

unsigned sl_thread_pool_members(const struct sl_thread_pool *pool);

/* Runs the work function once for every member and waits for all. */
void sl_thread_pool_run(struct sl_thread_pool *pool);

/* A background thread: it does jobs of one kind, one after another, while its owner goes on.
 *
 * A job is data that owner and thread share. The owner may touch it only after sl_background_wait, and the thread only
 * while it does the job. If the host cannot start a thread, the owner does the jobs itself, so that results are the
 * same. Memory ordering: the thread sees the owner's writes before sl_background_start, and the owner the thread's
 * writes after sl_background_wait. */

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
