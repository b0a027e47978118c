/* expect: violated
 * fault: bounds
 * line: 17
 * what: an index that leaves an array inside a structure, but not the structure
 */
struct account {
	char name[4];
	int is_admin;
};

volatile int length = 4;

int main(void)
{
	struct account a = { "abc", 0 };
	int i = length;
	a.name[i] = 1;
	return a.is_admin > 1;
}
