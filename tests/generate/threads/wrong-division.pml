int x = 3;
active proctype p() { do :: x > 0 -> x--; printf("%d\n", 6 / x) od }
