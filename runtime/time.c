/* <time.h>, <sys/time.h>: time passes at will. There are two moments: "now" and, as soon as some call chooses so, "a day later";
   from then on it stays that. So any timeout may be over or not, time never runs backwards, and nothing counts up. */
#include "runtime.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
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
    tm->tm_zone = "GMT";
    return tm;
}

struct tm *localtime_r(const time_t *restrict time, struct tm *restrict tm) {
    gmtime_r(time, tm);
    tm->tm_zone = "UTC";
    return tm;
}

/* One for both, as in glibc. */
static struct tm the_tm;

struct tm *gmtime(const time_t *time) {
    return gmtime_r(time, &the_tm);
}

struct tm *localtime(const time_t *time) {
    return localtime_r(time, &the_tm);
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
    time_t time = timegm(tm);
    tm->tm_zone = "UTC";
    return time;
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

/* ---- strftime in the C locale, with the flags and widths of glibc ---- */

struct output {
    char *to;
    size_t size, used; /* it does not fit when used reaches size */
};

static void put(struct output *out, char c) {
    if (out->used < out->size)
        out->to[out->used++] = c;
}

struct conversion {
    int pad;   /* '_', '-', '0', or 0 where the conversion decides */
    int width; /* or -1 */
    int upper, opposite;
};

static void widen(struct output *out, struct conversion how, int length) {
    for (; length < how.width; length++)
        put(out, how.pad == '0' ? '0' : ' ');
}

static void put_text(struct output *out, struct conversion how, const char *text) {
    int lower = 0;
    if (how.opposite) /* all are changed to capitals, but for AM, PM and the time zone */
        lower = *text >= 'A' && *text <= 'Z' && text[0] && text[1] >= 'A' && text[1] <= 'Z';
    widen(out, how, (int)strlen(text));
    for (; *text; text++) {
        if (lower && *text >= 'A' && *text <= 'Z')
            put(out, (char)(*text + 32));
        else if (!lower && (how.upper || how.opposite) && *text >= 'a' && *text <= 'z')
            put(out, (char)(*text - 32));
        else
            put(out, *text);
    }
}

static void put_number(struct output *out, struct conversion how, long long number, int digits, char pad) {
    char text[24];
    int length = 0, negative = number < 0;
    unsigned long long rest = negative ? 0 - (unsigned long long)number : (unsigned long long)number;
    do
        text[length++] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (how.pad)
        pad = (char)how.pad;
    if (pad == '-') {
        widen(out, how, length + negative);
        digits = 0;
    } else if (how.width > digits) {
        digits = how.width;
    }
    if (pad == '_' || pad == ' ')
        for (int i = length + negative; i < digits; i++)
            put(out, ' ');
    if (negative)
        put(out, '-');
    if (pad == '0' || pad == '+')
        for (int i = length + negative; i < digits; i++)
            put(out, '0');
    while (length)
        put(out, text[--length]);
}

/* The week of the year by ISO 8601, and its year: the one that has its Thursday. */
static int iso_week(const struct tm *tm, long *year) {
    *year = tm->tm_year + 1900L;
    int monday = tm->tm_yday - (tm->tm_wday + 6) % 7; /* of this week, as a day of the year */
    int thursday = monday + 3;
    if (thursday < 0) {
        --*year;
        thursday += 365 + leap(*year);
    } else if (thursday >= 365 + leap(*year)) {
        thursday -= 365 + leap(*year);
        ++*year;
    }
    return thursday / 7 + 1;
}

static const char *const day_names[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const month_names[] = {"January", "February", "March",     "April",   "May",      "June",
                                          "July",    "August",   "September", "October", "November", "December"};

static void put_name(struct output *out, struct conversion how, const char *const *names, int count, int index, int shortened) {
    char name[12];
    if (index < 0 || index >= count) {
        put_text(out, how, "?");
        return;
    }
    strcpy(name, names[index]);
    if (shortened)
        name[3] = 0;
    how.upper |= how.opposite;
    how.opposite = 0;
    put_text(out, how, name);
}

static void put_time(struct output *out, const char *format, const struct tm *tm);

/* A conversion that stands for several, as one text. */
static void put_several(struct output *out, struct conversion how, const char *format, const struct tm *tm) {
    char text[160];
    struct output inner = {text, sizeof text - 1, 0};
    put_time(&inner, format, tm);
    text[inner.used] = 0;
    how.opposite = 0;
    put_text(out, how, text);
}

static void put_zone(struct output *out, struct conversion how, const struct tm *tm) {
    long minutes = tm->tm_gmtoff / 60;
    int negative = minutes < 0;
    if (negative)
        minutes = -minutes;
    widen(out, how, 1);
    put(out, negative ? '-' : '+');
    put_number(out, how, minutes / 60 * 100 + minutes % 60, 4, '0');
}

static void put_conversion(struct output *out, struct conversion how, char c, const struct tm *tm) {
    int hour12;
    long year;
    switch (c) {
    case 'a':
    case 'A':
        put_name(out, how, day_names, 7, tm->tm_wday, c == 'a');
        break;
    case 'b':
    case 'h':
    case 'B':
        put_name(out, how, month_names, 12, tm->tm_mon, c != 'B');
        break;
    case 'c':
        put_several(out, how, "%a %b %e %H:%M:%S %Y", tm);
        break;
    case 'C':
        year = tm->tm_year + 1900L;
        put_number(out, how, year / 100 - (year % 100 < 0), 2, '0');
        break;
    case 'd':
        put_number(out, how, tm->tm_mday, 2, '0');
        break;
    case 'D':
    case 'x':
        put_several(out, how, "%m/%d/%y", tm);
        break;
    case 'e':
        put_number(out, how, tm->tm_mday, 2, '_');
        break;
    case 'F':
        put_several(out, how, "%Y-%m-%d", tm);
        break;
    case 'g':
        iso_week(tm, &year);
        put_number(out, how, (year % 100 + 100) % 100, 2, '0');
        break;
    case 'G':
        iso_week(tm, &year);
        put_number(out, how, year, 1, '0');
        break;
    case 'H':
    case 'k':
        put_number(out, how, tm->tm_hour, 2, c == 'H' ? '0' : '_');
        break;
    case 'I':
    case 'l':
        hour12 = tm->tm_hour > 12 ? tm->tm_hour - 12 : tm->tm_hour ? tm->tm_hour : 12;
        put_number(out, how, hour12, 2, c == 'I' ? '0' : '_');
        break;
    case 'j':
        put_number(out, how, tm->tm_yday + 1, 3, '0');
        break;
    case 'm':
        put_number(out, how, tm->tm_mon + 1, 2, '0');
        break;
    case 'M':
        put_number(out, how, tm->tm_min, 2, '0');
        break;
    case 'n':
        put_text(out, how, "\n");
        break;
    case 'p':
        put_text(out, how, tm->tm_hour > 11 ? "PM" : "AM");
        break;
    case 'P':
        how.upper = how.opposite = 0;
        put_text(out, how, tm->tm_hour > 11 ? "pm" : "am");
        break;
    case 'r':
        put_several(out, how, "%I:%M:%S %p", tm);
        break;
    case 'R':
        put_several(out, how, "%H:%M", tm);
        break;
    case 's': {
        struct tm copy = *tm;
        time_t seconds = mktime(&copy);
        char text[24];
        sprintf(text, "%lld", (long long)seconds);
        if (seconds < 0)
            put_text(out, how, text);
        else
            put_number(out, how, seconds, 1, '0');
        break;
    }
    case 'S':
        put_number(out, how, tm->tm_sec, 2, '0');
        break;
    case 't':
        put_text(out, how, "\t");
        break;
    case 'T':
    case 'X':
        put_several(out, how, "%H:%M:%S", tm);
        break;
    case 'u':
        put_number(out, how, (tm->tm_wday + 6) % 7 + 1, 1, '0');
        break;
    case 'U':
        put_number(out, how, (tm->tm_yday - tm->tm_wday + 7) / 7, 2, '0');
        break;
    case 'V':
        put_number(out, how, iso_week(tm, &year), 2, '0');
        break;
    case 'w':
        put_number(out, how, tm->tm_wday, 1, '0');
        break;
    case 'W':
        put_number(out, how, (tm->tm_yday - (tm->tm_wday + 6) % 7 + 7) / 7, 2, '0');
        break;
    case 'y':
        put_number(out, how, (tm->tm_year % 100 + 100) % 100, 2, '0');
        break;
    case 'Y':
        put_number(out, how, tm->tm_year + 1900L, 1, '0');
        break;
    case 'z':
        put_zone(out, how, tm);
        break;
    case 'Z':
        put_text(out, how, tm->tm_zone ? tm->tm_zone : "UTC");
        break;
    }
}

static void put_time(struct output *out, const char *format, const struct tm *tm) {
    while (*format) {
        const char *start = format;
        if (*format++ != '%') {
            put(out, *start);
            continue;
        }
        struct conversion how = {0, -1, 0, 0};
        for (;; format++) {
            if (*format == '_' || *format == '-' || *format == '0' || *format == '+')
                how.pad = *format;
            else if (*format == '^')
                how.upper = 1;
            else if (*format == '#')
                how.opposite = 1;
            else
                break;
        }
        if (*format >= '0' && *format <= '9')
            for (how.width = 0; *format >= '0' && *format <= '9'; format++)
                how.width = how.width > 100000 ? how.width : how.width * 10 + *format - '0';
        if (*format == 'E' || *format == 'O')
            format++;
        if (*format == '%')
            put_text(out, how, "%");
        else if (*format && strchr("aAbhBcCdDxeFgGHkIljmMnpPrRsStTXuUVwWyYzZ", *format))
            put_conversion(out, how, *format, tm);
        else { /* nothing that is known: as it is written */
            widen(out, how, (int)(format + (*format != 0) - start));
            for (; start < format + (*format != 0); start++)
                put(out, *start);
        }
        format += *format != 0;
    }
}

size_t strftime(char *restrict to, size_t size, const char *restrict format, const struct tm *restrict tm) {
    struct output out = {to, size, 0};
    put_time(&out, format, tm);
    if (out.used == size)
        return 0;
    to[out.used] = 0;
    return out.used;
}

size_t strftime_l(char *restrict to, size_t size, const char *restrict format, const struct tm *restrict tm, locale_t locale) {
    (void)locale;
    return strftime(to, size, format, tm);
}
