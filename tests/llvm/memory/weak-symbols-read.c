/* expect: violated
 * fault: null
 * line: 10
 * what: a weak variable that nothing defines is read
 */
extern int missing __attribute__((weak));

int main(void)
{
	return missing;
}
