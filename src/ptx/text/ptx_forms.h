/* Forms: the parser functions of the opcodes, by the table of ptx_forms.c. */
#ifndef SL_PTX_TEXT_PTX_FORMS_H
#define SL_PTX_TEXT_PTX_FORMS_H

#include "ptx/text/ptx_parser.h"

/* Operands as written, and as places in a warp's registers, constants and special registers. */

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
  unsigned count;                               /* elements of a vector */
  struct sl_ptx_item elements[SL_PTX_ELEMENTS]; /* those after them are in the parser */
  uint32_t further;                             /* the first of these in `further` */
  int64_t offset;                               /* of an address, or of a symbol */
  bool has_coordinates;                         /* [texture, {x, y}]: the coordinates are the elements */
};

/* An element of a vector. */
static inline const struct sl_ptx_item *sl_ptx_vector_item(const struct sl_ptx_parser *p,
                                                           const struct sl_ptx_operand *o, unsigned i)
{
  return i < SL_PTX_ELEMENTS ? &o->elements[i] : &p->further.items[o->further + i - SL_PTX_ELEMENTS];
}

/* Reads an offset, `+ 8` or `- 8`; 0 if there is none. */
bool sl_ptx_offset_read(struct sl_ptx_parser *p, int64_t *offset);
/* Reads a register, for example of a guard. */
bool sl_ptx_register_read(struct sl_ptx_parser *p, struct sl_ptx_item *item);

/* Bytes of a register's values in all lanes. */
uint32_t sl_ptx_register_bytes(enum sl_ptx_type type);

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

/* The address of a symbol, which is not dynamic: in its space, or generic. */
uint64_t sl_ptx_symbol_address(const struct sl_ptx_symbol *symbol, bool generic);

/* The address of the function of a name, which is not a kernel; false if there is none. */
bool sl_ptx_function_value(const struct sl_ptx_parser *p, const struct sl_ptx_token *name, uint64_t *value);

/* The symbol of a name; UINT32_MAX if there is none. */
uint32_t sl_ptx_symbol_find(const struct sl_ptx_parser *p, const struct sl_ptx_token *name);

/* One instruction as written: guard, opcode, modifiers and operands; and the instruction that its form produces. */

enum { SL_PTX_MODIFIERS = 12, SL_PTX_OPERANDS = 8 };

struct sl_ptx_statement {
  struct sl_ptx_token opcode, modifiers[SL_PTX_MODIFIERS];
  bool taken[SL_PTX_MODIFIERS]; /* recognised by the form */
  unsigned modifier_count, operand_count;
  struct sl_ptx_operand operands[SL_PTX_OPERANDS];
  struct sl_ptx_insn in;
};

/* Reads opcode and modifiers, then operands up to the semicolon. */
bool sl_ptx_opcode_read(struct sl_ptx_parser *p, struct sl_ptx_statement *st);
bool sl_ptx_operands_read(struct sl_ptx_parser *p, struct sl_ptx_statement *st);

/* Consumes a modifier of that name. */
bool sl_ptx_modifier(struct sl_ptx_statement *st, const char *name);
/* Consumes the first of the names (a NULL-terminated list) that is present; returns its index, or `otherwise`. */
unsigned sl_ptx_modifier_of(struct sl_ptx_statement *st, const char *const *names, unsigned otherwise);
/* The first remaining type; the second function consumes it. */
enum sl_ptx_type sl_ptx_type_at(const struct sl_ptx_statement *st);
enum sl_ptx_type sl_ptx_modifier_type(struct sl_ptx_statement *st);

/* Whether the first operand has a second part that is a register, not _. */
bool sl_ptx_two_results(struct sl_ptx_statement *st);

/* Reports an error unless there are that many operands. */
bool sl_ptx_operands_are(struct sl_ptx_parser *p, const struct sl_ptx_statement *st, unsigned least, unsigned most);
/* Reports an error if a modifier remains that the form has not consumed. */
bool sl_ptx_modifiers_known(struct sl_ptx_parser *p, const struct sl_ptx_statement *st);

/* Sources and destinations by operand number; a vector or an address there is an error. */
bool sl_ptx_take_source(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned operand, enum sl_ptx_type type,
                        bool loose, struct sl_ptx_place *place);
bool sl_ptx_take_destination(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned operand,
                             enum sl_ptx_type type, bool loose, struct sl_ptx_place *place);

/* Reads an instruction after its guard, up to the semicolon, and resolves it. */
bool sl_ptx_instruction_read(struct sl_ptx_parser *p, struct sl_ptx_statement *st);

/* Parses instructions that change the control flow: bra, call, ret, exit, trap. */

/* The label of that name, created if it is new; UINT32_MAX if out of memory. */
uint32_t sl_ptx_label_of(struct sl_ptx_parser *p, const struct sl_ptx_token *name);

/* The function of that name; UINT32_MAX if there is none. */
uint32_t sl_ptx_function_of(const struct sl_ptx_parser *p, const struct sl_ptx_token *name);

/* Parses instructions that access memory: ld, st, atom, red, membar. */

bool sl_ptx_form_access(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned store);
bool sl_ptx_form_atomic(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned red);
bool sl_ptx_form_policy(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_cp(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_stack(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned mode);

/* Gives a function whose body has alloca a stack, and an instruction that empties it at the beginning. */
bool sl_ptx_stack_begin(struct sl_ptx_parser *p);
bool sl_ptx_form_membar(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);

/* Consumes the space of an access; generic if there is none. */
void sl_ptx_take_space(struct sl_ptx_statement *st);
/* The address of an access, in brackets, in the space of the instruction. */
bool sl_ptx_take_address(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned operand);

/* Parses instructions on matrices: wmma, mma, ldmatrix, stmatrix, movmatrix. */

bool sl_ptx_form_wmma(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_mma(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_matrix(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned store);
bool sl_ptx_form_movmatrix(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);

/* Parses instructions of a whole warp or block: shfl, vote, match, activemask, bar; and instructions without effect. */

bool sl_ptx_form_shfl(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_vote(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_match(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_redux(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_activemask(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_bar(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_nothing(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);

/* Parses instructions that compute: rows of ptx_lanes.def, comparisons, conversions, moves, predicate logic. */

/* Type substitutions that a row allows. */
enum sl_ptx_row_types {
  SL_PTX_NUMBERS = 0, /* signed for unsigned types, unless they have a separate row */
  SL_PTX_BITS = 1,    /* b32 for u32, etc. */
  SL_PTX_FLOATS = 2   /* f32 for u32, etc. */
};

bool sl_ptx_form_row(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types);
bool sl_ptx_form_video(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_logic(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types);
bool sl_ptx_form_space(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types); /* isspacep, cvta */
bool sl_ptx_form_cvt(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types);
bool sl_ptx_form_setp(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types);
bool sl_ptx_form_set(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types);
bool sl_ptx_form_mov(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types);

#endif
