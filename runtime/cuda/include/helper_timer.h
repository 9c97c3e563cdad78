/* Timers of SDK samples */
#ifndef SIMTLAB_CUDA_HELPER_TIMER_H
#define SIMTLAB_CUDA_HELPER_TIMER_H

#include "simtlab/samples.h"

typedef struct simtlab_timer StopWatchInterface;

SIMTLAB_SAMPLE bool sdkCreateTimer(StopWatchInterface **timer)
{
  *timer = (StopWatchInterface *)calloc(1, sizeof **timer);
  return *timer != 0;
}
SIMTLAB_SAMPLE bool sdkDeleteTimer(StopWatchInterface **timer)
{
  free(*timer);
  *timer = 0;
  return true;
}
SIMTLAB_SAMPLE bool sdkStartTimer(StopWatchInterface **timer)
{
  simtlab_timer_start(*timer);
  return true;
}
SIMTLAB_SAMPLE bool sdkStopTimer(StopWatchInterface **timer)
{
  simtlab_timer_stop(*timer);
  return true;
}
SIMTLAB_SAMPLE bool sdkResetTimer(StopWatchInterface **timer)
{
  simtlab_timer_reset(*timer);
  return true;
}
SIMTLAB_SAMPLE float sdkGetTimerValue(StopWatchInterface **timer)
{
  return simtlab_timer_value(*timer);
}
SIMTLAB_SAMPLE float sdkGetAverageTimerValue(StopWatchInterface **timer)
{
  return simtlab_timer_average(*timer);
}

#endif
