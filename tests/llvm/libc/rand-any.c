/* expect: violated
 * fault: assertion
 * line: 14
 * what: rand gives any number
 */
#include <assert.h>
#include <stdlib.h>
#include <time.h>

int main(void)
{
	srand((unsigned)time(NULL));
	int coin = rand() % 2;
	assert(coin);
	return 0;
}
