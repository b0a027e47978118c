/* What the parts of genlibftp share; not for specifications. */
#ifndef GENLIBFTP_SESSION_H
#define GENLIBFTP_SESSION_H

#include "genlibftp.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>

#define FTP_PATH_SIZE PATH_MAX

struct ftp_session {
    int root;                  /* descriptor of the directory that clients see as / */
    char cwd[FTP_PATH_SIZE];   /* virtual: begins with /, ends without */
    char user[64];
    int may_write;
    int ascii;
    long long restart;         /* from REST, for the next transfer */
    char rename_from[FTP_PATH_SIZE];

    char argument[FTP_LINE_LIMIT + 1];
    int argument_is_bad;       /* has a zero byte */
    char text[FTP_PATH_SIZE * 2 + 64];

    struct sockaddr_storage own, peer; /* ends of the control connection */
    int only_epsv;             /* after EPSV ALL */
    int listening;             /* passive: where we wait, or -1 */
    struct sockaddr_storage target; /* active: where to connect */
    socklen_t target_length;

    long idle, data_timeout;   /* milliseconds */
};

extern struct ftp_session ftp;

/* Sets the text of the reply and gives its code. */
int ftp_answer(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The words for errno, without telling more about the system than a client has to know. */
const char *ftp_reason(int problem);

/* Looks at what the client has sent meanwhile: STEP_MORE (nothing of interest), STEP_ABORTED, STEP_GONE. */
int ftp_look_at_control(int control);

/* Whether more of the control connection can be taken in: if not, poll must not ask for it. */
int ftp_control_has_room(void);

/* Paths (genlibftp_path.c). */

/* The virtual path that `argument` means in the current directory: absolute, without "." and "..". */
int ftp_path(const char *argument, char *path);

/* Opens below the root. No name, "..", or symbolic link leads out of it. */
int ftp_path_open(const char *path, int flags, mode_t mode);

/* Opens the directory of the last name; that name is in `name`. Fails with EBUSY for the root itself. */
int ftp_path_open_parent(const char *path, const char **name);
int ftp_path_stat(const char *path, struct stat *about);

/* For tests: do without openat2(2), as on systems that do not have it. */
extern int ftp_path_walks;

/* Listings (genlibftp_list.c): the text, to be freed, or NULL (errno). */
char *ftp_list(const char *argument, int names_only, size_t *length);

/* Addresses (genlibftp_address.c). */
int ftp_same_host(const struct sockaddr_storage *a, const struct sockaddr_storage *b);
void ftp_forget_address(void);

#endif
