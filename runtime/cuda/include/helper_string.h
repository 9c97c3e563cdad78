/* Command-line flags of SDK samples */
#ifndef SIMTLAB_CUDA_HELPER_STRING_H
#define SIMTLAB_CUDA_HELPER_STRING_H

#include "simtlab/samples.h"

SIMTLAB_SAMPLE bool checkCmdLineFlag(int argc, const char **argv, const char *name)
{
  return simtlab_flag(argc, argv, name) != 0;
}
SIMTLAB_SAMPLE int getCmdLineArgumentInt(int argc, const char **argv, const char *name)
{
  const char *value = simtlab_flag(argc, argv, name);
  return value != 0 ? atoi(value) : 0;
}
SIMTLAB_SAMPLE float getCmdLineArgumentFloat(int argc, const char **argv, const char *name)
{
  const char *value = simtlab_flag(argc, argv, name);
  return value != 0 ? (float)atof(value) : 0;
}
SIMTLAB_SAMPLE bool getCmdLineArgumentString(int argc, const char **argv, const char *name, char **value)
{
  *value = (char *)simtlab_flag(argc, argv, name);
  return *value != 0;
}
template <class T> SIMTLAB_SAMPLE bool getCmdLineArgumentValue(int argc, const char **argv, const char *name, T *value)
{
  const char *text = simtlab_flag(argc, argv, name);
  if (text != 0)
    *value = (T)atoi(text);
  return text != 0;
}
SIMTLAB_SAMPLE char *sdkFindFilePath(const char *name, const char *program)
{
  return simtlab_find(name, program);
}

#endif
