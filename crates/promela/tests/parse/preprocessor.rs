//! Macros, conditions and included files.

use std::fs;
use std::path::PathBuf;

use auspex_promela::parser::{Options, parse_file, parse_text};
use auspex_system::SourceMap;

use crate::{listed, parse, render, rendered};

/// What `text` (directives, then tokens that make a body) expands to.
fn expanded(directives: &str, body: &str) -> String {
    let text = rendered(&format!("{directives}\ninit {{ {body} }}"));
    let inner = text.strip_prefix("init() { ").and_then(|rest| rest.strip_suffix(" }"));
    inner.unwrap_or(&text).to_owned()
}

#[test]
fn macros_expand_as_in_c() {
    let table = [
        ("#define N 3", "x = N", "x = 3"),
        ("#define N (1 + \\\n 2)", "x = N", "x = (1 Add 2)"),
        ("#define A B\n#define B A", "A = B", "A = B"),
        ("#define x x + 1", "y = x", "y = (x Add 1)"),
        ("#define f(a) a + a", "x = f(2 * f(1))", "x = ((((2 Mul 1) Add 1) Add (2 Mul 1)) Add 1)"),
        ("#define f(a) a", "f = f(3)", "f = 3"),
        ("#define f(a, b) a = b", "f(x[1], (c -> 1 : 2))", "x[1] = (c -> 1 : 2)"),
        ("#define f() x = 1", "f()", "x = 1"),
        ("#define f(a) x = 1 a", "f()", "x = 1"),
        ("#define g f\n#define f(a) a = 2", "g(x)", "x = 2"),
        ("#define f(a) g\n#define g(b) x = b", "f(1)(2)", "x = 2"),
        ("#define cat(a, b) a ## b", "cat(x, 1) = cat(1, 2)", "x1 = 12"),
        ("#define cat(a, b) a##b\n#define N 3", "cat(N, N) = N", "NN = 3"),
        ("#define str(a) printf(#a)", "str(x  +  \"y\\n\")", "printf(\"x + \\\"y\\\\n\\\"\")"),
        (
            "#define p(f, ...) printf(f, __VA_ARGS__)",
            "p(\"%d %d\", x, y)",
            "printf(\"%d %d\", x, y)",
        ),
        ("#define p(...) printf(__VA_ARGS__)", "p(\"a\", x)", "printf(\"a\", x)"),
        ("#define p(f, ...) printf(f, ## __VA_ARGS__)", "p(\"a\", x)", "printf(\"a\", x)"),
        ("#define p(f, ...) printf(f, ## __VA_ARGS__)", "p(\"a\")", "printf(\"a\")"),
        ("#define cat(a, b) x = a ## b", "cat(, 1); cat(1, )", "x = 1; x = 1"),
        ("#define cat(a, b, c) x a##b##c", "cat(=, , =) 1", "(x Equal 1)"),
        ("#define f(a) a = 1", "f (x)", "x = 1"),
        ("#define f(a,b) a = b", "f(\n x,\n y\n)", "x = y"),
        ("#define BLOCK { x = 1 }", "BLOCK BLOCK", "{ x = 1 }; { x = 1 }"),
        ("#define EMPTY", "x = 1\nEMPTY y = 2", "x = 1; y = 2"),
        ("#define skip x", "skip", "x"),
        ("#define N 1\n#undef N", "x = N", "x = N"),
        ("  #  define N 1 // one\n#define M /* two */ 2", "x = N + M", "x = (1 Add 2)"),
        ("#define N 3", "for (i : 0..N) { skip }", "for (i : 0..3) { 1 }"),
        ("#define foo(x) (x)\n#define bar(x) foo(x)", "y = bar(bar(1))", "y = 1"),
        ("#define f(x) x f", "x = f(1 +)", "x = (1 Add f)"),
    ];
    for (directives, body, expected) in table {
        assert_eq!(expanded(directives, body), expected, "{directives}\n{body}");
    }
}

#[test]
fn predefined_macros() {
    assert_eq!(expanded("", "x = __LINE__;\n y = __LINE__"), "x = 2; y = 3");
    assert_eq!(expanded("#define HERE __LINE__", "\nx = HERE"), "x = 3");
    assert_eq!(expanded("", "printf(__FILE__)"), "printf(\"test.pml\")");
    assert_eq!(expanded("", "x = unix + linux"), "x = (1 Add 1)");
}

#[test]
fn conditions() {
    let table = [
        ("1", true),
        ("0", false),
        ("N", true),
        ("UNKNOWN", false),
        ("defined(N)", true),
        ("defined N && !defined M", true),
        ("N == 3 && F(2) == 4", true),
        ("(N + 1) * 2 == 8", true),
        ("N > 2 ? 0 : 1", false),
        ("0x10 == 16 && 010 == 8 && 5UL == 5", true),
        ("'a' == 97", true),
        ("0 && 1 / 0", false),
        ("1 || 1 / 0", true),
        ("1 << 4 >> 4 & ~0 | 0 ^ 0", true),
        ("-1 < 0 && 7 % 4 == 3 && 7 / 4 == 1 && 1 != 2 && 2 <= 2 && 2 >= 2 && +1", true),
        ("!!N", true),
    ];
    for (condition, expected) in table {
        let text = format!(
            "#define N 3\n#define F(x) (x * 2)\n#if {condition}\nint yes;\n#else\nint no;\n#endif"
        );
        let expected = if expected { "int yes" } else { "int no" };
        assert_eq!(rendered(&text), expected, "#if {condition}");
    }
}

#[test]
fn branches() {
    let table = [
        ("#ifdef A\nint a;\n#elif 1\nint b;\n#elif 1\nint c;\n#else\nint d;\n#endif", "int b"),
        ("#ifndef A\nint a;\n#else\nint b;\n#endif", "int a"),
        ("#if 0\n#if 1\nint a;\n#else\nint b;\n#endif\n#else\nint c;\n#endif", "int c"),
        ("#if 1\nint a;\n#elif 1 / 0\nint b;\n#endif", "int a"),
        ("#if 0\ndon't \"look\n#unknown\n#error no\n#endif\nint a;", "int a"),
        ("#pragma once\n#line 3 \"x\"\n# 12 \"y\"\n#ident \"z\"\n#\nint a;", "int a"),
        ("#if 1\n#define X int a;\n#endif\nX", "int a"),
    ];
    for (text, expected) in table {
        assert_eq!(rendered(text), expected, "{text}");
    }
}

#[test]
fn errors_of_the_preprocessor() {
    let table = [
        ("#if 1\nint a;", "1:1: this condition has no `#endif`"),
        ("#endif", "1:1: there is no `#if` for this `#endif`"),
        ("#else", "1:1: there is no `#if` for this"),
        ("#if 1\n#else\n#else\n#endif", "3:1: this condition has had its `#else` already"),
        ("#if\n#endif", "1:1: expected a value, found the end of the line"),
        ("#if (1\n#endif", "1:1: expected `)`, found the end of the line"),
        ("#if 1 2\n#endif", "1:7: expected an operator, found `2`"),
        ("#if 1 / 0\n#endif", "1:7: division by zero in a condition"),
        ("#if 0x\n#endif", "1:5: expected a number, found `0x`"),
        ("#ifdef\n#endif", "1:1: expected the name of a macro"),
        ("#define", "1:1: expected the name of a macro"),
        ("#define 3", "1:9: expected the name of a macro"),
        ("#define f(a", "1:9: the parameters of this macro have no `)`"),
        ("#define f(a b) a", "1:13: expected the names of parameters, with commas between them"),
        ("#define f(a) #b", "1:14: `#` must be followed by a parameter of the macro"),
        ("#define f(a) ## a", "1:14: `##` needs a token on both sides"),
        ("#define f(a) a ##", "1:16: `##` needs a token on both sides"),
        ("#define c(a) a ## +\nint c(x);", "2:5: `x` and `+` do not join to one token"),
        ("#define f(a) a\nint f(x, y);", "2:5: macro `f` takes 1 arguments, but 2 are given"),
        ("#define f(a) a\nint f(x", "2:5: the call of this macro has no `)`"),
        ("#undef", "1:1: expected the name of a macro"),
        ("#include", "1:1: expected the name of a file"),
        ("#include \"no/such\"", "1:1: cannot find `no/such` in no"),
        ("#include <no.h>", "1:1: cannot find `no.h`: no directory to look in (use -I)"),
        ("#error  too  bad ", "1:1: #error too  bad"),
        ("#foo", "1:1: unknown directive `#foo`"),
        ("int a; /* no end", "1:8: this comment has no end"),
    ];
    for (text, expected) in table {
        let (map, result) = parse(text);
        let errors = result.map(|parsed| render::program(&parsed.program)).expect_err(text);
        assert_eq!(listed(&map, &errors), expected, "{text}");
    }
}

#[test]
fn warnings_of_the_preprocessor() {
    let text = "#define N 1\n#define N 1\n#define N 2\n#warning so so\nint a;";
    let (map, result) = parse(text);
    let warnings = result.expect("only warnings").warnings;
    assert_eq!(listed(&map, &warnings), "3:9: macro `N` is defined again\n4:1: #warning so so");
}

#[test]
fn options_define_macros() {
    let text = "#ifdef FAST\nint fast = FAST;\n#endif\nint n = N;";
    let defines = vec![("N".to_owned(), Some("2 + 3".to_owned())), ("FAST".to_owned(), None)];
    let options = Options { defines, ..Options::default() };
    let parsed = parse_text(&mut SourceMap::default(), "x", text, &options).expect("is good");
    assert_eq!(render::program(&parsed.program), "int fast = 1\nint n = (2 Add 3)");
}

/// A directory of files that goes away with its owner.
struct Files(PathBuf);

impl Files {
    fn new(name: &str, files: &[(&str, &[u8])]) -> Files {
        let directory = std::env::temp_dir().join(format!("auspex-{name}-{}", std::process::id()));
        for (path, contents) in files {
            let path = directory.join(path);
            fs::create_dir_all(path.parent().expect("has a parent")).expect("can be made");
            fs::write(path, contents).expect("can be written");
        }
        Files(directory)
    }

    fn parse(&self, name: &str, include: &[&str]) -> Result<String, String> {
        let include_dirs = include.iter().map(|dir| self.0.join(dir)).collect();
        let options = Options { include_dirs, ..Options::default() };
        let mut map = SourceMap::default();
        match parse_file(&mut map, &self.0.join(name), &options) {
            Ok(parsed) => Ok(render::program(&parsed.program)),
            Err(errors) => Err(listed(&map, &errors)),
        }
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn included_files() {
    let files = Files::new(
        "include",
        &[
            (
                "a.pml",
                b"#include \"sub/b.h\"\n#include <c.h>\n#define D \"d.h\"\n#include D\nint a = B;",
            ),
            ("sub/b.h", b"#include \"e.h\"\nint b;\n#define B 3"),
            ("sub/e.h", b"int e;"),
            ("lib/c.h", b"int c;"),
            ("lib/d.h", b"int d;"),
            ("open.pml", b"#include \"open.h\"\nint a;\n#endif"),
            ("open.h", b"#if 1\nint b;"),
            ("own.pml", b"#include \"own.pml\"\nint a;"),
        ],
    );
    let good = "int e\nint b\nint c\nint d\nint a = 3";
    assert_eq!(files.parse("a.pml", &["lib"]), Ok(good.to_owned()));
    assert!(files.parse("a.pml", &[]).unwrap_err().starts_with("2:1: cannot find `c.h`"));
    let open = "1:1: this condition has no `#endif`\n3:1: there is no `#if` for this `#endif`";
    assert_eq!(files.parse("open.pml", &[]), Err(open.to_owned()));
    let own = "1:1: files include each other too deeply";
    assert_eq!(files.parse("own.pml", &[]), Err(own.to_owned()));
}

#[test]
fn strange_files() {
    let files = Files::new(
        "strange",
        &[
            ("latin.pml", b"/* caf\xe9 */ int a; // \xff\n"),
            ("bad.pml", b"int a\xe9;"),
            ("bom.pml", b"\xef\xbb\xbfint a;"),
            ("nul.pml", b"int a;\0"),
            ("empty.pml", b""),
            (
                "crlf.pml",
                b"#define N \\\r\n 3\r\n#if N == 3\r\nint a = N;\r\n#endif\r\n// x\r\nint b;",
            ),
        ],
    );
    assert_eq!(files.parse("latin.pml", &[]), Ok("int a".to_owned()));
    assert_eq!(
        files.parse("bad.pml", &[]),
        Err("1:6: here is a byte that is not UTF-8 text".to_owned())
    );
    assert_eq!(files.parse("bom.pml", &[]), Ok("int a".to_owned()));
    assert_eq!(files.parse("nul.pml", &[]), Err("1:7: unexpected character `\\0`".to_owned()));
    assert_eq!(files.parse("empty.pml", &[]), Ok(String::new()));
    assert_eq!(files.parse("crlf.pml", &[]), Ok("int a = 3\nint b".to_owned()));
    assert!(files.parse("missing.pml", &[]).unwrap_err().starts_with("cannot read "));
    assert!(files.parse("", &[]).unwrap_err().starts_with("cannot read "));
}
