/* expect: violated
 * fault: uninitialised
 * line: 15
 * what: a field that strftime wants was never set
 */
#include <time.h>

int main(void)
{
	struct tm tm;
	char date[20];
	tm.tm_year = 100;
	tm.tm_mday = 1;
	strftime(date, sizeof date, "%Y-%d", &tm);
	strftime(date, sizeof date, "%Y-%m", &tm); /* here */
	return 0;
}
