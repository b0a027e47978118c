//! What is wrong is said, at its place.

use crate::error;

#[test]
fn what_was_expected_and_where() {
    assert_eq!(error("define void @f(,) {\n}"), "1:16: expected a type, found `,`");
    assert_eq!(error("@x = global i32"), "1:16: expected a value, found the end of the file");
    assert_eq!(
        error("hello"),
        "1:1: expected a definition: `define`, `declare`, `@name = …`, `!0 = …`, found `hello`"
    );
    assert_eq!(error("@x = global \u{e9} 1"), "1:13: no token begins with this character");
    assert_eq!(
        error("@x = global i32* null"),
        "1:16: pointers with types are of LLVM before version 15"
    );
    assert_eq!(error("@x = global i8 c\"abc"), "1:17: this string has no closing quote");
}

#[test]
fn what_is_used_must_be_defined() {
    assert_eq!(error("@x = global ptr @y"), "1:17: @y is not defined");
    assert_eq!(error("@x = global %t zeroinitializer"), "1:13: the type %t is not defined");
    assert_eq!(error("define i32 @f() {\n  ret i32 %x\n}"), "2:11: %x is not defined");
    assert_eq!(error("define void @f() {\n  br label %x\n}"), "2:12: there is no block %x");
    assert_eq!(error("!llvm.dbg.cu = !{!5}"), "1:18: this metadata is not defined");
    assert_eq!(
        error("@x = global ptr blockaddress(@f, %b)\ndefine void @f() {\n ret void\n}"),
        "1:34: @f has no block %b"
    );
}

#[test]
fn nothing_is_defined_twice() {
    assert_eq!(error("@x = global i32 1\n@x = global i32 2"), "2:1: @x is defined twice");
    assert_eq!(
        error("define i32 @f(i32 %x) {\n  %x = add i32 1, 2\n  ret i32 %x\n}"),
        "2:3: %x is defined twice"
    );
    assert_eq!(error("!0 = !{}\n!0 = !{}"), "2:1: !0 is defined twice");
    assert_eq!(
        error("define i32 @f() {\n  %1 = add i32 1, 2\n  %1 = add i32 1, 2\n  ret i32 %1\n}"),
        "3:3: this must be %2 or higher"
    );
}

#[test]
fn types_agree() {
    let with =
        |line: &str| error(&format!("define i32 @f(i32 %x, ptr %p) {{\n{line}\nret i32 0\n}}"));
    assert_eq!(with("%y = add i64 %x, 1"), "2:14: %x has the type i32, not i64");
    assert_eq!(with("%y = add ptr %p, null"), "2:6: this works on integers");
    assert_eq!(with("%y = load i32, i32 %x"), "2:16: this must be a pointer");
    assert_eq!(with("%y = trunc i32 %x to i64"), "2:6: this cast cannot be between these types");
    assert_eq!(with("ret i64 0"), "2:5: this is not the type of the function's result");
    assert_eq!(with("%y = extractvalue {i32} undef, 3"), "2:32: the type has no such part");
    assert_eq!(
        with("%y = getelementptr {i32, i32}, ptr %p, i32 0, i32 2"),
        "2:20: an index leads to no field of the type"
    );
    assert_eq!(with("store void undef, ptr %p"), "2:7: no value in memory has this type");
    assert_eq!(with("%y = fadd i32 %x, %x"), "2:6: this works on floating-point numbers");
    assert_eq!(
        error("@x = global [2 x i32] [i32 1]"),
        "1:23: the parts of this value are not those of its type"
    );
    assert_eq!(error("@x = global i8 256"), "1:16: this number does not fit into i8");
}

#[test]
fn blocks_hang_together() {
    assert!(error("define void @f() {\n  %x = add i32 1, 2\n}").contains("ends the block"));
    let phi = |entries: &str| {
        error(&format!(
            "define void @f(i1 %c) {{\na:\n br i1 %c, label %b, label %c\nb:\n br label %c\nc:\n %p = phi i32 {entries}\n ret void\n}}"
        ))
    };
    let message = "7:2: a phi has one entry for each edge into its block, and no other";
    assert_eq!(phi("[1, %a]"), message);
    assert_eq!(phi("[1, %a], [2, %b], [3, %b]"), message);
    assert_eq!(phi("[1, %a], [2, %c]"), message);
    assert_eq!(
        error("define void @f() {\na:\n br label %a\n}"),
        "3:2: nothing may lead back to the first block"
    );
}

#[test]
fn what_nests_without_end_is_refused() {
    let deep = |open: &str, inner: &str, close: &str, count: usize| {
        format!("{}{inner}{}", open.repeat(count), close.repeat(count))
    };
    for text in [
        format!("@x = global {} zeroinitializer", deep("[1 x ", "i8", "]", 100_000)),
        format!("@x = global {{ptr}} {}", deep("{ptr} { {ptr} ", "null", "}", 100_000)),
        format!("!0 = {}", deep("!{", "!1", "}", 100_000)),
        format!("@x = global i64 {}", deep("add (i64 ", "1", ", i64 1)", 100_000)),
    ] {
        assert!(!error(&text).is_empty());
    }
    assert!(
        error("%a = type {%b}\n%b = type {i8, %a}\n@x = global %a zeroinitializer")
            .contains("contains itself")
    );
    // A chain of names that nests without the text nesting.
    let chain: String = (1..2000).map(|i| format!("%t{i} = type {{%t{}}}\n", i - 1)).collect();
    assert!(error(&format!("%t0 = type {{i8}}\n{chain}")).contains("nested too deep"));
    // Types that share their parts have sizes beyond all numbers, and walking them all takes
    // forever.
    let shared: String =
        (1..400).map(|i| format!("%t{i} = type {{%t{0}, %t{0}}}\n", i - 1)).collect();
    crate::read(&format!("%t0 = type {{i8}}\n{shared}"));
    assert!(
        error(&format!("%t0 = type {{i8}}\n{shared}@x = global %t399 zeroinitializer"))
            .contains("has no size")
    );
    assert!(error("@a = alias i8, ptr @b\n@b = alias i8, ptr @a").contains("leads to itself"));
}

#[test]
fn numbers_are_not_memory() {
    crate::read("@x = global [99999999999 x i8] zeroinitializer");
    assert!(error("define <4 x i32> @f(<4 x i32> %v) {\n %x = shufflevector <4 x i32> %v, <4 x i32> %v, <4000000000 x i32> zeroinitializer\n ret <4 x i32> %v\n}").contains("mask"));
    assert!(error("@x = global i8000000 1").contains("4096 bits"));
    assert!(error("@x = global i99999999 1").contains("8388608"));
    assert!(
        error("define void @f() {\n%x = alloca %o\nret void\n}\n%o = type opaque")
            .contains("has no size")
    );
}
