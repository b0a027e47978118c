/* expect: holds
 * what: calls a function pointer that was set
 */
static int called;
static void (*handler)(void);

static void handle(void)
{
	called = 1;
}

int main(void)
{
	handler = handle;
	handler();
	(*handler)();
	(**handler)();
	return called - 1;
}
