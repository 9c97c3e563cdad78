/* Images: transfers, formats, sampling in kernels, writes of kernels, queries, errors. */
#include "check.h"

static const char source[] =
    "constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
    "kernel void add(read_only image2d_t a, write_only image2d_t b, float4 c)\n"
    "{\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imagef(b, at, read_imagef(a, nearest, at) + c);\n"
    "}\n"
    "kernel void sample(read_only image2d_t a, sampler_t s, global float4 *out, global const float2 *at)\n"
    "{ size_t i = get_global_id(0); out[i] = read_imagef(a, s, at[i]); }\n"
    "kernel void words(read_only image3d_t a, read_only image2d_array_t b, read_only image1d_t c,\n"
    "                  read_only image1d_buffer_t d, global int4 *out)\n"
    "{\n"
    "  out[0] = read_imagei(a, nearest, (int4)(1, 2, 3, 0)); out[1] = read_imagei(b, nearest, (int4)(2, 1, 1, 0));\n"
    "  out[2] = read_imagei(c, nearest, 3); out[3] = read_imagei(d, 5);\n"
    "  out[4] = (int4)(get_image_width(a), get_image_height(a), get_image_depth(a), (int)get_image_array_size(b));\n"
    "  out[5] = read_imagei(c, nearest, 100);\n"
    "}\n";

static cl_mem image(cl_mem_object_type type, cl_channel_order order, cl_channel_type data, size_t w, size_t h, size_t d,
                    const void *contents)
{
  cl_int error;
  const cl_image_format format = {order, data};
  const cl_image_desc desc = {.image_type = type,
                              .image_width = w,
                              .image_height = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 0 : h,
                              .image_depth = type == CL_MEM_OBJECT_IMAGE3D ? d : 0,
                              .image_array_size = type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? d : h};
  cl_mem m =
      clCreateImage(context, contents != NULL ? CL_MEM_COPY_HOST_PTR : 0, &format, &desc, (void *)contents, &error);
  OK(error);
  return m;
}

static int near(float a, float b)
{
  const float d = a - b;
  return d < 1e-5f && d > -1e-5f;
}

static void adds(cl_program p)
{
  enum { W = 5, H = 3 };
  unsigned char in[W * H * 4], out[W * H * 4];
  const cl_float c[4] = {0, 1 / 255.0f, 0, 2};
  const size_t zero[3] = {0, 0, 0}, region[3] = {W, H, 1};
  int wrong = 0;
  for (int i = 0; i < W * H * 4; i++)
    in[i] = (unsigned char)(i * 3);
  cl_mem a = image(CL_MEM_OBJECT_IMAGE2D, CL_RGBA, CL_UNORM_INT8, W, H, 1, in);
  cl_mem b = image(CL_MEM_OBJECT_IMAGE2D, CL_BGRA, CL_UNORM_INT8, W, H, 1, NULL);
  cl_kernel k = kernel_of(p, "add");
  OK(clSetKernelArg(k, 0, sizeof a, &a));
  OK(clSetKernelArg(k, 1, sizeof b, &b));
  OK(clSetKernelArg(k, 2, sizeof c, c));
  OK(clEnqueueNDRangeKernel(queue, k, 2, NULL, (size_t[]){W, H}, NULL, 0, NULL, NULL));
  OK(clEnqueueReadImage(queue, b, CL_TRUE, zero, region, 0, 0, out, 0, NULL, NULL));
  for (int i = 0; i < W * H; i++)
    wrong += out[4 * i] != in[4 * i + 2] || out[4 * i + 1] != in[4 * i + 1] + 1 || out[4 * i + 2] != in[4 * i] ||
             out[4 * i + 3] != 255;
  CHECK(wrong == 0);
  /* A fill, a copy, a map with pitches. */
  const cl_float red[4] = {1, 0, 0, 0.2f};
  const size_t origin[3] = {1, 1, 0}, small[3] = {2, 2, 1};
  size_t row = 0;
  cl_int error;
  OK(clEnqueueFillImage(queue, b, red, origin, small, 0, NULL, NULL));
  unsigned char *mapped =
      clEnqueueMapImage(queue, b, CL_TRUE, CL_MAP_READ, origin, small, &row, NULL, 0, NULL, NULL, &error);
  OK(error);
  CHECK(row == W * 4 && mapped[2] == 255 && mapped[3] == 51 && mapped[row + 4 + 2] == 255 && mapped[row] == 0);
  OK(clEnqueueUnmapMemObject(queue, b, mapped, 0, NULL, NULL));
  cl_mem m = buffer(64, NULL);
  OK(clEnqueueCopyImageToBuffer(queue, a, m, origin, small, 4, 0, NULL, NULL));
  OK(clEnqueueCopyBufferToImage(queue, m, a, 4, zero, small, 0, NULL, NULL));
  OK(clEnqueueReadImage(queue, a, CL_TRUE, zero, region, 0, 0, out, 0, NULL, NULL));
  CHECK(out[0] == in[(W + 1) * 4] && out[W * 4 + 7] == in[(2 * W + 2) * 4 + 3]);
  IS(CL_IMAGE_FORMAT_MISMATCH, clEnqueueCopyImage(queue, a, b, zero, zero, small, 0, NULL, NULL));
  IS(CL_MEM_COPY_OVERLAP, clEnqueueCopyImage(queue, a, a, zero, origin, small, 0, NULL, NULL));
  IS(CL_INVALID_VALUE, clEnqueueReadImage(queue, a, CL_TRUE, origin, region, 0, 0, out, 0, NULL, NULL));
  OK(clReleaseMemObject(m));
  OK(clReleaseMemObject(a));
  OK(clReleaseMemObject(b));
  OK(clReleaseKernel(k));
}

static void samples(cl_program p)
{
  enum { N = 6 };
  const cl_float in[4] = {0, 10, 20, 30};
  const cl_float at[2 * N] = {0.5f, 0.5f, 1, 1, 0.25f, 0.5f, -3, 0.5f, 1.75f, 1.5f, 2.25f, 0.25f};
  /* For each sampler the first channel of each sample, by hand. */
  static const struct {
    cl_bool normalised;
    cl_addressing_mode mode;
    cl_filter_mode filter;
    float wanted[N];
  } rows[] = {{CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, {0, 15, 0, 0, 30, 10}},
              {CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, {0, 30, 0, 0, 30, 0}},
              {CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, {0, 15, 0, 0, 22.5f, 1.875f}},
              {CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, {30, 0, 20, 20, 30, 0}},
              {CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST, {30, 30, 20, 30, 20, 0}}};
  cl_float out[4 * N];
  cl_int error;
  cl_mem a = image(CL_MEM_OBJECT_IMAGE2D, CL_R, CL_FLOAT, 2, 2, 1, in), mo = buffer(sizeof out, NULL),
         mat = buffer(sizeof at, at);
  cl_kernel k = kernel_of(p, "sample");
  OK(clSetKernelArg(k, 0, sizeof a, &a));
  OK(clSetKernelArg(k, 2, sizeof mo, &mo));
  OK(clSetKernelArg(k, 3, sizeof mat, &mat));
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    cl_sampler s = clCreateSampler(context, rows[r].normalised, rows[r].mode, rows[r].filter, &error);
    OK(error);
    OK(clSetKernelArg(k, 1, sizeof s, &s));
    OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, (size_t[]){N}, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, mo, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    for (int i = 0; i < N; i++)
      if (!near(out[4 * i], rows[r].wanted[i]) || !near(out[4 * i + 3], 1)) {
        printf("sampler %zu, %d: %f, %f instead of %f, 1\n", r, i, out[4 * i], out[4 * i + 3], rows[r].wanted[i]);
        failures++;
      }
    OK(clReleaseSampler(s));
  }
  MAKE_IS(CL_INVALID_VALUE, clCreateSampler(context, CL_FALSE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, &error));
  OK(clReleaseMemObject(a));
  OK(clReleaseMemObject(mo));
  OK(clReleaseMemObject(mat));
  OK(clReleaseKernel(k));
}

static void words(cl_program p)
{
  enum { N = 4 * 3 * 5 };
  short in[2 * N];
  cl_int out[24], error;
  for (int i = 0; i < 2 * N; i++)
    in[i] = (short)(i - 7);
  cl_mem a = image(CL_MEM_OBJECT_IMAGE3D, CL_RG, CL_SIGNED_INT16, 4, 3, 5, in);
  cl_mem b = image(CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_R, CL_SIGNED_INT16, 3, 2, 2, in);
  cl_mem c = image(CL_MEM_OBJECT_IMAGE1D, CL_R, CL_SIGNED_INT16, 6, 1, 1, in);
  cl_mem m = buffer(sizeof in, in), mo = buffer(sizeof out, NULL);
  const cl_image_format format = {CL_RGBA, CL_SIGNED_INT16};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 10, .buffer = m};
  cl_mem d = clCreateImage(context, 0, &format, &desc, NULL, &error);
  OK(error);
  cl_kernel k = kernel_of(p, "words");
  const cl_mem all[] = {a, b, c, d, mo};
  for (cl_uint i = 0; i < 5; i++)
    OK(clSetKernelArg(k, i, sizeof all[i], &all[i]));
  OK(clEnqueueTask(queue, k, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, mo, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
  const int texel = ((3 * 3) + 2) * 4 + 1;
  CHECK(out[0] == in[2 * texel] && out[1] == in[2 * texel + 1] && out[2] == 0 && out[3] == 1);
  CHECK(out[4] == in[1 * 6 + 1 * 3 + 2] && out[8] == in[3]);
  CHECK(out[12] == in[20] && out[15] == in[23] && out[16] == 4 && out[17] == 3 && out[18] == 5 && out[19] == 2);
  CHECK(out[20] == 0 && out[23] == 1);
  for (int i = 0; i < 5; i++)
    OK(clReleaseMemObject(all[i]));
  OK(clReleaseMemObject(m));
  OK(clReleaseKernel(k));
}

static void formats(void)
{
  /* Those that a full profile must support for read and write. Source: table 5.8 */
  static const cl_channel_type types[] = {CL_UNORM_INT8,   CL_UNORM_INT16,   CL_SIGNED_INT8,    CL_SIGNED_INT16,
                                          CL_SIGNED_INT32, CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32,
                                          CL_HALF_FLOAT,   CL_FLOAT};
  cl_image_format list[200];
  cl_uint count;
  OK(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 200, list, &count));
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
    int found = 0;
    for (cl_uint i = 0; i < count; i++)
      found |= list[i].image_channel_order == CL_RGBA && list[i].image_channel_data_type == types[t];
    CHECK(found);
  }
  const cl_image_format right = {CL_RGBA, CL_FLOAT}, wrong = {CL_RGBA, CL_UNORM_SHORT_565};
  const cl_image_desc none = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4},
                      good = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
  MAKE_IS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(context, 0, &wrong, &good, NULL, &error));
  MAKE_IS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(context, 0, NULL, &good, NULL, &error));
  MAKE_IS(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &right, &none, NULL, &error));
  MAKE_IS(CL_INVALID_IMAGE_SIZE, clCreateImage2D(context, 0, &right, 100000, 4, 0, NULL, &error));
}

int main(void)
{
  begin(0);
  cl_program p = build(source, "");
  adds(p);
  samples(p);
  words(p);
  formats();
  OK(clReleaseProgram(p));
  return end();
}
