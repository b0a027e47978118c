byte a[3], i;
active proctype p() { do :: i < 9 -> printf("%d\n", i); i++; a[i] = 1 od }
