/* expect: violated
 * fault: uninitialised
 * line: 13
 * what: a long double of which only the significand was set
 */
union view { long double number; unsigned long long significand; };

int main(void)
{
	union view view;
	view.significand = 1ULL << 63;
	long double sum = view.number + 1;
	if (sum > 1)
		return 1;
	return 0;
}
