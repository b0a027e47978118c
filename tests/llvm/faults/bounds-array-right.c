/* expect: holds
 * what: the last element is still inside, and so is a pointer one past it that is not read
 */
int main(void)
{
	int a[4], sum = 0;
	for (int *p = a; p != a + 4; p++)
		*p = 1;
	for (int i = 3; i >= 0; i--)
		sum += a[i];
	return sum - 4;
}
