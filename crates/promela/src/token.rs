//! Tokens, as the preprocessor and the parser pass them on.

use std::collections::HashMap;
use std::ops::Range;

use auspex_system::Span;

/// The text of a token, stored once; equal texts have equal symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

#[derive(Clone, Debug)]
pub struct Interner {
    texts: Vec<Box<str>>,
    symbols: HashMap<Box<str>, Symbol>,
}

impl Default for Interner {
    /// Keywords come first, so that the symbol of a keyword is its number.
    fn default() -> Self {
        let mut interner = Interner { texts: Vec::new(), symbols: HashMap::new() };
        for keyword in Keyword::ALL {
            interner.intern(keyword.text());
        }
        interner
    }
}

impl Interner {
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(symbol) = self.symbols.get(text) {
            return *symbol;
        }
        let symbol = Symbol(self.texts.len() as u32);
        self.texts.push(text.into());
        self.symbols.insert(text.into(), symbol);
        symbol
    }

    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0 as usize]
    }
}

macro_rules! texts {
    ($(#[$doc:meta])* $type:ident: $($name:ident $text:literal)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $type { $($name),* }

        impl $type {
            pub const ALL: &'static [$type] = &[$($type::$name),*];

            pub fn text(self) -> &'static str {
                match self { $($type::$name => $text),* }
            }
        }
    };
}

texts! {
    /// The words that Spin 6.5.2 reserves (`in` only inside the head of a `for`).
    Keyword:
    Active "active" Assert "assert" Atomic "atomic" Bit "bit" Bool "bool" Break "break" Byte "byte"
    CCode "c_code" CDecl "c_decl" CExpr "c_expr" CState "c_state" CTrack "c_track" Chan "chan"
    DProctype "D_proctype" DStep "d_step" Do "do" Else "else" Empty "empty" Enabled "enabled"
    Eval "eval" False "false" Fi "fi" For "for" Full "full" GetPriority "get_priority" Goto "goto"
    Hidden "hidden" If "if" In "in" Init "init" Inline "inline" Int "int" Len "len" Local "local"
    Ltl "ltl" Mtype "mtype" Nempty "nempty" Never "never" Nfull "nfull" Notrace "notrace" Np "np_"
    Od "od" Of "of" PcValue "pc_value" Pid "pid" Printf "printf" Printm "printm" Priority "priority"
    Proctype "proctype" Provided "provided" Return "return" Run "run" Select "select"
    SetPriority "set_priority" Short "short" Show "show" Skip "skip" Timeout "timeout"
    Trace "trace" True "true" Typedef "typedef" Unless "unless" Unsigned "unsigned" Xr "xr" Xs "xs"
}

texts! {
    /// Operators and punctuation; the longer ones first, as the lexer tries them in this order.
    Op:
    Ellipsis "..." Arrow "->" Decrement "--" Increment "++" ShiftLeft "<<" LessEqual "<="
    ShiftRight ">>" GreaterEqual ">=" Equal "==" NotEqual "!=" SortedSend "!!" RandomReceive "??"
    And "&&" Or "||" DotDot ".." Options "::" Paste "##" OpenBrace "{" CloseBrace "}" OpenParen "("
    CloseParen ")" OpenBracket "[" CloseBracket "]" Semicolon ";" Colon ":" Comma "," Dot "."
    Minus "-" Plus "+" Star "*" Slash "/" Percent "%" Ampersand "&" Bar "|" Caret "^" Tilde "~"
    Bang "!" Question "?" Assign "=" Less "<" Greater ">" At "@" Hash "#"
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An identifier or a keyword: which one, only the parser asks.
    Name,
    /// Begins with a digit; what follows need not be one (`0x1F`, `12abc`).
    Number,
    /// The text has its quotes and escapes still.
    Str,
    Char,
    Op(Op),
    /// A string without its closing quote.
    OpenString,
    OpenChar,
    /// A line in a block of C that is for its own preprocessor: `#include <stdio.h>`.
    Directive,
    /// A character that means nothing in Promela: no fault as long as nobody looks at it.
    Unknown,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: Kind,
    pub symbol: Symbol,
    /// Where the user wrote it; for a token out of a macro's body, where the macro is used.
    pub span: Span,
    /// White space or a comment stands before it.
    pub spaced: bool,
    /// It is the first of its line.
    pub first: bool,
    /// It does not stand in the source like this, at this place.
    pub made: bool,
    /// A macro's own name inside its expansion: never expanded again.
    pub painted: bool,
}

impl Token {
    pub fn is(&self, op: Op) -> bool {
        self.kind == Kind::Op(op)
    }

    pub fn keyword(&self) -> Option<Keyword> {
        if self.kind != Kind::Name {
            return None;
        }
        Keyword::ALL.get(self.symbol.0 as usize).copied()
    }

    pub fn is_keyword(&self, keyword: Keyword) -> bool {
        self.keyword() == Some(keyword)
    }
}

/// Tokens as one line of text, with a space where the source has some white space.
pub fn join(tokens: &[Token], interner: &Interner) -> String {
    join_noting(tokens, interner, |_| {})
}

/// The same, and `place` is told which part of the text each token is.
pub fn join_noting(
    tokens: &[Token],
    interner: &Interner,
    mut place: impl FnMut(Range<usize>),
) -> String {
    let mut line = String::new();
    for (i, token) in tokens.iter().enumerate() {
        let text = interner.text(token.symbol);
        if i > 0 && (token.spaced || would_merge(&line, text)) {
            line.push(' ');
        }
        let start = line.len();
        line.push_str(text);
        place(start..line.len());
    }
    line
}

/// Would `text` right behind `line` read as one token with its end?
pub fn would_merge(line: &str, text: &str) -> bool {
    let (Some(last), Some(next)) = (line.chars().next_back(), text.chars().next()) else {
        return false;
    };
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    (is_word(last) && is_word(next)) || (last == next && "-+!?&|:<>=".contains(next))
}
