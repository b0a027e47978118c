//! What the parser says about mistakes, word for word.

use auspex_lf::parse;
use auspex_system::{Diagnostic, SourceMap};

/// Each error as `line:column message | label | note at line:column... | hint`.
fn errors(text: &str) -> Vec<String> {
    let mut sources = SourceMap::default();
    let file = sources.add("m.lf", text);
    let place = |span| {
        let at = sources.location(span);
        format!("{}:{}", at.line, at.column)
    };
    let errors = parse(&sources, file).err().unwrap_or_default();
    let show = |error: &Diagnostic| {
        let mut parts = vec![format!("{} {}", place(error.span.unwrap()), error.message)];
        parts.push(error.label.clone());
        parts.extend(error.notes.iter().map(|(span, note)| format!("{} {note}", place(*span))));
        parts.extend(error.hint.clone());
        parts.retain(|part| !part.is_empty());
        parts.join(" | ")
    };
    errors.iter().map(show).collect()
}

/// Statements of a module, and all errors in them; the statements begin at line 3.
#[rustfmt::skip]
const STATEMENTS: &[(&str, &[&str])] = &[
    (r##"x = 1"##, &[
        r##"3:3 `=` does not assign | expected `:=` | an assignment is written `:=`; `=` compares"##,
    ]),
    (r##"x == 1"##, &[
        r##"3:3 `=` does not assign | expected `:=` | an assignment is written `:=`; `=` compares"##,
    ]),
    (r##"x := a == b"##, &[
        r##"3:8 there is no operator `==` | not in this language | equality is written `=`"##,
    ]),
    (r##"IF a != b THEN x := 1 END"##, &[
        r##"3:6 there is no operator `!=` | not in this language | inequality is written `#`"##,
    ]),
    (r##"IF a <> b THEN END"##, &[
        r##"3:6 there is no operator `<>` | not in this language | inequality is written `#`"##,
    ]),
    (r##"x := a && b"##, &[
        r##"3:8 there is no operator `&&` | not in this language | conjunction is written `&`"##,
    ]),
    (r##"x := a || b"##, &[
        r##"3:8 there is no operator `||` | not in this language | disjunction is written `OR`"##,
    ]),
    (r##"x := !a"##, &[
        r##"3:6 there is no operator `!` | not in this language | negation is written `~`"##,
    ]),
    (r##"IF !a THEN END"##, &[
        r##"3:4 there is no operator `!` | not in this language | negation is written `~`"##,
    ]),
    (r##"x := a % b"##, &[
        r##"3:8 there is no operator `%` | not in this language | the remainder is written `MOD`"##,
    ]),
    (r##"x := 1
y := 2"##, &[
        r##"3:7 missing `;` between statements | expected `;` | 4:1 another statement begins here"##,
    ]),
    (r##"x := 1 y := 2"##, &[
        r##"3:7 missing `;` between statements | expected `;` | 3:8 another statement begins here"##,
    ]),
    (r##"INC(x) WHILE a DO END"##, &[
        r##"3:7 missing `;` between statements | expected `;` | 3:8 another statement begins here"##,
    ]),
    (r##"while x < 1 do x := 1 end"##, &[
        r##"3:1 expected `WHILE`, found `while` | not in capitals | did you mean `WHILE`? keywords are in capitals"##,
        r##"3:13 expected `DO`, found `do` | not in capitals | did you mean `DO`? keywords are in capitals"##,
        r##"3:23 expected `END`, found `end` | not in capitals | did you mean `END`? keywords are in capitals"##,
    ]),
    (r##"if (x = 1) then y := 2 else y := 3 end; z := 1"##, &[
        r##"3:1 expected `IF`, found `if` | not in capitals | did you mean `IF`? keywords are in capitals"##,
        r##"3:12 expected `THEN`, found `then` | not in capitals | did you mean `THEN`? keywords are in capitals"##,
        r##"3:24 expected `ELSE`, found `else` | not in capitals | did you mean `ELSE`? keywords are in capitals"##,
        r##"3:36 expected `END`, found `end` | not in capitals | did you mean `END`? keywords are in capitals"##,
    ]),
    (r##"WHILE x DO y := 1 end"##, &[
        r##"3:19 expected `END`, found `end` | not in capitals | did you mean `END`? keywords are in capitals"##,
    ]),
    (r##"repeat x := 1 until x"##, &[
        r##"3:1 expected `REPEAT`, found `repeat` | not in capitals | did you mean `REPEAT`? keywords are in capitals"##,
        r##"3:15 expected `UNTIL`, found `until` | not in capitals | did you mean `UNTIL`? keywords are in capitals"##,
    ]),
    (r##"IF a THEN x := 1; ELSE y := 1; END"##, &[
    ]),
    (r##"IF a THEN x := 1
ELSE IF b THEN y := 1
END;"##, &[
        r##"6:1 expected `END`, found `END M` | expected the `END` of `IF` | 3:1 this `IF` has no `END` | 4:1 this `IF` needs an `END` of its own | did you mean `ELSIF`?"##,
    ]),
    (r##"WHILE a DO x := 1;"##, &[
        r##"4:1 expected `END`, found `END M` | expected the `END` of `WHILE` | 3:1 this `WHILE` has no `END`"##,
    ]),
    (r##"LOOP IF a THEN x := 1 END; y := 2"##, &[
        r##"4:1 expected `END`, found `END M` | expected the `END` of `LOOP` | 3:1 this `LOOP` has no `END`"##,
    ]),
    (r##"PROCESS P; BEGIN x := 1 END P; y := 1"##, &[
        r##"3:1 a process among statements | expected a statement | declarations stand before `BEGIN`; if the statements of `M` end here, `END M` is missing"##,
    ]),
    (r##"x := 1; VAR y: INTEGER; z := 1"##, &[
        r##"3:9 a declaration among statements | expected a statement | declarations stand before `BEGIN`; if the statements of `M` end here, `END M` is missing"##,
    ]),
    (r##"x := 1; CONST y = 2; z = 3; z := 1"##, &[
        r##"3:9 a declaration among statements | expected a statement | declarations stand before `BEGIN`; if the statements of `M` end here, `END M` is missing"##,
    ]),
    (r##"x := 1 END; y := 1"##, &[
        r##"3:8 there is nothing to end here | one `END` too many"##,
    ]),
    (r##"CHOICE x := a OR b = 3 END"##, &[
        r##"3:20 `=` does not assign | expected `:=` | 3:15 this `OR` begins another alternative of the `CHOICE` | put a disjunction in parentheses here: `(a OR b)`"##,
    ]),
    (r##"CHOICE x := a OR (b) END"##, &[
        r##"3:18 expected a statement, found `(` | expected a statement | 3:15 this `OR` begins another alternative of the `CHOICE` | put a disjunction in parentheses here: `(a OR b)`"##,
    ]),
    (r##"CHOICE x := a OR ~b; y := 1 END"##, &[
        r##"3:18 expected a statement, found `~` | expected a statement | 3:15 this `OR` begins another alternative of the `CHOICE` | put a disjunction in parentheses here: `(a OR b)`"##,
    ]),
    (r##"CHOICE x := (a OR b END"##, &[
        r##"3:21 expected an operator or `)`, found `END` | expected an operator or `)` | 3:13 opened here"##,
    ]),
    (r##"x := a * -b"##, &[
        r##"3:10 expected an operand, found `-` | expected an operand | a sign stands only before a whole sum: put it in parentheses, `a * (-b)`"##,
    ]),
    (r##"IF a < b & c < d THEN END"##, &[
        r##"3:14 comparisons cannot be chained | a second comparison | 3:6 the first one | `&` and `OR` bind more tightly than comparisons: put these in parentheses"##,
    ]),
    (r##"x := "##, &[
        r##"4:1 expected an expression, found `END` | expected an expression"##,
    ]),
    (r##"x := (a + ; y := 2; z = 3"##, &[
        r##"3:11 expected an expression, found `;` | expected an expression"##,
        r##"3:23 `=` does not assign | expected `:=` | an assignment is written `:=`; `=` compares"##,
    ]),
    (r##"c!go()"##, &[
        r##"3:6 expected an expression, found `)` | expected an expression | a message without values has no parentheses"##,
    ]),
    (r##"c!5"##, &[
        r##"3:3 expected the name of a message, found `5` | expected the name of a message"##,
    ]),
    (r##"FOR i = 1 TO 5 DO END"##, &[
        r##"3:7 expected `:=`, found `=` | expected `:=` | an assignment is written `:=`"##,
    ]),
    (r##"FOR i := 1, 5 DO x := 1 END"##, &[
        r##"3:11 expected `TO`, found `,` | expected `TO`"##,
    ]),
    (r##"SELECT x := 1 END"##, &[
        r##"3:8 expected `WHEN`, found `x` | expected `WHEN`"##,
    ]),
    (r##"SELECT WHEN c?m && b THEN END"##, &[
        r##"3:17 there is no operator `&&` | not in this language | conjunction is written `&`"##,
    ]),
    (r##"SELECT WHEN x THEN y := 1 WHEN c?d THEN END"##, &[
        r##"3:15 expected `!` or `?`, found `THEN` | expected `!` or `?`"##,
    ]),
    (r##"CASE x OF 1 y := 1 | 2: END"##, &[
        r##"3:13 expected `:`, found `y` | expected `:`"##,
    ]),
    (r##"REPEAT x := 1 END; y := 1"##, &[
        r##"3:15 expected `UNTIL`, found `END` | expected `UNTIL` | 3:1 this `REPEAT` has no `UNTIL`"##,
    ]),
    (r##"x++; y += 1; z--"##, &[
        r##"3:2 expected `:=`, found `+` | expected `:=` | write `INC(...)`"##,
        r##"3:8 expected `:=`, found `+` | expected `:=` | write `INC(...)`"##,
        r##"3:15 expected `:=`, found `-` | expected `:=` | write `DEC(...)`"##,
    ]),
    (r##"x := not a; y := a and b"##, &[
        r##"3:10 expected `;` or `END`, found `a` | expected `;` or `END` | negation is written `~`"##,
        r##"3:20 expected `;` or `END`, found `and` | expected `;` or `END` | conjunction is written `&`"##,
    ]),
    (r##"x := 5abc + 0x1F + 0ffH"##, &[
        r##"3:6 `5abc` is not a number | a name cannot begin with a digit"##,
        r##"3:13 `0x1F` is not a number | a hexadecimal number is written `1FH`"##,
        r##"3:20 `0ffH` is not a number | a hexadecimal number is written `0FFH`"##,
    ]),
    (r##"x := 9223372036854775808 + 8000000000000000H + 100X"##, &[
        r##"3:6 this number is too large | the largest one is 9223372036854775807"##,
        r##"3:28 this number is too large | the largest one is 9223372036854775807"##,
        r##"3:48 there is no such character | the last one is `0FFX`"##,
    ]),
    (r##"Out.String("abc); x := 1;
y = 1"##, &[
        r##"3:12 this string has no end | begins here | close it with `"` on the same line"##,
    ]),
    (r##"Out.String("cafe"); c := 'é'; d := "→""##, &[
        r##"3:27 `é` is not an ASCII character | not in a string | characters are single bytes; `0E9X` is the character with this code"##,
        r##"3:37 `→` is not an ASCII character | not in a string | characters are single bytes: use ASCII"##,
    ]),
    (r##"(* never (* ended *)"##, &[
        r##"3:1 this comment has no end | begins here | close it with `*)`; comments can be nested"##,
    ]),
    (r##"x := 1 $ 2; ü := 1"##, &[
        r##"3:8 unexpected `$` | no part of the language"##,
        r##"3:10 expected `;` or `END`, found `2` | expected `;` or `END`"##,
        r##"3:13 `ü` is not a name | not all of it is ASCII | names are made of the letters A to Z and a to z, digits and `_`"##,
    ]),
    (r##"ELSE x := 1"##, &[
        r##"3:1 expected a statement or `END`, found `ELSE` | expected a statement or `END`"##,
    ]),
    (r##"x := 1 UNTIL x"##, &[
        r##"3:8 expected a statement or `END`, found `UNTIL` | expected a statement or `END`"##,
    ]),
    (r##"größe := 1"##, &[
        r##"3:1 `größe` is not a name | not all of it is ASCII | names are made of the letters A to Z and a to z, digits and `_`"##,
    ]),
    (r##"CHOICE REPEAT x UNTIL b OR y := 1 END"##, &[
        r##"3:30 expected `;` or `END`, found `:=` | expected `;` or `END` | behind `UNTIL`, `OR` is a disjunction: put a `;` before one that begins an alternative"##,
    ]),
    (r##"WHILE a DO x := 1; end; y := 1"##, &[
        r##"4:1 expected `END`, found `END M` | expected the `END` of `WHILE` | 3:1 this `WHILE` has no `END` | 3:20 this is a name, not a keyword | did you mean `END`? keywords are in capitals"##,
    ]),
    (r##"x := 0FF + 5H7"##, &[
        r##"3:6 `0FF` is not a number | a hexadecimal number is written `0FFH`"##,
        r##"3:12 `5H7` is not a number | a name cannot begin with a digit"##,
    ]),
    (r##"x := a[1; y := b(2; z := {1"##, &[
        r##"3:9 expected `,` or `]`, found `;` | expected `,` or `]` | 3:7 opened here"##,
        r##"3:19 expected `,` or `)`, found `;` | expected `,` or `)` | 3:17 opened here"##,
        r##"4:1 expected `,` or `}`, found `END` | expected `,` or `}` | 3:26 opened here"##,
    ]),
    (r##"CREATE; CREATE P(; CREATE P DEADLINE"##, &[
        r##"3:7 expected a name, found `;` | expected a name"##,
        r##"3:18 expected an expression, found `;` | expected an expression"##,
        r##"4:1 expected an expression, found `END` | expected an expression"##,
    ]),
    (r##"CREATE P, ; x := 1"##, &[
        r##"3:11 expected a name, found `;` | expected a name"##,
    ]),
    (r##"x. := 1; x[] := 1"##, &[
        r##"3:4 expected a name, found `:=` | expected a name"##,
        r##"3:12 expected an expression, found `]` | expected an expression"##,
    ]),
    (r##"IF THEN x = 1 END; WHILE DO y = 1 END"##, &[
        r##"3:4 expected an expression, found `THEN` | expected an expression"##,
        r##"3:11 `=` does not assign | expected `:=` | an assignment is written `:=`; `=` compares"##,
        r##"3:26 expected an expression, found `DO` | expected an expression"##,
        r##"3:31 `=` does not assign | expected `:=` | an assignment is written `:=`; `=` compares"##,
    ]),
    (r##"IF a x := 1 END; y = 1"##, &[
        r##"3:6 expected `THEN`, found `x` | expected `THEN`"##,
        r##"3:20 `=` does not assign | expected `:=` | an assignment is written `:=`; `=` compares"##,
    ]),
    (r##"LOOP x := 1; END END; y = 1"##, &[
        r##"3:18 there is nothing to end here | one `END` too many"##,
        r##"3:25 `=` does not assign | expected `:=` | an assignment is written `:=`; `=` compares"##,
    ]),
    (r##"c?; c!m(1"##, &[
        r##"3:3 expected the name of a message, found `;` | expected the name of a message"##,
        r##"4:1 expected `,` or `)`, found `END` | expected `,` or `)` | 3:8 opened here"##,
    ]),
    (r##"EXIT RETURN"##, &[
        r##"3:5 missing `;` between statements | expected `;` | 3:6 another statement begins here"##,
    ]),
    (r##"IF x := 1 THEN y := 2 END"##, &[
        r##"3:6 expected `THEN`, found `:=` | expected `THEN` | `:=` assigns; a comparison is written `=`"##,
    ]),
];

/// Whole modules.
#[rustfmt::skip]
const MODULES: &[(&str, &[&str])] = &[
    (r##"MODULE M;
BEGIN x := 1 END N."##, &[
        r##"2:18 `END N` where module `M` ends | expected `M` | 1:8 `M` begins here"##,
    ]),
    (r##"MODULE M;
PROCESS P;
BEGIN
END Q;
END M."##, &[
        r##"4:5 `END Q` where process `P` ends | expected `P` | 2:9 `P` begins here"##,
    ]),
    (r##"MODULE M;
PROCESS P;
BEGIN x := 1
END M."##, &[
        r##"4:1 expected `END P`, found `END M` | expected the end of this process | 2:9 `P` begins here"##,
    ]),
    (r##"MODULE M;
PROCESS P;
BEGIN WHILE a DO x := 1
END P;
BEGIN y = 1 END M."##, &[
        r##"4:1 expected `END`, found `END P` | expected the `END` of `WHILE` | 3:7 this `WHILE` has no `END`"##,
        r##"5:9 `=` does not assign | expected `:=` | an assignment is written `:=`; `=` compares"##,
    ]),
    (r##"MODULE M;
PROCESS P;
BEGIN x := 1;
PROCESS Q;
END Q;
BEGIN y := 1 END M."##, &[
        r##"4:1 a process among statements | expected a statement | declarations stand before `BEGIN`; if the statements of `P` end here, `END P` is missing"##,
        r##"6:1 expected `END P`, found `BEGIN` | expected the end of this process | 2:9 `P` begins here"##,
    ]),
    (r##"MODULE M;
END M"##, &[
        r##"2:6 expected `.`, found the end of the text | expected `.` | a module ends with a full stop: `END M.`"##,
    ]),
    (r##"MODULE M;
END M;"##, &[
        r##"2:6 expected `.`, found `;` | expected `.` | a module ends with a full stop: `END M.`"##,
    ]),
    (r##"MODULE M;
END M. x := 1"##, &[
        r##"2:8 text behind the end of the module | expected nothing more | 2:6 the module ends here"##,
    ]),
    (r##"MODULE M;
END."##, &[
        r##"2:4 expected the name `M` behind `END`, found `.` | expected the name `M` behind `END` | 1:8 the module begins here"##,
    ]),
    (r##"MODULE M
END M."##, &[
        r##"2:1 expected `;` behind the name of the module, found `END` | expected `;` behind the name of the module | 1:9 `;` is missing here"##,
    ]),
    (r##"MODULE M;
BEGIN x := 1"##, &[
        r##"2:13 expected `END M`, found the end of the text | expected the end of this module | 1:8 `M` begins here"##,
    ]),
    (r##"MODULE M;
VAR x INTEGER; y: INTEGER
z: BOOLEAN;
BEGIN x = 1 END M."##, &[
        r##"2:7 expected `:`, found `INTEGER` | expected `:`"##,
        r##"3:1 expected `;` behind a declaration, found `z` | expected `;` behind a declaration | 2:26 `;` is missing here"##,
        r##"4:9 `=` does not assign | expected `:=` | an assignment is written `:=`; `=` compares"##,
    ]),
    (r##"MODULE M;
VAR x: INTEGER;
x := 1
END M."##, &[
        r##"3:1 a statement among declarations | expected `BEGIN` | statements begin behind `BEGIN`"##,
    ]),
    (r##"MODULE M;
VAR x: INTEGER;
INC(x); y = 1
END M."##, &[
        r##"3:1 a statement among declarations | expected `BEGIN` | statements begin behind `BEGIN`"##,
        r##"3:11 `=` does not assign | expected `:=` | an assignment is written `:=`; `=` compares"##,
    ]),
    (r##"MODULE M;
var x: INTEGER;
begin x := 1 end M."##, &[
        r##"2:1 expected `VAR`, found `var` | not in capitals | did you mean `VAR`? keywords are in capitals"##,
        r##"3:1 expected `BEGIN`, found `begin` | not in capitals | did you mean `BEGIN`? keywords are in capitals"##,
        r##"3:14 expected `END`, found `end` | not in capitals | did you mean `END`? keywords are in capitals"##,
    ]),
    (r##"MODULE M;
CONST N := 5;
TYPE T := INTEGER; A = array 10 of INTEGER; B = RECORD x: INTEGER; C = [a, b(INTEGER];
END M."##, &[
        r##"2:9 expected `=`, found `:=` | expected `=` | a definition is written `=`"##,
        r##"3:8 expected `=`, found `:=` | expected `=` | a definition is written `=`"##,
        r##"3:24 expected `ARRAY`, found `array` | not in capitals | did you mean `ARRAY`? keywords are in capitals"##,
        r##"3:33 expected `OF`, found `of` | not in capitals | did you mean `OF`? keywords are in capitals"##,
        r##"3:70 expected `:`, found `=` | expected `:`"##,
    ]),
    (r##"MODULE M;
PROCESS P;
PROPERTY Q; END Q;
END P;
PROPERTY R*(x: INTEGER); END R;
END M."##, &[
        r##"3:1 a property inside a process | not here | properties are declared in the module itself"##,
        r##"5:11 a property cannot be exported | not here"##,
    ]),
    (r##"MODULE M;
PROCEDURE P;
BEGIN END P;
END M."##, &[
        r##"2:1 expected `PROCESS`, found `PROCEDURE` | expected `PROCESS` | there are processes only: `PROCESS`"##,
    ]),
    (r##"MODULE M;
PROCESS P(x INTEGER);
BEGIN x = 1
END P;
BEGIN y = 2 END M."##, &[
        r##"2:13 expected `:`, found `INTEGER` | expected `:`"##,
        r##"3:9 `=` does not assign | expected `:=` | an assignment is written `:=`; `=` compares"##,
        r##"5:9 `=` does not assign | expected `:=` | an assignment is written `:=`; `=` compares"##,
    ]),
    (r##"MODULE M;
PROCESS P;
BEGIN x := 1 END; END P;
BEGIN y = 2 END M."##, &[
        r##"3:14 there is nothing to end here | one `END` too many"##,
        r##"4:9 `=` does not assign | expected `:=` | an assignment is written `:=`; `=` compares"##,
    ]),
    (r##"MODULE M;
PROCESS P;
BEGIN x := 1 END;
BEGIN y = 2 END M."##, &[
        r##"3:17 expected the name `P` behind `END`, found `;` | expected the name `P` behind `END` | 2:9 the process begins here"##,
        r##"4:9 `=` does not assign | expected `:=` | an assignment is written `:=`; `=` compares"##,
    ]),
    (r##"MODULE M;
PROCESS P;
BEGIN x := 1 END P
BEGIN y = 2 END M."##, &[
        r##"4:1 expected `;` behind `END P`, found `BEGIN` | expected `;` behind `END P` | 3:19 `;` is missing here"##,
        r##"4:9 `=` does not assign | expected `:=` | an assignment is written `:=`; `=` compares"##,
    ]),
    (r##"MODULE M;
VAR x: INTEGER;
IMPORT Out;
END M."##, &[
        r##"3:1 `IMPORT` in the wrong place | not here | it stands first in the module, once"##,
    ]),
    (r##""##, &[
        r##"1:1 expected `MODULE`, found the end of the text | expected `MODULE`"##,
    ]),
    (r##"module M; end M."##, &[
        r##"1:1 expected `MODULE`, found `module` | not in capitals | did you mean `MODULE`? keywords are in capitals"##,
        r##"1:11 expected `END`, found `end` | not in capitals | did you mean `END`? keywords are in capitals"##,
    ]),
    (r##"x := 1"##, &[
        r##"1:1 expected `MODULE`, found `x` | expected `MODULE`"##,
    ]),
    (r##"MODULE M;
IMPORT Out In;
END M."##, &[
        r##"2:12 expected `;` behind the imports, found `In` | expected `;` behind the imports | 2:11 `;` is missing here"##,
    ]),
    (r##"MODULE M;
BEGIN x := 1
BEGIN y := 1 END M."##, &[
        r##"3:1 expected `END M`, found `BEGIN` | expected the end of this module | 1:8 `M` begins here"##,
    ]),
    (r##"MODULE M;
VAR x := 1; y: INTEGER;
y := 1; z = 2
END M."##, &[
        r##"2:7 expected `:`, found `:=` | expected `:` | a variable is declared `x: INTEGER`; if this is a statement, `BEGIN` is missing"##,
        r##"3:1 a statement among declarations | expected `BEGIN` | statements begin behind `BEGIN`"##,
        r##"3:11 `=` does not assign | expected `:=` | an assignment is written `:=`; `=` compares"##,
    ]),
    (r##"MODULE M;
VAR x: INTEGER;
BEGIN
x := 1;
PROCEDURE P;
END M."##, &[
        r##"5:11 expected `;` or `END`, found `P` | expected `;` or `END` | there are processes only: `PROCESS`"##,
    ]),
    (r##"MODULE ;
END M."##, &[
        r##"1:8 expected the name of the module, found `;` | expected the name of the module"##,
    ]),
    (r##"MODULE M;
IMPORT A := ;
IMPORT B;
END M."##, &[
        r##"2:13 expected the name of a module, found `;` | expected the name of a module"##,
        r##"3:1 `IMPORT` in the wrong place | not here | it stands first in the module, once"##,
    ]),
    (r##"MODULE M;
TYPE T = ; U = ARRAY 3 INTEGER; V = RECORD a INTEGER END; W = []; X = A.; Y = [a()];
END M."##, &[
        r##"2:10 expected a type, found `;` | expected a type"##,
        r##"2:24 expected `OF`, found `INTEGER` | expected `OF`"##,
        r##"2:46 expected `:`, found `INTEGER` | expected `:`"##,
        r##"2:64 expected the name of a message, found `]` | expected the name of a message"##,
        r##"2:73 expected a name, found `;` | expected a name"##,
        r##"2:82 expected a type, found `)` | expected a type"##,
    ]),
    (r##"MODULE M;
PROCESS ; END P;
PROCESS Q(; END Q;
PROCESS R(VAR x: INTEGER;); END R;
PROPERTY ; END S;
END M."##, &[
        r##"2:9 expected the name of the process, found `;` | expected the name of the process"##,
        r##"3:11 expected the name of a parameter, found `;` | expected the name of a parameter"##,
        r##"4:26 expected the name of a parameter, found `)` | expected the name of a parameter"##,
        r##"5:10 expected the name of the property, found `;` | expected the name of the property"##,
    ]),
    (r##"MODULE M;
PROCESS P(x INTEGER; y: BOOLEAN);
VAR z: INTEGER;
BEGIN x = 1 END P;
END M."##, &[
        r##"2:13 expected `:`, found `INTEGER` | expected `:`"##,
        r##"4:9 `=` does not assign | expected `:=` | an assignment is written `:=`; `=` compares"##,
    ]),
];

#[test]
fn mistakes_are_explained() {
    for (text, expected) in STATEMENTS {
        let text = format!("MODULE M;\nBEGIN\n{text}\nEND M.\n");
        assert_eq!(errors(&text), *expected, "{text}");
    }
    for (text, expected) in MODULES {
        assert_eq!(errors(text), *expected, "{text}");
    }
}

/// The last error that is reported may be about a word that is taken for a keyword.
#[test]
fn there_are_at_most_twenty_errors() {
    for part in [
        "x = 1; ",
        "while a do ",
        "LOOP end M ",
        "PROCESS p; begin x := 1 end p; ",
        "$ ",
        "x := 'é'; ",
    ] {
        for count in 1..50 {
            let text = format!("MODULE M; BEGIN {} END M.", part.repeat(count));
            assert!((1..=20).contains(&errors(&text).len()), "{text}");
        }
    }
}
