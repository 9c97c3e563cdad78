/* The compile cache: a folder with a file for each compilation, named by the hash of everything that it depends on but
 * included files, whose hashes the file lists. Files appear whole. A file that is damaged or outdated counts as absent.
 *
 * The folder is $SIMTLAB_OPENCL_CACHE (0: no cache), else $XDG_CACHE_HOME/simtlab/opencl, else ~/.cache/simtlab/opencl.
 * When it exceeds 256 MiB, the files that were not used for longest are removed. */
#ifndef SL_OPENCL_OCL_CACHE_H
#define SL_OPENCL_OCL_CACHE_H

#include "opencl/ocl_code.h"
#include "opencl/ocl_options.h"

struct ocl_header;

struct ocl_cache_key {
  bool usable;
  char path[4096];
};

struct ocl_cache_key sl_ocl_cache_key(const char *source, const struct ocl_options *options, bool object,
                                      const struct ocl_header *headers, size_t header_count);

/* NULL: not there. The log gets the messages of the compilation. */
struct ocl_code *sl_ocl_cache_find(const struct ocl_cache_key *key, struct sl_log *log);

/* `depends`: included files, as Clang's -MD lists them; NULL: none. Those in `folder` are part of the key. */
void sl_ocl_cache_store(const struct ocl_cache_key *key, const struct ocl_code *code, const struct sl_log *log,
                        const char *depends, const char *folder);

#endif
