/* Paths of FTP clients. What a client says is first made a path from the root by looking at the text alone, so that
 * ".." can only lead to where the text says; then it is opened in such a way that symbolic links cannot lead out. */
#define _GNU_SOURCE
#include "genlibftp_session.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__linux__) && defined(SYS_openat2)
#include <linux/openat2.h>
#define HAVE_OPENAT2 1
#endif

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

int ftp_path_walks;

int ftp_path(const char *argument, char *path)
{
    size_t used = 0;
    const char *next;

    if (argument[0] != '/') {
        used = strlen(ftp.cwd);
        memcpy(path, ftp.cwd, used);
        if (used == 1) {
            used = 0; /* the root: names add their own slash */
        }
    }
    for (next = argument; *next != '\0';) {
        size_t length = strcspn(next, "/");

        if (length == 0 || (length == 1 && next[0] == '.')) {
            /* nothing */
        } else if (length == 2 && next[0] == '.' && next[1] == '.') {
            while (used > 0 && path[--used] != '/') {
            }
        } else {
            if (used + 1 + length >= FTP_PATH_SIZE) {
                errno = ENAMETOOLONG;
                return -1;
            }
            path[used++] = '/';
            memcpy(path + used, next, length);
            used += length;
        }
        next += length;
        next += *next == '/';
    }
    if (used == 0) {
        path[used++] = '/';
    }
    path[used] = '\0';
    return 0;
}

/* Name by name, following no symbolic link at all. */
static int walk(const char *path, int flags, mode_t mode)
{
    char name[NAME_MAX + 1];
    int directory = dup(ftp.root), next;

    if (directory < 0) {
        return -1;
    }
    while (*path != '\0') {
        size_t length = strcspn(path, "/");
        int last;

        if (length > NAME_MAX || (length == 2 && path[0] == '.' && path[1] == '.')) {
            close(directory);
            errno = length == 2 ? EACCES : ENAMETOOLONG;
            return -1;
        }
        memcpy(name, path, length);
        name[length] = '\0';
        path += length;
        path += *path == '/';
        last = *path == '\0';
        next = openat(directory, name,
                      last ? flags | O_NOFOLLOW | O_CLOEXEC : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, mode);
        if (next >= 0 && last && (flags & O_PATH) == O_PATH && O_PATH != O_RDONLY) {
            struct stat about;
            /* With O_PATH, not following means getting the link itself. */
            if (fstat(next, &about) != 0 || S_ISLNK(about.st_mode)) {
                close(next);
                next = -1;
                errno = ELOOP;
            }
        }
        if (next < 0) {
            int problem = errno;
            close(directory);
            errno = problem;
            return -1;
        }
        close(directory);
        directory = next;
        if (last) {
            return directory;
        }
    }
    close(directory);
    return openat(ftp.root, ".", flags | O_CLOEXEC);
}

int ftp_path_open(const char *path, int flags, mode_t mode)
{
    path += strspn(path, "/");
#ifdef HAVE_OPENAT2
    if (!ftp_path_walks) {
        struct open_how how = {.flags = (unsigned)(flags | O_CLOEXEC),
                               .mode = flags & O_CREAT ? mode : 0,
                               .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
        long fd;
        int attempts = 0;

        do {
            /* EAGAIN: somebody renames directories meanwhile, and the kernel is not sure. */
            fd = syscall(SYS_openat2, ftp.root, *path == '\0' ? "." : path, &how, sizeof how);
        } while (fd < 0 && (errno == EAGAIN || errno == EINTR) && ++attempts < 100);
        if (fd >= 0 || (errno != ENOSYS && errno != EPERM)) {
            return (int)fd;
        }
        /* EPERM may be a sandbox that does not know the call; the walk finds out. */
        if (errno == ENOSYS) {
            ftp_path_walks = 1;
        }
    }
#endif
    return walk(path, flags, mode);
}

int ftp_path_open_parent(const char *path, const char **name)
{
    char parent[FTP_PATH_SIZE];
    const char *slash = strrchr(path, '/');
    size_t length;

    if (slash == NULL || slash[1] == '\0') {
        errno = EBUSY;
        return -1;
    }
    *name = slash + 1;
    length = (size_t)(slash - path);
    memcpy(parent, path, length);
    parent[length] = '\0';
    return ftp_path_open(parent, O_PATH | O_DIRECTORY, 0);
}

int ftp_path_stat(const char *path, struct stat *about)
{
    int fd = ftp_path_open(path, O_PATH, 0), result;

    if (fd < 0) {
        return -1;
    }
    result = fstat(fd, about);
    close(fd);
    return result;
}
