/* expect: violated
 * fault: wild
 * line: 9
 * what: MAP_FAILED, (void *)-1, is written to
 */
int main(void)
{
	char *volatile p = (char *)-1L;
	*p = 1; /* here */
	return 0;
}
