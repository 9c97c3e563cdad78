/* Platforms and devices: what there is, and what it can do. Contexts. */
#include "runtime/opencl/ocl.h"

#include <CL/cl_ext.h>
#include <stdlib.h>
#include <string.h>

/* HBM2: a channel has two slices of the L2 cache. */
enum { CACHE_LINE = 128 /* bytes */, IMAGE_2D = 16384, IMAGE_3D = 2048, IMAGE_LAYERS = 2048, IMAGE_BUFFER = 1 << 27 };

#define WORD_EXTENSIONS                                                                                                \
  "cl_khr_byte_addressable_store cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics "               \
  "cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics cl_khr_icd"
#define EXTENSIONS                                                                                                     \
  "cl_khr_byte_addressable_store cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics "               \
  "cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics cl_khr_int64_base_atomics "                     \
  "cl_khr_int64_extended_atomics cl_khr_fp64 cl_khr_3d_image_writes cl_khr_icd"

/* Whether all devices execute PTX, without opening them: the loader asks for extensions before a program does. */
static bool all_ptx(void)
{
  cl_device_id *devices;
  const cl_uint count = sl_ocl_devices(&devices);
  bool ptx = true;
  for (cl_uint i = 0; i < count; i++) {
    struct sl_config config;
    struct sl_error err;
    if (sl_config_open(&config, devices[i]->name, &err) != SL_OK)
      continue;
    ptx &= config.machine->ptx != NULL;
    sl_config_close(&config);
  }
  return ptx;
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformIDs(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
  if ((room == 0 && platforms != NULL) || (platforms == NULL && count == NULL))
    return CL_INVALID_VALUE;
  sl_ocl_enter();
  if (platforms != NULL)
    platforms[0] = sl_ocl_platform();
  if (count != NULL)
    *count = 1;
  return sl_ocl_leave(__func__, CL_SUCCESS);
}

static cl_int platform_info(cl_platform_id platform, cl_platform_info what, size_t room, void *value, size_t *needed)
{
  if (platform != NULL && platform != sl_ocl_platform())
    return CL_INVALID_PLATFORM;
  switch (what) {
  case CL_PLATFORM_PROFILE: OCL_ANSWER_TEXT("FULL_PROFILE");
  case CL_PLATFORM_VERSION: OCL_ANSWER_TEXT("OpenCL 1.2 simtlab " SL_VERSION);
  case CL_PLATFORM_NAME:
  case CL_PLATFORM_VENDOR: OCL_ANSWER_TEXT("simtlab");
  case CL_PLATFORM_EXTENSIONS: OCL_ANSWER_TEXT(all_ptx() ? EXTENSIONS : WORD_EXTENSIONS);
  case CL_PLATFORM_ICD_SUFFIX_KHR: OCL_ANSWER_TEXT("SIMTLAB");
  default: return CL_INVALID_VALUE;
  }
}

__attribute__((visibility("default"))) CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform,
                                                                                         cl_platform_info what,
                                                                                         size_t room, void *value,
                                                                                         size_t *needed)
{
  OCL_CALL(platform_info(platform, what, room, value, needed));
}

/* ---- devices ----------------------------------------------------------------------------------------------------- */

static cl_int get_devices(cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *devices,
                          cl_uint *count)
{
  const cl_device_type known = CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR |
                               CL_DEVICE_TYPE_CUSTOM | CL_DEVICE_TYPE_DEFAULT;
  cl_device_id *all;
  if (platform != NULL && platform != sl_ocl_platform())
    return CL_INVALID_PLATFORM;
  if (type == 0 || (type != CL_DEVICE_TYPE_ALL && (type & ~known) != 0))
    return CL_INVALID_DEVICE_TYPE;
  if ((room == 0 && devices != NULL) || (devices == NULL && count == NULL))
    return CL_INVALID_VALUE;
  cl_uint found = sl_ocl_devices(&all);
  if ((type & CL_DEVICE_TYPE_GPU) == 0)
    found = (type & CL_DEVICE_TYPE_DEFAULT) != 0 && found > 0 ? 1 : 0;
  for (cl_uint i = 0; devices != NULL && i < found && i < room; i++)
    devices[i] = all[i];
  if (count != NULL)
    *count = found;
  return found > 0 ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room,
                                               cl_device_id *devices, cl_uint *count)
{
  OCL_CALL(get_devices(platform, type, room, devices, count));
}

static bool is_device(cl_device_id device)
{
  cl_device_id *all;
  const cl_uint count = sl_ocl_devices(&all);
  for (cl_uint i = 0; i < count; i++)
    if (all[i] == device)
      return true;
  return false;
}

/* Numbers of type cl_uint that are the same for all devices. */
static bool constant_number(cl_device_info what, cl_uint *number)
{
  static const struct {
    cl_device_info what;
    cl_uint number;
  } rows[] = {
      {CL_DEVICE_VENDOR_ID, OCL_VENDOR},
      {CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 3},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, 1},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, 1},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, 1},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, 1},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, 1},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, 1},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, 0},
      {CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, 1},
      {CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, 1},
      {CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, 1},
      {CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, 1},
      {CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, 1},
      {CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, 1},
      {CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, 0},
      {CL_DEVICE_MAX_READ_IMAGE_ARGS, 128},
      {CL_DEVICE_MAX_WRITE_IMAGE_ARGS, 64},
      {CL_DEVICE_MAX_SAMPLERS, 16},
      {CL_DEVICE_MEM_BASE_ADDR_ALIGN, 8 * OCL_ALIGNMENT},
      {CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, OCL_ALIGNMENT},
      {CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, CACHE_LINE},
      {CL_DEVICE_MAX_CONSTANT_ARGS, 8},
      {CL_DEVICE_PARTITION_MAX_SUB_DEVICES, 0},
      {CL_DEVICE_REFERENCE_COUNT, 1},
      {CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, CL_READ_WRITE_CACHE},
      {CL_DEVICE_LOCAL_MEM_TYPE, CL_LOCAL},
      {CL_DEVICE_IMAGE_SUPPORT, CL_TRUE},
      {CL_DEVICE_ERROR_CORRECTION_SUPPORT, CL_FALSE},
      {CL_DEVICE_HOST_UNIFIED_MEMORY, CL_FALSE},
      {CL_DEVICE_ENDIAN_LITTLE, CL_TRUE},
      {CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, CL_TRUE},
      /* Alignments of images in a buffer (cl_khr_image2d_from_buffer): not supported */
      {CL_DEVICE_IMAGE_PITCH_ALIGNMENT_KHR, 0},
      {CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT_KHR, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].what == what) {
      *number = rows[i].number;
      return true;
    }
  return false;
}

/* Numbers that differ on machines without images and 64-bit floats. */
static bool riscv_number(cl_device_info what, cl_uint *number)
{
  static const cl_device_info none[] = {CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE,
                                        CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE,
                                        CL_DEVICE_MAX_READ_IMAGE_ARGS,
                                        CL_DEVICE_MAX_WRITE_IMAGE_ARGS,
                                        CL_DEVICE_MAX_SAMPLERS,
                                        CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE,
                                        CL_DEVICE_GLOBAL_MEM_CACHE_TYPE,
                                        CL_DEVICE_IMAGE_SUPPORT};
  *number = 0;
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    if (none[i] == what)
      return true;
  return false;
}

static bool is_image_size(cl_device_info what)
{
  return (what >= CL_DEVICE_IMAGE2D_MAX_WIDTH && what <= CL_DEVICE_IMAGE3D_MAX_DEPTH) ||
         what == CL_DEVICE_IMAGE_MAX_BUFFER_SIZE || what == CL_DEVICE_IMAGE_MAX_ARRAY_SIZE;
}

/* The same of type size_t. */
static bool constant_size(cl_device_info what, size_t *size)
{
  static const struct {
    cl_device_info what;
    size_t size;
  } rows[] = {
      {CL_DEVICE_IMAGE2D_MAX_WIDTH, IMAGE_2D},        {CL_DEVICE_IMAGE2D_MAX_HEIGHT, IMAGE_2D},
      {CL_DEVICE_IMAGE3D_MAX_WIDTH, IMAGE_3D},        {CL_DEVICE_IMAGE3D_MAX_HEIGHT, IMAGE_3D},
      {CL_DEVICE_IMAGE3D_MAX_DEPTH, IMAGE_3D},        {CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, IMAGE_BUFFER},
      {CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, IMAGE_LAYERS}, {CL_DEVICE_MAX_PARAMETER_SIZE, OCL_PARAMETER_BYTES},
      {CL_DEVICE_PRINTF_BUFFER_SIZE, 1 << 20},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].what == what) {
      *size = rows[i].size;
      return true;
    }
  return false;
}

/* Attributes that follow from the machine. */
static cl_int machine_info(cl_device_id device, cl_device_info what, size_t room, void *value, size_t *needed)
{
  const struct sl_gpu_facts *f = &device->host.facts;
  char name[SL_HOST_TEXT];
  switch (what) {
  case CL_DEVICE_MAX_COMPUTE_UNITS: OCL_ANSWER(cl_uint, f->cores);
  case CL_DEVICE_MAX_WORK_GROUP_SIZE: OCL_ANSWER(size_t, f->max_threads);
  case CL_DEVICE_MAX_WORK_ITEM_SIZES: {
    const size_t sizes[3] = {f->max_block[0], f->max_block[1], f->max_block[2]};
    return sl_ocl_answer(sizes, sizeof sizes, room, value, needed);
  }
  case CL_DEVICE_MAX_CLOCK_FREQUENCY: OCL_ANSWER(cl_uint, f->clock_mhz > 0 ? f->clock_mhz : 1000); /* a cycle is 1 ns */
  case CL_DEVICE_ADDRESS_BITS: OCL_ANSWER(cl_uint, f->address_bits);
  case CL_DEVICE_GLOBAL_MEM_SIZE: OCL_ANSWER(cl_ulong, f->memory_bytes);
  case CL_DEVICE_MAX_MEM_ALLOC_SIZE: OCL_ANSWER(cl_ulong, f->memory_bytes / 4);
  case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE: OCL_ANSWER(cl_ulong, f->l2_bytes);
  case CL_DEVICE_LOCAL_MEM_SIZE: OCL_ANSWER(cl_ulong, f->max_shared < 48 * 1024 ? f->max_shared : 48 * 1024);
  case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
    OCL_ANSWER(size_t, f->clock_mhz == 0 || f->clock_mhz >= 1000 ? 1 : (1000 + f->clock_mhz - 1) / f->clock_mhz);
  case CL_DEVICE_NAME:
    snprintf(name, sizeof name, "simtlab %.200s%s", device->host.config.name,
             sl_gpu_fast(device->host.gpu) ? " (without timing)" : "");
    OCL_ANSWER_TEXT(name);
  default: return CL_INVALID_VALUE;
  }
}

static cl_int device_info(cl_device_id device, cl_device_info what, size_t room, void *value, size_t *needed)
{
  const cl_device_fp_config real =
      CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA;
  cl_uint number;
  size_t size;
  if (!is_device(device))
    return CL_INVALID_DEVICE;
  if (sl_ocl_open(device) == CL_SUCCESS && !device->host.facts.ptx && riscv_number(what, &number))
    return sl_ocl_answer(&number, sizeof number, room, value, needed);
  if (device->opened && !device->host.facts.ptx && is_image_size(what))
    OCL_ANSWER(size_t, 0);
  if (constant_number(what, &number))
    return sl_ocl_answer(&number, sizeof number, room, value, needed);
  if (constant_size(what, &size))
    return sl_ocl_answer(&size, sizeof size, room, value, needed);
  const bool ptx = !device->opened || device->host.facts.ptx;
  switch (what) {
  case CL_DEVICE_TYPE:
    OCL_ANSWER(cl_device_type, CL_DEVICE_TYPE_GPU | (device->number == 0 ? CL_DEVICE_TYPE_DEFAULT : 0));
  case CL_DEVICE_VENDOR: OCL_ANSWER_TEXT("simtlab");
  case CL_DRIVER_VERSION: OCL_ANSWER_TEXT(SL_VERSION);
  case CL_DEVICE_PROFILE: OCL_ANSWER_TEXT("FULL_PROFILE");
  case CL_DEVICE_VERSION: OCL_ANSWER_TEXT("OpenCL 1.2 simtlab " SL_VERSION);
  case CL_DEVICE_OPENCL_C_VERSION: OCL_ANSWER_TEXT("OpenCL C 1.2 clang 19");
  case CL_DEVICE_EXTENSIONS: OCL_ANSWER_TEXT(ptx ? EXTENSIONS : WORD_EXTENSIONS);
  case CL_DEVICE_BUILT_IN_KERNELS: OCL_ANSWER_TEXT("");
  case CL_DEVICE_PLATFORM: OCL_ANSWER(cl_platform_id, sl_ocl_platform());
  case CL_DEVICE_PARENT_DEVICE: OCL_ANSWER(cl_device_id, NULL);
  case CL_DEVICE_SINGLE_FP_CONFIG:
    OCL_ANSWER(cl_device_fp_config, ptx ? real | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT
                                        : CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST);
  case CL_DEVICE_DOUBLE_FP_CONFIG: OCL_ANSWER(cl_device_fp_config, ptx ? real : 0);
  case CL_DEVICE_HALF_FP_CONFIG: OCL_ANSWER(cl_device_fp_config, 0);
  case CL_DEVICE_EXECUTION_CAPABILITIES: OCL_ANSWER(cl_device_exec_capabilities, CL_EXEC_KERNEL);
  case CL_DEVICE_QUEUE_PROPERTIES:
    OCL_ANSWER(cl_command_queue_properties, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
  case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE: OCL_ANSWER(cl_ulong, OCL_CONSTANT_BYTES);
  case CL_DEVICE_PARTITION_PROPERTIES: OCL_ANSWER(cl_device_partition_property, 0);
  case CL_DEVICE_PARTITION_TYPE: return sl_ocl_answer(NULL, 0, room, value, needed);
  case CL_DEVICE_PARTITION_AFFINITY_DOMAIN: OCL_ANSWER(cl_device_affinity_domain, 0);
  case CL_DEVICE_COMPILER_AVAILABLE:
  case CL_DEVICE_LINKER_AVAILABLE:
    OCL_ANSWER(cl_bool,
               sl_ocl_compiler_missing(ptx ? NULL : "riscv") == NULL && (ptx || sl_ocl_riscv_missing() == NULL));
  case CL_DEVICE_AVAILABLE: OCL_ANSWER(cl_bool, sl_ocl_open(device) == CL_SUCCESS);
  default: break;
  }
  const cl_int error = sl_ocl_open(device);
  return error == CL_SUCCESS ? machine_info(device, what, room, value, needed) : error;
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t room, void *value,
                                                size_t *needed)
{
  OCL_CALL(device_info(device, what, room, value, needed));
}

/* No device can be partitioned. */
CL_API_ENTRY cl_int CL_API_CALL clCreateSubDevices(cl_device_id device, const cl_device_partition_property *properties,
                                                   cl_uint room, cl_device_id *devices, cl_uint *count)
{
  (void)room;
  (void)devices;
  (void)count;
  (void)properties;
  OCL_CALL(is_device(device) ? CL_INVALID_VALUE : CL_INVALID_DEVICE);
}

/* Devices of the platform are not counted. */
CL_API_ENTRY cl_int CL_API_CALL clRetainDevice(cl_device_id device)
{
  OCL_CALL(is_device(device) ? CL_SUCCESS : CL_INVALID_DEVICE);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseDevice(cl_device_id device)
{
  OCL_CALL(is_device(device) ? CL_SUCCESS : CL_INVALID_DEVICE);
}

/* ---- contexts ---------------------------------------------------------------------------------------------------- */

bool sl_ocl_has_device(cl_context context, cl_device_id device)
{
  for (cl_uint i = 0; i < context->device_count; i++)
    if (context->devices[i] == device)
      return true;
  return false;
}

bool sl_ocl_has_images(cl_context context)
{
  for (cl_uint i = 0; i < context->device_count; i++)
    if (context->devices[i]->host.facts.ptx)
      return true;
  return false;
}

/* Checks a list of properties; stores its length with the final 0. */
static cl_int check_properties(const cl_context_properties *properties, size_t *count)
{
  bool platform = false;
  *count = 0;
  if (properties == NULL)
    return CL_SUCCESS;
  for (const cl_context_properties *p = properties; *p != 0; p += 2) {
    if (*p == CL_CONTEXT_PLATFORM) {
      if (platform)
        return CL_INVALID_PROPERTY;
      platform = true;
      if ((cl_platform_id)p[1] != sl_ocl_platform())
        return CL_INVALID_PLATFORM;
    } else if (*p != CL_CONTEXT_INTEROP_USER_SYNC || (p[1] != CL_TRUE && p[1] != CL_FALSE))
      return CL_INVALID_PROPERTY;
    *count += 2;
  }
  ++*count;
  return CL_SUCCESS;
}

static bool known(cl_device_id device)
{
  cl_device_id *all;
  const cl_uint count = sl_ocl_devices(&all);
  for (cl_uint i = 0; i < count; i++)
    if (all[i] == device)
      return true;
  return false;
}

static cl_context create(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
                         void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user,
                         cl_int *error)
{
  size_t property_count;
  *error = check_properties(properties, &property_count);
  if (*error == CL_SUCCESS && (count == 0 || devices == NULL || (notify == NULL && user != NULL)))
    *error = CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count && *error == CL_SUCCESS; i++)
    *error = known(devices[i]) ? sl_ocl_open(devices[i]) : CL_INVALID_DEVICE;
  if (*error != CL_SUCCESS)
    return NULL;
  cl_context c = sl_ocl_new(sizeof *c, OCL_CONTEXT);
  if (c != NULL) {
    c->devices = calloc(count, sizeof *c->devices);
    c->properties = calloc(property_count + 1, sizeof *c->properties);
  }
  if (c == NULL || c->devices == NULL || c->properties == NULL) {
    if (c != NULL)
      sl_ocl_release_context(c);
    *error = CL_OUT_OF_HOST_MEMORY;
    return NULL;
  }
  for (cl_uint i = 0; i < count; i++)
    if (!sl_ocl_has_device(c, devices[i]))
      c->devices[c->device_count++] = devices[i];
  if (property_count > 0)
    memcpy(c->properties, properties, property_count * sizeof *properties);
  c->property_count = property_count;
  c->notify = notify;
  c->user = user;
  return c;
}

CL_API_ENTRY cl_context CL_API_CALL
clCreateContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
                void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user, cl_int *error)
{
  OCL_MAKE(cl_context, create(properties, count, devices, notify, user, &made));
}

static cl_context create_from_type(const cl_context_properties *properties, cl_device_type type,
                                   void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user,
                                   cl_int *error)
{
  const cl_device_type known_types = CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR |
                                     CL_DEVICE_TYPE_CUSTOM | CL_DEVICE_TYPE_DEFAULT;
  size_t property_count;
  cl_device_id *all;
  cl_uint count = sl_ocl_devices(&all);
  *error = check_properties(properties, &property_count);
  if (*error == CL_SUCCESS && type != CL_DEVICE_TYPE_ALL && (type == 0 || (type & ~known_types) != 0))
    *error = CL_INVALID_DEVICE_TYPE;
  if ((type & CL_DEVICE_TYPE_GPU) == 0)
    count = (type & CL_DEVICE_TYPE_DEFAULT) != 0 && count > 0 ? 1 : 0;
  if (*error == CL_SUCCESS && count == 0)
    *error = CL_DEVICE_NOT_FOUND;
  return *error == CL_SUCCESS ? create(properties, count, all, notify, user, error) : NULL;
}

CL_API_ENTRY cl_context CL_API_CALL clCreateContextFromType(
    const cl_context_properties *properties, cl_device_type type,
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user, cl_int *error)
{
  OCL_MAKE(cl_context, create_from_type(properties, type, notify, user, &made));
}

void sl_ocl_release_context(cl_context c)
{
  if (c == NULL || --c->object.references > 0)
    return;
  free(c->devices);
  free(c->properties);
  free(c);
}

CL_API_ENTRY cl_int CL_API_CALL clRetainContext(cl_context context)
{
  OCL_CALL(sl_ocl_is(context, OCL_CONTEXT) ? (context->object.references++, CL_SUCCESS) : CL_INVALID_CONTEXT);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseContext(cl_context context)
{
  OCL_CALL(sl_ocl_is(context, OCL_CONTEXT) ? (sl_ocl_release_context(context), CL_SUCCESS) : CL_INVALID_CONTEXT);
}

static cl_int info(cl_context c, cl_context_info what, size_t room, void *value, size_t *needed)
{
  if (!sl_ocl_is(c, OCL_CONTEXT))
    return CL_INVALID_CONTEXT;
  switch (what) {
  case CL_CONTEXT_REFERENCE_COUNT: OCL_ANSWER(cl_uint, c->object.references);
  case CL_CONTEXT_NUM_DEVICES: OCL_ANSWER(cl_uint, c->device_count);
  case CL_CONTEXT_DEVICES: return sl_ocl_answer(c->devices, c->device_count * sizeof *c->devices, room, value, needed);
  case CL_CONTEXT_PROPERTIES:
    return sl_ocl_answer(c->properties, c->property_count * sizeof *c->properties, room, value, needed);
  default: return CL_INVALID_VALUE;
  }
}

CL_API_ENTRY cl_int CL_API_CALL clGetContextInfo(cl_context context, cl_context_info what, size_t room, void *value,
                                                 size_t *needed)
{
  OCL_CALL(info(context, what, room, value, needed));
}
