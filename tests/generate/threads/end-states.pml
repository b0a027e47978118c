/* It stops with one process at an end label and messages left: a valid end. */
chan q = [3] of { byte };

active proctype server() {
	byte x;
end_of_day:
	do
	:: q?1 -> printf("one\n")
	:: q?2 -> printf("two\n")
	od
}

active proctype client() {
	q!2; q!1; q!3; printf("sent\n")
}
