/* expect: holds
 * states: 62761
 * what: runs of different options of a process may meet where they are watched for loops, and only where they are long together
 */
byte n = 1, y, z, w; bool ga = 1, gb, nope;
#define SPLIT if :: true :: 1 fi
#define BODY if :: n < 3 :: n >= 3 -> SPLIT; SPLIT; SPLIT; SPLIT; SPLIT; w = w; w = w fi; y = 1 - y
proctype Q() { skip }
proctype P() {
	do
	:: atomic { ga -> BODY }
	:: atomic { gb -> BODY }
	:: atomic { nope -> run Q() }
	od
}
proctype E() {
	do
	:: atomic { z < 60 -> if :: ga = 1; gb = 1 :: ga = 1; gb = 0 :: ga = 0; gb = 1 fi; n = 3 - n }
	:: atomic { z >= 60 && z < 120 -> n = 60; if :: ga = 1; gb = 0 :: ga = 0; gb = 1 fi }
	:: atomic { z >= 120 -> if :: ga = 1; gb = 1 :: ga = 1; gb = 0 :: ga = 0; gb = 1 fi }
	od
}
proctype N() { do :: atomic { z < 200 -> z++ } od }
proctype M() { do :: w = (w + 1) % 20 od }
init { atomic { run P(); run E(); run M(); run N(); } }
