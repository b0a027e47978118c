/* expect: holds
 * what: the null pointer is looked at first
 */
static int *find(int key)
{
	static int zero;
	return key == 0 ? &zero : 0;
}

int main(void)
{
	for (int key = 0; key < 2; key++) {
		int *p = find(key);
		if (p)
			*p = 1;
	}
	return 0;
}
