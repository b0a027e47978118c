/* Listings for LIST and NLST. */
#define _GNU_SOURCE
#include "genlibftp_session.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct text {
    char *bytes;
    size_t used, size;
};

static int append(struct text *text, const char *bytes, size_t count)
{
    if (text->used + count + 1 > text->size) {
        size_t size = 2 * (text->used + count) + 256;
        char *larger = realloc(text->bytes, size);
        if (larger == NULL) {
            return -1;
        }
        text->bytes = larger;
        text->size = size;
    }
    memcpy(text->bytes + text->used, bytes, count);
    text->used += count;
    text->bytes[text->used] = '\0';
    return 0;
}

/* A name and the end of the line; bytes that would make it two lines become question marks. */
static int append_name(struct text *text, const char *name)
{
    size_t start = text->used, length = strlen(name);

    if (append(text, name, length) != 0) {
        return -1;
    }
    for (size_t i = start; i < text->used; i++) {
        if (text->bytes[i] == '\r' || text->bytes[i] == '\n') {
            text->bytes[i] = '?';
        }
    }
    return append(text, "\r\n", 2);
}

static char kind_of(mode_t mode)
{
    return S_ISDIR(mode) ? 'd' : S_ISLNK(mode) ? 'l' : S_ISREG(mode) ? '-' : S_ISFIFO(mode) ? 'p' : S_ISSOCK(mode) ? 's' : 'c';
}

/* As `ls -l` writes it, since clients read that; times are UTC. */
static int append_long(struct text *text, const struct stat *about, const char *name)
{
    static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const long half_year = 182L * 24 * 3600;
    char line[160], bits[11] = "----------", when[16] = "";
    time_t now = time(NULL);
    struct tm parts;
    int length;

    bits[0] = kind_of(about->st_mode);
    for (int i = 0; i < 9; i++) {
        if (about->st_mode & (mode_t)(0400 >> i)) {
            bits[1 + i] = "rwx"[i % 3];
        }
    }
    if (gmtime_r(&about->st_mtime, &parts) == NULL) {
        memset(&parts, 0, sizeof parts);
    }
    if (about->st_mtime > now - half_year && about->st_mtime <= now + 3600) {
        (void)snprintf(when, sizeof when, "%02u:%02u", (unsigned)parts.tm_hour % 100, (unsigned)parts.tm_min % 100);
    } else {
        (void)snprintf(when, sizeof when, "%5u", (unsigned)(parts.tm_year + 1900) % 100000);
    }
    length = snprintf(line, sizeof line, "%s %3lu ftp ftp %12lld %s %2u %s ", bits, (unsigned long)about->st_nlink,
                      (long long)about->st_size, months[(unsigned)parts.tm_mon % 12], (unsigned)parts.tm_mday % 100, when);
    if (length < 0 || append(text, line, (size_t)length) != 0) {
        return -1;
    }
    return append_name(text, name);
}

/* A link that stays below the root is shown as what it leads to, any other as a link without its target. */
static int stat_entry(int directory, const char *path, const char *name, struct stat *about)
{
    if (fstatat(directory, name, about, AT_SYMLINK_NOFOLLOW) != 0) {
        return -1;
    }
    if (S_ISLNK(about->st_mode)) {
        char whole[FTP_PATH_SIZE + NAME_MAX + 2];
        struct stat target;
        int length = snprintf(whole, sizeof whole, "%s/%s", path, name);
        if (length > 0 && length < FTP_PATH_SIZE && ftp_path_stat(whole, &target) == 0) {
            *about = target;
        }
    }
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in a directory that match, sorted; -1 with errno. Hidden ones only if asked for. */
static int read_names(int directory, const char *pattern, int hidden, char ***names, size_t *count)
{
    int copy = dup(directory);
    DIR *stream = copy < 0 ? NULL : fdopendir(copy);
    struct dirent *entry;
    size_t size = 0;

    *names = NULL;
    *count = 0;
    if (stream == NULL) {
        if (copy >= 0) {
            close(copy);
        }
        return -1;
    }
    while ((entry = readdir(stream)) != NULL) {
        const char *name = entry->d_name;

        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || (name[0] == '.' && !hidden) ||
            (pattern != NULL && fnmatch(pattern, name, FNM_PERIOD) != 0)) {
            continue;
        }
        if (*count == size) {
            char **larger = realloc(*names, (2 * size + 64) * sizeof **names);
            if (larger == NULL) {
                break;
            }
            *names = larger;
            size = 2 * size + 64;
        }
        (*names)[*count] = strdup(name);
        if ((*names)[*count] == NULL) {
            break;
        }
        ++*count;
    }
    closedir(stream);
    if (*count > 0) {
        qsort(*names, *count, sizeof **names, by_name);
    }
    return 0;
}

static int list_directory(struct text *text, int directory, const char *path, const char *pattern, int hidden,
                          int names_only)
{
    char **names;
    size_t count;
    int result = 0;

    if (read_names(directory, pattern, hidden, &names, &count) != 0) {
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        struct stat about;

        if (result == 0 && names_only) {
            result = append_name(text, names[i]);
        } else if (result == 0 && stat_entry(directory, path, names[i], &about) == 0) {
            result = append_long(text, &about, names[i]);
        }
        free(names[i]);
    }
    free(names);
    return result;
}

/* A file by its name: one line. */
static int list_file(struct text *text, const char *path, int names_only)
{
    const char *name = strrchr(path, '/') + 1;
    struct stat about;

    if (ftp_path_stat(path, &about) != 0) {
        return -1;
    }
    return names_only ? append_name(text, name) : append_long(text, &about, name);
}

/* A pattern in the last name: what matches it in its directory. */
static int list_matching(struct text *text, char *path, int hidden, int names_only)
{
    char *slash = strrchr(path, '/'), *pattern = slash + 1;
    int directory, result;

    if (strpbrk(pattern, "*?[") == NULL) {
        errno = ENOENT;
        return -1;
    }
    *slash = '\0';
    directory = ftp_path_open(path, O_RDONLY | O_DIRECTORY, 0);
    if (directory < 0) {
        return -1;
    }
    result = list_directory(text, directory, path, pattern, hidden, names_only);
    close(directory);
    return result;
}

/* The options that clients put in front because servers used to call ls: only "a" means something. */
static const char *after_options(const char *argument, int *hidden)
{
    while (argument[0] == '-') {
        const char *end = argument + strcspn(argument, " ");
        *hidden |= memchr(argument, 'a', (size_t)(end - argument)) != NULL;
        argument = end + strspn(end, " ");
    }
    return argument;
}

char *ftp_list(const char *argument, int names_only, size_t *length)
{
    struct text text = {0};
    char path[FTP_PATH_SIZE];
    int hidden = 0, directory, result;

    argument = after_options(argument, &hidden);
    if (ftp_path(argument, path) != 0) {
        return NULL;
    }
    directory = ftp_path_open(path, O_RDONLY | O_DIRECTORY | O_NONBLOCK, 0);
    if (directory >= 0) {
        result = list_directory(&text, directory, path, NULL, hidden, names_only);
        close(directory);
    } else if (errno == ENOTDIR) {
        result = list_file(&text, path, names_only);
    } else if (errno == ENOENT) {
        result = list_matching(&text, path, hidden, names_only);
    } else {
        result = -1;
    }
    if (result == 0 && text.bytes == NULL) {
        result = append(&text, "", 0);
    }
    if (result != 0) {
        free(text.bytes);
        return NULL;
    }
    *length = text.used;
    return text.bytes;
}
