//! The parser and the printer, from outside.

use auspex_lf::ast::{self, ExprKind, Statement, StatementKind};
use auspex_lf::{parse, parse_expression, print};
use auspex_system::{Diagnostic, FileId, SourceMap, Span};

fn parsed(text: &str) -> Result<ast::Module, Vec<Diagnostic>> {
    let mut sources = SourceMap::default();
    let file = sources.add("m.lf", text);
    parse(&sources, file)
}

const PRODUCER_CONSUMER: &str = "MODULE ProdCons;
IMPORT Out;
TYPE Msg = [data(INTEGER),end];
PORT q : Msg;

PROCESS Producer(out : Msg);
VAR  i : INTEGER;
BEGIN
    i := 0;
    WHILE i < 100 DO
        out!data(i); INC(i)
    END;
    out!end
END Producer;

PROCESS Consumer(in : Msg);
VAR  x : INTEGER;  more : BOOLEAN;
BEGIN
    more := TRUE;
    WHILE more DO
        SELECT
            WHEN in?data(x) THEN Out.Int(x)
            WHEN in?end THEN more := FALSE
        END
    END
END Consumer;

BEGIN
    NEW(q);
    CREATE Producer(q);
    CREATE Consumer(q)
END ProdCons.
";

const EVERYTHING: &str = r#"MODULE Every; (* a (* nested *) comment *)
IMPORT Out, S := SYSTEM;
CONST N* = 10; M = 0FFH; C = 41X; Q = '"'; T = "it's";
TYPE
  Vec* = ARRAY N OF INTEGER;
  Mat = ARRAY 2, N + 1 OF ARRAY 3 OF S.Word;
  Rec = RECORD a, b: INTEGER; c: CHAR; END;
  None = RECORD END;
  Chan = [go, data(INTEGER, Rec), stop];
VAR x, y*, z-: INTEGER; r: Rec; v: Vec; s: SET; b, c: BOOLEAN;
PORT p, q*: Chan; t: ARRAY 4 OF Chan;
VAR late: INT8;
PROPERTY Never;
VAR k: INTEGER;
BEGIN
  LOOP CHOICE NOMOVE OR ACCEPT; k := 1 OR b := (b OR c) OR IF b OR c THEN RETURN END OR END END
END Never;
PROCESS Nothing*; END Nothing;
PROCESS Some(VAR a, b: ARRAY OF INTEGER; c: Chan; VAR d: Rec);
CONST Inner = -1;
  PROCESS Deep(); BEGIN a[0] := 1 END Deep;
BEGIN
  Deep; Deep();
  ;;
  c!go; c!data(a[0], d); c?stop; S.IOPORT?PORTIN(x, 1, y);
  t[x]?data(3, r)
END Some;
BEGIN
  x := -x + y * (2 - z) DIV 3 MOD N; s := {1, 3..5, x} + {} / s - {N};
  b := ~b & (x IN s) OR c; b := (x # y) & (x <= 1) OR ~(x >= y) & ~~c;
  r.a := LEN(v) + Every.f(); v[x, y][0].q := CHR(ORD("a"));
  IF x = 1 THEN x := 2; ELSIF x < 3 THEN ELSIF x > 3 THEN y := 1 ELSE z := 1; END;
  IF b THEN END;
  WHILE x # 0 DO DEC(x) END;
  REPEAT INC(x, 2) UNTIL x = 10;
  FOR x := 0 TO N - 1 DO END;
  FOR x := N TO 0 BY -1 DO Out.Int(x, 3); Out.Ln END;
  LOOP EXIT END;
  CASE x OF 1, 3..5: y := 1 | "a".."z", 0X: | N: y := 2; || ELSE y := 3 END;
  CASE x OF | 1: END;
  SELECT WHEN p?data(x, r) & (x > 3) OR b THEN y := x; z := x
    WHEN t[1]!go THEN WHEN q?stop & b THEN RESCHEDULE END;
  CREATE Some(v, v, p, r) DEADLINE 5 PERIOD 2 * 10, Nothing, Nothing() PERIOD 3;
  CHOICE x := 1 END;
  CHOICE REPEAT x := 1 UNTIL b OR c; OR CREATE Nothing DEADLINE (1) OR p!go END;
  RETURN
END Every.
"#;

#[test]
fn right_modules_are_read() {
    for text in [PRODUCER_CONSUMER, EVERYTHING, "MODULE M; END M.", "MODULE M; BEGIN END M."] {
        if let Err(errors) = parsed(text) {
            panic!("{errors:#?}");
        }
    }
}

fn printed(module: &ast::Module) -> String {
    print::module(module, &|_| true, &|_| true)
}

/// The tree without positions.
fn shape(module: &ast::Module) -> String {
    let text = format!("{module:?}");
    let mut parts = text.split("Span {");
    let mut shape = parts.next().unwrap_or("").to_string();
    for part in parts {
        shape += part.split_once(" }").map_or("", |(_, rest)| rest);
    }
    shape
}

#[test]
fn what_is_printed_is_read_as_the_same_tree() {
    for text in [PRODUCER_CONSUMER, EVERYTHING, "MODULE M; END M.", "MODULE M; BEGIN x END M."] {
        let tree = parsed(text).unwrap();
        let first = printed(&tree);
        let again = parsed(&first).unwrap_or_else(|errors| panic!("{errors:#?}\n{first}"));
        assert_eq!(shape(&tree), shape(&again), "{first}");
        assert_eq!(first, printed(&again));
    }
}

/// Every statement and clause with its number and text, in the order in which they are found.
fn walk(sources: &SourceMap, list: &[Statement], found: &mut Vec<(u32, String)>) {
    for statement in list {
        found.push((statement.id.0, sources.snippet(statement.span).to_string()));
        match &statement.kind {
            StatementKind::Select(clauses) => {
                for clause in clauses {
                    found.push((clause.id.0, sources.snippet(clause.span).to_string()));
                    walk(sources, &clause.body, found);
                }
            }
            StatementKind::While { body, .. } => walk(sources, body, found),
            _ => {}
        }
    }
}

#[test]
fn statements_are_numbered_as_they_stand_and_know_their_text() {
    let mut sources = SourceMap::default();
    let file = sources.add("m.lf", PRODUCER_CONSUMER);
    let module = parse(&sources, file).unwrap();
    let mut found = Vec::new();
    for declaration in &module.declarations {
        if let ast::Declaration::Process(process) = declaration {
            assert!(sources.snippet(process.span).starts_with("PROCESS "));
            assert!(sources.snippet(process.span).ends_with(&process.name.name.text));
            assert_eq!(sources.snippet(process.end), process.name.name.text);
            walk(&sources, &process.body, &mut found);
        }
    }
    walk(&sources, &module.body, &mut found);
    let ids: Vec<u32> = found.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, (0..ids.len() as u32).collect::<Vec<_>>());
    let text = |id: usize| found[id].1.as_str();
    assert_eq!(text(0), "i := 0");
    assert!(text(1).starts_with("WHILE i") && text(1).ends_with("END"));
    assert_eq!([text(2), text(3), text(4)], ["out!data(i)", "INC(i)", "out!end"]);
    assert!(text(7).starts_with("SELECT") && text(7).ends_with("END"));
    assert_eq!([text(8), text(9)], ["WHEN in?data(x) THEN Out.Int(x)", "Out.Int(x)"]);
    assert_eq!(text(14), "CREATE Consumer(q)");
    assert!(sources.snippet(module.span).ends_with("END ProdCons."));
}

#[test]
fn what_is_not_kept_is_not_printed() {
    let text = "MODULE M;
CONST A = 1; B = 2;
VAR x, y: INTEGER; z: INTEGER;
PROCESS P; BEGIN x := 1 END P;
BEGIN
  WHILE x < 2 DO x := 1; y := 2 END;
  IF x = 1 THEN z := 1 END;
  SELECT WHEN c?a THEN x := 2 WHEN c?b THEN x := 3 END;
  SELECT WHEN c?a THEN END
END M.";
    let mut sources = SourceMap::default();
    let file = sources.add("m.lf", text);
    let module = parse(&sources, file).unwrap();
    let dropped = [0, 3, 4, 9, 12];
    let keep = |id: ast::StatementId| !dropped.contains(&id.0);
    let keep_name = |span: Span| !["A", "y", "z", "P"].contains(&sources.snippet(span));
    let expected = "MODULE M;

CONST
  B = 2;

VAR
  x: INTEGER;

BEGIN
  WHILE x < 2 DO
    x := 1
  END;
  SELECT
    WHEN c?a THEN
      x := 2
  END
END M.
";
    assert_eq!(print::module(&module, &keep, &keep_name), expected);
    assert_eq!(print::module(&module, &|_| false, &|_| false), "MODULE M;\n\nEND M.\n");
    let only_loop = print::module(&module, &|id| id.0 == 1, &|_| false);
    assert_eq!(only_loop, "MODULE M;\n\nBEGIN\n  WHILE x < 2 DO\n  END\nEND M.\n");
}

/// A tree that was made, not read, may lack parentheses.
#[test]
fn parentheses_are_added_where_the_tree_needs_them() {
    let text = "MODULE M; BEGIN x := (a OR b) & (-c) * (d - (e + f)); y := (1 < 2) = ~(a & b);
        CHOICE x := (a OR b) OR x := (a OR b) = (c OR d) OR REPEAT UNTIL a; OR REPEAT UNTIL a END END M.";
    let mut module = parsed(text).unwrap();
    let with = printed(&module);
    module.body.iter_mut().for_each(strip);
    let without = printed(&module);
    assert!(without.contains("x := (a OR b = c OR d)"), "{without}");
    let again = parsed(&without).unwrap_or_else(|errors| panic!("{errors:#?}\n{without}"));
    assert_eq!(without, printed(&again));
    let first = |text: &str| text.lines().take(6).map(str::to_string).collect::<Vec<_>>();
    assert_eq!(first(&with), first(&without));
}

fn strip(statement: &mut Statement) {
    match &mut statement.kind {
        StatementKind::Assign { value, .. } => strip_expr(value),
        StatementKind::Choice(alternatives) => {
            alternatives.iter_mut().flatten().for_each(strip);
        }
        _ => {}
    }
}

fn strip_expr(expr: &mut ast::Expr) {
    while let ExprKind::Paren(inner) = &expr.kind {
        *expr = (**inner).clone();
    }
    match &mut expr.kind {
        ExprKind::Unary { operand, .. } => strip_expr(operand),
        ExprKind::Binary { left, right, .. } => {
            strip_expr(left);
            strip_expr(right);
        }
        _ => {}
    }
}

fn expression(offset: u32, text: &str) -> Result<ast::Expr, Vec<Diagnostic>> {
    parse_expression(&SourceMap::default(), FileId(0), offset, text)
}

#[test]
fn expressions_alone_are_where_they_are_said_to_be() {
    let expr = expression(100, " a OR b[1] ").unwrap();
    assert_eq!((expr.span.start, expr.span.end), (101, 110));
    assert!(matches!(expr.kind, ExprKind::Binary { op: ast::BinaryOp::Or, .. }));
    for (text, start, message) in [
        ("a b", 102, "expected an operator or the end of the expression, found `b`"),
        ("", 100, "expected an expression, found the end of the text"),
        ("a + (* x", 104, "this comment has no end"),
        ("a := 1", 102, "expected an operator or the end of the expression, found `:=`"),
    ] {
        let errors = expression(100, text).unwrap_err();
        assert_eq!(errors[0].message, message);
        assert_eq!(errors[0].span.unwrap().start, start);
    }
    assert!(expression(u32::MAX - 1, "a + b").is_err());
}

#[test]
fn operators_bind_as_the_grammar_says() {
    // Fully parenthesised on the right.
    for (text, tree) in [
        ("a + b * c", "(a + (b * c))"),
        ("a - b - c", "((a - b) - c)"),
        ("-a * b + c", "((-(a * b)) + c)"),
        ("~a & b OR c", "(((~a) & b) OR c)"),
        ("a + b < c OR d", "((a + b) < (c OR d))"),
        ("a IN {1}", "(a IN {1})"),
        ("a DIV b MOD c / d", "(((a DIV b) MOD c) / d)"),
    ] {
        let sources = |text: &str| expression(0, text).unwrap();
        assert_eq!(explicit(&sources(text), text), tree);
    }
}

fn explicit(expr: &ast::Expr, text: &str) -> String {
    let source = |span: Span| text[span.start as usize..span.end as usize].to_string();
    match &expr.kind {
        ExprKind::Binary { left, right, op_span, .. } => {
            format!("({} {} {})", explicit(left, text), source(*op_span), explicit(right, text))
        }
        ExprKind::Unary { operand, .. } => {
            format!("({}{})", &source(expr.span)[..1], explicit(operand, text))
        }
        _ => source(expr.span),
    }
}

#[test]
fn truncated_modules_are_refused_without_a_panic() {
    for text in [PRODUCER_CONSUMER, EVERYTHING] {
        let end = text.trim_end().len();
        for length in 0..end {
            let errors = parsed(&text[..length]).expect_err("a truncated module");
            assert!(!errors.is_empty() && errors.len() <= 20);
            // And with a piece cut out of its middle.
            let _ = parsed(&format!("{}{}", &text[..length], &text[(length + 7).min(end)..]));
        }
    }
}

#[test]
fn nesting_is_bounded() {
    let many = 50_000;
    for (open, close) in [
        ("IF a THEN ", ""),
        ("LOOP ", "END "),
        ("CHOICE ", ""),
        ("SELECT WHEN c?m THEN ", ""),
        ("CASE x OF 1: ", ""),
        ("x := (", ")"),
        ("REPEAT ", "UNTIL a "),
        ("PROCESS P; BEGIN ", ""),
    ] {
        let text = format!("MODULE M; BEGIN {}{} END M.", open.repeat(many), close.repeat(many));
        assert!(!parsed(&text).unwrap_err().is_empty());
    }
    for part in ["(", "~", "a[", "f(", "{", "-(", "a + ", "a * ", "a = (", "a OR (", "a.b[c + d, "]
    {
        let errors = expression(0, &format!("{}a", part.repeat(many))).unwrap_err();
        assert!(!errors.is_empty());
    }
    for part in ["ARRAY OF ", "RECORD a: ", "[m(", "ARRAY 2 OF RECORD x: [m("] {
        let text = format!("MODULE M; TYPE T = {} END M.", part.repeat(many));
        assert_eq!(parsed(&text).unwrap_err()[0].message, "this is nested too deeply");
    }
    let text = format!("MODULE M; {}", "PROCESS P; ".repeat(many));
    assert_eq!(parsed(&text).unwrap_err()[0].message, "this is nested too deeply");
    // What is long but not deep is fine.
    let long =
        format!("MODULE M; BEGIN {} END M.", "IF a THEN x.y.z[1][2] := {1, 2} END;".repeat(many));
    assert!(parsed(&long).is_ok());
    assert!(expression(0, &format!("{}a", "a + ".repeat(1000))).is_ok());
    assert!(expression(0, &format!("{}a{}", "(".repeat(150), ")".repeat(150))).is_ok());
}

/// A small generator of numbers, so that failures come again.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }
}

const SOUP: &str = "ARRAY BEGIN BY CASE CHOICE CONST CREATE DIV DO ELSE ELSIF END EXIT FOR IF IMPORT IN LOOP MOD \
    MODULE OF OR PORT PROCESS PROPERTY RECORD REPEAT RETURN SELECT THEN TO TYPE UNTIL VAR WHEN WHILE DEADLINE PERIOD \
    M P x y while end if begin array PROCEDURE not := = == != <> ~= && || | % + - * / & ~ # < <= > >= : ; ; ; , . .. \
    ( ) [ ] { } ! ? 1 0FFH 41X 12ab 99999999999999999999 'a' \"str\" \"open é $ ü (* *) \u{feff} \\";

#[test]
fn soup_is_refused_or_read_but_never_a_panic() {
    let words: Vec<&str> = SOUP.split_whitespace().collect();
    let mut random = Random(1);
    for round in 0..30_000 {
        let mut text = String::new();
        if round % 2 == 0 {
            text += "MODULE M; BEGIN ";
        }
        for _ in 0..random.below(60) {
            text += words[random.below(words.len())];
            text += ["", " ", " ", "\n"][random.below(4)];
        }
        if round % 3 == 0 {
            text += " END M.";
        }
        match parsed(&text) {
            Ok(module) => {
                let again = printed(&module);
                let tree =
                    parsed(&again).unwrap_or_else(|errors| panic!("{errors:#?}\n{text}\n{again}"));
                assert_eq!(shape(&module), shape(&tree), "{text}\n{again}");
            }
            Err(errors) => assert!(!errors.is_empty() && errors.len() <= 20, "{text}"),
        }
    }
}

/// Modules with a few tokens changed are often right, and always nearly so.
#[test]
fn changed_modules_are_refused_or_printed_well() {
    let words: Vec<&str> = SOUP.split_whitespace().collect();
    let mut random = Random(2);
    let mut right = 0;
    for _ in 0..5_000 {
        let mut tokens: Vec<&str> = EVERYTHING.split_inclusive([' ', ';', '(', ')']).collect();
        for _ in 0..=random.below(2) {
            let at = random.below(tokens.len());
            match random.below(3) {
                0 => drop(tokens.remove(at)),
                1 => tokens.insert(at, words[random.below(words.len())]),
                _ => tokens[at] = words[random.below(words.len())],
            }
        }
        let text = tokens.concat();
        if let Ok(module) = parsed(&text) {
            right += 1;
            let again = printed(&module);
            let tree =
                parsed(&again).unwrap_or_else(|errors| panic!("{errors:#?}\n{text}\n{again}"));
            assert_eq!(shape(&module), shape(&tree), "{text}\n{again}");
        }
    }
    assert!(right > 100, "{right}");
}

#[test]
fn hexadecimal_numbers_stay_so() {
    let text = "MODULE m;\nCONST\n  A = 3F8H;\n  B = 0FFH;\n  C = 10;\n\nEND m.\n";
    let mut sources = auspex_system::SourceMap::default();
    let source = auspex_lf::load_text(&mut sources, "m.lf", text).unwrap();
    let printed = source.main().map(|main| auspex_lf::print::module(main, &|_| true, &|_| true));
    let printed = printed.unwrap();
    for kept in ["A = 3F8H;", "B = 0FFH;", "C = 10;"] {
        assert!(printed.contains(kept), "{printed}");
    }
}
