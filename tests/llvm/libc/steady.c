/* expect: holds
 * what: library functions called for ever leave nothing behind: the states come back
 */
#define _GNU_SOURCE
#include <fenv.h>
#include <getopt.h>
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

int turn;

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

int main(void)
{
	static int keys[] = {2, 1, 3};
	for (;;) {
		char *words[] = {"program", "x", "-ab", "--", "y", NULL}, text[20];
		optind = 0;
		while (getopt(5, words, "ab") != -1)
			;
		time_t moment = 0;
		struct tm *tm = gmtime(&moment);
		strftime(text, sizeof text, "%s", tm);
		if (hcreate(3)) {
			hsearch((ENTRY){"key", NULL}, ENTER);
			hdestroy();
		}
		void *root = NULL;
		for (int i = 0; i < 3; i++)
			tsearch(&keys[i], &root, compare);
		for (int i = 0; i < 3; i++)
			tdelete(&keys[i], &root, compare);
		if (wcstod(L"1.5", NULL) != 1.5 || lgamma(1.0) != 0)
			return 1;
		feraiseexcept(FE_INVALID);
		turn = !turn;
	}
}
