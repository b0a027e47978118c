/* expect: holds
 * what: odd numbers may be kept in pointers as long as nobody follows them
 */
static int object;

int main(void)
{
	char *volatile failed = (char *)-1L;
	void *volatile number = (void *)42L;
	void *volatile p = &object;
	if (failed == (char *)-1L && (long)number == 42 && p != number)
		return *(int *)p;
	return 1;
}
