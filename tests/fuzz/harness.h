/* A fuzz harness: one function over arbitrary bytes. libFuzzer calls it with generated inputs, driver.c with the files
 * of the seed corpus, so that each harness is an ordinary test, too. */
#ifndef SL_TESTS_HARNESS_H
#define SL_TESTS_HARNESS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A property of every input. A violation aborts, which a fuzzer reports. */
#define REQUIRE(condition) ((condition) ? (void)0 : sl_violated(#condition, __FILE__, __LINE__))

_Noreturn static inline void sl_violated(const char *condition, const char *file, int line)
{
  fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
  abort();
}

#endif
