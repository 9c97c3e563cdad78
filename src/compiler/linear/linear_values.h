/* Static single assignment: finds the definition that each operand of a kernel reads, since machine code reuses
 * registers (R. Cytron et al., Efficiently Computing Static Single Assignment Form, 1991; merges only where the
 * register is live). */
#ifndef SL_LINEAR_LINEAR_VALUES_H
#define SL_LINEAR_LINEAR_VALUES_H

#include "compiler/linear/linear_flow.h"

enum sl_linear_definition {
  SL_LINEAR_AT_ENTRY, /* value of the register at entry */
  SL_LINEAR_BY_INSN,
  SL_LINEAR_BY_CALL, /* clobbered: unknown */
  SL_LINEAR_BY_MERGE /* merge of the values of the block's predecessors */
};

struct sl_linear_value {
  uint8_t definition; /* enum sl_linear_definition */
  uint8_t which;      /* BY_INSN: destination */
  uint32_t reg;
  uint32_t at;       /* BY_INSN, BY_CALL: instruction; BY_MERGE: block */
  uint32_t operands; /* BY_MERGE: index in `merged`, one element per predecessor in the order of flow->from */
};

#define SL_LINEAR_NO_VALUE UINT32_MAX

struct sl_linear_values {
  struct sl_linear_value *value; /* values at entry first, by register; then in preorder of the dominator tree */
  uint32_t count, room;
  uint32_t (*use)[SL_LINEAR_SOURCES];      /* values by instruction and source; NO_VALUE: a number, or unreachable */
  uint32_t (*def)[SL_LINEAR_DESTINATIONS]; /* values by instruction and destination */
  uint32_t *merge_first;                   /* per block: its merges in `merges` */
  uint32_t *merges;
  uint32_t *merged;
};

enum sl_status sl_linear_values_find(struct sl_linear_values *v, const struct sl_linear_code *code,
                                     const struct sl_linear_flow *flow, struct sl_error *err);
void sl_linear_values_free(struct sl_linear_values *v);

#endif
