/* Ranges of one, two and three dimensions with offsets, and buffers that are mapped from offsets, in parts at the same
 * time, as host programs of suites do; the host computes the same. */
#include "check.h"

enum { WIDTH = 40, HEIGHT = 24, DEPTH = 6, CELLS = WIDTH * HEIGHT * DEPTH };

static const char source[] =
    "#define AT(x, y, z) (((z) * HEIGHT + (y)) * WIDTH + (x))\n"
    "__kernel void place(__global int *a)\n"
    "{ const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "  a[AT(x, y, z)] = x + 100 * y + 10000 * z + 1000000 * (int)get_work_dim()\n"
    "    + 10000000 * (int)(get_group_id(0) + get_group_id(1) + get_group_id(2))\n"
    "    + ((int)get_global_offset(0) == x - (int)(get_group_id(0) * get_local_size(0) + get_local_id(0)) ? 0 : 7); }\n"
    "__kernel void blur(__global const int *a, __global int *b)\n"
    "{ const int x = get_global_id(0), y = get_global_id(1);\n"
    "  b[AT(x, y, 0)] = a[AT(x - 1, y, 0)] + a[AT(x + 1, y, 0)] + a[AT(x, y - 1, 0)] + a[AT(x, y + 1, 0)]; }\n";

static int at(int x, int y, int z)
{
  return (z * HEIGHT + y) * WIDTH + x;
}

/* Maps all cells from the first on, checks them and sets them to -1. */
static void look(cl_mem m, const int *wanted)
{
  cl_int error;
  int *a =
      clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, CELLS * sizeof *a, 0, NULL, NULL, &error);
  OK(error);
  unsigned wrong = 0;
  for (int i = 0; i < CELLS; i++) {
    wrong += a[i] != wanted[i];
    a[i] = -1;
  }
  CHECK(wrong == 0);
  OK(clEnqueueUnmapMemObject(queue, m, a, 0, NULL, NULL));
}

static void place(cl_kernel k, cl_mem m, cl_uint dimensions, const size_t *offset, const size_t *size,
                  const size_t *group)
{
  static int wanted[CELLS];
  const size_t nothing[3] = {0, 0, 0}, *from = offset != NULL ? offset : nothing;
  memset(wanted, 0xff, sizeof wanted);
  for (size_t z = 0; z < (dimensions > 2 ? size[2] : 1); z++)
    for (size_t y = 0; y < (dimensions > 1 ? size[1] : 1); y++)
      for (size_t x = 0; x < size[0]; x++) {
        const size_t gx = x + from[0], gy = y + (dimensions > 1 ? from[1] : 0), gz = z + (dimensions > 2 ? from[2] : 0);
        const size_t groups = x / group[0] + (dimensions > 1 ? y / group[1] : 0) + (dimensions > 2 ? z / group[2] : 0);
        wanted[at((int)gx, (int)gy, (int)gz)] =
            (int)(gx + 100 * gy + 10000 * gz + 1000000 * dimensions + 10000000 * groups);
      }
  OK(clSetKernelArg(k, 0, sizeof m, &m));
  OK(clEnqueueNDRangeKernel(queue, k, dimensions, offset, size, group, 0, NULL, NULL));
  look(m, wanted);
}

/* Rows are mapped for writing from their offsets, all at once, and unmapped in another order. */
static void write_rows(cl_mem m, int *wanted)
{
  int *row[HEIGHT];
  cl_int error;
  for (int y = 0; y < HEIGHT; y++) {
    row[y] = clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_WRITE, (size_t)at(0, y, 0) * sizeof(int), WIDTH * sizeof(int),
                                0, NULL, NULL, &error);
    OK(error);
    for (int x = 0; x < WIDTH; x++)
      row[y][x] = wanted[at(x, y, 0)] = x * 31 % 17 + y * y;
  }
  cl_uint maps = 0;
  OK(clGetMemObjectInfo(m, CL_MEM_MAP_COUNT, sizeof maps, &maps, NULL));
  CHECK(maps == HEIGHT);
  for (int i = 0; i < HEIGHT; i++)
    OK(clEnqueueUnmapMemObject(queue, m, row[i * 5 % HEIGHT], 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clGetMemObjectInfo(m, CL_MEM_MAP_COUNT, sizeof maps, &maps, NULL));
  CHECK(maps == 0);
  clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ, (CELLS - 1) * sizeof(int), 2 * sizeof(int), 0, NULL, NULL, &error);
  CHECK(error == CL_INVALID_VALUE);
}

/* The inner cells only, by an offset of 1 in both dimensions; they are read through a map of the first inner row. */
static void blur(cl_program program, cl_mem from, cl_mem to)
{
  static int a[CELLS];
  const size_t offset[] = {1, 1}, size[] = {WIDTH - 2, HEIGHT - 2};
  cl_int error;
  cl_kernel k = kernel_of(program, "blur");
  write_rows(from, a);
  OK(clSetKernelArg(k, 0, sizeof from, &from));
  OK(clSetKernelArg(k, 1, sizeof to, &to));
  OK(clEnqueueNDRangeKernel(queue, k, 2, offset, size, NULL, 0, NULL, NULL));
  for (int y = 1; y < HEIGHT - 1; y++) {
    const int *row = clEnqueueMapBuffer(queue, to, CL_TRUE, CL_MAP_READ, (size_t)at(1, y, 0) * sizeof *row,
                                        (WIDTH - 2) * sizeof *row, 0, NULL, NULL, &error);
    OK(error);
    for (int x = 1; x < WIDTH - 1; x++)
      CHECK(row[x - 1] == a[at(x - 1, y, 0)] + a[at(x + 1, y, 0)] + a[at(x, y - 1, 0)] + a[at(x, y + 1, 0)]);
    OK(clEnqueueUnmapMemObject(queue, to, (void *)row, 0, NULL, NULL));
  }
  OK(clReleaseKernel(k));
}

int main(void)
{
  char options[100];
  snprintf(options, sizeof options, "-DWIDTH=%d -DHEIGHT=%d", WIDTH, HEIGHT);
  begin(0);
  cl_program program = build(source, options);
  cl_kernel k = kernel_of(program, "place");
  cl_mem a = buffer(CELLS * sizeof(int), NULL), b = buffer(CELLS * sizeof(int), NULL);
  static int empty[CELLS];
  memset(empty, 0xff, sizeof empty);
  OK(clEnqueueWriteBuffer(queue, a, CL_TRUE, 0, sizeof empty, empty, 0, NULL, NULL));
  place(k, a, 1, (size_t[]){5}, (size_t[]){32}, (size_t[]){8});
  place(k, a, 2, (size_t[]){3, 2}, (size_t[]){36, 20}, (size_t[]){9, 4});
  place(k, a, 2, NULL, (size_t[]){40, 24}, (size_t[]){4, 8});
  place(k, a, 3, (size_t[]){7, 1, 2}, (size_t[]){30, 21, 4}, (size_t[]){5, 7, 2});
  place(k, a, 3, (size_t[]){0, 0, 5}, (size_t[]){40, 24, 1}, (size_t[]){8, 4, 1});
  blur(program, a, b);
  OK(clReleaseMemObject(a));
  OK(clReleaseMemObject(b));
  OK(clReleaseKernel(k));
  OK(clReleaseProgram(program));
  return end();
}
