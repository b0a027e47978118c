/* expect: violated
 * fault: conversion
 * line: 9
 * what: no number becomes an int
 */
int main(void)
{
	volatile double zero = 0;
	long x = (long)(zero / zero); /* here */
	return x > 0;
}
