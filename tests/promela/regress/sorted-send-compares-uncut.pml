/* expect: holds
 * states: 11
 * what: a sorted send finds its place by the value before it is cut
 */
chan q = [3] of { byte };
byte k;

init {
	q!!300; q!!100; q!!-1;
	q?k; assert(k == 255);
	q?k; assert(k == 44);
	q?k; assert(k == 100)
}
