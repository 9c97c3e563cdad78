/* Two host threads with one context of OpenCL, each with a device and two queues of it, one of them without order:
 * events between queues and between devices, user events that the other thread completes, callbacks, and builds at the
 * same time. The thread sanitizer watches this test. */
#define CL_TARGET_OPENCL_VERSION 120
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <CL/cl.h>
#include <cmocka.h>

enum { THREADS = 2, TURNS = 8, ITEMS = 64 };

static const char source[] = "__kernel void step(__global int *items, int add)\n"
                             "{\n"
                             "  const int i = get_global_id(0);\n"
                             "  items[i] = items[i] * 2 + (i % 3 == 0 ? add : -add);\n"
                             "}\n";

static cl_context context;
static cl_mem shared; /* both devices use it, one after the other */
static cl_event crossing;
static pthread_barrier_t meeting;

struct job {
  unsigned number;
  cl_device_id device;
  cl_event gate; /* a user event that the other thread completes */
  int items[ITEMS];
  unsigned errors;
  pthread_mutex_t lock;
  unsigned called;
};

static struct job jobs[THREADS];

static void CL_CALLBACK hear(cl_event event, cl_int status, void *user)
{
  struct job *job = user;
  (void)event;
  pthread_mutex_lock(&job->lock);
  job->called += status == CL_COMPLETE;
  pthread_mutex_unlock(&job->lock);
}

#define OK(call) job->errors += (call) != CL_SUCCESS

static cl_kernel make_kernel(struct job *job, cl_program *program)
{
  const char *text = source;
  cl_int error;
  *program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  OK(error);
  OK(clBuildProgram(*program, 1, &job->device, NULL, NULL, NULL));
  cl_kernel kernel = clCreateKernel(*program, "step", &error);
  OK(error);
  return kernel;
}

static cl_event launch(struct job *job, cl_command_queue queue, cl_kernel kernel, cl_mem items, int add, cl_event wait)
{
  const size_t size = ITEMS;
  cl_event event = NULL;
  OK(clSetKernelArg(kernel, 0, sizeof items, &items));
  OK(clSetKernelArg(kernel, 1, sizeof add, &add));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 1, &wait, &event));
  return event;
}

/* Commands in two queues, which begin when the other thread says so. */
static void turn(struct job *job, const cl_command_queue *queue, cl_kernel kernel, cl_mem items, int number)
{
  enum { WRITE, FIRST, SECOND, READ, EVENTS };
  cl_event event[EVENTS];
  cl_int error;
  job->gate = clCreateUserEvent(context, &error);
  OK(error);
  OK(clEnqueueWriteBuffer(queue[0], items, CL_FALSE, 0, sizeof job->items, job->items, 1, &job->gate, &event[WRITE]));
  event[FIRST] = launch(job, queue[1], kernel, items, number, event[WRITE]);
  event[SECOND] = launch(job, queue[0], kernel, items, 1, event[FIRST]);
  OK(clSetEventCallback(event[SECOND], CL_COMPLETE, hear, job));
  OK(clEnqueueReadBuffer(queue[1], items, CL_FALSE, 0, sizeof job->items, job->items, 1, &event[SECOND], &event[READ]));
  pthread_barrier_wait(&meeting);
  OK(clSetUserEventStatus(jobs[1 - job->number].gate, CL_COMPLETE));
  OK(clWaitForEvents(1, &event[READ]));
  pthread_barrier_wait(&meeting);
  for (int i = 0; i < EVENTS; i++)
    OK(clReleaseEvent(event[i]));
  OK(clReleaseEvent(job->gate));
}

/* The second device's launch waits for that of the first one. */
static void cross(struct job *job, cl_command_queue queue, cl_kernel kernel)
{
  cl_int error;
  cl_event begin, end;
  if (job->number == 0) {
    begin = clCreateUserEvent(context, &error);
    OK(error);
    crossing = launch(job, queue, kernel, shared, 5, begin);
    pthread_barrier_wait(&meeting);
    OK(clSetUserEventStatus(begin, CL_COMPLETE));
    OK(clReleaseEvent(begin));
    OK(clFinish(queue));
    pthread_barrier_wait(&meeting);
    OK(clReleaseEvent(crossing));
    return;
  }
  pthread_barrier_wait(&meeting);
  end = launch(job, queue, kernel, shared, 7, crossing);
  OK(clWaitForEvents(1, &end));
  OK(clReleaseEvent(end));
  pthread_barrier_wait(&meeting);
}

static void *work(void *argument)
{
  struct job *job = argument;
  cl_command_queue queue[2];
  cl_program program;
  cl_int error;
  for (int i = 0; i < 2; i++) {
    queue[i] = clCreateCommandQueue(context, job->device, i == 0 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &error);
    OK(error);
  }
  cl_kernel kernel = make_kernel(job, &program);
  cl_mem items = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof job->items, NULL, &error);
  OK(error);
  for (int i = 0; i < TURNS; i++) {
    turn(job, queue, kernel, items, i);
    cross(job, queue[i % 2], kernel);
  }
  OK(clReleaseMemObject(items));
  OK(clReleaseKernel(kernel));
  OK(clReleaseProgram(program));
  for (int i = 0; i < 2; i++)
    OK(clReleaseCommandQueue(queue[i]));
  return NULL;
}

static int step(int value, int i, int add)
{
  return value * 2 + (i % 3 == 0 ? add : -add);
}

static void two_threads_share_a_context(void **state)
{
  (void)state;
  static int all[ITEMS];
  pthread_t thread[THREADS];
  cl_platform_id platform;
  cl_device_id device[THREADS];
  cl_uint count = 0;
  cl_int error;
  assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
  assert_int_equal(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, THREADS, device, &count), CL_SUCCESS);
  assert_int_equal(count, THREADS);
  context = clCreateContext(NULL, THREADS, device, NULL, NULL, &error);
  assert_int_equal(error, CL_SUCCESS);
  shared = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof all, all, &error);
  assert_int_equal(error, CL_SUCCESS);
  pthread_barrier_init(&meeting, NULL, THREADS);
  for (unsigned i = 0; i < THREADS; i++) {
    jobs[i] = (struct job){.number = i, .device = device[i]};
    pthread_mutex_init(&jobs[i].lock, NULL);
  }
  for (unsigned i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, work, &jobs[i]), 0);
  for (unsigned i = 0; i < THREADS; i++)
    pthread_join(thread[i], NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device[0], 0, &error);
  assert_int_equal(clEnqueueReadBuffer(queue, shared, CL_TRUE, 0, sizeof all, all, 0, NULL, NULL), CL_SUCCESS);
  for (int i = 0; i < ITEMS; i++) {
    int one = 0, both = 0;
    for (int k = 0; k < TURNS; k++) {
      one = step(step(one, i, k), i, 1);
      both = step(step(both, i, 5), i, 7);
    }
    assert_int_equal(all[i], both);
    for (unsigned t = 0; t < THREADS; t++)
      assert_int_equal(jobs[t].items[i], one);
  }
  for (unsigned t = 0; t < THREADS; t++) {
    assert_int_equal(jobs[t].errors, 0);
    assert_int_equal(jobs[t].called, TURNS);
  }
  assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
  assert_int_equal(clReleaseMemObject(shared), CL_SUCCESS);
  assert_int_equal(clReleaseContext(context), CL_SUCCESS);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_threads_share_a_context)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
