/* expect: holds
 * states: 5
 * what: comments in all places
 */
byte x /* one */ = /* two */ 1; // three

/* four
 * // five
 */
active /* six */ proctype P( /* seven */ ) {
	x = 2 // eight
	;
	printf("/* not a comment */ // neither\n");
	x = 3 /* nine */
}
