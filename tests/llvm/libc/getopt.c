/* expect: holds
 * what: getopt and getopt_long: words that are no options go to the end, arguments, abbreviations, errors
 */
#define _GNU_SOURCE
#include <assert.h>
#include <getopt.h>
#include <string.h>
#include <unistd.h>

static void short_options(void)
{
	char *words[] = {"program", "file", "-vn", "3", "-ofile", "-q", "--", "-x", NULL};
	int verbose = 0, number = 0, wrong = 0;
	char *output = NULL;
	opterr = 0;
	for (int c; (c = getopt(8, words, "vn:o:")) != -1;) {
		switch (c) {
		case 'v': verbose++; break;
		case 'n': number = optarg[0] - '0'; break;
		case 'o': output = optarg; break;
		default: assert(c == '?'); wrong = optopt;
		}
	}
	assert(verbose == 1 && number == 3 && wrong == 'q' && !strcmp(output, "file"));
	assert(optind == 6 && !strcmp(words[6], "file") && !strcmp(words[7], "-x"));
}

static void missing_argument(void)
{
	char *words[] = {"program", "-n", NULL};
	optind = 1;
	assert(getopt(2, words, ":n:") == ':' && optopt == 'n');
	assert(getopt(2, words, ":n:") == -1);
}

static void long_options(void)
{
	static int flag;
	struct option options[] = {
		{"all", no_argument, NULL, 'a'},
		{"size", required_argument, NULL, 's'},
		{"colour", optional_argument, NULL, 'c'},
		{"flag", no_argument, &flag, 7},
		{0},
	};
	char *words[] = {"program", "--all", "x", "--size=5", "--siz", "6", "--colour", "--flag", "--no", "-a", NULL};
	int index = -1;
	optind = 0;
	assert(getopt_long(10, words, "a", options, &index) == 'a' && index == 0);
	assert(getopt_long(10, words, "a", options, &index) == 's' && index == 1 && !strcmp(optarg, "5"));
	assert(getopt_long(10, words, "a", options, &index) == 's' && !strcmp(optarg, "6"));
	assert(getopt_long(10, words, "a", options, &index) == 'c' && !optarg);
	assert(getopt_long(10, words, "a", options, NULL) == 0 && flag == 7);
	assert(getopt_long(10, words, "a", options, NULL) == '?');
	assert(getopt_long(10, words, "a", options, NULL) == 'a');
	assert(getopt_long(10, words, "a", options, NULL) == -1);
	assert(optind == 9 && !strcmp(words[9], "x"));
}

int main(void)
{
	short_options();
	missing_argument();
	long_options();
	return 0;
}
