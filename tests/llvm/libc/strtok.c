/* expect: holds
 * what: a text is cut into words
 */
#include <assert.h>
#include <string.h>

int main(void)
{
	char text[] = ",,a,bc;;d", *save;
	assert(strcmp(strtok(text, ",;"), "a") == 0);
	assert(strcmp(strtok(0, ",;"), "bc") == 0);
	assert(strcmp(strtok(0, ",;"), "d") == 0);
	assert(strtok(0, ",;") == 0);
	char other[] = "x y";
	assert(strcmp(strtok_r(other, " ", &save), "x") == 0);
	assert(strcmp(strtok_r(0, " ", &save), "y") == 0);
	assert(strtok_r(0, " ", &save) == 0);
	return 0;
}
