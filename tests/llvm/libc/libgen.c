/* expect: holds
 * what: basename and dirname of POSIX; getcwd
 */
#include <assert.h>
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int base(const char *path, const char *wanted)
{
	char copy[20];
	return !strcmp(basename(strcpy(copy, path)), wanted);
}

static int directory(const char *path, const char *wanted)
{
	char copy[20];
	return !strcmp(dirname(strcpy(copy, path)), wanted);
}

int main(void)
{
	assert(base("/usr/lib", "lib") && base("/usr/", "usr") && base("usr", "usr") && base("/", "/") && base("", "."));
	assert(directory("/usr/lib", "/usr") && directory("/usr/", "/") && directory("usr", ".") && directory("a//b//", "a"));
	char *name = getcwd(NULL, 0), small[1];
	assert(name && name[0] == '/');
	free(name);
	assert(!getcwd(small, 1) && errno == ERANGE);
	return 0;
}
