/* expect: violated
 * fault: null
 * line: 17
 * what: an argument that is optional is used although it is not there
 */
#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>

int main(void)
{
	struct option options[] = {{"level", optional_argument, NULL, 'l'}, {0}};
	char *words[] = {"program", "--level", NULL};
	int level = 0;
	for (int c; (c = getopt_long(2, words, "", options, NULL)) != -1;)
		if (c == 'l')
			level = atoi(optarg); /* here */
	return level;
}
