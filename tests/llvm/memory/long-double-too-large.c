/* expect: violated
 * fault: conversion
 * line: 12
 * what: a long double that does not fit an integer
 */
#include <stdint.h>

static volatile long double limit = 9223372036854775808.0L;

static int64_t whole(long double x)
{
	return (int64_t)x;
}

int main(void)
{
	/* The first fits: it would not as a double. */
	return whole(limit - 1) != INT64_MAX || whole(limit) == 0;
}
