/* Constants of the FTP server that the model, the implementation and the library share: only definitions, so that
 * Promela can read them too. */
#ifndef FTP_CONSTANTS_H
#define FTP_CONSTANTS_H

/* What a client can ask for: the event of the state machine. */
#define ERR_CMD 0 /* not understood */
#define USER_CMD 1
#define PASS_CMD 2
#define QUIT_CMD 3
#define NOOP_CMD 4
#define SYST_CMD 5
#define FEAT_CMD 6
#define HELP_CMD 7
#define OPTS_CMD 8
#define TYPE_CMD 9
#define MODE_CMD 10
#define STRU_CMD 11
#define PORT_CMD 12
#define EPRT_CMD 13
#define PASV_CMD 14
#define EPSV_CMD 15
#define RETR_CMD 16
#define STOR_CMD 17
#define APPE_CMD 18
#define LIST_CMD 19
#define NLST_CMD 20
#define ABOR_CMD 21
#define PWD_CMD 22
#define CWD_CMD 23
#define CDUP_CMD 24
#define SIZE_CMD 25
#define MDTM_CMD 26
#define REST_CMD 27
#define DELE_CMD 28
#define MKD_CMD 29
#define RMD_CMD 30
#define RNFR_CMD 31
#define RNTO_CMD 32
#define ALLO_CMD 33
#define ACCT_CMD 34

/* What happens without a command. */
#define LONG_EVENT 40   /* a line that is too long */
#define IDLE_EVENT 41   /* no command for too long */
#define CLOSED_EVENT 42 /* the client has gone, or we have to stop */

/* The states of a session. */
#define AWAIT_USER 0
#define AWAIT_PASS 1
#define LOGGED_IN 2
#define RENAMING 3 /* after RNFR: RNTO comes next or nothing happens */
#define CLOSING 4

/* What a step of a transfer, or opening its connection, comes to. */
#define STEP_MORE 0
#define STEP_DONE 1
#define STEP_DROPPED 2 /* the data connection has failed */
#define STEP_STALLED 3 /* nothing has moved for too long */
#define STEP_ABORTED 4 /* by ABOR */
#define STEP_FAILED 5  /* a file could not be read or written */
#define STEP_GONE 6    /* the control connection has gone */
#define NOT_OPENED 7   /* there was no data connection to begin with */

/* Wrong passwords before the connection is closed. */
#define MAX_ATTEMPTS 3

#endif
