/* A thread pool: fork-join workers that simulate the parts of a GPU in parallel. They run one function per quantum of
 * cycles, and the caller waits for all of them after each quantum.
 *
 * The caller is member 0. Idle members first spin, since a quantum takes microseconds; then they yield the processor;
 * then they sleep. A pool with more members than free processors is slow but finishes. Memory ordering: every member
 * sees the caller's writes before sl_crew_run, and the caller sees all members' writes after it. */
#ifndef SL_BASE_CREW_H
#define SL_BASE_CREW_H

struct sl_crew;

/* The work function of member `member`, numbered from 0. */
typedef void sl_crew_work(void *context, unsigned member);

/* Creates a pool. Every member except the caller first runs `enter` (NULL: nothing). If the host cannot start all
 * threads, the pool runs with fewer. Returns NULL if out of memory. */
struct sl_crew *sl_crew_create(unsigned members, sl_crew_work *enter, sl_crew_work *work, void *context);
void sl_crew_free(struct sl_crew *crew);

unsigned sl_crew_members(const struct sl_crew *crew);

/* Runs the work function once in every member and waits for all. */
void sl_crew_run(struct sl_crew *crew);

#endif
