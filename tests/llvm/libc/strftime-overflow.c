/* expect: violated
 * fault: bounds
 * line: 15
 * what: strftime is told of more room than there is
 */
#include <stdlib.h>
#include <time.h>

int main(void)
{
	time_t moment = 0;
	struct tm tm = *gmtime(&moment);
	char *date = malloc(10);
	if (date)
		strftime(date, 11, "%Y-%m-%d", &tm); /* here */
	free(date);
	return 0;
}
