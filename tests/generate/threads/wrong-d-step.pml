byte x;
active proctype p() { d_step { x = 1; printf("in\n"); x == 2; x = 3 } }
