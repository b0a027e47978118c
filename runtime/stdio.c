/* <stdio.h>: input, and what is left of files. All output is done by the machine. */
#include "runtime.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nobody looks into a FILE: three addresses will do. */
static const char files[3];
FILE *stdin = (FILE *)&files[0];
FILE *stdout = (FILE *)&files[1];
FILE *stderr = (FILE *)&files[2];

static int pushed = -1; /* what ungetc put back */
static int at_end;
static unsigned long consumed;

int __rt_get(void) {
    int c = pushed;
    pushed = -1;
    if (c >= 0)
        return c;
    c = at_end ? -1 : __auspex_stdin(consumed);
    if (c < 0)
        at_end = 1;
    else
        consumed++;
    return c;
}

void __rt_unget(int c) {
    if (c >= 0)
        pushed = c;
}

static int is_input(FILE *file) {
    return file == (FILE *)&files[0];
}

/* ---- characters and lines ---- */

int fgetc(FILE *file) {
    if (!is_input(file))
        return EOF;
    __auspex_atomic_begin();
    int c = __rt_get();
    __auspex_atomic_end();
    return c;
}

#undef getc
#undef getchar
#undef getc_unlocked
#undef getchar_unlocked
int getc(FILE *file) {
    return fgetc(file);
}

int getchar(void) {
    return fgetc(stdin);
}

int getc_unlocked(FILE *file) {
    return fgetc(file);
}

int fgetc_unlocked(FILE *file) {
    return fgetc(file);
}

int getchar_unlocked(void) {
    return fgetc(stdin);
}

/* What the inline functions of glibc call. */
int rt_io_getc(FILE *file) SYMBOL(_IO_getc);
int rt_io_getc(FILE *file) {
    return fgetc(file);
}

int ungetc(int c, FILE *file) {
    if (c == EOF || !is_input(file))
        return EOF;
    __auspex_atomic_begin();
    pushed = (unsigned char)c;
    at_end = 0;
    __auspex_atomic_end();
    return (unsigned char)c;
}

/* Without the limit of fgets: the memory is the caller's. */
static size_t read_until(char *to, size_t size, int delimiter) {
    size_t n = 0;
    __auspex_atomic_begin();
    for (int c = 0; n < size && c != delimiter; n++) {
        c = __rt_get();
        if (c < 0)
            break;
        to[n] = c;
    }
    __auspex_atomic_end();
    return n;
}

#define NO_DELIMITER 256

char *fgets(char *restrict line, int size, FILE *restrict file) {
    if (size <= 0 || !is_input(file))
        return NULL;
    size_t n = read_until(line, size - 1, '\n');
    line[n] = 0;
    return n || size == 1 ? line : NULL;
}

size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict file) {
    if (!size || !is_input(file))
        return 0;
    return read_until(to, size * count, NO_DELIMITER) / size;
}

static int grow(char **line, size_t *size, size_t needed) {
    if (needed <= *size)
        return 1;
    char *bigger = realloc(*line, needed * 2);
    if (!bigger)
        return 0;
    *line = bigger;
    *size = needed * 2;
    return 1;
}

ssize_t getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict file) {
    if (!*line)
        *size = 0;
    size_t n = 0;
    for (int c = 0; c != delimiter;) {
        c = fgetc(file);
        if (c == EOF)
            break;
        if (!grow(line, size, n + 2))
            return -1;
        (*line)[n++] = c;
    }
    if (!n)
        return -1;
    (*line)[n] = 0;
    return n;
}

ssize_t __getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict file) {
    return getdelim(line, size, delimiter, file);
}

ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict file) {
    return getdelim(line, size, '\n', file);
}

#undef feof
#undef ferror
int feof(FILE *file) {
    if (!is_input(file))
        return 0;
    __auspex_atomic_begin();
    int end = at_end;
    __auspex_atomic_end();
    return end;
}

int ferror(FILE *file) {
    (void)file;
    return 0;
}

void clearerr(FILE *file) {
    if (!is_input(file))
        return;
    __auspex_atomic_begin();
    at_end = 0;
    __auspex_atomic_end();
}

/* ---- files: there are none ---- */

static FILE *no_file(void) {
    errno = ENOENT;
    return NULL;
}

static int no_such_file(void) {
    errno = ENOENT;
    return -1;
}

FILE *fopen(const char *restrict path, const char *restrict mode) {
    (void)path, (void)mode;
    return no_file();
}

FILE *fopen64(const char *restrict path, const char *restrict mode) {
    (void)path, (void)mode;
    return no_file();
}

FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict file) {
    (void)path, (void)mode, (void)file;
    return no_file();
}

FILE *fdopen(int number, const char *mode) {
    (void)mode;
    return number == 0 ? stdin : number == 1 ? stdout : number == 2 ? stderr : no_file();
}

FILE *tmpfile(void) {
    return no_file();
}

FILE *popen(const char *command, const char *mode) {
    (void)command, (void)mode;
    return no_file();
}

int pclose(FILE *file) {
    (void)file;
    return -1;
}

int fclose(FILE *file) {
    (void)file;
    return 0;
}

int fflush(FILE *file) {
    (void)file;
    return 0;
}

int fflush_unlocked(FILE *file) {
    (void)file;
    return 0;
}

int fileno(FILE *file) {
    return (int)((const char *)file - files);
}

int setvbuf(FILE *restrict file, char *restrict buffer, int mode, size_t size) {
    (void)file, (void)buffer, (void)mode, (void)size;
    return 0;
}

void setbuf(FILE *restrict file, char *restrict buffer) {
    (void)file, (void)buffer;
}

void setlinebuf(FILE *file) {
    (void)file;
}

void setbuffer(FILE *file, char *buffer, size_t size) {
    (void)file, (void)buffer, (void)size;
}

int fseek(FILE *file, long offset, int from) {
    (void)file, (void)offset, (void)from;
    errno = ESPIPE;
    return -1;
}

long ftell(FILE *file) {
    return fseek(file, 0, SEEK_CUR);
}

int fseeko(FILE *file, off_t offset, int from) {
    return fseek(file, (long)offset, from);
}

off_t ftello(FILE *file) {
    return ftell(file);
}

int fgetpos(FILE *restrict file, fpos_t *restrict position) {
    (void)position;
    return fseek(file, 0, SEEK_CUR);
}

int fsetpos(FILE *file, const fpos_t *position) {
    (void)position;
    return fseek(file, 0, SEEK_SET);
}

void rewind(FILE *file) {
    clearerr(file);
}

int remove(const char *path) {
    (void)path;
    return no_such_file();
}

int rename(const char *from, const char *to) {
    (void)from, (void)to;
    return no_such_file();
}

/* Each call to stdio is whole already. */
void flockfile(FILE *file) {
    (void)file;
}

void funlockfile(FILE *file) {
    (void)file;
}

int ftrylockfile(FILE *file) {
    (void)file;
    return 0;
}
