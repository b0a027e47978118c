//! Syntax trees as short text: every operator in parentheses, every statement on one line.

use auspex_promela::ast::*;

pub fn program(program: &Program) -> String {
    program.items.iter().map(item).collect::<Vec<_>>().join("\n")
}

fn item(item: &Item) -> String {
    match item {
        Item::Typedef { name, fields, code: texts } => {
            let texts: String = texts.iter().map(|(i, c)| format!(" @{i} {}", code(c))).collect();
            format!("typedef {} {{ {}{texts} }}", name.text, join(fields, "; ", decl))
        }
        Item::Mtype { set, names } => {
            format!("mtype{} = {{ {} }}", suffix(set), join(names, ", ", |n| n.text.clone()))
        }
        Item::Global(global) => decl(global),
        Item::Proctype(proctype) => process(proctype),
        Item::Claim(claim) => {
            let name = claim.name.as_ref().map_or(String::new(), |n| format!(" {}", n.text));
            format!("{:?}{name} {{ {} }}", claim.kind, sequence(&claim.body))
        }
        Item::Ltl(ltl) => {
            format!("ltl{} {{ {} }}", suffix(&ltl.name), ltl.text)
        }
        Item::Code(text) => code(text),
        Item::ModelOnly(items) => format!("model {{ {} }}", join(items, "; ", self::item)),
    }
}

fn code(code: &Code) -> String {
    let specific = if code.specific { "IS" } else { "" };
    let guard = optional(&code.guard, |guard| format!("[{guard}]"));
    format!("{:?}{:?}{specific}{guard}<{}>", code.language, code.primitive, code.text)
}

fn process(process: &Proctype) -> String {
    let env = if process.env { "env " } else { "" };
    let active = match &process.active {
        None => String::new(),
        Some(Active { count: None }) => "active ".to_owned(),
        Some(Active { count: Some(count) }) => format!("active [{}] ", expr(count)),
    };
    let kind = match (process.is_init, process.deterministic) {
        (true, _) => "",
        (_, true) => "D_proctype ",
        _ => "proctype ",
    };
    let priority = optional(&process.priority, |e| format!(" priority {}", expr(e)));
    let provided = optional(&process.provided, |e| format!(" provided {}", expr(e)));
    let params = join(&process.params, "; ", decl);
    let (name, body) = (&process.name.text, sequence(&process.body));
    format!("{env}{active}{kind}{name}({params}){priority}{provided} {{ {body} }}")
}

fn decl(decl: &Decl) -> String {
    let visibility = match decl.visibility {
        Visibility::Plain => "",
        Visibility::Hidden => "hidden ",
        Visibility::Show => "show ",
        Visibility::Local => "local ",
    };
    format!("{visibility}{} {}", type_name(&decl.ty), join(&decl.vars, ", ", var_decl))
}

fn type_name(ty: &TypeName) -> String {
    match ty {
        TypeName::Mtype(set) => format!("mtype{}", suffix(set)),
        TypeName::User(name) => name.text.clone(),
        basic => format!("{basic:?}").to_lowercase(),
    }
}

fn var_decl(var: &VarDecl) -> String {
    let width = optional(&var.width, |e| format!(":{}", expr(e)));
    let array = optional(&var.array, |e| format!("[{}]", expr(e)));
    let init = optional(&var.init, |init| format!(" = {}", initialiser(init)));
    format!("{}{width}{array}{init}", var.name.text)
}

fn initialiser(init: &Init) -> String {
    match init {
        Init::Expr(value) => expr(value),
        Init::List(values) => format!("{{{}}}", join(values, ", ", expr)),
        Init::Chan { capacity, fields, .. } => {
            format!("[{}] of {{{}}}", expr(capacity), join(fields, ", ", type_name))
        }
    }
}

fn sequence(sequence: &Sequence) -> String {
    join(&sequence.stmts, "; ", stmt)
}

pub fn stmt(stmt: &Stmt) -> String {
    let labels: String = stmt.labels.iter().map(|label| format!("{}: ", label.text)).collect();
    labels + &stmt_kind(&stmt.kind)
}

fn stmt_kind(kind: &StmtKind) -> String {
    match kind {
        StmtKind::Decl(d) => decl(d),
        StmtKind::Exclusive { sends, chans } => {
            format!("{} {}", if *sends { "xs" } else { "xr" }, join(chans, ", ", var_ref))
        }
        StmtKind::If(list) => format!("if {} fi", options(list)),
        StmtKind::Do(list) => format!("do {} od", options(list)),
        StmtKind::For { var, range, body } => {
            let range = match range {
                ForRange::Between(low, high) => format!(": {}..{}", expr(low), expr(high)),
                ForRange::In(other) => format!("in {}", var_ref(other)),
            };
            format!("for ({} {range}) {{ {} }}", var_ref(var), sequence(body))
        }
        StmtKind::Select { var, low, high } => {
            format!("select ({} : {}..{})", var_ref(var), expr(low), expr(high))
        }
        StmtKind::Atomic(body) => format!("atomic {{ {} }}", sequence(body)),
        StmtKind::DStep(body) => format!("d_step {{ {} }}", sequence(body)),
        StmtKind::Block(body) => format!("{{ {} }}", sequence(body)),
        StmtKind::ModelOnly(body) => format!("model {{ {} }}", sequence(body)),
        StmtKind::Inline { name, body } => format!("{}{{ {} }}", name.text, sequence(body)),
        StmtKind::Unless { main, escape } => format!("{} unless {}", stmt(main), stmt(escape)),
        other => simple_kind(other),
    }
}

fn simple_kind(kind: &StmtKind) -> String {
    match kind {
        StmtKind::Send { chan, args, sorted } => {
            format!(
                "{}{}{}",
                var_ref(chan),
                if *sorted { "!!" } else { "!" },
                join(args, ",", expr)
            )
        }
        StmtKind::Receive { chan, args, random, keep } => {
            let (open, close) = if *keep { ("<", ">") } else { ("", "") };
            let sign = if *random { "??" } else { "?" };
            format!("{}{sign}{open}{}{close}", var_ref(chan), join(args, ",", recv_arg))
        }
        StmtKind::Assign { target, value } => format!("{} = {}", var_ref(target), expr(value)),
        StmtKind::Increment { target, by } => {
            format!("{}{}", var_ref(target), if *by > 0 { "++" } else { "--" })
        }
        StmtKind::Assert(condition) => format!("assert {}", expr(condition)),
        StmtKind::Printf { format, args } => {
            let args: String = args.iter().map(|arg| format!(", {}", expr(arg))).collect();
            format!("printf({format:?}{args})")
        }
        StmtKind::Printm(value) => format!("printm({})", expr(value)),
        StmtKind::Break => "break".to_owned(),
        StmtKind::Goto(label) => format!("goto {}", label.text),
        StmtKind::Else => "else".to_owned(),
        StmtKind::Expr(condition) => expr(condition),
        StmtKind::Empty => "empty".to_owned(),
        StmtKind::Code(text) => code(text),
        _ => unreachable!("a compound statement"),
    }
}

fn options(options: &[Sequence]) -> String {
    join(options, " ", |option| format!(":: {}", sequence(option)))
}

fn recv_arg(arg: &RecvArg) -> String {
    match arg {
        RecvArg::Name(var) => var_ref(var),
        RecvArg::Constant(value) => format!("#{}", expr(value)),
        RecvArg::Eval(value) => format!("eval({})", expr(value)),
    }
}

pub fn expr(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Number(value) => value.to_string(),
        ExprKind::Name(var) => var_ref(var),
        ExprKind::Unary(op, operand) => {
            let sign = match op {
                UnaryOp::Not => "!",
                UnaryOp::Minus => "-",
                UnaryOp::Complement => "~",
            };
            format!("({sign}{})", self::expr(operand))
        }
        ExprKind::Binary(BinaryOp::Plain(op), a, b) => {
            format!("({} {op:?} {})", self::expr(a), self::expr(b))
        }
        ExprKind::Binary(op, a, b) => format!("({} {op:?} {})", self::expr(a), self::expr(b)),
        ExprKind::Conditional(c, a, b) => {
            format!("({} -> {} : {})", self::expr(c), self::expr(a), self::expr(b))
        }
        other => special(other),
    }
}

fn special(kind: &ExprKind) -> String {
    let process = |name: &Name, pid: &Option<Box<Expr>>| {
        name.text.clone() + &optional(pid, |e| format!("[{}]", expr(e)))
    };
    match kind {
        ExprKind::Len(var) => format!("len({})", var_ref(var)),
        ExprKind::Test(test, var) => format!("{test:?}({})", var_ref(var)),
        ExprKind::Poll { chan, args, random } => {
            let sign = if *random { "??" } else { "?" };
            format!("{}{sign}[{}]", var_ref(chan), join(args, ",", recv_arg))
        }
        ExprKind::Run { proctype, args, priority } => {
            let priority = optional(priority, |e| format!(" priority {}", expr(e)));
            format!("run {}({}){priority}", proctype.text, join(args, ", ", expr))
        }
        ExprKind::Timeout => "timeout".to_owned(),
        ExprKind::Code(text) => code(text),
        ExprKind::NonProgress => "np_".to_owned(),
        ExprKind::Enabled(pid) => format!("enabled({})", expr(pid)),
        ExprKind::PcValue(pid) => format!("pc_value({})", expr(pid)),
        ExprKind::GetPriority(pid) => format!("get_priority({})", expr(pid)),
        ExprKind::SetPriority(pid, value) => {
            format!("set_priority({}, {})", expr(pid), expr(value))
        }
        ExprKind::RemoteLabel { proctype, pid, label } => {
            format!("{}@{}", process(proctype, pid), label.text)
        }
        ExprKind::RemoteVar { proctype, pid, var } => {
            format!("{}:{}", process(proctype, pid), var_ref(var))
        }
        _ => unreachable!("an operator"),
    }
}

pub fn var_ref(var: &VarRef) -> String {
    let index = optional(&var.index, |e| format!("[{}]", expr(e)));
    let field = optional(&var.field, |f| format!(".{}", var_ref(f)));
    format!("{}{index}{field}", var.name.text)
}

fn suffix(name: &Option<Name>) -> String {
    optional(name, |name| format!(":{}", name.text))
}

fn optional<T>(value: &Option<T>, show: impl Fn(&T) -> String) -> String {
    value.as_ref().map_or(String::new(), show)
}

fn join<T>(values: &[T], between: &str, show: impl Fn(&T) -> String) -> String {
    values.iter().map(show).collect::<Vec<_>>().join(between)
}
