/* Reads the instruction table row by row, for a file that defines macros by kind:
 *   ROW_LOAD(id, match, semantics), and so on; undefined kinds expand to nothing
 *   ROW_VALUE(id, match, semantics) for the kinds that only compute rd: MUL, DIV, FPU, ALU
 * or ROW_ALL(kind, id, match, semantics) for all kinds. A file may include this header several times; it undefines all
 * of these macros. Besides enum sl_kind, this is the only list of kinds. */
#ifdef ROW_ALL
#define ROW(kind, id, name, match, mask, format, set, class, once, semantics) ROW_ALL(kind, id, match, semantics)
#else
#ifdef ROW_VALUE
#define ROW_MUL ROW_VALUE
#define ROW_DIV ROW_VALUE
#define ROW_FPU ROW_VALUE
#define ROW_ALU ROW_VALUE
#endif
#ifndef ROW_MUL
#define ROW_MUL(id, match, semantics)
#endif
#ifndef ROW_DIV
#define ROW_DIV(id, match, semantics)
#endif
#ifndef ROW_FPU
#define ROW_FPU(id, match, semantics)
#endif
#ifndef ROW_FPX
#define ROW_FPX(id, match, semantics)
#endif
#ifndef ROW_LOAD
#define ROW_LOAD(id, match, semantics)
#endif
#ifndef ROW_STORE
#define ROW_STORE(id, match, semantics)
#endif
#ifndef ROW_AMO
#define ROW_AMO(id, match, semantics)
#endif
#ifndef ROW_FENCE
#define ROW_FENCE(id, match, semantics)
#endif
#ifndef ROW_VOTE
#define ROW_VOTE(id, match, semantics)
#endif
#ifndef ROW_ALU
#define ROW_ALU(id, match, semantics)
#endif
#ifndef ROW_BRANCH
#define ROW_BRANCH(id, match, semantics)
#endif
#ifndef ROW_JAL
#define ROW_JAL(id, match, semantics)
#endif
#ifndef ROW_JALR
#define ROW_JALR(id, match, semantics)
#endif
#ifndef ROW_LRSC
#define ROW_LRSC(id, match, semantics)
#endif
#ifndef ROW_CSR
#define ROW_CSR(id, match, semantics)
#endif
#ifndef ROW_SYSTEM
#define ROW_SYSTEM(id, match, semantics)
#endif
#ifndef ROW_PUSH
#define ROW_PUSH(id, match, semantics)
#endif
#ifndef ROW_POP
#define ROW_POP(id, match, semantics)
#endif
#ifndef ROW_FLUSH
#define ROW_FLUSH(id, match, semantics)
#endif
#ifndef ROW_WARP
#define ROW_WARP(id, match, semantics)
#endif
#ifndef ROW_LINEAR
#define ROW_LINEAR(id, match, semantics)
#endif
#define ROW(kind, id, name, match, mask, format, set, class, once, semantics) ROW_##kind(id, match, semantics)
#endif

#include "isa/rv32.def"

#undef ROW
#undef ROW_ALL
#undef ROW_VALUE
#undef ROW_MUL
#undef ROW_DIV
#undef ROW_FPU
#undef ROW_FPX
#undef ROW_LOAD
#undef ROW_STORE
#undef ROW_AMO
#undef ROW_FENCE
#undef ROW_ALU
#undef ROW_BRANCH
#undef ROW_JAL
#undef ROW_JALR
#undef ROW_LRSC
#undef ROW_CSR
#undef ROW_SYSTEM
#undef ROW_PUSH
#undef ROW_POP
#undef ROW_FLUSH
#undef ROW_WARP
#undef ROW_VOTE
#undef ROW_LINEAR
