//! The Makefile.

use super::LIBRARY;
use crate::c::library;

pub fn makefile(name: &str, programs: &[String]) -> String {
    let objects: Vec<String> = library::FILES
        .iter()
        .filter_map(|(file, _)| file.strip_suffix(".c"))
        .map(|file| format!("{LIBRARY}/{file}.o"))
        .collect();
    let programs = programs.join(" ");
    let objects = objects.join(" \\\n\t");
    format!(
        "# The programs of {name}. `make` builds them, `./init` runs them.
CC = cc
CFLAGS = -O2 -Wall -Wextra
# What the programs rely on: arithmetic wraps around, as in the model.
NEEDED = -std=c11 -fwrapv -I{LIBRARY}
LDLIBS =

PROGRAMS = {programs}
OBJECTS = {objects}

all: $(PROGRAMS)

$(PROGRAMS): %: %.c init.h {LIBRARY}/libgenerate.a
\t$(CC) $(NEEDED) $(CFLAGS) $(LDFLAGS) -o $@ $< {LIBRARY}/libgenerate.a $(LDLIBS)

{LIBRARY}/libgenerate.a: $(OBJECTS)
\trm -f $@
\t$(AR) rc $@ $(OBJECTS)

$(OBJECTS): %.o: %.c
\t$(CC) $(NEEDED) $(CFLAGS) -c -o $@ $<

clean:
\trm -f $(PROGRAMS) $(OBJECTS) {LIBRARY}/libgenerate.a

.PHONY: all clean
"
    )
}
