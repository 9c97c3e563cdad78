/* Operands as written, and as places in a warp's registers, constants and special registers. */
#ifndef SL_PTX_TEXT_PTX_OPERAND_H
#define SL_PTX_TEXT_PTX_OPERAND_H

#include "ptx/text/ptx_parser.h"

enum sl_ptx_item_kind {
  SL_PTX_I_NONE,
  SL_PTX_I_REGISTER,
  SL_PTX_I_NUMBER,
  SL_PTX_I_SPECIAL,
  SL_PTX_I_CLOCK,
  SL_PTX_I_SYMBOL,
  SL_PTX_I_NAME, /* of a label or a function */
  SL_PTX_I_SINK  /* _ */
};

struct sl_ptx_item {
  enum sl_ptx_item_kind kind;
  struct sl_ptx_token at;
  bool negated;   /* !%p */
  uint32_t index; /* in `registers`, in `symbols`; enum sl_ptx_special */
  struct sl_ptx_number number;
};

struct sl_ptx_operand {
  struct sl_ptx_token at;
  struct sl_ptx_item item, second; /* second: q of p|q */
  bool vector, address;
  unsigned count; /* elements of a vector */
  struct sl_ptx_item elements[SL_PTX_ELEMENTS];
  int64_t offset;       /* of an address, or of a symbol */
  bool has_coordinates; /* [texture, {x, y}]: the coordinates are the elements */
};

/* Reads an operand. */
bool sl_ptx_operand_read(struct sl_ptx_parser *p, struct sl_ptx_operand *o);
/* Reads a register, for example of a guard. */
bool sl_ptx_register_read(struct sl_ptx_parser *p, struct sl_ptx_item *item);

/* The register's data; allocates a place on first use. */
struct sl_ptx_register *sl_ptx_register_use(struct sl_ptx_parser *p, const struct sl_ptx_item *item);

/* Finds the place of a source or destination of `type`, and records the register for timing. `loose`: integers and
 * floating point of the same size are interchangeable. */
bool sl_ptx_source(struct sl_ptx_parser *p, struct sl_ptx_insn *in, const struct sl_ptx_item *item,
                   enum sl_ptx_type type, bool loose, struct sl_ptx_place *place);
bool sl_ptx_element(struct sl_ptx_parser *p, struct sl_ptx_insn *in, const struct sl_ptx_item *item,
                    enum sl_ptx_type type, bool loose,
                    struct sl_ptx_place *place); /* or _, which discards any result */
bool sl_ptx_destination(struct sl_ptx_parser *p, struct sl_ptx_insn *in, const struct sl_ptx_item *item,
                        enum sl_ptx_type type, bool loose, struct sl_ptx_place *place);

/* A constant in all lanes. */
struct sl_ptx_place sl_ptx_constant(struct sl_ptx_parser *p, uint64_t bits, bool wide);

/* The address of a symbol plus an offset as a constant: in its space, or generic. */
struct sl_ptx_place sl_ptx_symbol_place(struct sl_ptx_parser *p, uint32_t symbol, int64_t offset, bool wide,
                                        bool generic);

/* The symbol of a name; UINT32_MAX if there is none. */
uint32_t sl_ptx_symbol_find(const struct sl_ptx_parser *p, const struct sl_ptx_token *name);

#endif
