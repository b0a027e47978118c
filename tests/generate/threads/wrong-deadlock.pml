/* Wrong on purpose: two locks in two orders. */
bool a, b;

active proctype p() {
	atomic { !a -> a = true }; printf("p has a\n");
	atomic { !b -> b = true }; printf("p has both\n");
	a = false; b = false
}

active proctype q() {
	atomic { !b -> b = true }; printf("q has b\n");
	atomic { !a -> a = true }; printf("q has both\n");
	a = false; b = false
}
