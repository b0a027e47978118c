/* Where the data of FTP goes: PORT, EPRT, PASV, EPSV. */
#define _GNU_SOURCE
#include "genlibftp_session.h"
#include "genliboutput.h"
#include "genlibproc.h"
#include "genlibsocket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* From here on ports are nobody's by agreement (RFC 6335). */
#define FIRST_DYNAMIC_PORT 49152

void ftp_forget_address(void)
{
    if (ftp.listening >= 0) {
        close(ftp.listening);
        ftp.listening = -1;
    }
    ftp.target_length = 0;
}

/* An address without its port, IPv4 also when it is wrapped in IPv6. */
static socklen_t host_of(const struct sockaddr_storage *address, unsigned char *bytes)
{
    if (address->ss_family == AF_INET) {
        struct sockaddr_in four;
        memcpy(&four, address, sizeof four);
        memcpy(bytes, &four.sin_addr, 4);
        return 4;
    }
    if (address->ss_family == AF_INET6) {
        struct sockaddr_in6 six;
        memcpy(&six, address, sizeof six);
        if (IN6_IS_ADDR_V4MAPPED(&six.sin6_addr)) {
            memcpy(bytes, six.sin6_addr.s6_addr + 12, 4);
            return 4;
        }
        memcpy(bytes, &six.sin6_addr, 16);
        return 16;
    }
    return 0;
}

int ftp_same_host(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
    unsigned char host_a[16], host_b[16];
    socklen_t length = host_of(a, host_a);

    return length > 0 && length == host_of(b, host_b) && memcmp(host_a, host_b, length) == 0;
}

/* Data goes to the client itself and to no port of the system: else anybody could make this server connect to
 * others in its name (the "bounce" attack). */
static int take_target(const struct sockaddr_storage *address, socklen_t length, int port)
{
    if (ftp.only_epsv) {
        return ftp_answer(501, "Not after EPSV ALL");
    }
    if (port < 1024 || !ftp_same_host(address, &ftp.peer)) {
        return ftp_answer(501, "Data goes to your own address and a port from 1024 on");
    }
    ftp_forget_address();
    memcpy(&ftp.target, address, sizeof ftp.target);
    ftp.target_length = length;
    return ftp_answer(200, "Data will go there");
}

static int take_target_v4(const unsigned char *host, int port)
{
    struct sockaddr_storage address;
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};

    memset(&address, 0, sizeof address);
    memcpy(&four.sin_addr, host, 4);
    memcpy(&address, &four, sizeof four);
    return take_target(&address, sizeof four, port);
}

/* A number from 0 to `highest`, digits only; moves on to what follows. -1 if there is none. */
static int number(const char **text, int highest)
{
    int value = 0, digits = 0;

    while (**text >= '0' && **text <= '9') {
        value = value * 10 + (**text - '0');
        if (value > highest) {
            return -1;
        }
        (*text)++;
        digits++;
    }
    return digits == 0 ? -1 : value;
}

int ftp_port(void)
{
    const char *next = ftp.argument;
    unsigned char bytes[6];

    for (int i = 0; i < 6; i++) {
        int value = number(&next, 255);
        if (value < 0 || *next != (i < 5 ? ',' : '\0')) {
            return ftp_answer(501, "Not h1,h2,h3,h4,p1,p2");
        }
        bytes[i] = (unsigned char)value;
        next += i < 5;
    }
    return take_target_v4(bytes, bytes[4] * 256 + bytes[5]);
}

int ftp_eprt(void)
{
    char host[INET6_ADDRSTRLEN], mark = ftp.argument[0];
    const char *next = ftp.argument, *end;
    struct sockaddr_storage address;
    struct in_addr four;
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    int family, port;

    /* |1|132.235.1.2|6275| */
    if (mark < 33 || mark > 126) {
        return ftp_answer(501, "Not |family|address|port|");
    }
    next++;
    family = number(&next, 2);
    if (family < 1 || *next++ != mark) {
        return ftp_answer(501, "Not |1|address|port| or |2|address|port|");
    }
    end = strchr(next, mark);
    if (end == NULL || (size_t)(end - next) >= sizeof host) {
        return ftp_answer(501, "Not |family|address|port|");
    }
    memcpy(host, next, (size_t)(end - next));
    host[end - next] = '\0';
    next = end + 1;
    port = number(&next, 65535);
    if (port < 0 || next[0] != mark || next[1] != '\0') {
        return ftp_answer(501, "Not |family|address|port|");
    }
    if (family == 1 && inet_pton(AF_INET, host, &four) == 1) {
        return take_target_v4((const unsigned char *)&four, port);
    }
    if (family == 2 && inet_pton(AF_INET6, host, &six.sin6_addr) == 1) {
        six.sin6_port = htons((unsigned short)port);
        if (ftp.peer.ss_family == AF_INET6) {
            /* A link-local address means nothing without its link. */
            struct sockaddr_in6 peer;
            memcpy(&peer, &ftp.peer, sizeof peer);
            six.sin6_scope_id = peer.sin6_scope_id;
        }
        memset(&address, 0, sizeof address);
        memcpy(&address, &six, sizeof six);
        return take_target(&address, sizeof six, port);
    }
    return ftp_answer(501, "Not an address of that family");
}

static void set_port(struct sockaddr_storage *address, int port)
{
    if (address->ss_family == AF_INET6) {
        struct sockaddr_in6 six;
        memcpy(&six, address, sizeof six);
        six.sin6_port = htons((unsigned short)port);
        memcpy(address, &six, sizeof six);
    } else {
        struct sockaddr_in four;
        memcpy(&four, address, sizeof four);
        four.sin_port = htons((unsigned short)port);
        memcpy(address, &four, sizeof four);
    }
}

/* A socket that listens there, or -1. */
static int listen_at(const struct sockaddr_storage *address)
{
    socklen_t length = address->ss_family == AF_INET6 ? (socklen_t)sizeof(struct sockaddr_in6)
                                                      : (socklen_t)sizeof(struct sockaddr_in);
    int fd = socket(address->ss_family, SOCK_STREAM, 0), on = 1;

    if (fd < 0) {
        return -1;
    }
    KeepPrivate(fd);
    SetBlocking(fd, 0);
    /* Ports of connections that have just been closed can be used again at once. */
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, (const struct sockaddr *)address, length) != 0 || listen(fd, 4) != 0) {
        int problem = errno;
        close(fd);
        errno = problem;
        return -1;
    }
    return fd;
}

/* A number from 0 to limit - 1 that nobody can guess. */
static int random_below(int limit)
{
    unsigned number = 0;

    if (getentropy(&number, sizeof number) != 0) {
        number = (unsigned)proc_now() ^ (unsigned)getpid();
    }
    return (int)(number % (unsigned)limit);
}

/* Listens at our own end of the control connection; the port, or -1. */
static int listen_for_data(void)
{
    struct sockaddr_storage address = ftp.own;
    int low = (int)proc_setting("FTPD_PASSIVE_LOW", 1024, 65535, FIRST_DYNAMIC_PORT);
    int high = (int)proc_setting("FTPD_PASSIVE_HIGH", 1024, 65535, 65535);
    int count = high >= low ? high - low + 1 : 1;
    /* We choose: the system would look for a port that is quite free, and that takes long after many transfers. */
    int first = random_below(count);

    ftp_forget_address();
    for (int i = 0; i < count; i++) {
        set_port(&address, low + (first + i) % count);
        ftp.listening = listen_at(&address);
        if (ftp.listening >= 0) {
            return LocalPort(ftp.listening);
        }
        if (errno != EADDRINUSE && errno != EACCES) {
            break;
        }
    }
    output_failed("no port for a data connection");
    return -1;
}

int ftp_pasv(void)
{
    unsigned char host[16];
    int port;

    if (ftp.only_epsv) {
        return ftp_answer(425, "Not after EPSV ALL");
    }
    if (host_of(&ftp.own, host) != 4) {
        return ftp_answer(425, "PASV is for IPv4; use EPSV");
    }
    port = listen_for_data();
    if (port < 0) {
        return ftp_answer(425, "No port is free");
    }
    return ftp_answer(227, "Entering passive mode (%d,%d,%d,%d,%d,%d)", host[0], host[1], host[2], host[3], port / 256,
                      port % 256);
}

int ftp_epsv(void)
{
    unsigned char host[16];
    int family = host_of(&ftp.own, host) == 4 ? 1 : 2, port;

    if (strcasecmp(ftp.argument, "ALL") == 0) {
        ftp.only_epsv = 1;
        return ftp_answer(200, "Only EPSV from now on");
    }
    if (ftp.argument[0] != '\0' && (ftp.argument[0] != '0' + family || ftp.argument[1] != '\0')) {
        return ftp_answer(522, "Only family (%d)", family);
    }
    port = listen_for_data();
    if (port < 0) {
        return ftp_answer(425, "No port is free");
    }
    return ftp_answer(229, "Entering extended passive mode (|||%d|)", port);
}
