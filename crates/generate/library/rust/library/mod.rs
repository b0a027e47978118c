//! What code of a specification can use: messages, lines with a limit, sockets with time limits.
//!
//! Nothing here panics. What goes wrong is an [`std::io::Error`] that says what was tried; [`report`] prints it.
#![allow(dead_code)] // no program needs all of it

use std::fmt::Display;
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs, UdpSocket};
use std::time::{Duration, Instant};

/// Prints a message on standard error, with the name of the program.
pub fn message(text: impl Display) {
    let program = std::env::args().next().unwrap_or_default();
    let name = program.rsplit('/').next().unwrap_or_default();
    // Nothing can be done about a message that cannot be written.
    let _ = writeln!(io::stderr(), "{name}: {text}");
}

/// The value, or nothing and a message.
pub fn report<T>(result: io::Result<T>) -> Option<T> {
    result.map_err(message).ok()
}

fn failed(what: impl Display) -> impl FnOnce(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("{what}: {error}"))
}

/// A line without its end (`\n` or `\r\n`). Nothing at the end of the input; an error (`InvalidData`) if it is longer
/// than `limit` bytes: then the rest of it is still to be read.
pub fn read_line(from: &mut impl BufRead, limit: usize) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let count = from.by_ref().take(limit as u64 + 2).read_until(b'\n', &mut line)?;
    if count == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
    }
    if line.len() > limit {
        let text = format!("a line is longer than {limit} bytes");
        return Err(io::Error::new(ErrorKind::InvalidData, text));
    }
    Ok(Some(line))
}

/// A socket that listens; port 0 is any that is free.
pub fn listen(address: &str, port: u16) -> io::Result<TcpListener> {
    TcpListener::bind((address, port)).map_err(failed(format_args!("listen on {address}:{port}")))
}

/// The next connection, or nothing when the time is over.
pub fn accept(listener: &TcpListener, limit: Duration) -> io::Result<Option<TcpStream>> {
    let end = Instant::now() + limit;
    listener.set_nonblocking(true)?;
    let result = loop {
        match listener.accept() {
            Ok((stream, _)) => break stream.set_nonblocking(false).map(|()| Some(stream)),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                let left = end.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    break Ok(None);
                }
                // The standard library cannot wait for a connection with a time limit.
                std::thread::sleep(left.min(Duration::from_millis(5)));
            }
            Err(error) => break Err(error),
        }
    };
    listener.set_nonblocking(false)?;
    result.map_err(failed("accept"))
}

/// A connection, to the first address of the host that answers in time.
pub fn connect(host: &str, port: u16, limit: Duration) -> io::Result<TcpStream> {
    let mut last = io::Error::new(ErrorKind::NotFound, "no such host");
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, limit) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(failed(format_args!("connect to {host}:{port}"))(last))
}

/// From now on, reading and writing give up after this time (`TimedOut` or `WouldBlock`).
pub fn set_limit(stream: &TcpStream, limit: Duration) -> io::Result<()> {
    stream.set_read_timeout(Some(limit))?;
    stream.set_write_timeout(Some(limit))
}

/// Some bytes, or nothing when the other side has closed. Tries again after interruptions.
pub fn receive(stream: &mut impl Read, limit: usize) -> io::Result<Option<Vec<u8>>> {
    let mut buffer = vec![0; limit.max(1)];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return Ok(None),
            Ok(count) => {
                buffer.truncate(count);
                return Ok(Some(buffer));
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(failed("receive")(error)),
        }
    }
}

/// All bytes.
pub fn send(stream: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    stream.write_all(bytes).and_then(|()| stream.flush()).map_err(failed("send"))
}

/// A socket for datagrams; port 0 is any that is free.
pub fn bind(address: &str, port: u16) -> io::Result<UdpSocket> {
    UdpSocket::bind((address, port)).map_err(failed(format_args!("bind to {address}:{port}")))
}

/// The next datagram and where it is from, or nothing when the time is over.
pub fn receive_from(
    socket: &UdpSocket,
    limit: usize,
    time: Duration,
) -> io::Result<Option<(Vec<u8>, SocketAddr)>> {
    // A limit of zero would mean none at all.
    socket.set_read_timeout(Some(time.max(Duration::from_micros(1))))?;
    let mut buffer = vec![0; limit.max(1)];
    loop {
        match socket.recv_from(&mut buffer) {
            Ok((count, from)) => {
                buffer.truncate(count);
                return Ok(Some((buffer, from)));
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                return Ok(None);
            }
            Err(error) => return Err(failed("receive")(error)),
        }
    }
}
