/* expect: violated
 * fault: bounds
 * line: 14
 * what: an index that leaves a row of a matrix
 */
volatile int column = 3;

int main(void)
{
	int a[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
	int sum = 0;
	for (int i = 0; i < 3; i++)
		sum += a[1][i];
	sum += a[0][column];
	return sum == 0;
}
