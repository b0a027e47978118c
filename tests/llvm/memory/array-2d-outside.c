/* expect: violated
 * fault: bounds
 * line: 11
 * what: the indexes of an array of arrays are exchanged
 */
int main(void)
{
	int a[2][5] = {{0}};
	for (int i = 0; i < 5; i++)
		for (int j = 0; j < 2; j++)
			a[i][j] = 1; /* here */
	return 0;
}
