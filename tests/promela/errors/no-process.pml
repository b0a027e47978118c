/* expect: error
 * line: 7
 * what: a model without any process to start
 */
byte x;

proctype P() { x = 1 } /* refused here */
