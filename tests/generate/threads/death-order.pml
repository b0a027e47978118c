/* The oldest can end only after the youngest. */
active proctype old() { printf("old is ready\n") }
active proctype young() {
	printf("young sees %d\n", _nr_pr);
	_nr_pr == 2;
	printf("young\n")
}
