#include "cli/interruption.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <unistd.h>

void sl_interruption_begin(struct sl_interruption *interruption)
{
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  *interruption = (struct sl_interruption){.file = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC)};
  if (interruption->file >= 0)
    pthread_sigmask(SIG_BLOCK, &signals, &interruption->before);
}

void sl_interruption_end(struct sl_interruption *interruption)
{
  if (interruption->file < 0)
    return;
  pthread_sigmask(SIG_SETMASK, &interruption->before, NULL);
  close(interruption->file);
  interruption->file = -1;
}

bool sl_interrupted(struct sl_interruption *interruption)
{
  struct signalfd_siginfo info;
  if (interruption->seen == 0 && interruption->file >= 0 &&
      read(interruption->file, &info, sizeof info) == (ssize_t)sizeof info) {
    interruption->seen = (int)info.ssi_signo;
    pthread_sigmask(SIG_SETMASK, &interruption->before, NULL);
  }
  return interruption->seen != 0;
}

bool sl_interruption_wait(struct sl_interruption *interruption, int file)
{
  struct pollfd wanted[2] = {{.fd = file, .events = POLLIN}, {.fd = interruption->file, .events = POLLIN}};
  while (!sl_interrupted(interruption)) {
    const int ready = poll(wanted, 2, -1);
    if ((ready > 0 && wanted[0].revents != 0) || (ready < 0 && errno != EINTR))
      return true;
  }
  return false;
}

static const char *name_of(int number)
{
  switch (number) {
  case SIGINT: return "SIGINT";
  case SIGTERM: return "SIGTERM";
  default: return "SIGHUP";
  }
}

enum sl_status sl_interrupted_status(const struct sl_interruption *interruption, struct sl_error *err,
                                     const char *format, ...)
{
  va_list args;
  char text[sizeof err->text];
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return sl_fail(err, (enum sl_status)(SL_INTERRUPTED + interruption->seen), "%s: %.900s", name_of(interruption->seen),
                 text);
}
