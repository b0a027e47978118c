/* expect: holds
 * what: strftime: the conversions, flags and widths; a buffer that is too small is refused
 */
#include <assert.h>
#include <string.h>
#include <time.h>

static char text[100];

static int gives(const char *format, const struct tm *tm, const char *wanted)
{
	return strftime(text, sizeof text, format, tm) == strlen(wanted) && !strcmp(text, wanted);
}

int main(void)
{
	time_t moment = 1234567890;
	struct tm tm;
	gmtime_r(&moment, &tm);
	assert(gives("%Y-%m-%d %H:%M:%S", &tm, "2009-02-13 23:31:30"));
	assert(gives("%FT%TZ %a %A %b %B", &tm, "2009-02-13T23:31:30Z Fri Friday Feb February"));
	assert(gives("%c|%x|%X|%D|%R|%r", &tm, "Fri Feb 13 23:31:30 2009|02/13/09|23:31:30|02/13/09|23:31|11:31:30 PM"));
	assert(gives("%j %U %W %V %G %u %w %C %y", &tm, "044 06 06 07 2009 5 5 20 09"));
	assert(gives("%s %z %Z %p %P %I %e%%", &tm, "1234567890 +0000 GMT PM pm 11 13%"));
	assert(gives("%-m %_m %^a %5d %_5d", &tm, "2  2 FRI 00013    13"));
	assert(strftime(text, 10, "%F", &tm) == 0);
	assert(strftime(text, 11, "%F", &tm) == 10);
	return 0;
}
