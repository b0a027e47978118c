/* genlibftp: what an FTP server does, for a specification that says when.
 *
 * `ftpd` calls ftp_listen and ftp_refuse. A `handler` is one process for one session, so that the session is kept in
 * here: ftp_begin, then ftp_get_command again and again. The commands' actions take their argument from the last
 * command; each gives the code of the reply, and ftp_text its words. A transfer is: ftp_open_..., ftp_connect_data,
 * ftp_step until it is not STEP_MORE, ftp_end_transfer.
 *
 * Settings come from the environment:
 *
 *     FTPD_ADDRESS          numeric address to listen on (127.0.0.1)
 *     FTPD_PORT             port to listen on, 0 for any (2121)
 *     FTPD_ROOT             directory that clients see as / and never leave (.)
 *     FTPD_USERS            file with lines name:password or name:password:ro; none without it
 *     FTPD_ANONYMOUS        no, read or write: what user anonymous may do (read)
 *     FTPD_SESSIONS         sessions at a time (200)
 *     FTPD_IDLE             seconds for a command to come (300)
 *     FTPD_DATA_TIMEOUT     seconds for a data connection to come or to move (60)
 *     FTPD_PASSIVE_LOW, FTPD_PASSIVE_HIGH   ports for passive mode (49152 to 65535)
 *
 * The server needs no privileges, and should have none. */
#ifndef GENLIBFTP_H
#define GENLIBFTP_H

#include "ftp_constants.h"

/* Longer command lines are refused. */
#define FTP_LINE_LIMIT 4096

/* The listening side. ftp_listen says on standard error where it listens; it gives a descriptor that handlers do not
 * inherit, and ends the program if it cannot. */
int ftp_listen(void);
int ftp_max_sessions(void);
void ftp_refuse(int control);

/* 0, or -1 if the root directory cannot be opened. */
int ftp_begin(int control);
void ftp_end(int control);

/* The next command or event. */
int ftp_get_command(int control);
const char *ftp_argument(void);

/* "code text" as a line; bytes that would end or disguise it become question marks. */
void ftp_reply(int control, int code, const char *text);
const char *ftp_text(void);
void ftp_reply_features(int control);
void ftp_reply_help(int control);

/* Logging in. */
void ftp_user(void);
int ftp_password(void); /* 230 530 */

/* Parameters of transfers. */
int ftp_type(void);      /* 200 504 */
int ftp_mode(void);      /* 200 504 */
int ftp_structure(void); /* 200 504 */
int ftp_options(void);   /* 200 501 */
int ftp_restart(void);   /* 350 501 */
int ftp_port(void);      /* 200 501 */
int ftp_eprt(void);      /* 200 501 */
int ftp_pasv(void);      /* 227 425 */
int ftp_epsv(void);      /* 229 425 522, 200 for ALL */

/* Files and directories. */
int ftp_pwd(void);           /* 257 */
int ftp_cwd(void);           /* 250 550 */
int ftp_cdup(void);          /* 250 550 */
int ftp_size(void);          /* 213 550 */
int ftp_modified(void);      /* 213 550 */
int ftp_delete(void);        /* 250 550 */
int ftp_make_directory(void); /* 257 550 */
int ftp_remove_directory(void); /* 250 550 */
int ftp_rename_from(void);   /* 350 550 */
int ftp_rename_to(void);     /* 250 553 */

/* Transfers. */
int ftp_open_retrieve(void);        /* 150 550 */
int ftp_open_store(int append);     /* 150 553 */
int ftp_open_list(int names_only);  /* 150 550 */
int ftp_connect_data(int control);  /* STEP_DONE, or what went wrong */
int ftp_step(int control);
void ftp_end_transfer(int outcome);

#endif
