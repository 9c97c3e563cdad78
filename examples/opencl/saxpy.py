"""y = a x + y with pyopencl, and its simulated time."""
import numpy as np
import pyopencl as cl

SOURCE = """
__kernel void saxpy(float a, __global const float *x, __global float *y)
{
  const int i = get_global_id(0);
  y[i] += a * x[i];
}
"""

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
x = np.arange(4096, dtype=np.float32)
y = np.ones_like(x)
flags = cl.mem_flags
device_x = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=x)
device_y = cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=y)
program = cl.Program(context, SOURCE).build()
event = program.saxpy(queue, x.shape, (64,), np.float32(2), device_x, device_y)
cl.enqueue_copy(queue, y, device_y)
assert (y == 2 * x + 1).all()
print(f"saxpy: right, {event.profile.end - event.profile.start} ns on {context.devices[0].name}")
