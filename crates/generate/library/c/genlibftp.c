/* The control connection of FTP: listening, lines and replies, logging in. */
#define _GNU_SOURCE
#include "genlibftp_session.h"
#include "genliboutput.h"
#include "genlibproc.h"
#include "genlibsocket.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define BACKLOG 511
#define REPLY_TIMEOUT 30000
#define INPUT_SIZE (2 * FTP_LINE_LIMIT)

struct ftp_session ftp = {.root = -1, .listening = -1};

/* What has come over the control connection without the Telnet commands in it. */
static struct {
    char bytes[INPUT_SIZE];
    size_t used;
    enum { PLAIN, AFTER_IAC, OPTION } telnet;
    int skipping; /* the rest of a line that was too long */
    int ended;
} input;

static const struct {
    const char *name;
    int command;
} commands[] = {
    {"USER", USER_CMD}, {"PASS", PASS_CMD}, {"QUIT", QUIT_CMD}, {"NOOP", NOOP_CMD}, {"SYST", SYST_CMD},
    {"FEAT", FEAT_CMD}, {"HELP", HELP_CMD}, {"OPTS", OPTS_CMD}, {"TYPE", TYPE_CMD}, {"MODE", MODE_CMD},
    {"STRU", STRU_CMD}, {"PORT", PORT_CMD}, {"EPRT", EPRT_CMD}, {"PASV", PASV_CMD}, {"EPSV", EPSV_CMD},
    {"RETR", RETR_CMD}, {"STOR", STOR_CMD}, {"APPE", APPE_CMD}, {"LIST", LIST_CMD}, {"NLST", NLST_CMD},
    {"ABOR", ABOR_CMD}, {"PWD", PWD_CMD},   {"XPWD", PWD_CMD},  {"CWD", CWD_CMD},   {"XCWD", CWD_CMD},
    {"CDUP", CDUP_CMD}, {"XCUP", CDUP_CMD}, {"SIZE", SIZE_CMD}, {"MDTM", MDTM_CMD}, {"REST", REST_CMD},
    {"DELE", DELE_CMD}, {"MKD", MKD_CMD},   {"XMKD", MKD_CMD},  {"RMD", RMD_CMD},   {"XRMD", RMD_CMD},
    {"RNFR", RNFR_CMD}, {"RNTO", RNTO_CMD}, {"ALLO", ALLO_CMD}, {"ACCT", ACCT_CMD},
};

static const char *setting(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value == NULL || value[0] == '\0' ? otherwise : value;
}

int ftp_listen(void)
{
    const char *address = setting("FTPD_ADDRESS", "127.0.0.1");
    int fd = ListenOn(address, (int)proc_setting("FTPD_PORT", 0, 65535, 2121), BACKLOG);

    if (fd < 0) {
        output_error("cannot listen on %s", address);
        exit(EXIT_FAILURE);
    }
    KeepPrivate(fd);
    output_message("listening on %s port %d", address, LocalPort(fd));
    return fd;
}

int ftp_max_sessions(void)
{
    return (int)proc_setting("FTPD_SESSIONS", 1, 4000, 200);
}

void ftp_refuse(int control)
{
    static const char text[] = "421 Too many connections, try again later\r\n";

    /* A new connection has room for this: nobody can hold up the server here. */
    (void)send(control, text, sizeof text - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    shutdown(control, SHUT_WR);
    close(control);
}

int ftp_begin(int control)
{
    socklen_t length = sizeof ftp.own;
    int on = 1;

    proc_catch_stop();
    KeepPrivate(control);
    umask(022);
    if (getsockname(control, (struct sockaddr *)&ftp.own, &length) != 0) {
        output_failed("the control connection is no socket");
        return -1;
    }
    length = sizeof ftp.peer;
    if (getpeername(control, (struct sockaddr *)&ftp.peer, &length) != 0) {
        return -1; /* gone already */
    }
    setsockopt(control, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    /* The Telnet "data mark" comes as urgent data: it is to stay in its place. */
    setsockopt(control, SOL_SOCKET, SO_OOBINLINE, &on, sizeof on);
    setsockopt(control, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ftp.idle = proc_setting("FTPD_IDLE", 1, 86400, 300) * 1000;
    ftp.data_timeout = proc_setting("FTPD_DATA_TIMEOUT", 1, 86400, 60) * 1000;
    ftp.ascii = 1;
    memcpy(ftp.cwd, "/", 2);
    ftp.root = open(setting("FTPD_ROOT", "."), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (ftp.root < 0) {
        output_failed("cannot open the root directory");
        return -1;
    }
    return 0;
}

void ftp_end(int control)
{
    char rest[1024];

    ftp_forget_address();
    /* What was sent last must arrive: closing with something unread would throw it away. */
    shutdown(control, SHUT_WR);
    for (int i = 0; i < 16; i++) {
        if (recv(control, rest, sizeof rest, MSG_DONTWAIT) <= 0) {
            break;
        }
    }
    close(control);
    if (ftp.root >= 0) {
        close(ftp.root);
        ftp.root = -1;
    }
}

/* Replies. */

int ftp_answer(int code, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(ftp.text, sizeof ftp.text, format, arguments);
    va_end(arguments);
    return code;
}

const char *ftp_text(void)
{
    return ftp.text;
}

const char *ftp_argument(void)
{
    return ftp.argument;
}

const char *ftp_reason(int problem)
{
    switch (problem) {
    case ENOENT:
        return "No such file or directory";
    case EXDEV: /* a symbolic link that leads outside */
    case ELOOP:
    case EACCES:
    case EPERM:
    case EROFS:
        return "Permission denied";
    case ENOTDIR:
        return "Not a directory";
    case EISDIR:
        return "Is a directory";
    case EEXIST:
        return "File exists";
    case ENOTEMPTY:
        return "Directory not empty";
    case ENAMETOOLONG:
        return "Name too long";
    case ENOSPC:
    case EDQUOT:
        return "No space left";
    case EBUSY:
        return "Not for the root directory";
    case EINVAL:
        return "Not a plain file, or not possible";
    default:
        return "Not possible";
    }
}

static void send_text(int control, const char *text, size_t length)
{
    if (!input.ended && SendTimeout(control, text, length, 0, REPLY_TIMEOUT) < 0) {
        input.ended = 1; /* nobody reads what we say: the session is over */
    }
}

void ftp_reply(int control, int code, const char *text)
{
    char reply[sizeof ftp.text + 16];
    int length = snprintf(reply, sizeof reply - 2, "%03d %s", code, text);
    size_t used = length < 0 ? 0 : (size_t)length;

    if (used > sizeof reply - 3) {
        used = sizeof reply - 3;
    }
    for (size_t i = 0; i < used; i++) {
        if ((unsigned char)reply[i] < ' ' || reply[i] == 127) {
            reply[i] = '?';
        }
    }
    reply[used++] = '\r';
    reply[used++] = '\n';
    send_text(control, reply, used);
    output_debug("%.*s", (int)used - 2, reply);
}

void ftp_reply_features(int control)
{
    static const char text[] = "211-Features:\r\n EPRT\r\n EPSV\r\n MDTM\r\n PASV\r\n REST STREAM\r\n SIZE\r\n UTF8\r\n"
                               "211 End\r\n";
    send_text(control, text, sizeof text - 1);
}

void ftp_reply_help(int control)
{
    char text[1024] = "214-Commands:";
    size_t used = strlen(text);

    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %s", i % 8 == 0 ? "\r\n" : "", commands[i].name);
    }
    used += (size_t)snprintf(text + used, sizeof text - used, "\r\n214 End\r\n");
    send_text(control, text, used);
}

/* Lines. */

/* Telnet: IAC IAC is a byte 255, IAC WILL/WONT/DO/DONT has an option, other commands nothing. None is wanted here. */
static void take(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned char byte = bytes[i];

        if (input.telnet == OPTION) {
            input.telnet = PLAIN;
        } else if (input.telnet == AFTER_IAC && byte >= 251 && byte <= 254) {
            input.telnet = OPTION;
        } else if (input.telnet == AFTER_IAC && byte != 255) {
            input.telnet = PLAIN;
        } else if (input.telnet == PLAIN && byte == 255) {
            input.telnet = AFTER_IAC;
        } else {
            input.telnet = PLAIN;
            input.bytes[input.used++] = (char)byte;
        }
    }
}

int ftp_control_has_room(void)
{
    return !input.ended && input.used < INPUT_SIZE && memchr(input.bytes, '\n', input.used) == NULL;
}

static void receive(int control)
{
    unsigned char bytes[INPUT_SIZE];
    ssize_t count = recv(control, bytes, INPUT_SIZE - input.used, MSG_DONTWAIT);

    if (count > 0) {
        take(bytes, (size_t)count);
    } else if (count == 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) {
        input.ended = 1;
    }
}

static int command_of(const char *line, size_t length)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strlen(commands[i].name) == length && strncasecmp(commands[i].name, line, length) == 0) {
            return commands[i].command;
        }
    }
    return ERR_CMD;
}

/* Takes the first line out; its length in `taken`. */
static int parse(char *line, size_t length, size_t taken)
{
    size_t word, argument;
    int command;

    while (length > 0 && (line[length - 1] == '\r' || line[length - 1] == '\n')) {
        length--;
    }
    for (word = 0; word < length && line[word] != ' '; word++) {
    }
    command = command_of(line, word);
    argument = word < length ? word + 1 : length;
    memcpy(ftp.argument, line + argument, length - argument);
    ftp.argument[length - argument] = '\0';
    ftp.argument_is_bad = memchr(line, '\0', length) != NULL;
    input.used -= taken;
    memmove(line, line + taken, input.used);
    return ftp.argument_is_bad ? ERR_CMD : command;
}

int ftp_get_command(int control)
{
    long deadline = proc_now() + ftp.idle;

    for (;;) {
        char *end = memchr(input.bytes, '\n', input.used);
        size_t length = end == NULL ? input.used : (size_t)(end - input.bytes) + 1;

        if (end != NULL && input.skipping) {
            input.skipping = 0;
            input.used -= length;
            memmove(input.bytes, input.bytes + length, input.used);
            return LONG_EVENT;
        }
        if (length > FTP_LINE_LIMIT || input.skipping) {
            /* Nothing of it is kept but that it was there. */
            input.skipping = 1;
            if (end != NULL) {
                continue;
            }
            input.used = 0;
        } else if (end != NULL) {
            int command = parse(input.bytes, length, length);
            output_debug("command %d", command);
            return command;
        }
        if (input.ended) {
            return CLOSED_EVENT;
        }
        switch (WaitReadable(control, deadline - proc_now() > 0 ? deadline - proc_now() : 0)) {
        case 1:
            receive(control);
            break;
        case 0:
            return IDLE_EVENT;
        default:
            return CLOSED_EVENT;
        }
    }
}

int ftp_look_at_control(int control)
{
    char *end;

    if (ftp_control_has_room()) {
        receive(control);
    }
    end = memchr(input.bytes, '\n', input.used);
    if (end != NULL && !input.skipping && input.used >= 4 && strncasecmp(input.bytes, "ABOR", 4) == 0) {
        size_t length = (size_t)(end - input.bytes) + 1;
        if (length <= FTP_LINE_LIMIT && parse(input.bytes, length, length) == ABOR_CMD) {
            return STEP_ABORTED;
        }
    }
    return input.ended && end == NULL ? STEP_GONE : STEP_MORE;
}

/* Logging in. */

void ftp_user(void)
{
    size_t length = strlen(ftp.argument);

    /* A name that is too long is cut, and then is nobody's. */
    if (length >= sizeof ftp.user) {
        length = sizeof ftp.user - 1;
    }
    memcpy(ftp.user, ftp.argument, length);
    ftp.user[length] = '\0';
}

/* Takes as long for a wrong password as for a right one. */
static int same(const char *a, const char *b)
{
    size_t length_a = strlen(a), length_b = strlen(b);
    unsigned different = length_a != length_b;

    for (size_t i = 0; i < length_a; i++) {
        different |= (unsigned)(a[i] ^ b[length_b == 0 ? 0 : i % length_b]);
    }
    return different == 0;
}

/* 1 for a user of the file who may write, 0 for one who may only read, -1 for nobody. */
static int permission_of(const char *user, const char *password)
{
    const char *name = getenv("FTPD_USERS");
    FILE *file = name == NULL || name[0] == '\0' ? NULL : fopen(name, "re");
    char line[512];
    int found = -1;

    if (file == NULL) {
        if (name != NULL && name[0] != '\0') {
            output_failed("cannot read the users in %s", name);
        }
        return -1;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        char *secret, *rights;

        line[strcspn(line, "\r\n")] = '\0';
        secret = strchr(line, ':');
        if (line[0] == '#' || secret == NULL) {
            continue;
        }
        *secret++ = '\0';
        rights = strchr(secret, ':');
        if (rights != NULL) {
            *rights++ = '\0';
        }
        if (strcmp(line, user) == 0 && same(password, secret)) {
            found = rights == NULL || strcmp(rights, "ro") != 0;
        }
    }
    fclose(file);
    return found;
}

int ftp_password(void)
{
    const char *anonymous = setting("FTPD_ANONYMOUS", "read");
    int permission;

    if (strcasecmp(ftp.user, "anonymous") == 0 || strcasecmp(ftp.user, "ftp") == 0) {
        permission = strcmp(anonymous, "write") == 0 ? 1 : strcmp(anonymous, "read") == 0 ? 0 : -1;
    } else {
        permission = permission_of(ftp.user, ftp.argument);
    }
    if (permission < 0) {
        return ftp_answer(530, "Login incorrect");
    }
    ftp.may_write = permission;
    return ftp_answer(230, "User %s logged in", ftp.user);
}
