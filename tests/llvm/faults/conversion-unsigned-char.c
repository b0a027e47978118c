/* expect: violated
 * fault: conversion
 * line: 9
 * what: 300 does not fit into an unsigned char
 */
int main(void)
{
	volatile double brightness = 300;
	unsigned char byte = (unsigned char)brightness; /* here */
	return byte > 0;
}
