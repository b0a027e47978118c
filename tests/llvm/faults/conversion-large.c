/* expect: violated
 * fault: conversion
 * line: 9
 * what: a floating-point number that no int can be
 */
int main(void)
{
	volatile double large = 3e9;
	int x = (int)large; /* here */
	return x > 0;
}
