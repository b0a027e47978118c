/* <time.h>, <sys/time.h>: time passes at will. There are two moments: "now" and, as soon as some call chooses so, "a day later";
   from then on it stays that. So any timeout may be over or not, time never runs backwards, and nothing counts up. */
#include "runtime.h"

#include <errno.h>
#include <pthread.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define START 1000000000 /* September 2001 */
#define DAY 86400

static int later;

static time_t now(void) {
    __auspex_atomic_begin();
    if (!later)
        later = __auspex_choose(2);
    time_t seconds = later ? START + DAY : START;
    __auspex_atomic_end();
    return seconds;
}

time_t time(time_t *where) {
    time_t seconds = now();
    if (where)
        *where = seconds;
    return seconds;
}

clock_t clock(void) {
    return now() == START ? 0 : 1000 * CLOCKS_PER_SEC;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone) {
    (void)zone;
    t->tv_sec = now();
    t->tv_usec = 0;
    return 0;
}

int clock_gettime(clockid_t id, struct timespec *t) {
    (void)id;
    t->tv_sec = now();
    t->tv_nsec = 0;
    return 0;
}

int clock_getres(clockid_t id, struct timespec *t) {
    (void)id;
    if (t) {
        t->tv_sec = 0;
        t->tv_nsec = 1;
    }
    return 0;
}

int timespec_get(struct timespec *t, int base) {
    if (base != TIME_UTC)
        return 0;
    clock_gettime(CLOCK_REALTIME, t);
    return base;
}

double difftime(time_t end, time_t start) {
    return (double)end - (double)start;
}

/* ---- sleeping: other threads may run at any point anyway. All of these are cancellation points. ---- */

int nanosleep(const struct timespec *t, struct timespec *rest) {
    if (t->tv_sec < 0 || t->tv_nsec < 0 || t->tv_nsec >= 1000000000) {
        errno = EINVAL;
        return -1;
    }
    pthread_testcancel();
    if (rest)
        rest->tv_sec = rest->tv_nsec = 0;
    return 0;
}

int clock_nanosleep(clockid_t id, int flags, const struct timespec *t, struct timespec *rest) {
    (void)id, (void)flags;
    return nanosleep(t, rest) ? errno : 0;
}

unsigned sleep(unsigned seconds) {
    (void)seconds;
    pthread_testcancel();
    return 0;
}

int usleep(useconds_t time) {
    (void)time;
    pthread_testcancel();
    return 0;
}

/* ---- calendars: Coordinated Universal Time is the local time ---- */

static int leap(long year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int month_length(int month, long year) {
    static const char lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return lengths[month] + (month == 1 && leap(year));
}

struct tm *gmtime_r(const time_t *restrict time, struct tm *restrict tm) {
    long days = *time / DAY, seconds = *time % DAY, year = 1970;
    if (seconds < 0) {
        seconds += DAY;
        days--;
    }
    tm->tm_sec = seconds % 60;
    tm->tm_min = seconds / 60 % 60;
    tm->tm_hour = seconds / 3600;
    tm->tm_wday = ((days + 4) % 7 + 7) % 7; /* it began on a Thursday */
    for (; days < 0; days += 365 + leap(year))
        year--;
    for (; days >= 365 + leap(year); year++)
        days -= 365 + leap(year);
    tm->tm_year = year - 1900;
    tm->tm_yday = days;
    for (tm->tm_mon = 0; days >= month_length(tm->tm_mon, year); tm->tm_mon++)
        days -= month_length(tm->tm_mon, year);
    tm->tm_mday = days + 1;
    tm->tm_isdst = 0;
    tm->tm_gmtoff = 0;
    tm->tm_zone = "UTC";
    return tm;
}

struct tm *localtime_r(const time_t *restrict time, struct tm *restrict tm) {
    return gmtime_r(time, tm);
}

struct tm *gmtime(const time_t *time) {
    static struct tm tm;
    return gmtime_r(time, &tm);
}

struct tm *localtime(const time_t *time) {
    return gmtime(time);
}

/* Days before the month and year, then the rest: fields out of range carry over. */
time_t timegm(struct tm *tm) {
    long year = tm->tm_year + 1900L + tm->tm_mon / 12, month = tm->tm_mon % 12;
    if (month < 0) {
        month += 12;
        year--;
    }
    long days = tm->tm_mday - 1;
    for (int m = 0; m < month; m++)
        days += month_length(m, year);
    for (long y = 1970; y < year; y++)
        days += 365 + leap(y);
    for (long y = year; y < 1970; y++)
        days -= 365 + leap(y);
    time_t time = (time_t)days * DAY + tm->tm_hour * 3600L + tm->tm_min * 60L + tm->tm_sec;
    gmtime_r(&time, tm);
    return time;
}

time_t mktime(struct tm *tm) {
    return timegm(tm);
}

void tzset(void) {
}

/* Two digits of a number, for asctime. */
static void two(char *to, int n) {
    to[0] = '0' + n / 10 % 10;
    to[1] = '0' + n % 10;
}

char *asctime_r(const struct tm *restrict tm, char *restrict text) {
    static const char days[] = "SunMonTueWedThuFriSat", months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    static const char form[] = "Sun Jan 00 00:00:00 0000\n";
    for (size_t i = 0; i < sizeof form; i++)
        text[i] = form[i];
    for (int i = 0; i < 3; i++) {
        text[i] = days[tm->tm_wday * 3 + i];
        text[4 + i] = months[tm->tm_mon * 3 + i];
    }
    two(text + 8, tm->tm_mday);
    if (text[8] == '0')
        text[8] = ' ';
    two(text + 11, tm->tm_hour);
    two(text + 14, tm->tm_min);
    two(text + 17, tm->tm_sec);
    two(text + 20, (tm->tm_year + 1900) / 100);
    two(text + 22, (tm->tm_year + 1900) % 100);
    return text;
}

char *asctime(const struct tm *tm) {
    static char text[26];
    return asctime_r(tm, text);
}

char *ctime_r(const time_t *restrict time, char *restrict text) {
    struct tm tm;
    return asctime_r(gmtime_r(time, &tm), text);
}

char *ctime(const time_t *time) {
    return asctime(gmtime(time));
}
