/* expect: holds
 * what: a status that is not zero is no fault unless it is asked for
 */
int main(void)
{
	return 7;
}
