/* expect: violated
 * fault: null
 * line: 9
 * what: reads through a null pointer
 */
int main(void)
{
	int *volatile p = 0;
	return *p; /* here */
}
