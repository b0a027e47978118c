"""Clients of an FTP server, good and bad: ftplib, curl, lftp and bare sockets.

clients.py PORT ROOT [TEST...]
                          the server listens on 127.0.0.1; ROOT is its root directory, and beside it lies a file
                          "secret" that no client may ever see. Users: anonymous (may read), user/secret.
Settings that the server must have: FTPD_SESSIONS=40 FTPD_IDLE=4 FTPD_DATA_TIMEOUT=3.
"""
import ftplib
import io
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time

HOST = "127.0.0.1"
PORT = int(sys.argv[1])
ROOT = sys.argv[2]
SECRET = b"nobody may read this"
MAX_SESSIONS = 40


def session(user="user", password="secret"):
    start = time.time()
    while True:
        ftp = ftplib.FTP(timeout=20)
        try:
            ftp.connect(HOST, PORT)
            break
        except ftplib.error_temp as error:
            # Sessions of others may still be ending.
            assert str(error).startswith("421") and time.time() - start < 10, error
            time.sleep(0.1)
    ftp.login(user, password)
    return ftp


def bytes_of(size, seed):
    return random.Random(seed).randbytes(size)


def download(ftp, name, **more):
    parts = []
    ftp.retrbinary(f"RETR {name}", parts.append, **more)
    return b"".join(parts)


def refused(call, code):
    try:
        call()
    except (ftplib.error_perm, ftplib.error_temp) as error:
        assert str(error).startswith(code), f"{error}, not {code}"
        return
    raise AssertionError(f"was not refused with {code}")


class Raw:
    """A control connection without any help."""

    def __init__(self):
        self.socket = socket.create_connection((HOST, PORT), timeout=20)
        self.file = self.socket.makefile("rb")
        self.welcome = self.reply()

    def reply(self):
        line = self.file.readline()
        if line[3:4] == b"-":
            end = line[:3] + b" "
            while not line.startswith(end):
                line = self.file.readline()
        return line.decode("latin-1").strip()

    def ask(self, line):
        self.socket.sendall(line if isinstance(line, bytes) else line.encode() + b"\r\n")
        return self.reply()

    def login(self):
        assert self.ask("USER user").startswith("331")
        assert self.ask("PASS secret").startswith("230")
        return self

    def passive(self):
        answer = self.ask("EPSV")
        assert answer.startswith("229"), answer
        return socket.create_connection((HOST, int(answer.split("|")[3])), timeout=20)

    def close(self):
        self.file.close()
        self.socket.close()


def whole_session():
    for passive in (True, False):
        ftp = session()
        ftp.set_pasv(passive)
        directory = f"whole-{passive}"
        assert ftp.mkd(directory) == f"/{directory}"
        ftp.cwd(directory)
        assert ftp.pwd() == f"/{directory}"
        for size in (0, 1, 1000, 300_000, 3_000_001):
            content = bytes_of(size, size)
            ftp.storbinary(f"STOR file{size}", io.BytesIO(content))
            assert open(f"{ROOT}/{directory}/file{size}", "rb").read() == content
            assert download(ftp, f"file{size}") == content
            ftp.voidcmd("TYPE I")
            assert ftp.size(f"file{size}") == size
        assert ftp.sendcmd("MDTM file1").startswith("213 20")
        assert ftp.nlst() == ["file0", "file1", "file1000", "file300000", "file3000001"]
        assert ftp.nlst("file1*") == ["file1", "file1000"]
        lines = []
        ftp.dir(lines.append)
        assert len(lines) == 5 and lines[2].split()[4] == "1000", lines
        # From the middle, and to the end of what is there.
        whole = bytes_of(300_000, 300_000)
        assert download(ftp, "file300000", rest=123_456) == whole[123_456:]
        ftp.storbinary("APPE file1000", io.BytesIO(b"more"))
        assert open(f"{ROOT}/{directory}/file1000", "rb").read() == bytes_of(1000, 1000) + b"more"
        ftp.storbinary("STOR file300000", io.BytesIO(b"new end"), rest=1000)
        assert open(f"{ROOT}/{directory}/file300000", "rb").read() == whole[:1000] + b"new end"
        # Text: lines end with CR LF on the way, with LF in files.
        ftp.storlines("STOR text", io.BytesIO(b"one\r\ntwo\nlast"))
        assert open(f"{ROOT}/{directory}/text", "rb").read() == b"one\ntwo\nlast\n"
        with open(f"{ROOT}/{directory}/unix", "wb") as file:
            file.write(b"a\nb\r\nc\rd\n" * 50_000)
        ftp.voidcmd("TYPE A")
        with ftp.transfercmd("RETR unix") as data:
            text = data.makefile("rb").read()
        ftp.voidresp()
        assert text == b"a\r\nb\r\nc\rd\r\n" * 50_000
        with ftp.transfercmd("STOR back") as data:
            data.sendall(text)
        ftp.voidresp()
        assert open(f"{ROOT}/{directory}/back", "rb").read() == b"a\nb\nc\rd\n" * 50_000
        refused(lambda: ftp.size("text"), "550")
        # Names.
        ftp.rename("text", "other name")
        assert "other name" in ftp.nlst() and "text" not in ftp.nlst()
        ftp.mkd('quo"te')
        assert ftp.pwd() == f"/{directory}"
        ftp.cwd('quo"te')
        assert ftp.pwd() == f'/{directory}/quo"te'
        ftp.voidcmd("CDUP")
        ftp.rmd('quo"te')
        refused(lambda: ftp.sendcmd("RNTO x"), "503")
        assert ftp.sendcmd("RNFR file0").startswith("350")
        ftp.voidcmd("NOOP")
        refused(lambda: ftp.sendcmd("RNTO x"), "503")
        refused(lambda: ftp.cwd("nowhere"), "550")
        refused(lambda: download(ftp, "nothing"), "550")
        refused(lambda: download(ftp, "/"), "550")
        refused(lambda: ftp.rmd(f"/{directory}"), "550")
        for name in ftp.nlst():
            ftp.delete(name)
        ftp.cwd("/")
        ftp.rmd(directory)
        for line in ("NOOP", "SYST", "MODE S", "STRU F", "TYPE A N", "OPTS UTF8 ON", "ALLO 100", "ACCT x"):
            assert ftp.sendcmd(line)[0] == "2", line
        assert "EPSV" in ftp.sendcmd("FEAT") and "RETR" in ftp.sendcmd("HELP")
        refused(lambda: ftp.sendcmd("MODE B"), "504")
        refused(lambda: ftp.sendcmd("XYZZY"), "500")
        assert ftp.quit().startswith("221")


def with_curl():
    content = bytes_of(2_000_000, 5)
    with tempfile.NamedTemporaryFile() as local:
        local.write(content)
        local.flush()
        for i, options in enumerate(([], ["--disable-epsv"], ["-P", "-"], ["-P", "-", "--disable-eprt"])):
            url = f"ftp://user:secret@{HOST}:{PORT}/curl/{i}/file"
            curl = ["curl", "-sS", "--max-time", "30", *options]
            subprocess.run([*curl, "--ftp-create-dirs", "-T", local.name, url], check=True)
            assert subprocess.run([*curl, url], check=True, stdout=subprocess.PIPE).stdout == content
            part = subprocess.run([*curl, "-r", "1000-", url], check=True, stdout=subprocess.PIPE).stdout
            assert part == content[1000:]
            names = subprocess.run([*curl, "-l", url[:-4]], check=True, stdout=subprocess.PIPE).stdout
            assert names.split() == [b"file"], names
            # Broken off early: the server must live with it.
            subprocess.run([*curl, "-r", "0-9", url], stdout=subprocess.PIPE)
            subprocess.run([*curl, "-Q", f"DELE /curl/{i}/file", f"ftp://user:secret@{HOST}:{PORT}/"],
                           check=True, stdout=subprocess.PIPE)


def with_lftp():
    with tempfile.TemporaryDirectory() as local:
        os.mkdir(f"{local}/up")
        os.mkdir(f"{local}/up/deep")
        for i in range(12):
            with open(f"{local}/up/{'deep/' if i % 2 else ''}file {i}", "wb") as file:
                file.write(bytes_of(10_000 * i, i))
        script = (f"set net:timeout 10; set net:max-retries 2; set cmd:fail-exit true; "
                  f"open -u user,secret -p {PORT} {HOST}; "
                  f"mirror -R --parallel=4 {local}/up lftp; mirror --parallel=4 lftp {local}/down; "
                  f"set ftp:passive-mode off; mirror lftp {local}/active; rm -r lftp; bye")
        subprocess.run(["lftp", "-e", script], check=True, stdin=subprocess.DEVNULL, timeout=50)
        subprocess.run(["diff", "-r", f"{local}/up", f"{local}/down"], check=True)
        subprocess.run(["diff", "-r", f"{local}/up", f"{local}/active"], check=True)


def many_at_once():
    errors = []

    def one(i):
        try:
            ftp = session()
            ftp.set_pasv(i % 3 != 0)
            content = bytes_of(200_000 + i, i)
            ftp.storbinary(f"STOR many{i}", io.BytesIO(content))
            for _ in range(3):
                assert download(ftp, f"many{i}") == content
            ftp.delete(f"many{i}")
            ftp.quit()
        except Exception as error:
            errors.append(f"session {i}: {error!r}")

    threads = [threading.Thread(target=one, args=(i,)) for i in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors, errors


def nobody_gets_out():
    ftp = session()
    outside = ["../secret", "/../secret", "../../../../../../../../etc/passwd", "link/secret", "link_to_secret",
               "./../secret", "sub/../../secret", "....//secret", "//..//secret", "/proc/self/root/etc/passwd"]
    for path in outside:
        for command in ("RETR", "STOR", "APPE"):
            try:
                with ftp.transfercmd(f"{command} {path}") as data:
                    if command == "RETR":
                        got = data.makefile("rb").read()
                        assert SECRET not in got and b"root:" not in got, path
                ftp.voidresp()
                # It was a file of that name inside: fine, but not the one outside.
                os.unlink(os.path.join(ROOT, os.path.normpath("/" + path).lstrip("/")))
            except (ftplib.error_perm, ftplib.error_temp):
                pass
        for command in ("CWD", "SIZE", "MDTM", "DELE", "RMD", "MKD", "RNFR", "LIST", "NLST"):
            if command in ("LIST", "NLST"):
                lines = []
                try:
                    ftp.retrlines(f"{command} {path}", lines.append)
                except (ftplib.error_perm, ftplib.error_temp):
                    pass
                assert not any("passwd" in line and "root" in line for line in lines)
                continue
            try:
                answer = ftp.sendcmd(f"{command} {path}")
                if command == "MKD":
                    ftp.sendcmd(f"RMD {path}")
                if command == "CWD":
                    assert os.path.isdir(os.path.join(ROOT, os.path.normpath("/" + path).lstrip("/"))), (path, answer)
                    ftp.cwd("/")
            except (ftplib.error_perm, ftplib.error_temp):
                pass
    ftp.storbinary("STOR mine", io.BytesIO(b"x"))
    for path in ("link/stolen", "link_to_secret/x"):
        refused(lambda: ftp.rename("mine", path), "553")
    # A link itself is in the directory and may go; what it leads to stays.
    assert open(os.path.join(ROOT, "../secret"), "rb").read() == SECRET
    assert os.listdir(os.path.join(ROOT, "../outside")) == ["secret"]
    assert not os.path.exists(os.path.join(ROOT, "../stolen"))
    ftp.delete("mine")
    # Data goes to the client and nobody else.
    refused(lambda: ftp.sendcmd("PORT 10,0,0,1,40,1"), "501")
    refused(lambda: ftp.sendcmd("PORT 127,0,0,1,0,22"), "501")
    refused(lambda: ftp.sendcmd("EPRT |1|8.8.8.8|4000|"), "501")
    # A named pipe must not hold us up.
    start = time.time()
    refused(lambda: download(ftp, "pipe"), "550")
    refused(lambda: ftp.storbinary("STOR pipe", io.BytesIO(b"x")), "553")
    assert time.time() - start < 10
    ftp.quit()


def who_may_do_what():
    raw = Raw()
    for line in ("RETR hello.txt", "STOR x", "LIST", "PASV", "PWD", "CWD /", "PASS x", "DELE hello.txt"):
        assert raw.ask(line).startswith("530"), line
    for _ in range(3):
        assert raw.ask("USER user").startswith("331")
        assert raw.ask("PASS wrong").startswith("530")
    assert raw.reply() == "", "three wrong passwords, and still connected"
    raw.close()
    ftp = session("anonymous", "me@")
    assert download(ftp, "hello.txt") == b"hello\n"
    refused(lambda: ftp.storbinary("STOR new", io.BytesIO(b"x")), "553")
    for line in ("DELE hello.txt", "MKD new", "RMD sub", "RNFR hello.txt"):
        refused(lambda: ftp.sendcmd(line), "550")
    ftp.quit()
    assert not os.path.exists(f"{ROOT}/new")


def bad_lines():
    raw = Raw().login()
    assert raw.ask(b"X" * 100_000 + b"\r\n").startswith("500")
    assert raw.ask("NOOP").startswith("200")
    assert raw.ask(b"CWD " + b"a/" * 1500 + b"\r\n").startswith("550")
    assert raw.ask(b"\xff\xf4\xff\xf2NO\xff\xfb\x01OP\r\n").startswith("200")
    assert raw.ask(b"CWD a\0b\r\n").startswith("500")
    # Many at a time.
    raw.socket.sendall(b"NOOP\r\nPWD\r\nSYST\r\n" * 100)
    codes = [raw.reply()[:3] for _ in range(300)]
    assert codes == ["200", "257", "215"] * 100
    # A name cannot put words into the server's mouth.
    os.mkdir(f"{ROOT}/evil\n230 in")
    try:
        raw.ask("CWD /")
        assert "\n" not in raw.ask("PWD")
        data = raw.passive()
        assert raw.ask("NLST").startswith("150")
        assert b"evil?230 in\r\n" in data.makefile("rb").read()
        assert raw.reply().startswith("226")
    finally:
        os.rmdir(f"{ROOT}/evil\n230 in")
    raw.close()


def broken_transfers():
    # The client goes away in the middle: of sending, of receiving, altogether.
    raw = Raw().login()
    assert raw.ask("RETR hello.txt").startswith("425")
    raw.ask("TYPE I")
    data = raw.passive()
    assert raw.ask("RETR big.bin").startswith("150")
    data.recv(1000)
    data.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    data.close()
    assert raw.reply().startswith("426")
    data = raw.passive()
    assert raw.ask("STOR broken").startswith("150")
    data.sendall(b"x" * 100_000)
    data.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    data.close()
    assert raw.reply().startswith("426")
    assert raw.ask("DELE broken").startswith("250")
    # ABOR, bare and with the Telnet signals in front.
    for abort in (b"ABOR\r\n", b"\xff\xf4\xff\xf2ABOR\r\n"):
        data = raw.passive()
        assert raw.ask("RETR big.bin").startswith("150")
        data.recv(1000)
        assert raw.ask(abort).startswith("426") and raw.reply().startswith("226")
        data.close()
    assert raw.ask("ABOR").startswith("226")
    # A command that comes too early waits its turn.
    data = raw.passive()
    raw.socket.sendall(b"RETR hello.txt\r\nNOOP\r\nQUIT\r\n")
    assert raw.reply().startswith("150") and data.makefile("rb").read() == b"hello\n"
    assert [raw.reply()[:3] for _ in range(3)] == ["226", "200", "221"]
    raw.close()
    raw = Raw().login()
    data = raw.passive()
    assert raw.ask("RETR big.bin").startswith("150")
    raw.close()
    data.close()


def slow_ones():
    # Nobody connects to the data port; nobody reads the data; a command that never ends. All at the same time.
    waiting, stalled, dribbling = Raw().login(), Raw().login(), Raw()
    stalled.ask("TYPE I")
    waiting.ask("EPSV")
    data = stalled.passive()
    start = time.time()
    waiting.socket.sendall(b"RETR big.bin\r\n")
    assert waiting.reply().startswith("150")
    assert stalled.ask("RETR big.bin").startswith("150")
    while time.time() - start < 6:
        try:
            dribbling.socket.sendall(b"N")
        except OSError:
            break
        time.sleep(0.3)
        assert session("anonymous", "x").quit().startswith("221")
    assert dribbling.reply().startswith("421")
    assert waiting.reply().startswith("425")
    assert stalled.reply().startswith("426")
    assert waiting.ask("NOOP").startswith("200") and stalled.ask("NOOP").startswith("200")
    assert time.time() - start < 15
    for each in (waiting, stalled, dribbling):
        each.close()
    data.close()


def too_many():
    held = []
    for _ in range(MAX_SESSIONS + 10):
        raw = Raw()
        if raw.welcome.startswith("421"):
            raw.close()
            break
        assert raw.welcome.startswith("220")
        held.append(raw)
    assert MAX_SESSIONS - 5 <= len(held) <= MAX_SESSIONS, len(held)
    for raw in held:
        raw.close()
    start = time.time()
    while True:
        raw = Raw()
        if raw.welcome.startswith("220"):
            break
        assert time.time() - start < 10
        time.sleep(0.05)
    raw.close()


def main():
    wanted = sys.argv[3:]
    for test in (whole_session, with_curl, with_lftp, many_at_once, nobody_gets_out, who_may_do_what, bad_lines,
                 broken_transfers, slow_ones, too_many):
        if wanted and test.__name__ not in wanted:
            continue
        start = time.time()
        test()
        print(f"{test.__name__}: {time.time() - start:.1f} s", flush=True)


main()
