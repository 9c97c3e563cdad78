/* Translation of RV32 objects: what stock compilers and assemblers make of C and assembly, for rv32im or rv32ima_zfinx
 * with the ABI ilp32 and without compressed instructions, becomes a unit of 64-bit words.
 *
 * Every instruction becomes one word, so offsets in code are twice what they were; data stays what it is. Pairs of
 * instructions that make an address relative to the program counter are put together in the first, whose immediate now
 * has room for all of it. Fillers that align code stay. Sections of debug information become a file and a line of every
 * instruction; tables for unwinding are dropped. */
#ifndef SL_BACKEND_RV32_OBJECT_H
#define SL_BACKEND_RV32_OBJECT_H

#include "backend/object64.h"

/* SL_USAGE: no such object, or one that cannot be expressed; the sentence begins with `name`. */
enum sl_status sl_rv32_object_parse(const char *name, const uint8_t *bytes, size_t size, struct sl_object64 *object,
                                    struct sl_error *err);

/* The same from a file. */
enum sl_status sl_rv32_object_read(const char *path, struct sl_object64 *object, struct sl_error *err);

#endif
