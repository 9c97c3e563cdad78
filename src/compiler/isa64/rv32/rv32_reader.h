/* State of an object's translation, shared by the files of this folder. */
#ifndef SL_BACKEND_RV32_READER_H
#define SL_BACKEND_RV32_READER_H

#include "compiler/isa64/object64.h"
#include "compiler/isa64/rv32/elf_object.h"

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

#endif
