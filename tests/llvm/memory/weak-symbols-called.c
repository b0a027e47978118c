/* expect: violated
 * fault: null
 * line: 11
 * what: a weak function that nothing defines is called without a look whether it is there
 */
extern int missing(void) __attribute__((weak));

int main(void)
{
	int x = 1;
	return missing() + x;
}
