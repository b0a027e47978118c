/* what: a railway crossing: two trains, a gate and its controller
 * safe: holds                 no train crosses while the gate is up
 * single: holds
 * crosses: violated           the others may keep the machine busy
 * crosses weak: violated      the other train may be let through again and again
 * crosses strong: violated    the controller is free to choose
 * opens: violated
 * opens weak: violated        a second train comes before the first has left
 * lowers: holds               until then the trains can only wait
 * lowers weak: holds
 */
bool near[2], green[2], crossing[2];
bool down;

active [2] proctype train() {
	do
	:: near[_pid] = true;
		green[_pid];
		crossing[_pid] = true;
		atomic { crossing[_pid] = false; green[_pid] = false; near[_pid] = false }
	od
}

active proctype controller() {
	do
	:: (near[0] || near[1]) && !down -> down = true
	:: atomic { down && near[0] && !green[0] && !green[1] -> green[0] = true }
	:: atomic { down && near[1] && !green[0] && !green[1] -> green[1] = true }
	:: down && !near[0] && !near[1] -> down = false
	od
}

ltl safe { [] ((crossing[0] || crossing[1]) -> down) }
ltl single { [] !(crossing[0] && crossing[1]) }
ltl crosses { [] (near[0] -> <> crossing[0]) }
ltl opens { [] <> !down }
ltl lowers { [] (near[0] -> <> down) }
