/* expect: error
 * spin: differs
 * what: Spin refuses this only when pan.c is compiled
 */
chan q = [0] of { byte };
byte x;

active proctype A() priority 3 { q!1 }
active proctype B() priority 1 { q?x }
active proctype C() priority 2 { skip }
