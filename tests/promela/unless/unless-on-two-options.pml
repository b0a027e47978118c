/* expect: holds
 * states: 16
 * what: where two options of a choice have escapes that are enabled, that of the last one is taken
 */
chan q = [0] of { byte };
chan r = [0] of { byte };

active [2] proctype A() {
	do
	:: { skip; q!1 } unless { r?0; skip }
	:: { q?1 } unless { r?0 -> skip }
	od
}

active proctype B() { do :: r!0 od }
