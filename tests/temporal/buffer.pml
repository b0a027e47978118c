/* what: two producers, a buffer and a consumer
 * bounded: holds
 * consumes: holds             somebody: a full buffer stops the producers
 * first: violated
 * first weak: violated        there may be no room whenever it looks
 * first strong: holds
 * fills: violated
 * fills weak: violated
 * order: holds                nothing is consumed before it is produced
 */
chan q = [2] of { byte };
byte last;

active proctype one() {
	do
	:: q!1
	od
}

active proctype two() {
	do
	:: q!2
	od
}

active proctype consumer() {
	do
	:: q?last
	od
}

ltl bounded { [] (len(q) <= 2) }
ltl consumes { [] <> (last > 0) }
ltl first { [] <> (last == 1) }
ltl fills { [] <> (len(q) == 2) }
ltl order { last == 0 U len(q) > 0 || [] (len(q) == 0) }
