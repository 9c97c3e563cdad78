#include "device/script_checkpoint.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "device/gpu_kind.h"
#include "gpu/device_state.h"
#include "program/file_bytes.h"

static enum sl_status hash_file(const char *path, uint64_t *hash, struct sl_error *err)
{
  char *bytes;
  size_t size;
  const enum sl_status code = sl_file_bytes_read(path, &bytes, &size, err);
  if (code != SL_OK)
    return code;
  *hash = XXH3_64bits_withSeed(bytes, size, *hash);
  free(bytes);
  return SL_OK;
}

enum sl_status sl_script_hash(const struct sl_script *script, uint32_t registers, uint64_t *program,
                              struct sl_error *err)
{
  *program = registers;
  const enum sl_status code = hash_file(script->path, program, err);
  return code == SL_OK ? hash_file(script->module, program, err) : code;
}

static struct sl_checkpoint_header header_of(const struct sl_script_moment *m)
{
  return (struct sl_checkpoint_header){.device_bytes = sizeof(struct sl_device),
                                       .configuration = sl_configuration_hash(sl_gpu_config(m->gpu)),
                                       .program = m->program,
                                       .launches = sl_gpu_record_count(m->gpu),
                                       .fast = sl_gpu_fast(m->gpu)};
}

static void text_archive(struct sl_archive *t, char **text)
{
  const bool reads = sl_archive_reads(t);
  const uint32_t length = sl_archive_number(t, reads ? 0 : (uint32_t)strlen(*text), UINT32_MAX - 1);
  if (reads) {
    *text = sl_archive_expect(t, length <= t->size - t->at) ? calloc(length + (size_t)1, 1) : NULL;
    if (!sl_archive_memory(t, *text))
      return;
  }
  sl_archive_bytes(t, *text, length);
}

static void beside_launch(struct sl_archive *t, struct sl_script_moment *m)
{
  text_archive(t, &m->text);
  if (!t->bad)
    sl_gpu_records_archive(t, m->gpu, sl_gpu_ptx_cycles(m->gpu));
  if (!t->bad)
    sl_script_player_archive(t, m->player);
}

static size_t write_archive(const struct sl_script_moment *moment, const struct sl_ptx_under_way *launch,
                            uint8_t *bytes)
{
  struct sl_script_moment m = *moment;
  struct sl_archive t = {.to = bytes};
  beside_launch(&t, &m);
  launch->archive(launch->launch, &t);
  return t.at;
}

enum sl_status sl_script_save(const struct sl_script_moment *m, const struct sl_ptx_under_way *launch, const char *path,
                              struct sl_error *err)
{
  struct sl_checkpoint file = {.header = header_of(m)};
  const size_t size = write_archive(m, launch, NULL);
  file.bytes = malloc(size);
  if (file.bytes == NULL)
    return sl_no_memory(err, size);
  write_archive(m, launch, file.bytes);
  file.size = file.capacity = file.header.sm_bytes = size;
  const enum sl_status code = sl_checkpoint_write(&file, path, err);
  sl_checkpoint_free(&file);
  return code;
}

enum sl_status sl_script_restore(struct sl_script_restored *r, struct sl_script_moment *m, const char *path,
                                 struct sl_error *err)
{
  const size_t most = (size_t)36 << 30; /* memory is at most 32 GiB */
  *r = (struct sl_script_restored){.archive.bad = true};
  const enum sl_status code = sl_checkpoint_read(&r->file, path, most, err);
  if (code != SL_OK)
    return code;
  const struct sl_checkpoint_header own = header_of(m);
  const char *wrong = sl_checkpoint_mismatch(&r->file.header, &own);
  r->archive = (struct sl_archive){.from = r->file.bytes, .size = r->file.size};
  if (wrong == NULL) {
    beside_launch(&r->archive, m);
    wrong = r->archive.bad ? "it is damaged" : NULL;
  }
  if (r->archive.no_memory)
    return sl_no_memory(err, r->archive.size);
  sl_gpu_ptx_resume_from(m->gpu, &r->archive);
  return wrong == NULL ? SL_OK : sl_fail(err, SL_USAGE, "%.500s: the checkpoint cannot be used: %s", path, wrong);
}

void sl_script_restored_free(struct sl_script_restored *r)
{
  sl_checkpoint_free(&r->file);
}
