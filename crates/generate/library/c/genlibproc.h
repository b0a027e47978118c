/* genlibproc: processes of generated programs.
 *
 * A proctype is a program; its instances are processes. `run` starts one, as in Promela. */
#ifndef GENLIBPROC_H
#define GENLIBPROC_H

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

/* Starts `program`, which lies in the directory of the running program (a path in front, as in "./A", is
 * ignored; GENERATE_DIRECTORY in the environment names another directory). `format` has a letter for each
 * argument: d or i an int, l a long, s a string; commas and spaces between them mean nothing. Descriptors
 * that are not marked close-on-exec stay open. Gives the process id, or 0 if it could not be started. */
int run(const char *program, const char *format, ...);

/* Waits for one child, or for all that `run` has started. The result is the exit status (128 + n for a
 * signal n), of `proc_wait_all` the highest; -1 if there is no such child. */
int proc_wait(int pid);
int proc_wait_all(void);

/* How many children are there still. Those that have ended are collected first. */
int proc_children(void);

/* From now on children are collected as soon as they end, so that none stays behind as a zombie.
 * `proc_wait` finds only those that have not ended. */
void proc_collect(void);

/* Sends a signal to all children; gives their number. */
int proc_signal_children(int signal);

/* From now on SIGTERM, SIGINT and SIGHUP do not end the program but make `proc_stopping` true, and calls of
 * this library that wait give up with errno EINTR. SIGPIPE is ignored. */
void proc_catch_stop(void);
int proc_stopping(void);

/* Becomes readable when told to stop: for poll(2), which must not miss a signal that comes just before it. It is -1,
 * which poll ignores, as long as `proc_catch_stop` has not been called. */
int proc_stop_descriptor(void);

/* Waits for all children; when told to stop, tells them, and waits on. What an `init` does in the end. */
int proc_supervise(void);

/* Time since some moment, in milliseconds; never goes back. */
long proc_now(void);

/* Sleeps, also over signals, unless told to stop. */
void proc_sleep(long milliseconds);

/* A small generator of numbers below `limit`: the same after the same seed, on every system. */
void proc_seed(unsigned long seed);
int proc_random(int limit);

/* The value of an environment variable as a number within bounds, or `otherwise`. */
long proc_setting(const char *name, long lowest, long highest, long otherwise);

#endif
