#define _GNU_SOURCE
#include "genlibsocket.h"
#include "genliboutput.h"
#include "genlibproc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int Socket(int domain, int type, int protocol)
{
    int fd = socket(domain, type, protocol);
    if (fd < 0) {
        output_failed("cannot make a socket");
    }
    return fd;
}

int Bind(int fd, const struct sockaddr *address, socklen_t length)
{
    if (bind(fd, address, length) != 0) {
        output_failed("cannot bind socket %d", fd);
        return -1;
    }
    return 0;
}

int Listen(int fd, int backlog)
{
    if (listen(fd, backlog) != 0) {
        output_failed("cannot listen on socket %d", fd);
        return -1;
    }
    return 0;
}

int Close(int fd)
{
    /* Not again after EINTR: the descriptor is gone, and may be somebody else's by then. */
    if (close(fd) != 0 && errno != EINTR) {
        output_failed("cannot close %d", fd);
        return -1;
    }
    return 0;
}

static int wait_for(int fd, short events, long milliseconds)
{
    struct pollfd watched[2] = {{.fd = fd, .events = events}, {.fd = proc_stop_descriptor(), .events = POLLIN}};
    long deadline = milliseconds < 0 ? 0 : proc_now() + milliseconds;

    for (;;) {
        long left = milliseconds < 0 ? -1 : deadline - proc_now();
        int ready;

        if (proc_stopping()) {
            errno = EINTR;
            return -1;
        }
        if (milliseconds >= 0 && left < 0) {
            left = 0;
        }
        ready = poll(watched, 2, left > INT_MAX ? INT_MAX : (int)left);
        if (ready > 0 && watched[0].revents != 0) {
            return 1;
        }
        if (ready == 0) {
            errno = ETIMEDOUT;
            return 0;
        }
        if (ready < 0 && errno != EINTR) {
            output_failed("cannot wait for %d", fd);
            return -1;
        }
    }
}

int WaitReadable(int fd, long milliseconds)
{
    return wait_for(fd, POLLIN, milliseconds);
}

int WaitWritable(int fd, long milliseconds)
{
    return wait_for(fd, POLLOUT, milliseconds);
}

/* Errors of a connection that was lost while it waited to be accepted: the next one may be good. */
static int is_lost_connection(int problem)
{
    return problem == ECONNABORTED || problem == EPROTO || problem == ENETDOWN || problem == ENOPROTOOPT ||
           problem == EHOSTDOWN || problem == EHOSTUNREACH || problem == EOPNOTSUPP || problem == ENETUNREACH;
}

int AcceptTimeout(int fd, struct sockaddr *address, socklen_t *length, long milliseconds)
{
    long deadline = milliseconds < 0 ? 0 : proc_now() + milliseconds;
    socklen_t room = length == NULL ? 0 : *length;

    for (;;) {
        long left = milliseconds < 0 ? -1 : deadline - proc_now();
        int connection;

        if (wait_for(fd, POLLIN, left < 0 && milliseconds >= 0 ? 0 : left) <= 0) {
            return -1;
        }
        if (length != NULL) {
            *length = room;
        }
        connection = accept(fd, address, length);
        if (connection >= 0) {
            return connection;
        }
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            /* The connection stays in the queue, so poll would not wait: give others time to close some. */
            output_failed("cannot accept a connection now");
            proc_sleep(50);
        } else if (errno != EINTR && errno != EAGAIN && !is_lost_connection(errno)) {
            output_failed("cannot accept a connection");
            return -1;
        }
    }
}

int Accept(int fd, struct sockaddr *address, socklen_t *length)
{
    return AcceptTimeout(fd, address, length, -1);
}

int SetBlocking(int fd, int blocking)
{
    int flags = fcntl(fd, F_GETFL);

    if (flags < 0) {
        return -1;
    }
    return fcntl(fd, F_SETFL, blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK);
}

int ConnectTimeout(int fd, const struct sockaddr *address, socklen_t length, long milliseconds)
{
    int flags = fcntl(fd, F_GETFL), problem = 0, ready;
    socklen_t size = sizeof problem;

    if (flags < 0) {
        return -1;
    }
    SetBlocking(fd, 0);
    if (connect(fd, address, length) != 0) {
        problem = errno;
        /* After a signal the attempt goes on as well. */
        if (problem == EINPROGRESS || problem == EINTR) {
            ready = wait_for(fd, POLLOUT, milliseconds);
            if (ready <= 0) {
                problem = errno;
            } else if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &problem, &size) != 0) {
                problem = errno;
            }
        }
    }
    fcntl(fd, F_SETFL, flags);
    if (problem != 0) {
        errno = problem;
        output_failed("cannot connect socket %d", fd);
        return -1;
    }
    return 0;
}

int Connect(int fd, const struct sockaddr *address, socklen_t length)
{
    return ConnectTimeout(fd, address, length, -1);
}

ssize_t RecvTimeout(int fd, void *buffer, size_t size, int flags, long milliseconds)
{
    long deadline = milliseconds < 0 ? 0 : proc_now() + milliseconds;

    for (;;) {
        ssize_t received;
        long left = milliseconds < 0 ? -1 : deadline - proc_now();

        if (wait_for(fd, POLLIN, left < 0 && milliseconds >= 0 ? 0 : left) <= 0) {
            return -1;
        }
        received = recv(fd, buffer, size, flags);
        if (received >= 0) {
            return received;
        }
        if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK) {
            if (errno != ECONNRESET) {
                output_failed("cannot receive from socket %d", fd);
            }
            return -1;
        }
    }
}

ssize_t Recv(int fd, void *buffer, size_t size, int flags)
{
    return RecvTimeout(fd, buffer, size, flags, -1);
}

ssize_t SendTimeout(int fd, const void *buffer, size_t size, int flags, long milliseconds)
{
    long deadline = milliseconds < 0 ? 0 : proc_now() + milliseconds;
    const char *bytes = buffer;
    size_t done = 0;

    while (done < size) {
        /* MSG_DONTWAIT: a blocking socket would take its time for what does not fit into its buffer. */
        ssize_t sent = send(fd, bytes + done, size - done, flags | MSG_NOSIGNAL | MSG_DONTWAIT);

        if (sent >= 0) {
            done += (size_t)sent;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            long left = milliseconds < 0 ? -1 : deadline - proc_now();
            if (wait_for(fd, POLLOUT, left < 0 && milliseconds >= 0 ? 0 : left) <= 0) {
                return -1;
            }
        } else if (errno != EINTR) {
            if (errno != EPIPE && errno != ECONNRESET) {
                output_failed("cannot send to socket %d", fd);
            }
            return -1;
        }
    }
    return (ssize_t)done;
}

ssize_t Send(int fd, const void *buffer, size_t size, int flags)
{
    return SendTimeout(fd, buffer, size, flags, -1);
}

int KeepPrivate(int fd)
{
    return fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/* Calls `use` with a socket for each address until one is good. */
static int for_each_address(const char *host, int port, int flags, int (*use)(int, const struct addrinfo *, long),
                            long value)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = flags};
    struct addrinfo *found, *each;
    char service[16];
    int problem, fd = -1;

    snprintf(service, sizeof service, "%d", port);
    problem = getaddrinfo(host, service, &hints, &found);
    if (problem != 0) {
        output_error("no address %s: %s", host == NULL ? "of this host" : host, gai_strerror(problem));
        return -1;
    }
    for (each = found; each != NULL; each = each->ai_next) {
        fd = Socket(each->ai_family, each->ai_socktype, each->ai_protocol);
        if (fd >= 0 && use(fd, each, value) == 0) {
            break;
        }
        if (fd >= 0) {
            close(fd);
        }
        fd = -1;
    }
    freeaddrinfo(found);
    return fd;
}

static int listen_at(int fd, const struct addrinfo *address, long backlog)
{
    int on = 1;

    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (Bind(fd, address->ai_addr, address->ai_addrlen) != 0) {
        return -1;
    }
    /* poll may report a connection that is gone when we accept it: that must not block. */
    SetBlocking(fd, 0);
    return Listen(fd, (int)backlog);
}

int ListenOn(const char *address, int port, int backlog)
{
    return for_each_address(address, port, AI_PASSIVE | AI_NUMERICHOST, listen_at, backlog);
}

static int connect_to(int fd, const struct addrinfo *address, long milliseconds)
{
    return ConnectTimeout(fd, address->ai_addr, address->ai_addrlen, milliseconds);
}

int ConnectTo(const char *host, int port, long milliseconds)
{
    return for_each_address(host, port, 0, connect_to, milliseconds);
}

int LocalPort(int fd)
{
    struct sockaddr_storage own;
    socklen_t length = sizeof own;

    if (getsockname(fd, (struct sockaddr *)&own, &length) != 0) {
        return -1;
    }
    if (own.ss_family == AF_INET6) {
        struct sockaddr_in6 six;
        memcpy(&six, &own, sizeof six);
        return ntohs(six.sin6_port);
    }
    if (own.ss_family == AF_INET) {
        struct sockaddr_in four;
        memcpy(&four, &own, sizeof four);
        return ntohs(four.sin_port);
    }
    return -1;
}
