/* expect: holds
 * states: 1093
 * what: active [n] takes n pids in a row
 */
byte seen[6];

active [2] proctype A() { seen[_pid]++; assert(_pid < 2) }

active [3] proctype B() { seen[_pid]++; assert(_pid >= 2 && _pid < 5) }

init { seen[_pid]++; assert(_pid == 5 && _nr_pr == 6) }
