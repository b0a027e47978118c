//! The library that generated programs are linked with: all its files.

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../library/c/", $name)))),*]
    };
}

/// Name and text of each.
pub const FILES: &[(&str, &str)] = files![
    "ftp_constants.h",
    "genlibftp.c",
    "genlibftp.h",
    "genlibftp_address.c",
    "genlibftp_data.c",
    "genlibftp_files.c",
    "genlibftp_list.c",
    "genlibftp_path.c",
    "genlibftp_session.h",
    "genlibipc.c",
    "genlibipc.h",
    "genlibmodel.c",
    "genlibmodel.h",
    "genliboutput.c",
    "genliboutput.h",
    "genlibproc.c",
    "genlibproc.h",
    "genlibsocket.c",
    "genlibsocket.h",
];
