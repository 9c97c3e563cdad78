/* Helpers of SDK samples before CUDA 5 */
#ifndef SIMTLAB_CUDA_CUTIL_H
#define SIMTLAB_CUDA_CUTIL_H

#include "simtlab/samples.h"

typedef int CUTBoolean;
enum { CUTFalse = 0, CUTTrue = 1 };

#define CUDA_SAFE_CALL_NO_SYNC(call) simtlab_require((call), #call, __FILE__, __LINE__)
#define CUDA_SAFE_CALL(call) simtlab_require((call), #call, __FILE__, __LINE__)
#define CU_SAFE_CALL(call) simtlab_require_driver((int)(call), #call, __FILE__, __LINE__)
#define CU_SAFE_CALL_NO_SYNC(call) simtlab_require_driver((int)(call), #call, __FILE__, __LINE__)
#define CUT_SAFE_CALL(call) simtlab_require_driver((call) != CUTTrue, #call, __FILE__, __LINE__)
#define CUT_CHECK_ERROR(text) simtlab_require(cudaDeviceSynchronize(), text, __FILE__, __LINE__)
#define CUT_DEVICE_INIT(argc, argv) simtlab_choose_device(argc, (const char **)(argv))
#define CUT_EXIT(argc, argv) exit(EXIT_SUCCESS)
#define CUT_CONDITION(condition) simtlab_require_driver(!(condition), #condition, __FILE__, __LINE__)
#define CUT_BANK_CHECKER(array, index) array[index]
#define cutilSafeCall(call) simtlab_require((call), #call, __FILE__, __LINE__)
#define cutilSafeCallNoSync(call) simtlab_require((call), #call, __FILE__, __LINE__)
#define cutilSafeThreadSync() simtlab_require(cudaDeviceSynchronize(), "cudaDeviceSynchronize", __FILE__, __LINE__)
#define cutilCheckError(call) simtlab_require_driver((call) != CUTTrue, #call, __FILE__, __LINE__)
#define cutilCheckMsg(text) simtlab_require(cudaGetLastError(), text, __FILE__, __LINE__)
#define cutilDrvSafeCall(call) simtlab_require_driver((int)(call), #call, __FILE__, __LINE__)
#define cutilCondition(condition) simtlab_require_driver(!(condition), #condition, __FILE__, __LINE__)
#define cutilExit(argc, argv) exit(EXIT_SUCCESS)
#define cutilDeviceInit(argc, argv) simtlab_choose_device(argc, (const char **)(argv))
#define cutilChooseCudaDevice(argc, argv) simtlab_choose_device(argc, (const char **)(argv))
#define shrLog printf

/* A timer's number is its place in this table plus one. */
enum { SIMTLAB_TIMERS = 256 };
SIMTLAB_SAMPLE struct simtlab_timer *simtlab_cut_timer(unsigned int number)
{
  static struct simtlab_timer timers[SIMTLAB_TIMERS];
  return number > 0 && number <= SIMTLAB_TIMERS ? &timers[number - 1] : &timers[0];
}
SIMTLAB_SAMPLE CUTBoolean cutCreateTimer(unsigned int *number)
{
  static unsigned int count;
  count = count % SIMTLAB_TIMERS + 1;
  *number = count;
  memset(simtlab_cut_timer(count), 0, sizeof(struct simtlab_timer));
  return CUTTrue;
}
SIMTLAB_SAMPLE CUTBoolean cutStartTimer(unsigned int number)
{
  simtlab_timer_start(simtlab_cut_timer(number));
  return CUTTrue;
}
SIMTLAB_SAMPLE CUTBoolean cutStopTimer(unsigned int number)
{
  simtlab_timer_stop(simtlab_cut_timer(number));
  return CUTTrue;
}
SIMTLAB_SAMPLE CUTBoolean cutResetTimer(unsigned int number)
{
  simtlab_timer_reset(simtlab_cut_timer(number));
  return CUTTrue;
}
SIMTLAB_SAMPLE CUTBoolean cutDeleteTimer(unsigned int)
{
  return CUTTrue;
}
SIMTLAB_SAMPLE float cutGetTimerValue(unsigned int number)
{
  return simtlab_timer_value(simtlab_cut_timer(number));
}
SIMTLAB_SAMPLE float cutGetAverageTimerValue(unsigned int number)
{
  return simtlab_timer_average(simtlab_cut_timer(number));
}

SIMTLAB_SAMPLE CUTBoolean cutCheckCmdLineFlag(int argc, const char **argv, const char *name)
{
  return simtlab_flag(argc, argv, name) != 0;
}
SIMTLAB_SAMPLE CUTBoolean cutGetCmdLineArgumenti(int argc, const char **argv, const char *name, int *value)
{
  const char *text = simtlab_flag(argc, argv, name);
  if (text != 0)
    *value = atoi(text);
  return text != 0;
}
SIMTLAB_SAMPLE CUTBoolean cutGetCmdLineArgumentf(int argc, const char **argv, const char *name, float *value)
{
  const char *text = simtlab_flag(argc, argv, name);
  if (text != 0)
    *value = (float)atof(text);
  return text != 0;
}
SIMTLAB_SAMPLE CUTBoolean cutGetCmdLineArgumentstr(int argc, const char **argv, const char *name, char **value)
{
  const char *text = simtlab_flag(argc, argv, name);
  if (text != 0)
    *value = strdup(text);
  return text != 0;
}

SIMTLAB_SAMPLE char *cutFindFilePath(const char *name, const char *program)
{
  return simtlab_find(name, program);
}
SIMTLAB_SAMPLE void cutFree(void *p)
{
  free(p);
}
SIMTLAB_SAMPLE CUTBoolean cutLoadPGMub(const char *path, unsigned char **data, unsigned int *width,
                                       unsigned int *height)
{
  return simtlab_load_pgm(path, data, width, height);
}
SIMTLAB_SAMPLE CUTBoolean cutLoadPGMf(const char *path, float **data, unsigned int *width, unsigned int *height)
{
  return simtlab_load_pgm(path, data, width, height);
}
SIMTLAB_SAMPLE CUTBoolean cutSavePGMub(const char *path, unsigned char *data, unsigned int width, unsigned int height)
{
  return simtlab_save_pgm(path, data, width, height);
}
SIMTLAB_SAMPLE CUTBoolean cutSavePGMf(const char *path, float *data, unsigned int width, unsigned int height)
{
  return simtlab_save_pgm(path, data, width, height);
}
/* Reads numbers that blanks separate; the caller frees them. */
SIMTLAB_SAMPLE CUTBoolean cutReadFilef(const char *path, float **data, unsigned int *length, bool = false)
{
  FILE *file = fopen(path, "r");
  unsigned int count = 0, capacity = 1024;
  float *values = (float *)malloc(capacity * sizeof(float));
  while (file != 0 && values != 0 && fscanf(file, "%f", &values[count]) == 1)
    if (++count == capacity)
      values = (float *)realloc(values, (capacity *= 2) * sizeof(float));
  if (file == 0 || values == 0) {
    free(values);
    return CUTFalse;
  }
  fclose(file);
  *data = values;
  *length = count;
  return CUTTrue;
}
SIMTLAB_SAMPLE CUTBoolean cutWriteFilef(const char *path, const float *data, unsigned int length, float, bool = false)
{
  FILE *file = fopen(path, "w");
  for (unsigned int i = 0; file != 0 && i < length; i++)
    fprintf(file, "%g ", data[i]);
  return file != 0 && fclose(file) == 0;
}

SIMTLAB_SAMPLE CUTBoolean cutComparef(const float *reference, const float *data, unsigned int n)
{
  return simtlab_close(reference, data, n, 0);
}
SIMTLAB_SAMPLE CUTBoolean cutComparei(const int *reference, const int *data, unsigned int n)
{
  return simtlab_close(reference, data, n, 0);
}
SIMTLAB_SAMPLE CUTBoolean cutCompareub(const unsigned char *reference, const unsigned char *data, unsigned int n)
{
  return simtlab_close(reference, data, n, 0);
}
SIMTLAB_SAMPLE CUTBoolean cutComparefe(const float *reference, const float *data, unsigned int n, float epsilon)
{
  return simtlab_close(reference, data, n, epsilon);
}
SIMTLAB_SAMPLE CUTBoolean cutCompareL2fe(const float *reference, const float *data, unsigned int n, float epsilon)
{
  return simtlab_close_l2(reference, data, n, epsilon);
}
SIMTLAB_SAMPLE int cutGetMaxGflopsDeviceId()
{
  return 0;
}

#endif
