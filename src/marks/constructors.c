#include "marks/constructors.h"

#include <stdio.h>

enum { NO_PRIORITY = 65535 };

/* An entry is {priority, function, associated data}. */
static void list_one(const struct sl_tool *tool, LLVMValueRef entry, const char *section)
{
  char name[40];
  const LLVMValueRef function = LLVMGetOperand(entry, 1);
  const unsigned long long priority = LLVMConstIntGetZExtValue(LLVMGetOperand(entry, 0));
  const LLVMValueRef place = LLVMAddGlobal(tool->module, LLVMTypeOf(function), "");
  LLVMSetInitializer(place, function);
  LLVMSetLinkage(place, LLVMPrivateLinkage);
  LLVMSetAlignment(place, 4);
  snprintf(name, sizeof name, priority == NO_PRIORITY ? "%s" : "%s.%05llu", section, priority);
  LLVMSetSection(place, name);
}

static void list_all(const struct sl_tool *tool, const char *global, const char *section)
{
  const LLVMValueRef list = LLVMGetNamedGlobal(tool->module, global);
  const LLVMValueRef entries = list != NULL ? LLVMGetInitializer(list) : NULL;
  for (int i = 0; entries != NULL && i < LLVMGetNumOperands(entries); i++)
    list_one(tool, LLVMGetOperand(entries, (unsigned)i), section);
  if (list != NULL)
    LLVMDeleteGlobal(list);
}

void sl_list_constructors(const struct sl_tool *tool)
{
  list_all(tool, "llvm.global_ctors", ".init_array");
  list_all(tool, "llvm.global_dtors", ".fini_array");
}
