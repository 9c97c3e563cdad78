/* Properties of a RISC-V instruction that the SM core needs: its unit and class, and the registers it reads and
 * writes. */
#ifndef SL_MACHINE_SM7_RV_FACTS_H
#define SL_MACHINE_SM7_RV_FACTS_H

#include "isa/isa.h"
#include "machine/sm7/sm7_code.h"

struct sl_sm7_instruction sl_sm7_rv_facts(const struct sl_insn *insn);

#endif
