/* expect: holds
 * states: 11
 * what: an end label on the do, waiting inside an option is another matter
 */
chan q = [1] of { byte };

active proctype Server() {
	byte v;
end:	do
	:: q?v ->
end1:		q?v
	od
}

active proctype Client() {
	q!1;
	if
	:: q!2
	:: skip
	fi
}
