#include "program/image.h"

const struct sl_segment *sl_image_code(const struct sl_program *program, uint32_t address)
{
  for (size_t i = 0; i < program->segment_count; i++) {
    const struct sl_segment *segment = &program->segments[i];
    if (segment->executable && address >= segment->address && address - segment->address < segment->size)
      return segment;
  }
  return NULL;
}
