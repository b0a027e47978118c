/* FTP helpers over a socket pair and a directory of our own: lines, Telnet, paths, listings. */
#define _GNU_SOURCE
#include "../c/genlibftp_session.h"
#include "../c/genliboutput.h"
#include "../c/genlibproc.h"
#include "../c/genlibsocket.h"
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int client, server;
static char directory[] = "/tmp/genlibftp-XXXXXX";

static void say(const char *bytes, size_t count)
{
    CHECK(Send(client, bytes, count, 0) == (ssize_t)count);
}

#define SAY(text) say(text, sizeof(text) - 1)

static const char *heard(void)
{
    static char text[16384];
    ssize_t count = RecvTimeout(client, text, sizeof text - 1, 0, 2000);
    CHECK(count > 0);
    text[count] = '\0';
    return text;
}

static void lines(void)
{
    char line[FTP_LINE_LIMIT * 3];

    SAY("USER name with spaces \r\nnoop\r\nQuit\nXYZZY\r\n\r\nPASS a\0b\r\n");
    CHECK(ftp_get_command(server) == USER_CMD && strcmp(ftp_argument(), "name with spaces ") == 0);
    CHECK(ftp_get_command(server) == NOOP_CMD && strcmp(ftp_argument(), "") == 0);
    CHECK(ftp_get_command(server) == QUIT_CMD);
    CHECK(ftp_get_command(server) == ERR_CMD);
    CHECK(ftp_get_command(server) == ERR_CMD);
    CHECK(ftp_get_command(server) == ERR_CMD); /* a zero byte */

    /* Telnet commands in between, and a byte 255 that is meant. */
    SAY("\xff\xf4\xff\xf2" "AB\xff\xfd\x06OR\r\nCWD \xff\xff\r\n");
    CHECK(ftp_get_command(server) == ABOR_CMD);
    CHECK(ftp_get_command(server) == CWD_CMD && strcmp(ftp_argument(), "\xff") == 0);

    /* In pieces. */
    SAY("LI");
    CHECK(ftp_look_at_control(server) == STEP_MORE);
    SAY("ST -a x\r\n");
    CHECK(ftp_get_command(server) == LIST_CMD && strcmp(ftp_argument(), "-a x") == 0);

    /* The longest line, and longer ones. */
    memset(line, 'x', sizeof line);
    memcpy(line, "CWD ", 4);
    memcpy(line + FTP_LINE_LIMIT - 2, "\r\n", 2);
    say(line, FTP_LINE_LIMIT);
    CHECK(ftp_get_command(server) == CWD_CMD && strlen(ftp_argument()) == FTP_LINE_LIMIT - 6);
    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\n';
    say(line, sizeof line);
    SAY("NOOP\r\n");
    CHECK(ftp_get_command(server) == LONG_EVENT);
    CHECK(ftp_get_command(server) == NOOP_CMD);
    line[FTP_LINE_LIMIT] = '\n'; /* one too long */
    say(line, FTP_LINE_LIMIT + 1);
    CHECK(ftp_get_command(server) == LONG_EVENT);

    /* ABOR is seen while something else goes on; what is not ABOR waits. */
    SAY("abor\r\nNOOP\r\n");
    CHECK(ftp_look_at_control(server) == STEP_ABORTED);
    CHECK(ftp_look_at_control(server) == STEP_MORE && !ftp_control_has_room());
    CHECK(ftp_get_command(server) == NOOP_CMD && ftp_control_has_room());

    /* Nothing for too long, also if it comes byte by byte. */
    ftp.idle = 100;
    CHECK(ftp_get_command(server) == IDLE_EVENT);
    ftp.idle = 60000;

    ftp_reply(server, 250, "a\r\n230 b\x01");
    CHECK(strcmp(heard(), "250 a??230 b?\r\n") == 0);
    ftp_reply_features(server);
    CHECK(strstr(heard(), "211 End\r\n") != NULL);
    ftp_reply_help(server);
    CHECK(strstr(heard(), "214 End\r\n") != NULL);
}

/* What an argument means in a directory. */
static void path_is(const char *cwd, const char *argument, const char *expected)
{
    char path[FTP_PATH_SIZE];

    snprintf(ftp.cwd, sizeof ftp.cwd, "%s", cwd);
    CHECK(ftp_path(argument, path) == 0);
    if (strcmp(path, expected) != 0) {
        fprintf(stderr, "%s in %s is %s, not %s\n", argument, cwd, path, expected);
        exit(1);
    }
}

static int opens(const char *path)
{
    int fd = ftp_path_open(path, O_RDONLY, 0);
    if (fd >= 0) {
        close(fd);
    }
    return fd >= 0;
}

static void make(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static int act(int (*action)(void), const char *argument)
{
    snprintf(ftp.argument, sizeof ftp.argument, "%s", argument);
    return action();
}

static void paths(void)
{
    char longest[FTP_PATH_SIZE], path[FTP_PATH_SIZE];
    struct stat about;
    size_t length;
    char *listing;

    path_is("/", "a", "/a");
    path_is("/", "/", "/");
    path_is("/", "", "/");
    path_is("/a/b", "", "/a/b");
    path_is("/a/b", "c", "/a/b/c");
    path_is("/a/b", "..", "/a");
    path_is("/a/b", "../../../../x", "/x");
    path_is("/a", "/../../etc/passwd", "/etc/passwd");
    path_is("/a", ".//./b/./../c/", "/a/c");
    path_is("/a", "...", "/a/...");
    path_is("/a", "..b", "/a/..b");
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    CHECK(ftp_path(longest, path) == -1 && errno == ENAMETOOLONG);

    snprintf(ftp.cwd, sizeof ftp.cwd, "/");
    CHECK(mkdir("in", 0755) == 0 && mkdir("in/deep", 0755) == 0 && mkdir("out", 0755) == 0);
    make("in/file", "text");
    make("out/secret", "secret");
    ftp.root = open("in", O_RDONLY | O_DIRECTORY);
    CHECK(symlink("../out/secret", "in/up") == 0 && symlink("/etc/passwd", "in/absolute") == 0);
    CHECK(symlink("../out", "in/updir") == 0 && symlink("file", "in/inside") == 0);
    CHECK(symlink("../file", "in/deep/inside") == 0 && symlink(".", "in/loop") == 0);
    for (ftp_path_walks = 0; ftp_path_walks < 2; ftp_path_walks++) {
        CHECK(opens("/file") && opens("/") && opens("/deep"));
        CHECK(!opens("/up") && !opens("/absolute") && !opens("/updir/secret") && !opens("/../out/secret"));
        CHECK(!opens("/deep/../../out/secret") && !opens("/file/x") && !opens("/nothing"));
        /* Only the kernel can follow links safely. */
        CHECK(opens("/inside") == !ftp_path_walks && opens("/deep/inside") == !ftp_path_walks);
        CHECK(ftp_path_stat("/file", &about) == 0 && about.st_size == 4);
        CHECK(ftp_path_stat("/up", &about) == -1);
        ftp.may_write = 1;
        CHECK(act(ftp_make_directory, "new/") == 257 && strcmp(ftp_text(), "\"/new\" created") == 0);
        CHECK(act(ftp_make_directory, "updir/new") == 550 && act(ftp_make_directory, "../../top") == 257);
        CHECK(access("in/new/", F_OK) == 0 && access("in/top/", F_OK) == 0);
        CHECK(access("out/new", F_OK) != 0 && access("top", F_OK) != 0 && act(ftp_remove_directory, "/top") == 250);
        CHECK(act(ftp_remove_directory, "new") == 250 && act(ftp_remove_directory, "new") == 550);
        CHECK(act(ftp_remove_directory, "/") == 550 && act(ftp_delete, "..") == 550);
        CHECK(act(ftp_delete, "updir/secret") == 550 && access("out/secret", F_OK) == 0);
        make("in/old", "x");
        CHECK(act(ftp_rename_from, "old") == 350 && act(ftp_rename_to, "updir/stolen") == 553);
        CHECK(act(ftp_rename_to, "renamed") == 250 && access("in/renamed", F_OK) == 0);
        CHECK(act(ftp_rename_from, "updir/secret") == 550);
        CHECK(act(ftp_delete, "renamed") == 250 && access("in/renamed", F_OK) != 0);
        ftp.may_write = 0;
        CHECK(act(ftp_delete, "file") == 550 && act(ftp_make_directory, "d") == 550 && access("in/file", F_OK) == 0);
        ftp.ascii = 0;
        CHECK(act(ftp_size, "file") == 213 && strcmp(ftp_text(), "4") == 0 && act(ftp_size, "deep") == 550);
        CHECK(act(ftp_modified, "file") == 213 && strlen(ftp_text()) == 14);
        CHECK(act(ftp_cwd, "deep") == 250 && strcmp(ftp.cwd, "/deep") == 0 && act(ftp_cdup, "") == 250);
        CHECK(act(ftp_cdup, "") == 250 && strcmp(ftp.cwd, "/") == 0 && act(ftp_cwd, "updir") == 550);
        CHECK(act(ftp_cwd, "file") == 550 && act(ftp_cwd, "") == 550);
    }
    ftp_path_walks = 0;

    make("in/two\nlines", "");
    make("in/.hidden", "");
    listing = ftp_list("", 1, &length);
    CHECK(strcmp(listing, "absolute\r\ndeep\r\nfile\r\ninside\r\nloop\r\ntwo?lines\r\nup\r\nupdir\r\n") == 0);
    free(listing);
    listing = ftp_list("-la", 1, &length);
    CHECK(strstr(listing, ".hidden\r\n") == listing && strlen(listing) == length);
    free(listing);
    listing = ftp_list("f*", 0, &length);
    CHECK(strstr(listing, "-rw") == listing && strstr(listing, "ftp ftp            4 ") != NULL);
    CHECK(strcmp(listing + length - 7, " file\r\n") == 0);
    free(listing);
    listing = ftp_list("deep", 0, &length);
    CHECK(strstr(listing, "-rw") == listing); /* shown as what it leads to */
    free(listing);
    listing = ftp_list("", 0, &length);
    CHECK(strstr(listing, "lrwxrwxrwx") == listing); /* leads outside */
    free(listing);
    CHECK(ftp_list("updir", 0, &length) == NULL && ftp_list("nothing", 0, &length) == NULL);
    close(ftp.root);
}

static void addresses(void)
{
    /* The test's control connection comes from 127.0.0.1. */
    CHECK(act(ftp_port, "127,0,0,1,4,1") == 200);
    CHECK(act(ftp_port, "127,0,0,1,0,25") == 501); /* no port of the system */
    CHECK(act(ftp_port, "10,0,0,1,4,1") == 501);   /* nobody else */
    static const char *const wrong[] = {"", "1,2,3", "127,0,0,1,4,1,", "127,0,0,1,4,", "256,0,0,1,4,1", "127,0,0,1,4,-1",
                                        "127,0,0,1,4,1x", "99999999999999999999,0,0,1,4,1", " 127,0,0,1,4,1"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CHECK(act(ftp_port, wrong[i]) == 501);
    }
    CHECK(act(ftp_eprt, "|1|127.0.0.1|2000|") == 200 && act(ftp_eprt, "!1!127.0.0.1!2000!") == 200);
    static const char *const wrong_too[] = {"", "|", "||||", "|1|127.0.0.1|2000", "|1|127.0.0.1|2000|x", "|3|127.0.0.1|2000|",
                                            "|2|127.0.0.1|2000|", "|1|127.0.0.1|99999|", "|1|10.0.0.1|2000|", "|2|::1|2000|",
                                            "|1|12345678901234567890123456789012345678901234567890|1|"};
    for (size_t i = 0; i < sizeof wrong_too / sizeof wrong_too[0]; i++) {
        CHECK(act(ftp_eprt, wrong_too[i]) == 501);
    }
    CHECK(act(ftp_pasv, "") == 227 && strncmp(ftp_text(), "Entering passive mode (127,0,0,1,", 33) == 0);
    CHECK(act(ftp_epsv, "") == 229 && act(ftp_epsv, "1") == 229 && act(ftp_epsv, "2") == 522);
    CHECK(act(ftp_epsv, "ALL") == 200 && act(ftp_pasv, "") == 425 && act(ftp_port, "127,0,0,1,4,1") == 501);
    CHECK(act(ftp_epsv, "") == 229);
    ftp.only_epsv = 0;
    ftp_forget_address();
}

int main(void)
{
    int listening = ListenOn("127.0.0.1", 0, 1);

    output_set_level(OUTPUT_SILENT);
    CHECK(mkdtemp(directory) != NULL && chdir(directory) == 0);
    client = ConnectTo("127.0.0.1", LocalPort(listening), 5000);
    server = Accept(listening, NULL, NULL);
    CHECK(client >= 0 && server >= 0 && ftp_begin(server) == 0);
    close(ftp.root);
    lines();
    paths();
    addresses();
    CHECK(act(ftp_type, "i") == 200 && !ftp.ascii && act(ftp_type, "A N") == 200 && ftp.ascii && act(ftp_type, "E") == 504);
    CHECK(act(ftp_mode, "S") == 200 && act(ftp_mode, "B") == 504 && act(ftp_structure, "R") == 504);
    CHECK(act(ftp_restart, "12") == 350 && act(ftp_restart, "-1") == 501 && act(ftp_restart, "x") == 501);
    CHECK(act(ftp_restart, "99999999999999999999") == 501);
    make("users", "# comment\nname:secret\nreader:read:ro\nbroken\n:x\n");
    setenv("FTPD_USERS", "users", 1);
    act((int (*)(void))ftp_password, "");
    static const struct { const char *user, *password; int code, may_write; } logins[] = {
        {"name", "secret", 230, 1}, {"name", "Secret", 530, 0}, {"name", "", 530, 0}, {"name", "secretsecret", 530, 0},
        {"reader", "read", 230, 0}, {"nobody", "x", 530, 0}, {"anonymous", "me@", 230, 0}, {"broken", "", 530, 0},
    };
    for (size_t i = 0; i < sizeof logins / sizeof logins[0]; i++) {
        snprintf(ftp.argument, sizeof ftp.argument, "%s", logins[i].user);
        ftp_user();
        ftp.may_write = 0;
        CHECK(act(ftp_password, logins[i].password) == logins[i].code && ftp.may_write == logins[i].may_write);
    }
    setenv("FTPD_ANONYMOUS", "no", 1);
    snprintf(ftp.argument, sizeof ftp.argument, "anonymous");
    ftp_user();
    CHECK(act(ftp_password, "x") == 530);
    /* The client goes. */
    close(client);
    CHECK(ftp_get_command(server) == CLOSED_EVENT && ftp_look_at_control(server) == STEP_GONE);
    ftp.root = -1;
    ftp_end(server);
    CHECK(chdir("/") == 0);
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}
