/* genlibsocket: Internet sockets with the handling of errors built in.
 *
 * The calls with a capital letter are those of the system; they try again when a signal comes in between, say on
 * standard error what went wrong, and give -1 then (errno says why). Where a time is given it is in milliseconds,
 * negative for as long as it takes, and errno is ETIMEDOUT when it is over. Waiting is done by poll(2). When told to
 * stop (genlibproc), calls that wait give up with errno EINTR. */
#ifndef GENLIBSOCKET_H
#define GENLIBSOCKET_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>

int Socket(int domain, int type, int protocol);
int Bind(int fd, const struct sockaddr *address, socklen_t length);
int Listen(int fd, int backlog);
int Accept(int fd, struct sockaddr *address, socklen_t *length);
int Connect(int fd, const struct sockaddr *address, socklen_t length);
int Close(int fd);

/* Some bytes, as many as there are, 0 at the end. */
ssize_t Recv(int fd, void *buffer, size_t size, int flags);

/* All bytes, or -1. A connection that the other side has closed is an error (EPIPE), not a signal. */
ssize_t Send(int fd, const void *buffer, size_t size, int flags);

/* The same with a time limit for the whole call. */
int AcceptTimeout(int fd, struct sockaddr *address, socklen_t *length, long milliseconds);
int ConnectTimeout(int fd, const struct sockaddr *address, socklen_t length, long milliseconds);
ssize_t RecvTimeout(int fd, void *buffer, size_t size, int flags, long milliseconds);
ssize_t SendTimeout(int fd, const void *buffer, size_t size, int flags, long milliseconds);

/* 1: can be read from (or written to) without blocking, or has failed; 0: the time is over; -1: told to stop. */
int WaitReadable(int fd, long milliseconds);
int WaitWritable(int fd, long milliseconds);

/* A socket that listens on a numeric address, IPv4 or IPv6, and a port (0: any that is free). */
int ListenOn(const char *address, int port, int backlog);

/* A connection to a host, by name or number. */
int ConnectTo(const char *host, int port, long milliseconds);

/* The port of our end, or -1. */
int LocalPort(int fd);

/* Not to be open in programs that are run. */
int KeepPrivate(int fd);

/* Calls return at once with EAGAIN instead of waiting, or not. */
int SetBlocking(int fd, int blocking);

#endif
