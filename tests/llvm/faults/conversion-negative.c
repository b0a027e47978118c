/* expect: violated
 * fault: conversion
 * line: 9
 * what: a negative floating-point number becomes unsigned
 */
int main(void)
{
	volatile float below = -1.5f;
	unsigned x = (unsigned)below; /* here */
	return x > 0;
}
