/* expect: violated
 * fault: division
 * line: 10
 * what: a remainder by zero
 */
int main(void)
{
	volatile unsigned buckets = 0;
	unsigned hash = 12345;
	return hash % buckets; /* here */
}
