/* genlibipc: message queues between generated programs.
 *
 * System V queues (ipc_mq_...) are the nearest thing to Promela's channels: a number names them, so that they can be
 * passed to `run`, and a receive can choose by type. A message is a struct that begins with `long type`, as in
 *
 *     typedef Msg { c_decl_IS { long type; }; bit altbit; byte data }
 *
 * and its size is that of the whole struct. A type that is not positive is sent as 1.
 *
 * POSIX queues (ipc_pq_...) are used the same way; the message is any struct, there are no types to choose by.
 *
 * Sending and receiving gives IPC_DONE, IPC_NOT_NOW (full or empty, without blocking), IPC_TIMEOUT, IPC_CLOSED (the
 * queue has been removed) or IPC_FAILED (with a message on standard error). IPC_DONE is 1 and IPC_NOT_NOW is 0, so that a
 * call that does not block can be a guard. When told to stop (genlibproc), calls that wait give IPC_CLOSED. */
#ifndef GENLIBIPC_H
#define GENLIBIPC_H

#include <stddef.h>

enum ipc_result { IPC_FAILED = -1, IPC_NOT_NOW = 0, IPC_DONE = 1, IPC_TIMEOUT = 2, IPC_CLOSED = 3 };

/* A new queue, or -1. It is removed when the process that made it ends, however it ends, even killed: a small
 * process of its own watches for that. */
int ipc_mq_new(void);

/* The queue with this key (made if there is none), or -1. Such a queue stays until it is removed. */
int ipc_mq_open(long key);

int ipc_mq_snd(int queue, void *message, size_t size, int block);
int ipc_mq_rcv(int queue, void *message, size_t size, long type, int block);

/* Waits at most so many milliseconds. Uses a timer and SIGALRM meanwhile; for programs with one thread. */
int ipc_mq_rcv_timeout(int queue, void *message, size_t size, long type, long milliseconds);

/* Messages in the queue, or -1. */
int ipc_mq_len(int queue);

/* At most so many bytes of messages are in the queue: makes a channel with bounded capacity. */
int ipc_mq_limit(int queue, size_t bytes);

int ipc_mq_remove(int queue);

/* The names under which the thesis on the GENERATOR has them. */
#define _ipc_mq_new ipc_mq_new
#define _ipc_mq_snd ipc_mq_snd
#define _ipc_mq_rcv ipc_mq_rcv

/* A new queue of at most `capacity` messages of at most `size` bytes, or -1. It has no name, stays open in programs
 * that are run, and is gone when nobody has it open. */
int ipc_pq_new(long capacity, size_t size);

/* The queue with this name ("/name"), made if there is none; remove it by its name. */
int ipc_pq_open(const char *name, long capacity, size_t size);

int ipc_pq_snd(int queue, const void *message, size_t size, int block);
int ipc_pq_snd_timeout(int queue, const void *message, size_t size, long milliseconds);

/* `size` must be at least the size given when the queue was made. */
int ipc_pq_rcv(int queue, void *message, size_t size, int block);
int ipc_pq_rcv_timeout(int queue, void *message, size_t size, long milliseconds);

int ipc_pq_len(int queue);
int ipc_pq_close(int queue);
int ipc_pq_remove(const char *name);

#endif
