//! The FTP server of examples/generate/ftp: generated, compiled with sanitizers, and served to real clients and bad ones.

mod common;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const CFLAGS: &str =
    "-O1 -g -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all";

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/generate")
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ftp")
}

fn succeed(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let wrong = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{said}\n{wrong}", output.status);
    said
}

/// The programs of a specification, compiled.
fn build(specification: &Path, name: &str) -> PathBuf {
    let files = common::generate(specification, true).unwrap();
    let directory = common::directory(name);
    common::write(&directory, &files);
    succeed(
        Command::new("make").current_dir(&directory).arg("-j2").arg(format!("CFLAGS={CFLAGS}")),
    );
    directory
}

/// A server on a port of its own, with a root directory and a secret beside it.
struct Server {
    child: Child,
    port: u16,
    directory: PathBuf,
    log: std::thread::JoinHandle<String>,
}

impl Server {
    fn start(programs: &Path) -> Self {
        let directory = programs.join("served");
        let root = directory.join("root");
        std::fs::create_dir_all(root.join("sub")).unwrap();
        std::fs::create_dir_all(directory.join("outside")).unwrap();
        let secret = "nobody may read this";
        std::fs::write(directory.join("secret"), secret).unwrap();
        std::fs::write(directory.join("outside/secret"), secret).unwrap();
        std::fs::write(root.join("hello.txt"), "hello\n").unwrap();
        std::fs::write(root.join("big.bin"), vec![7u8; 40_000_000]).unwrap();
        std::fs::write(directory.join("users"), "user:secret\n").unwrap();
        std::os::unix::fs::symlink("../outside", root.join("link")).unwrap();
        std::os::unix::fs::symlink("../secret", root.join("link_to_secret")).unwrap();
        succeed(Command::new("mkfifo").arg(root.join("pipe")));
        let mut child = Command::new(programs.join("init"))
            .env("FTPD_PORT", "0")
            .env("FTPD_ROOT", &root)
            .env("FTPD_USERS", directory.join("users"))
            .env("FTPD_SESSIONS", "40")
            .env("FTPD_IDLE", "4")
            .env("FTPD_DATA_TIMEOUT", "3")
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap());
        let mut first = String::new();
        lines.read_line(&mut first).unwrap();
        let port = first.trim().rsplit(' ').next().unwrap().parse();
        let port = port.unwrap_or_else(|_| panic!("no port in {first:?}"));
        let log = std::thread::spawn(move || std::io::read_to_string(lines).unwrap_or_default());
        Server { child, port, directory, log }
    }

    fn python(&self, script: &str, arguments: &[&str]) -> String {
        let mut python = Command::new("timeout");
        python.arg("120").arg("python3").arg(tests().join(script)).arg(self.port.to_string());
        succeed(python.args(arguments))
    }

    /// Ends it as an administrator would, and gives what it has said.
    fn stop(mut self) -> String {
        succeed(Command::new("kill").arg(self.child.id().to_string()));
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(start.elapsed() < Duration::from_secs(20), "the server does not stop");
            std::thread::sleep(Duration::from_millis(10));
        };
        assert!(status.success(), "{status}");
        // Ends only when the last handler has gone, since they all have the pipe open.
        self.log.join().unwrap()
    }
}

/// What sanitizers and assertions say.
fn assert_clean(log: &str) {
    for bad in ["Sanitizer", "runtime error", "Assertion", "not so"] {
        assert!(!log.contains(bad), "{log}");
    }
}

#[test]
fn serves_clients_of_all_kinds_and_survives_the_bad_ones() {
    let programs = build(&examples().join("ftp/ftpd.pch"), "ftpd");
    let server = Server::start(&programs);
    let root = server.directory.join("root");
    let root = root.to_str().unwrap();
    println!("{}", server.python("clients.py", &[root]));
    println!("{}", server.python("fuzz.py", &["10", "1"]));
    // What the noise has left must not be in the way of what comes now.
    let secret = std::fs::read_to_string(server.directory.join("secret")).unwrap();
    assert_eq!(secret, "nobody may read this");
    println!(
        "{}",
        server.python("clients.py", &[root, "whole_session", "with_curl", "many_at_once"])
    );
    assert_clean(&server.stop());
}

/// Bytes go in and come out, over lines that lose and damage.
#[test]
fn alternating_bit_delivers_every_message_once_and_in_order() {
    let programs = build(&examples().join("altbit.pch"), "altbit");
    let message: Vec<u8> = (0..600u32).map(|i| (i * 7 % 251) as u8).collect();
    std::fs::write(programs.join("in"), &message).unwrap();
    for (seed, loss, corruption) in [(1, 20, 10), (2, 0, 0), (3, 5, 60)] {
        let output = Command::new("timeout")
            .arg("60")
            .arg(programs.join("init"))
            .env("ALTBIT_SEED", seed.to_string())
            .env("ALTBIT_LOSS", loss.to_string())
            .env("ALTBIT_CORRUPT", corruption.to_string())
            .env("ALTBIT_TIMEOUT", "5")
            .stdin(std::fs::File::open(programs.join("in")).unwrap())
            .output()
            .unwrap();
        let log = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {log}", output.status);
        assert_clean(&log);
        assert!(output.stdout == message, "seed {seed}: something else came out");
    }
}

/// Identifiers of the message queues that one of these processes has sent to or received from.
fn queues_of(processes: &[String]) -> Vec<String> {
    let list = std::fs::read_to_string("/proc/sysvipc/msg").unwrap();
    let fields = list.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>());
    let ours = fields.filter(|fields| {
        let is_ours = |field: usize| processes.iter().any(|process| process == fields[field]);
        is_ours(5) || is_ours(6)
    });
    ours.map(|fields| fields[1].to_owned()).collect()
}

fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Queues and processes are gone when the programs have been killed, whatever the signal.
#[test]
fn alternating_bit_leaves_nothing_behind_when_it_is_killed() {
    let programs = build(&examples().join("altbit.pch"), "altbit_killed");
    std::fs::write(programs.join("in"), vec![b'x'; 100_000]).unwrap();
    for signal in ["TERM", "KILL"] {
        let mut init = Command::new(programs.join("init"))
            .stdin(std::fs::File::open(programs.join("in")).unwrap())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let id = init.id();
        let mut processes = Vec::new();
        let mut queues = Vec::new();
        wait_until("four queues are in use", || {
            let children = format!("/proc/{id}/task/{id}/children");
            let children = std::fs::read_to_string(children).unwrap_or_default();
            processes = children.split_whitespace().map(str::to_owned).collect();
            queues = queues_of(&processes);
            processes.len() == 4 && queues.len() == 4
        });
        succeed(Command::new("kill").arg(format!("-{signal}")).arg(id.to_string()));
        assert!(!init.wait().unwrap().success());
        wait_until("the queues are gone", || {
            let list = std::fs::read_to_string("/proc/sysvipc/msg").unwrap();
            !list.lines().any(|line| {
                let id = line.split_whitespace().nth(1).unwrap_or_default();
                queues.iter().any(|queue| queue == id)
            })
        });
        wait_until("the processes are gone", || {
            processes.iter().all(|process| {
                let status = std::fs::read_to_string(format!("/proc/{process}/stat"));
                status.is_err() || status.is_ok_and(|text| text.contains(") Z "))
            })
        });
    }
}
