"""Hostile input for an FTP server: fuzz.py PORT SECONDS SEED.

Several connections at a time send commands, true, damaged and made up, at any time, and open, use and drop data
connections as they like. It says how much it has sent; what matters is what the server does then.
"""
import random
import socket
import sys
import threading
import time

HOST = "127.0.0.1"
PORT, SECONDS, SEED = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
COMMANDS = ("USER PASS QUIT NOOP SYST FEAT HELP OPTS TYPE MODE STRU PORT EPRT PASV EPSV RETR STOR APPE LIST NLST ABOR PWD "
            "CWD CDUP SIZE MDTM REST DELE MKD RMD RNFR RNTO ALLO ACCT XPWD STAT SITE").split()
ARGUMENTS = ["", "user", "secret", "anonymous", "fuzz", "fuzz/a", "fuzz/b", "/", "..", "../..", ".", "*", "-la", "-a fuzz", "[",
             "hello.txt", "big.bin", "A", "I", "A N", "L 8", "S", "F", "R", "UTF8 ON", "ALL", "1", "2", "0", "5", "99999999999",
             "-1", "18446744073709551616", "127,0,0,1,200,1", "127,0,0,1,0,1", "|1|127.0.0.1|40000|", "|2|::1|40000|", "|||", "%s%n",
             "link/secret", "link_to_secret", "pipe", "~", "~root", "a" * 255, "a" * 256, "x/" * 700, '"', "\\", "\t", "\x7f"]
count = 0
refused = 0


def line(dice):
    kind = dice.random()
    command = dice.choice(COMMANDS)
    argument = dice.choice(ARGUMENTS)
    if kind < 0.70:
        return f"{command} {argument}\r\n".encode("latin-1")
    if kind < 0.75:
        return f"{command}\r\n".encode()
    if kind < 0.90:
        text = bytearray(f"{command} {argument}\r\n".encode("latin-1"))
        for _ in range(dice.randrange(1, 6)):
            where = dice.randrange(len(text))
            change = dice.randrange(3)
            if change == 0:
                text[where] = dice.randrange(256)
            elif change == 1:
                text.insert(where, dice.choice([0, 10, 13, 255, 255, 244, 242, 253, 128, 32]))
            elif len(text) > 1:
                del text[where]
        return bytes(text)
    if kind < 0.97:
        return dice.randbytes(dice.randrange(1, 300))
    return dice.choice([b"A", b"\xff", b"\0", b"\r"]) * dice.choice([4095, 4096, 4097, 8192, 50_000])


def data_connection(dice, reply):
    """Does something with the port that a reply names."""
    try:
        if reply.startswith(b"229"):
            port = int(reply.split(b"|")[3])
        else:
            numbers = reply.split(b"(")[1].split(b")")[0].split(b",")
            port = int(numbers[4]) * 256 + int(numbers[5])
        data = socket.create_connection((HOST, port), timeout=1)
    except (OSError, ValueError, IndexError):
        return None
    return data


def one(seed, end):
    global count, refused
    dice = random.Random(seed)
    while time.time() < end:
        try:
            control = socket.create_connection((HOST, PORT), timeout=5)
        except OSError:
            refused += 1
            time.sleep(0.01)
            continue
        data = []
        try:
            control.settimeout(0.02)
            if dice.random() < 0.8:
                control.sendall(b"USER user\r\nPASS secret\r\nMKD fuzz\r\nCWD fuzz\r\n")
            for _ in range(dice.randrange(1, 60)):
                control.sendall(line(dice))
                count += 1
                if dice.random() < 0.5:
                    try:
                        reply = control.recv(65536)
                    except TimeoutError:
                        continue
                    if not reply:
                        break
                    for each in reply.split(b"\r\n"):
                        if each.startswith((b"229", b"227")):
                            data.append(data_connection(dice, each))
                for each in data:
                    if each is not None and dice.random() < 0.3:
                        each.settimeout(0.01)
                        try:
                            each.recv(100_000) if dice.random() < 0.5 else each.sendall(dice.randbytes(dice.randrange(1, 70_000)))
                        except OSError:
                            pass
                if dice.random() < 0.2:
                    for each in data:
                        if each is not None:
                            each.close()
                    data = []
        except OSError:
            pass
        if dice.random() < 0.3:
            control.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        control.close()
        for each in data:
            if each is not None:
                each.close()


end = time.time() + SECONDS
threads = [threading.Thread(target=one, args=(SEED * 1000 + i, end)) for i in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(f"{count} commands sent, {refused} connections refused")
