/* expect: violated
 * fault: dangling
 * line: 17
 * what: an array of variable length ends with its block
 */
#include <stdlib.h>

int main(int argc, char **argv)
{
	int n = argc + 2;
	int *p;
	{
		int v[n];
		v[0] = 7;
		p = v;
	}
	return *p != 7;
}
