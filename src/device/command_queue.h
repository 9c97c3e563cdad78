/* Commands of a host program on a GPU: queues, events and simulated time.
 *
 * A queue executes its commands in order. Commands of different queues are ordered only by the events that they wait
 * for. A command executes as soon as everything before it is complete: within the call that adds it, or within the call
 * that completes the last event that it waits for. So a deterministic host program gives a deterministic run.
 *
 * Time is simulated, in picoseconds. A command is queued at the host's time and starts when its queue, its events and
 * its engine are free. There are two engines: kernels do not overlap each other, nor do copies between host and GPU. A
 * launch takes its cycles at the machine's clock (sl_gpu_picoseconds), a copy between host and GPU a latency and its
 * bytes at a bandwidth, a copy or fill within the GPU its bytes at the peak rate of DRAM. The order of times is that of
 * OpenCL 1.2, section 5.12 (queued, submitted, start, end). */
#ifndef SL_DEVICE_COMMAND_QUEUE_H
#define SL_DEVICE_COMMAND_QUEUE_H

#include "device/gpu.h"

struct sl_timeline; /* of one GPU: its queues, its engines and the host's time */
struct sl_queue;
struct sl_event;

struct sl_timeline_options {
  uint64_t copy_latency;   /* of a copy between host and GPU, in picoseconds */
  uint64_t copy_bandwidth; /* bytes per microsecond; 0: copies take the latency only */
};

/* A link of PCI Express 3.0 x16, 15,754 bytes per microsecond, and no latency. Source: PCI Express Base Specification
 * 3.0: 8 GT/s per lane with 128b/130b coding. */
extern const struct sl_timeline_options sl_timeline_defaults;

enum sl_status sl_timeline_open(struct sl_timeline **timeline, struct sl_gpu *gpu,
                                const struct sl_timeline_options *options, struct sl_error *err);

/* The order of commands: those before a command are the earlier ones of its queue, the events that it waits for, what
 * the host has waited for when it added the command, and all that is before these. Queue i has done `seen[i]` commands
 * before it; `host`: before whatever the host adds next. Queues from number SL_ORDER_QUEUES - 1 on have one entry, so
 * more of their commands may be in order than really are. */
enum { SL_ORDER_QUEUES = 64 };

struct sl_command_order {
  unsigned queue;
  uint32_t number; /* of the command among those of this entry, from 1 */
  const uint32_t *seen, *host;
};

struct sl_command;

/* `begins` is called before each command is performed; NULL: no longer. */
void sl_timeline_observe(struct sl_timeline *timeline,
                         void (*begins)(void *context, const struct sl_command *command,
                                        const struct sl_command_order *order),
                         void *context);

/* The host knows, without a wait in simulated time, that the commands of a queue (NULL: of all queues) are complete. */
void sl_timeline_know(struct sl_timeline *timeline, const struct sl_queue *queue);

/* Closes all its queues. Their commands that still wait are dropped, and their events fail. */
void sl_timeline_close(struct sl_timeline *timeline);

/* The host's time; a host program that computes for a while adds to it. */
uint64_t sl_timeline_now(const struct sl_timeline *timeline);
void sl_timeline_pass(struct sl_timeline *timeline, uint64_t picoseconds);

enum sl_status sl_queue_open(struct sl_timeline *timeline, struct sl_queue **queue, struct sl_error *err);

/* The number of a queue in its timeline, from 0, in the order of opening. */
uint64_t sl_queue_number(const struct sl_queue *queue);

/* Closes a queue before its timeline. Commands that still wait are dropped, and their events fail. */
void sl_queue_close(struct sl_queue *queue);

enum sl_command_kind {
  SL_COMMAND_LAUNCH,
  SL_COMMAND_WRITE, /* `size` bytes from `host` to address `to` */
  SL_COMMAND_READ,  /* from address `from` to `host` */
  SL_COMMAND_FILL,  /* `size` bytes at `to` with the pattern of `width` bytes at `host` */
  SL_COMMAND_COPY,  /* from address `from` to address `to` */
  SL_COMMAND_CALL,  /* calls `call` with `context`; it must not add commands to this timeline */
  SL_COMMAND_MARKER /* nothing: its event completes after all commands before it */
};

struct sl_command {
  enum sl_command_kind kind;
  const struct sl_gpu_launch *launch; /* name and arguments are copied */
  uint64_t to, from, size;
  size_t width;
  void *host; /* must stay valid until the command has ended, except a pattern, which is copied */
  void (*call)(void *context);
  void *context;
  enum sl_command_kind timing;   /* a call: it takes the engine and the time of a command of this kind and of `size`
                                    bytes, if that is a write, read, fill or copy */
  struct sl_event *const *waits; /* the command starts after these events */
  size_t wait_count;
};

/* Adds a command. *event (may be NULL) receives its event, which the caller releases. SL_USAGE: the command is invalid;
 * it has not been added. A command that fails when it executes does so in its event. */
enum sl_status sl_queue_add(struct sl_queue *queue, const struct sl_command *command, struct sl_event **event,
                            struct sl_error *err);

/* The host waits until all commands of a queue, or one event, are complete. SL_USAGE: they wait for a user event that
 * is not complete. Another status: that of the event, or of the queue's first command that failed since the last call.
 */
enum sl_status sl_queue_finish(struct sl_queue *queue, struct sl_error *err);
enum sl_status sl_event_wait(struct sl_event *event, struct sl_error *err);

/* An event that the host completes itself; SL_OK, or a status with which all that wait for it fail. */
enum sl_status sl_event_open(struct sl_timeline *timeline, struct sl_event **event, struct sl_error *err);
void sl_event_complete(struct sl_event *event, enum sl_status status);

void sl_event_release(struct sl_event *event);

struct sl_event_times {
  bool complete;
  enum sl_status status;                  /* when complete */
  uint64_t queued, submitted, start, end; /* picoseconds; start and end when complete */
};
struct sl_event_times sl_event_times(const struct sl_event *event);

/* The error of a command that has failed. */
void sl_event_error(const struct sl_event *event, struct sl_error *err);
void sl_event_retain(struct sl_event *event);

#endif
