/* The data connection of FTP: opening it, and moving files and listings over it step by step. */
#define _GNU_SOURCE
#include "genlibftp_session.h"
#include "genliboutput.h"
#include "genlibproc.h"
#include "genlibsocket.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/sendfile.h>
#endif

#define BLOCK_SIZE ((size_t)256 * 1024)
#define SENDFILE_SIZE ((size_t)16 * 1024 * 1024)
#define MAX_UNSENT (64 * 1024)

/* Beside the STEP_... that others see. */
#define WOULD_WAIT (-1)

/* The control connection is looked at after so many steps that did not have to wait. */
#define STEPS_BETWEEN_LOOKS 16

static struct {
    enum { NOTHING, SEND_FILE, SEND_LISTING, RECEIVE_FILE } kind;
    int file, data;
    int ascii;
    long long offset, size; /* of the file */
    char *listing;
    char *block;            /* bytes on their way */
    size_t used, sent;      /* of the block: there are, are gone */
    char last;              /* the last byte of the file that was converted */
    int held_return;        /* a carriage return whose successor has not come yet */
    unsigned steps;
} transfer = {.file = -1, .data = -1};

static void forget_transfer(void)
{
    if (transfer.file >= 0) {
        close(transfer.file);
    }
    if (transfer.data >= 0) {
        close(transfer.data);
    }
    free(transfer.listing);
    memset(&transfer, 0, sizeof transfer);
    transfer.file = transfer.data = -1;
}

/* The block is kept from one transfer to the next: it is large. */
static char *block(void)
{
    static char *bytes;

    if (bytes == NULL) {
        bytes = malloc(2 * BLOCK_SIZE + 1);
    }
    return bytes;
}

static long long take_restart(void)
{
    long long position = ftp.restart;
    ftp.restart = 0;
    return position;
}

int ftp_open_retrieve(void)
{
    long long start = take_restart();
    char path[FTP_PATH_SIZE];
    struct stat about;

    forget_transfer();
    if (ftp.argument[0] == '\0' || ftp_path(ftp.argument, path) != 0) {
        return ftp_answer(550, "No file is named");
    }
    /* Not blocking: a named pipe would have us wait for somebody to write to it. */
    transfer.file = ftp_path_open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
    if (transfer.file < 0) {
        return ftp_answer(550, "%s", ftp_reason(errno));
    }
    if (fstat(transfer.file, &about) != 0 || !S_ISREG(about.st_mode) || start > about.st_size ||
        (transfer.block = block()) == NULL) {
        forget_transfer();
        return ftp_answer(550, "Not a plain file, or not that long");
    }
    transfer.kind = SEND_FILE;
    transfer.ascii = ftp.ascii;
    transfer.offset = start;
    transfer.size = about.st_size;
    return ftp_answer(150, "Opening data connection (%lld bytes)", (long long)about.st_size - start);
}

int ftp_open_store(int append)
{
    long long start = take_restart();
    char path[FTP_PATH_SIZE];
    struct stat about;
    int flags = O_WRONLY | O_CREAT | O_NONBLOCK | O_NOCTTY;

    forget_transfer();
    if (!ftp.may_write) {
        return ftp_answer(553, "Permission denied");
    }
    if (ftp.argument[0] == '\0' || ftp_path(ftp.argument, path) != 0) {
        return ftp_answer(553, "No file is named");
    }
    transfer.file = ftp_path_open(path, append ? flags | O_APPEND : flags, 0666);
    if (transfer.file < 0) {
        return ftp_answer(553, "%s", ftp_reason(errno));
    }
    if (fstat(transfer.file, &about) != 0 || !S_ISREG(about.st_mode) || (transfer.block = block()) == NULL ||
        (!append && (ftruncate(transfer.file, start < about.st_size ? start : about.st_size) != 0 ||
                     start > about.st_size || lseek(transfer.file, start, SEEK_SET) < 0))) {
        forget_transfer();
        return ftp_answer(553, "Not a plain file, or not that long");
    }
    transfer.kind = RECEIVE_FILE;
    transfer.ascii = ftp.ascii;
    return ftp_answer(150, "Opening data connection");
}

int ftp_open_list(int names_only)
{
    forget_transfer();
    (void)take_restart();
    transfer.listing = ftp_list(ftp.argument, names_only, &transfer.used);
    if (transfer.listing == NULL) {
        return ftp_answer(550, "%s", ftp_reason(errno));
    }
    transfer.block = transfer.listing;
    transfer.kind = SEND_LISTING;
    return ftp_answer(150, "Here comes the listing");
}

/* Waits until the data side is ready, and meanwhile looks at the control connection. STEP_DONE: ready. */
static int wait_for_data(int fd, short events, int control, long milliseconds)
{
    long deadline = proc_now() + milliseconds;

    for (;;) {
        struct pollfd watched[3] = {{.fd = fd, .events = events},
                                    {.fd = control, .events = ftp_control_has_room() ? POLLIN : 0},
                                    {.fd = proc_stop_descriptor(), .events = POLLIN}};
        long left = deadline - proc_now();
        int ready = poll(watched, 3, left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left);

        if (proc_stopping()) {
            return STEP_GONE;
        }
        if (ready < 0 && errno != EINTR) {
            return STEP_FAILED;
        }
        if (ready > 0 && watched[1].revents != 0) {
            int meanwhile;
            if (watched[1].events == 0) {
                return STEP_GONE; /* both directions are closed */
            }
            meanwhile = ftp_look_at_control(control);
            if (meanwhile != STEP_MORE) {
                return meanwhile;
            }
        }
        if (ready > 0 && watched[0].revents != 0) {
            return STEP_DONE;
        }
        if (ready == 0 && left <= 0) {
            return STEP_STALLED;
        }
    }
}

static int accept_data(int control)
{
    long deadline = proc_now() + ftp.data_timeout;

    for (;;) {
        struct sockaddr_storage from;
        socklen_t length = sizeof from;
        long left = deadline - proc_now();
        int outcome = wait_for_data(ftp.listening, POLLIN, control, left > 0 ? left : 0), fd;

        if (outcome != STEP_DONE) {
            return outcome;
        }
        fd = accept(ftp.listening, (struct sockaddr *)&from, &length);
        if (fd >= 0 && ftp_same_host(&from, &ftp.peer)) {
            transfer.data = fd;
            return STEP_DONE;
        }
        if (fd >= 0) {
            close(fd); /* a stranger who guessed the port */
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM || errno == EBADF) {
            return STEP_DROPPED;
        }
    }
}

static int connect_data(int control)
{
    int fd = Socket(ftp.target.ss_family, SOCK_STREAM, 0), problem = 0, outcome;
    struct sockaddr_storage from = ftp.own;
    socklen_t size = sizeof problem;

    if (fd < 0) {
        return STEP_DROPPED;
    }
    transfer.data = fd;
    SetBlocking(fd, 0);
    /* From the address that the client knows; any port of it. */
    if (from.ss_family == AF_INET && ftp.target.ss_family == AF_INET) {
        struct sockaddr_in four;
        memcpy(&four, &from, sizeof four);
        four.sin_port = 0;
#ifdef IP_BIND_ADDRESS_NO_PORT
        /* The port is chosen when the other end is known, and may be in use towards others. */
        int on = 1;
        setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
#endif
        (void)bind(fd, (struct sockaddr *)&four, sizeof four);
    }
    if (connect(fd, (struct sockaddr *)&ftp.target, ftp.target_length) == 0) {
        return STEP_DONE;
    }
    if (errno != EINPROGRESS && errno != EINTR) {
        return STEP_DROPPED;
    }
    outcome = wait_for_data(fd, POLLOUT, control, ftp.data_timeout);
    if (outcome == STEP_DONE && (getsockopt(fd, SOL_SOCKET, SO_ERROR, &problem, &size) != 0 || problem != 0)) {
        return STEP_DROPPED;
    }
    return outcome;
}

int ftp_connect_data(int control)
{
    int outcome = ftp.listening >= 0 ? accept_data(control) : ftp.target_length > 0 ? connect_data(control) : STEP_DROPPED;

    /* An address is for one transfer. */
    ftp_forget_address();
    if (outcome == STEP_DONE) {
        KeepPrivate(transfer.data);
        SetBlocking(transfer.data, 0);
#ifdef TCP_NOTSENT_LOWAT
        /* No more waits in the kernel than is on its way: that would only leave the caches before it is read. */
        int unsent = MAX_UNSENT;
        setsockopt(transfer.data, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
#endif
    }
    return outcome;
}

/* ASCII: lines end with CR LF on the way and with LF in files. */

static void fill_converted(const char *from, size_t count)
{
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        /* A file may have CR LF already. */
        if (from[i] == '\n' && transfer.last != '\r') {
            transfer.block[used++] = '\r';
        }
        transfer.block[used++] = transfer.last = from[i];
    }
    transfer.used = used;
    transfer.sent = 0;
}

/* What comes out is never longer, but for a CR held back from the block before. */
static size_t convert_received(const char *bytes, size_t count, char *out)
{
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        if (transfer.held_return && bytes[i] != '\n') {
            out[used++] = '\r';
        }
        transfer.held_return = bytes[i] == '\r';
        if (!transfer.held_return) {
            out[used++] = bytes[i];
        }
    }
    return used;
}

/* What a failed call on the data connection means. */
static int data_problem(void)
{
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
        return WOULD_WAIT;
    }
    return errno == EINTR ? STEP_MORE : STEP_DROPPED;
}

static int send_block(void)
{
    ssize_t sent = send(transfer.data, transfer.block + transfer.sent, transfer.used - transfer.sent,
                        MSG_NOSIGNAL | MSG_DONTWAIT);

    if (sent < 0) {
        return data_problem();
    }
    transfer.sent += (size_t)sent;
    return STEP_MORE;
}

/* The next piece of the file, read into the block. */
static int read_piece(void)
{
    char *raw = transfer.ascii ? transfer.block + BLOCK_SIZE : transfer.block;
    size_t wanted = transfer.ascii ? BLOCK_SIZE / 2 : BLOCK_SIZE;
    ssize_t count = pread(transfer.file, raw, wanted, (off_t)transfer.offset);

    if (count <= 0) {
        return count < 0 && errno == EINTR ? STEP_MORE : STEP_FAILED;
    }
    transfer.offset += count;
    if (transfer.ascii) {
        fill_converted(raw, (size_t)count);
    } else {
        transfer.used = (size_t)count;
        transfer.sent = 0;
    }
    return STEP_MORE;
}

/* One attempt to go on without waiting. */
static int send_some(void)
{
    if (transfer.sent < transfer.used) {
        return send_block();
    }
    if (transfer.kind == SEND_LISTING || transfer.offset >= transfer.size) {
        return STEP_DONE;
    }
#if defined(__linux__)
    if (!transfer.ascii) {
        off_t offset = (off_t)transfer.offset;
        long long left = transfer.size - transfer.offset;
        ssize_t sent = sendfile(transfer.data, transfer.file, &offset,
                                left > (long long)SENDFILE_SIZE ? SENDFILE_SIZE : (size_t)left);

        if (sent > 0) {
            transfer.offset += sent;
            return transfer.offset >= transfer.size ? STEP_DONE : STEP_MORE;
        }
        if (sent == 0) {
            return STEP_FAILED; /* somebody has cut the file */
        }
        if (errno != EINVAL && errno != ENOSYS) {
            return data_problem();
        }
        /* A file system without sendfile: read and send. */
    }
#endif
    return read_piece();
}

static int write_all(const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(transfer.file, bytes, count);
        if (written < 0 && errno != EINTR) {
            output_failed("cannot write a file");
            return STEP_FAILED;
        }
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        }
    }
    return STEP_MORE;
}

static int receive_some(void)
{
    char *raw = transfer.block;
    ssize_t count = recv(transfer.data, raw, BLOCK_SIZE, MSG_DONTWAIT);

    if (count < 0) {
        return data_problem();
    }
    if (count == 0) {
        if (transfer.held_return && write_all("\r", 1) != STEP_MORE) {
            return STEP_FAILED;
        }
        return STEP_DONE;
    }
    if (transfer.ascii) {
        char *out = transfer.block + BLOCK_SIZE;
        return write_all(out, convert_received(raw, (size_t)count, out));
    }
    return write_all(raw, (size_t)count);
}

int ftp_step(int control)
{
    int sending = transfer.kind != RECEIVE_FILE, outcome;

    if (transfer.data < 0) {
        return STEP_DROPPED;
    }
    if (++transfer.steps % STEPS_BETWEEN_LOOKS == 0) {
        outcome = proc_stopping() ? STEP_GONE : ftp_look_at_control(control);
        if (outcome != STEP_MORE) {
            return outcome;
        }
    }
    outcome = sending ? send_some() : receive_some();
    if (outcome == WOULD_WAIT) {
        outcome = wait_for_data(transfer.data, sending ? POLLOUT : POLLIN, control, ftp.data_timeout);
        return outcome == STEP_DONE ? STEP_MORE : outcome;
    }
    return outcome;
}

void ftp_end_transfer(int outcome)
{
    if (transfer.data >= 0 && outcome != STEP_DONE && transfer.kind != RECEIVE_FILE) {
        /* What is not complete must not look as if it were: a reset, not an end of file. */
        struct linger at_once = {.l_onoff = 1, .l_linger = 0};
        setsockopt(transfer.data, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    }
    forget_transfer();
    ftp_forget_address();
}
