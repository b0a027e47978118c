/* The receiver comes when the sender waits already, and nothing else has changed. */
chan c = [0] of { byte };

active proctype sender() {
	c!1;
	printf("sent\n")
}

active proctype receiver() {
	printf("coming\n");
	c?_;
	printf("received\n")
}
