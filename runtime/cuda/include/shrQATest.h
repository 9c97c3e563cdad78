/* The start and the end of a sample's run, as SDK 4 told them to its test bench */
#ifndef SIMTLAB_CUDA_SHRQATEST_H
#define SIMTLAB_CUDA_SHRQATEST_H

#include "simtlab/samples.h"

enum eQAstatus { QA_FAILED = 0, QA_PASSED, QA_WAIVED };

SIMTLAB_SAMPLE void shrQAStart(int argc, char **argv)
{
  printf("[%s] starting...\n", argc > 0 ? argv[0] : "");
}
SIMTLAB_SAMPLE void shrQAFinish(int argc, const char **argv, int status)
{
  printf("[%s] test results...\n%s\n", argc > 0 ? argv[0] : "",
         status == QA_PASSED   ? "PASSED"
         : status == QA_WAIVED ? "WAIVED"
                               : "FAILED");
}
SIMTLAB_SAMPLE void shrQAFinish2(bool, int argc, const char **argv, int status)
{
  shrQAFinish(argc, argv, status);
}
SIMTLAB_SAMPLE void shrQAFinishExit(int argc, const char **argv, int status)
{
  shrQAFinish(argc, argv, status);
  exit(status == QA_FAILED ? EXIT_FAILURE : EXIT_SUCCESS);
}
SIMTLAB_SAMPLE void shrQAFinishExit2(bool, int argc, const char **argv, int status)
{
  shrQAFinishExit(argc, argv, status);
}

#endif
