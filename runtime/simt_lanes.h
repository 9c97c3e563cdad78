// Functions of the lanes of a warp that are active together: votes, shuffles, and a wait for lanes. Included by simt.h;
// the same on every machine. On SIMTight and Simty they need the key warp_functions, which is on by default and
// simtlab's own; Vortex has them since its third version. A machine without them stops with a fault.
//
// Lanes are active together if they execute the same call at the same time. Behind a divergent statement that is the
// case again where the lanes reconverge (SIMT_DIVERGE, SIMT_IF, --marks=auto, or the machine by itself). Without that
// the lanes may arrive in parts, and each part votes for itself. simt_sync_lanes makes sure that they have not.

#ifndef SIMT_LANES_H
#define SIMT_LANES_H

// Votes on a condition: 1 if it holds in all active lanes, in any, in all or in none of them; else 0.
#define simt_all(condition) SIMT_VOTE("0", "x0", condition)
#define simt_any(condition) SIMT_VOTE("1", "x0", condition)
#define simt_uni(condition) SIMT_VOTE("2", "x0", condition)

// A bit for each active lane in which the condition holds: bit l is lane l. In a warp of more than 32 lanes
// simt_ballot64 is the right one; there, simt_ballot stops with a fault if the condition holds in a lane above 31.
#define simt_ballot(condition) SIMT_VOTE("3", "x0", condition)
#define simt_ballot64(condition)                                                                                       \
  __extension__({                                                                                                      \
    const unsigned simt_holds_ = !!(condition);                                                                        \
    const unsigned simt_low_ = SIMT_VOTE("3", "x1", simt_holds_), simt_high_ = SIMT_VOTE("3", "x2", simt_holds_);      \
    (unsigned long long)simt_high_ << 32 | simt_low_;                                                                  \
  })

// The value of another lane: of the lane `by` (0 to 63) before or behind this one, of the lane whose number differs in
// the bits of `by`, or of lane number `from`. The value is a word: an integer, float or pointer of 32 bits. A lane
// whose other lane is not in the warp gets its own value. The other lane must be active, too; else the value is
// undefined (it is what its register holds).
#define simt_shfl_up(value, by) SIMT_SHUFFLE("4", value, by)
#define simt_shfl_down(value, by) SIMT_SHUFFLE("5", value, by)
#define simt_shfl_bfly(value, by) SIMT_SHUFFLE("6", value, by)
#define simt_shfl_idx(value, from) SIMT_SHUFFLE("7", value, from)

// Waits until the lanes of the mask (up to 64) are here. Lanes that have ended do not count, and other lanes than those
// of the mask may come along. If some lanes of the mask are elsewhere and will not come, that is a fault.
//
// How lanes wait depends on the machine: on SIMTight behind a `pop`, as in simt_converge; on Simty, and on Vortex with
// divergence=its, until the other lanes have run; on Vortex with a stack and on sm7 there is no wait, since lanes meet
// at the end of the divergent statement.
#define simt_sync_lanes(mask) simt_wait_for_lanes((unsigned long long)(mask))

// ------------------------------------------------------------------------------------------------
// Implementation. Each use has a number in its text: compilers merge equal instructions of two sides of a branch, and
// the lanes of both would vote together. The compiler of annotations knows a vote by the text before the operands.

#define SIMT_SITE SIMT_SITE_(__COUNTER__)
#define SIMT_SITE_(number) SIMT_SITE_TEXT(number)
#define SIMT_SITE_TEXT(number) " # call " #number

#define SIMT_VOTE(function, word, condition)                                                                           \
  __extension__({                                                                                                      \
    unsigned simt_vote_;                                                                                               \
    __asm__ volatile(".insn r 0x0B, " function ", 1, %0, %1, " word SIMT_SITE                                          \
                     : "=r"(simt_vote_)                                                                                \
                     : "r"(!!(condition)));                                                                            \
    simt_vote_;                                                                                                        \
  })

// Operand: distance or number in bits 0 to 5, last lane of a group in 6 to 11. The group is the warp.
#define SIMT_SHUFFLE(function, value, by)                                                                              \
  __extension__({                                                                                                      \
    __typeof__((value) + 0) simt_own_ = (value), simt_other_;                                                          \
    SIMT_STATIC_ASSERT(sizeof simt_other_ == 4, "shuffles are of words");                                              \
    __asm__ volatile(".insn r 0x0B, " function ", 1, %0, %1, %2" SIMT_SITE                                             \
                     : "=r"(simt_other_)                                                                               \
                     : "r"(simt_own_), "r"(63u << 6 | ((unsigned)(by)&63)));                                           \
    simt_other_;                                                                                                       \
  })

#if defined SIMT_VORTEX || defined SIMT_GRID
SIMT_INLINE void simt_wait_for_lanes(unsigned long long mask)
{
  __asm__ volatile(".insn r 0x0B, 0, 7, x0, %0, %1" : : "r"((unsigned)mask), "r"((unsigned)(mask >> 32)) : "memory");
}
#else

// If all lanes of the mask are active, goes to label 1, else waits.
#define SIMT_IF_APART                                                                                                  \
  "li %0, 1\n\t.insn r 0x0B, 3, 1, %1, %0, x1\n\t.insn r 0x0B, 3, 1, %0, %0, x2\n\tnot %1, %1\n\tnot %0, %0\n\t"       \
  "and %1, %1, %2\n\tand %0, %0, %3\n\tor %0, %0, %1\n\tbeqz %0, 1f\n\t"
#define SIMT_WAIT ".insn r 0x0B, 0, 7, x0, %2, %3"
#ifdef SIMT_NO_MARKS
#define SIMT_MEET SIMT_IF_APART "lla ra, 2f\n\tjr ra\n2:\t" SIMT_WAIT "\n\tjal ra, 1f\n1:"
#else
#define SIMT_MEET SIMT_IF_APART SIMT_POP "\n\t" SIMT_WAIT "\n\t" SIMT_PUSH "\n1:"
#endif
SIMT_INLINE void simt_wait_for_lanes(unsigned long long mask)
{
  unsigned high, low;
  __asm__ volatile(SIMT_MEET
                   : "=&r"(high), "=&r"(low)
                   : "r"((unsigned)mask), "r"((unsigned)(mask >> 32))
                   : "ra", "memory");
}
#endif

#endif
