//! What the text of a module is made of.

use auspex_system::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: Kind,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Ident,
    Integer(i64),
    Char(u8),
    String,
    /// A string without its second quote; the lexer has complained already.
    OpenString,
    Keyword(Keyword),
    Symbol(Symbol),
    /// The end of the text.
    End,
}

macro_rules! words {
    ($type:ident: $($name:ident $text:literal),* $(,)?) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $type { $($name),* }

        impl $type {
            pub const ALL: &'static [$type] = &[$($type::$name),*];

            pub fn text(self) -> &'static str {
                match self { $($type::$name => $text),* }
            }
        }
    };
}

words! { Keyword:
    Array "ARRAY", Begin "BEGIN", By "BY", Case "CASE", Choice "CHOICE", Const "CONST",
    Create "CREATE", Div "DIV", Do "DO", Else "ELSE", Elsif "ELSIF", End "END", Exit "EXIT",
    For "FOR", If "IF", Import "IMPORT", In "IN", Loop "LOOP", Mod "MOD", Module "MODULE",
    Of "OF", Or "OR", Port "PORT", Process "PROCESS", Property "PROPERTY", Record "RECORD",
    Repeat "REPEAT", Return "RETURN", Select "SELECT", Then "THEN", To "TO", Type "TYPE",
    Until "UNTIL", Var "VAR", When "WHEN", While "WHILE",
}

// The longer ones first: the lexer takes the first that fits. Those of the first line are of other languages, and
// no right text has them: they are here for the sake of good messages.
words! { Symbol:
    EqualEqual "==", BangEqual "!=", LessGreater "<>", TildeEqual "~=", AmpAmp "&&", Percent "%",
    Assign ":=", LessEqual "<=", GreaterEqual ">=", DotDot "..",
    Plus "+", Minus "-", Star "*", Slash "/", Amp "&", Tilde "~", Equal "=", Hash "#",
    Less "<", Greater ">", Colon ":", Semicolon ";", Comma ",", Dot ".", Bar "|",
    OpenParen "(", CloseParen ")", OpenBracket "[", CloseBracket "]",
    OpenBrace "{", CloseBrace "}", Bang "!", Question "?",
}

impl Keyword {
    pub fn of(text: &str) -> Option<Keyword> {
        Keyword::ALL.iter().copied().find(|keyword| keyword.text() == text)
    }

    /// The keyword that `text` is but for its case.
    pub fn meant_by(text: &str) -> Option<Keyword> {
        Keyword::ALL.iter().copied().find(|keyword| keyword.text().eq_ignore_ascii_case(text))
    }

    pub fn begins_declaration(self) -> bool {
        use Keyword::*;
        matches!(self, Const | Type | Var | Port | Process | Property | Import)
    }

    pub fn begins_statement(self) -> bool {
        use Keyword::*;
        matches!(
            self,
            Create | Select | If | While | Repeat | For | Loop | Exit | Return | Case | Choice
        )
    }

    /// What can stand behind a list of statements.
    pub fn ends_statements(self) -> bool {
        use Keyword::*;
        matches!(self, End | Else | Elsif | Until | When | Or | Begin)
    }
}
