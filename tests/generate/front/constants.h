#ifndef FTP_CONSTANTS_H
#define FTP_CONSTANTS_H
/* shared by the model and the C code */
#define USER_CMD 1
#define PASS_CMD 2
#define QUIT_CMD 3
#define NOOP_CMD 4
mtype:state = { AWAIT_USER, AWAIT_PASS, LOGGED_IN };
#endif
