/* The registers of a PTX kernel by their names in the text: those that an instruction writes. */
#ifndef SL_DEBUG_PTX_REGISTERS_H
#define SL_DEBUG_PTX_REGISTERS_H

#include "debug/packet.h"
#include "program/source.h"
#include "ptx/run/ptx_block.h"

/* The text of an instruction, from its guard to before the semicolon. */
void sl_ptx_text(const struct sl_ptx_module *module, const struct sl_source *source, uint32_t pc, char *text,
                 size_t size);

/* Prints a lane's registers of the function that it executes; `name`: only this one, if it is not empty. */
void sl_ptx_print_registers(const struct sl_ptx_warp *warp, unsigned lane, uint32_t pc, const struct sl_source *source,
                            const char *name, struct sl_reply *to);

#endif
