/* Runs a test, prints its time and appends a line to a file of costs: its name, and its CPU time in seconds including
 * all its children. A slow test prints the reason first.
 *
 * Usage: timed_test COSTS NAME REASON PROGRAM [ARGUMENT]... (REASON may be empty). Exit status: that of the program;
 * 128 + the signal that ended it; 126 if it cannot be started. */
#define _DEFAULT_SOURCE /* wait4 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
  return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A single write of a short line: lines of tests that end together do not mix. */
static void record(const char *file, const char *name, double cpu)
{
  char line[300];
  const int length = snprintf(line, sizeof line, "%s %.2f\n", name, cpu);
  const int out = open(file, O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (out < 0 || length < 0 || write(out, line, strlen(line)) < 0)
    perror(file);
  if (out >= 0)
    close(out);
}

int main(int argc, char **argv)
{
  if (argc < 5) {
    fputs("usage: timed_test COSTS NAME REASON PROGRAM [ARGUMENT]...\n", stderr);
    return 126;
  }
  if (argv[3][0])
    printf("takes long: %s\n", argv[3]);
  fflush(stdout);
  const double began = now();
  const pid_t child = fork();
  if (child == 0) {
    execvp(argv[4], argv + 4);
    perror(argv[4]);
    _exit(126);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0) {
    perror("timed_test");
    return 126;
  }
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  const double cpu = seconds(used.ru_utime) + seconds(used.ru_stime);
  printf("time: %.2f s, CPU %.2f s\n", now() - began, cpu);
  record(argv[1], argv[2], cpu);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
