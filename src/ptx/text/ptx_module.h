/* Translates PTX text into a module: parses, checks and resolves it. */
#ifndef SL_PTX_TEXT_PTX_MODULE_H
#define SL_PTX_TEXT_PTX_MODULE_H

#include "ptx/ptx.h"

/* Parses, checks and resolves a module. `path` is for messages. On failure the message begins with path:line:column.
 * The texts of several modules one after another are one module: an .extern name means the definition in any of them.
 */
enum sl_status sl_ptx_parse(struct sl_ptx_module **module, const char *text, size_t length, const char *path,
                            const struct sl_ptx_options *options, struct sl_error *err);
enum sl_status sl_ptx_load(struct sl_ptx_module **module, const char *path, const struct sl_ptx_options *options,
                           struct sl_error *err);

#endif
