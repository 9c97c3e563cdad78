/* Translates relocations of RV32 objects (RISC-V psABI, "Relocations") to those of a unit of 64-bit words. */
#ifndef SL_BACKEND_RV32_RELOCATIONS_H
#define SL_BACKEND_RV32_RELOCATIONS_H

#include "compiler/isa64/object64.h"
#include "compiler/isa64/rv32/elf_object.h"
#include "isa/wide.h"

/* Translates RV32 instruction words to 64-bit words: the same operation on the same registers. Offsets of branches and
 * jumps double. The extensions are those common to both formats: IMA, Zicsr, Zfinx, Zicond and Vortex 2.x. */

#define SL_RV32_SETS (SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR | SL_ISA_ZFINX | SL_ISA_ZICOND | SL_ISA_WARP2)
#define SL_WIDE_SETS (SL_RV32_SETS | SL_ISA_WIDE)

/* False: no instruction of these extensions. */
bool sl_wide_of_rv32(uint32_t word, struct sl_wide *wide);

/* State of an object's translation, shared by the files of this folder. */

enum { SL_RV32_DROPPED = UINT32_MAX };

/* Symbol i of the file is symbol i of the unit. */
struct sl_rv32_reader {
  struct sl_elf_object elf;
  struct sl_object64 *object;
  uint32_t *section; /* per section of the file its number in the unit, or SL_RV32_DROPPED */
};

/* Describes a place for messages: "main+0x1c" or ".text+0x1c", in RV32 offsets. */
enum { SL_RV32_PLACE_SIZE = 120 };
const char *sl_rv32_place(const struct sl_rv32_reader *reader, uint32_t section, uint32_t offset,
                          char text[SL_RV32_PLACE_SIZE]);

/* Processes all sections of the unit, whose sections and symbols must be complete. Also rejects instructions that lack
 * a required relocation. */
enum sl_status sl_rv32_relocate(struct sl_rv32_reader *reader, struct sl_error *err);

#endif
