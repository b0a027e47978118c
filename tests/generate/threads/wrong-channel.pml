chan q; chan good = [1] of { byte };
active proctype p() { printf("before\n"); if :: good!1 -> q = good; q?_ fi; printf("good\n") }
active proctype r() { chan none; none!1 }
