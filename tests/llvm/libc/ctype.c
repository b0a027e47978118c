/* expect: holds
 * what: the kinds of characters
 */
#include <assert.h>
#include <ctype.h>

int main(void)
{
	assert(isalpha('a') && isalpha('Z') && !isalpha('1') && !isalpha('_'));
	assert(isdigit('0') && isdigit('9') && !isdigit('a') && isxdigit('F') && !isxdigit('g'));
	assert(isspace(' ') && isspace('\n') && isspace('\t') && !isspace('x'));
	assert(isupper('Q') && !isupper('q') && islower('q') && ispunct('!') && !ispunct('a'));
	assert(isalnum('7') && isprint(' ') && !isprint('\n') && iscntrl(127) && isgraph('~') && !isgraph(' '));
	assert(toupper('a') == 'A' && toupper('1') == '1' && tolower('Z') == 'z');
	int letters = 0;
	for (int c = 0; c < 256; c++)
		letters += isalpha(c) != 0;
	assert(letters == 52);
	return 0;
}
