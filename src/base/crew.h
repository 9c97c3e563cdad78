/* Host threads that simulate the parts of a GPU side by side: a crew that does the same piece of work again and again,
 * a stretch of cycles each time, and is waited for after each.
 *
 * The caller is member 0; the others wait for work, first by spinning, since a stretch is a matter of microseconds,
 * then by yielding the processor, then asleep: a crew larger than the processors that are free loses time but comes to
 * an end. What one member writes before sl_crew_run all see in it; what they write in it the caller sees after it. */
#ifndef SL_BASE_CREW_H
#define SL_BASE_CREW_H

struct sl_crew;

/* The work of member `member`; members are numbered from 0. */
typedef void sl_crew_work(void *context, unsigned member);

/* Every member but the caller begins with `enter` (NULL: at once). NULL when there is no memory. Of the threads that
 * cannot be had, the crew goes without. */
struct sl_crew *sl_crew_create(unsigned members, sl_crew_work *enter, sl_crew_work *work, void *context);
void sl_crew_free(struct sl_crew *crew);

unsigned sl_crew_members(const struct sl_crew *crew);

/* All members work once. */
void sl_crew_run(struct sl_crew *crew);

#endif
