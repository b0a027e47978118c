/* expect: violated
 * fault: null
 * line: 10
 * what: calls a null function pointer
 */
static void (*handler)(void);

int main(void)
{
	handler(); /* here */
	return 0;
}
