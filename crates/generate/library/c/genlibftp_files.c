/* FTP commands about files and directories, and about how files are transferred. */
#define _GNU_SOURCE
#include "genlibftp_session.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

int ftp_type(void)
{
    const char *wanted = ftp.argument;

    /* "A", "A N" and "I", "L 8". */
    if (strcasecmp(wanted, "A") == 0 || strcasecmp(wanted, "A N") == 0) {
        ftp.ascii = 1;
        return ftp_answer(200, "Type is ASCII");
    }
    if (strcasecmp(wanted, "I") == 0 || strcasecmp(wanted, "L 8") == 0) {
        ftp.ascii = 0;
        return ftp_answer(200, "Type is image");
    }
    return ftp_answer(504, "Only types A N and I");
}

int ftp_mode(void)
{
    if (strcasecmp(ftp.argument, "S") == 0) {
        return ftp_answer(200, "Mode is stream");
    }
    return ftp_answer(504, "Only mode S");
}

int ftp_structure(void)
{
    /* Records are for systems whose files consist of them (RFC 1123, 4.1.2.4). */
    if (strcasecmp(ftp.argument, "F") == 0) {
        return ftp_answer(200, "Structure is file");
    }
    return ftp_answer(504, "Only structure F");
}

int ftp_options(void)
{
    if (strcasecmp(ftp.argument, "UTF8 ON") == 0 || strcasecmp(ftp.argument, "UTF8") == 0 ||
        strcasecmp(ftp.argument, "UTF-8") == 0) {
        return ftp_answer(200, "Names are UTF-8");
    }
    return ftp_answer(501, "No such option");
}

int ftp_restart(void)
{
    char *end;
    long long position;

    errno = 0;
    position = strtoll(ftp.argument, &end, 10);
    if (errno != 0 || end == ftp.argument || *end != '\0' || position < 0 || !isdigit((unsigned char)ftp.argument[0])) {
        return ftp_answer(501, "Not a position");
    }
    ftp.restart = position;
    return ftp_answer(350, "The next transfer begins at %lld", position);
}

/* The virtual path of the argument; an empty argument is no path. */
static int path_argument(char *path)
{
    if (ftp.argument[0] == '\0') {
        errno = ENOENT;
        return -1;
    }
    return ftp_path(ftp.argument, path);
}

/* A path in quotes, with quotes in it doubled. */
static int quoted(int code, const char *path, const char *after)
{
    size_t used = 0;

    ftp.text[used++] = '"';
    for (const char *byte = path; *byte != '\0'; byte++) {
        if (*byte == '"') {
            ftp.text[used++] = '"';
        }
        ftp.text[used++] = *byte;
    }
    snprintf(ftp.text + used, sizeof ftp.text - used, "\"%s", after);
    return code;
}

int ftp_pwd(void)
{
    return quoted(257, ftp.cwd, " is the current directory");
}

static int change_directory(const char *path)
{
    int fd = ftp_path_open(path, O_RDONLY | O_DIRECTORY, 0);

    if (fd < 0) {
        return ftp_answer(550, "%s", ftp_reason(errno));
    }
    close(fd);
    memmove(ftp.cwd, path, strlen(path) + 1);
    return ftp_answer(250, "Directory changed");
}

int ftp_cwd(void)
{
    char path[FTP_PATH_SIZE];

    if (path_argument(path) != 0) {
        return ftp_answer(550, "%s", ftp_reason(errno));
    }
    return change_directory(path);
}

int ftp_cdup(void)
{
    char path[FTP_PATH_SIZE];

    if (ftp_path("..", path) != 0) {
        return ftp_answer(550, "%s", ftp_reason(errno));
    }
    return change_directory(path);
}

/* A plain file that the argument names. */
static int plain_file(struct stat *about)
{
    char path[FTP_PATH_SIZE];

    if (path_argument(path) != 0 || ftp_path_stat(path, about) != 0) {
        return -1;
    }
    if (!S_ISREG(about->st_mode)) {
        errno = EINVAL;
        return -1;
    }
    return 0;
}

int ftp_size(void)
{
    struct stat about;

    if (ftp.ascii) {
        return ftp_answer(550, "Sizes are for type I only");
    }
    if (plain_file(&about) != 0) {
        return ftp_answer(550, "%s", ftp_reason(errno));
    }
    return ftp_answer(213, "%lld", (long long)about.st_size);
}

int ftp_modified(void)
{
    struct stat about;
    struct tm parts;
    char text[32];

    if (plain_file(&about) != 0) {
        return ftp_answer(550, "%s", ftp_reason(errno));
    }
    if (gmtime_r(&about.st_mtime, &parts) == NULL || strftime(text, sizeof text, "%Y%m%d%H%M%S", &parts) == 0) {
        return ftp_answer(550, "Its time cannot be said");
    }
    return ftp_answer(213, "%s", text);
}

/* The directory that has what the argument names, if it may be changed. */
static int open_to_change(char *path, const char **name)
{
    if (!ftp.may_write) {
        errno = EACCES;
        return -1;
    }
    if (path_argument(path) != 0) {
        return -1;
    }
    return ftp_path_open_parent(path, name);
}

static int finish_change(int directory, int result, int good, const char *text, int bad)
{
    int problem = errno;

    if (directory >= 0) {
        close(directory);
    }
    if (result != 0) {
        return ftp_answer(bad, "%s", ftp_reason(problem));
    }
    return ftp_answer(good, "%s", text);
}

int ftp_delete(void)
{
    char path[FTP_PATH_SIZE];
    const char *name;
    int directory = open_to_change(path, &name);
    int result = directory < 0 ? -1 : unlinkat(directory, name, 0);

    return finish_change(directory, result, 250, "Deleted", 550);
}

int ftp_make_directory(void)
{
    char path[FTP_PATH_SIZE];
    const char *name;
    int directory = open_to_change(path, &name);
    int result = directory < 0 ? -1 : mkdirat(directory, name, 0777);
    int code = finish_change(directory, result, 257, "Created", 550);

    return code == 257 ? quoted(code, path, " created") : code;
}

int ftp_remove_directory(void)
{
    char path[FTP_PATH_SIZE];
    const char *name;
    int directory = open_to_change(path, &name);
    int result = directory < 0 ? -1 : unlinkat(directory, name, AT_REMOVEDIR);

    return finish_change(directory, result, 250, "Removed", 550);
}

int ftp_rename_from(void)
{
    struct stat about;
    const char *name;
    int directory = open_to_change(ftp.rename_from, &name);
    int result = directory < 0 ? -1 : fstatat(directory, name, &about, AT_SYMLINK_NOFOLLOW);

    return finish_change(directory, result, 350, "Now the new name", 550);
}

int ftp_rename_to(void)
{
    char path[FTP_PATH_SIZE];
    const char *old_name, *new_name;
    int from, to, result = -1, problem;

    from = ftp_path_open_parent(ftp.rename_from, &old_name);
    to = from < 0 ? -1 : open_to_change(path, &new_name);
    if (to >= 0) {
        result = renameat(from, old_name, to, new_name);
    }
    problem = errno;
    if (from >= 0) {
        close(from);
    }
    errno = problem;
    return finish_change(to, result, 250, "Renamed", 553);
}
