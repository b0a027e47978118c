/* expect: holds
 * what: all shifts from 0 to the width minus 1
 */
int main(void)
{
	unsigned long mask = 0;
	unsigned low = 0;
	for (int bit = 0; bit < 64; bit++)
		mask |= 1ul << bit;
	for (int bit = 0; bit < 32; bit++)
		low |= 0x80000000u >> bit;
	return !(mask == ~0ul && low == ~0u && (-8 >> 1) == -4);
}
