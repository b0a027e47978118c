//! Which shared things a statement touches, as far as its text tells.

use crate::ir::*;

/// One thing that a statement does to what is shared.
#[derive(Clone, Debug, PartialEq)]
pub enum Access {
    /// Of a global variable.
    Read(Place),
    Write(Place),
    Send {
        channel: Expr,
        sorted: bool,
    },
    Take {
        channel: Expr,
        anywhere: bool,
    },
    Look(Expr),
    /// Goes to where it can be the receiving end of a rendezvous. That matters to those who ask
    /// whether there is one.
    Offer(Expr),
    Test(ChannelTest, Expr),
    /// With what the new process does as it begins.
    Run(ProctypeId),
    /// Asks how many processes there are.
    Count,
    End,
}

/// Why a model cannot be reduced: what it uses.
pub type Obstacle = &'static str;

/// What an action does, in no particular order.
pub fn of_action(action: &Action) -> Result<Vec<Access>, Obstacle> {
    let mut found = Collector { accesses: Vec::new() };
    found.action(action)?;
    Ok(found.accesses)
}

/// What evaluating an expression does.
pub fn of_expr(expr: &Expr) -> Result<Vec<Access>, Obstacle> {
    let mut found = Collector { accesses: Vec::new() };
    found.expr(expr)?;
    Ok(found.accesses)
}

/// What giving the locals of a new process their values does, from that process's point of view.
pub fn of_beginning(proctype: &Proctype) -> Result<Vec<Access>, Obstacle> {
    let mut found = Collector { accesses: Vec::new() };
    for init in &proctype.locals.init {
        if let Init::Assign(_, expr) = init {
            found.expr(expr)?;
        }
    }
    Ok(found.accesses)
}

/// The channel operations of which it matters not only what they do but also whether they can be
/// done, for otherwise something else happens. `asks`: the action as a whole is one of these.
pub fn asked(action: &Action, asks: bool) -> Vec<Access> {
    match action {
        Action::Send(send) if asks => vec![Access::Look(send.channel.clone())],
        Action::Receive(receive) if asks => vec![Access::Look(receive.channel.clone())],
        Action::DStep(body) => {
            // One that waits in the middle is a fault, and a choice takes the first that can run.
            let is_first = |at: usize| at == 0 && !body.has_loop();
            let inner = body.nodes.iter().enumerate().flat_map(|(at, node)| match node {
                DNode::Do { action, .. } => asked(action, asks || !is_first(at)),
                DNode::Choose { .. } | DNode::Exit => Vec::new(),
            });
            inner.collect()
        }
        _ => Vec::new(),
    }
}

/// The channels that a process stands ready to receive from before an action.
pub fn offers(action: &Action) -> Vec<Access> {
    match action {
        Action::Receive(receive) => vec![Access::Offer(receive.channel.clone())],
        Action::DStep(body) => {
            let inner = body.nodes.iter().flat_map(|node| match node {
                DNode::Do { action, .. } => offers(action),
                DNode::Choose { .. } | DNode::Exit => Vec::new(),
            });
            inner.collect()
        }
        _ => Vec::new(),
    }
}

impl DStep {
    /// Nodes are numbered as they are met: a way back to a smaller number may be a loop.
    pub fn has_loop(&self) -> bool {
        self.nodes.iter().enumerate().any(|(at, node)| match node {
            DNode::Do { next, .. } => *next as usize <= at,
            DNode::Choose { options, .. } => options.iter().any(|option| *option as usize <= at),
            DNode::Exit => false,
        })
    }
}

struct Collector {
    accesses: Vec<Access>,
}

type Collected = Result<(), Obstacle>;

impl Collector {
    fn add(&mut self, access: Access) {
        if !self.accesses.contains(&access) {
            self.accesses.push(access);
        }
    }

    fn action(&mut self, action: &Action) -> Collected {
        match action {
            Action::Skip | Action::Else => Ok(()),
            Action::Guard(expr) | Action::Assert(expr) => self.expr(expr),
            Action::Assign(place, expr) => {
                self.expr(expr)?;
                self.write(place)
            }
            Action::Send(send) => {
                self.expr(&send.channel)?;
                send.values.iter().try_for_each(|value| self.expr(value))?;
                let (channel, sorted) = (send.channel.clone(), send.sorted);
                self.add(Access::Send { channel, sorted });
                Ok(())
            }
            Action::Receive(receive) => {
                self.patterns(receive)?;
                let (channel, anywhere) = (receive.channel.clone(), receive.anywhere);
                self.add(Access::Take { channel, anywhere });
                Ok(())
            }
            Action::Print(print) => {
                print.parts.iter().filter_map(PrintPart::argument).try_for_each(|e| self.expr(e))
            }
            Action::Run(run) => self.run(run),
            Action::SetPriority(_) => Err("priorities"),
            Action::DStep(body) => body.nodes.iter().try_for_each(|node| match node {
                DNode::Do { action, .. } => self.action(action),
                DNode::Choose { .. } | DNode::Exit => Ok(()),
            }),
            Action::End => {
                self.add(Access::End);
                Ok(())
            }
        }
    }

    fn run(&mut self, run: &Run) -> Collected {
        run.arguments.iter().try_for_each(|argument| self.expr(argument))?;
        run.result.iter().try_for_each(|place| self.write(place))?;
        self.add(Access::Run(run.proctype));
        Ok(())
    }

    /// The channel and the fields of a receive, but not what it does to the channel.
    fn patterns(&mut self, receive: &Receive) -> Collected {
        self.expr(&receive.channel)?;
        receive.fields.iter().try_for_each(|field| match field {
            Pattern::Store(place) => self.write(place),
            Pattern::Match(expr) => self.expr(expr),
            Pattern::Any => Ok(()),
        })
    }

    fn write(&mut self, place: &Place) -> Collected {
        place.indices.iter().try_for_each(|index| self.expr(&index.expr))?;
        if place.space == Space::Global {
            self.add(Access::Write(place.clone()));
        }
        Ok(())
    }

    fn expr(&mut self, expr: &Expr) -> Collected {
        match expr {
            Expr::Const(_) | Expr::Local(..) | Expr::Pid => {}
            // Within a step, something else can move.
            Expr::Timeout => {}
            Expr::Global(ty, offset) => {
                let (space, offset, ty) = (Space::Global, *offset, *ty);
                let (indices, name) = (Vec::new(), String::new());
                self.add(Access::Read(Place { space, offset, indices, ty, name }));
            }
            Expr::Load(place) => {
                place.indices.iter().try_for_each(|index| self.expr(&index.expr))?;
                if place.space == Space::Global {
                    self.add(Access::Read((**place).clone()));
                }
            }
            Expr::Unary(_, operand) => self.expr(operand)?,
            Expr::Binary(_, operands) | Expr::And(operands) | Expr::Or(operands) => {
                self.expr(&operands.0)?;
                self.expr(&operands.1)?;
            }
            Expr::If(parts) => {
                self.expr(&parts.0)?;
                self.expr(&parts.1)?;
                self.expr(&parts.2)?;
            }
            Expr::Length(channel) => {
                self.expr(channel)?;
                self.add(Access::Look((**channel).clone()));
            }
            Expr::Test(test, channel) => {
                self.expr(channel)?;
                self.add(Access::Test(*test, (**channel).clone()));
            }
            Expr::Poll(receive) => {
                self.patterns(receive)?;
                self.add(Access::Look(receive.channel.clone()));
            }
            Expr::Processes => self.add(Access::Count),
            Expr::Last => return Err("`_last`"),
            Expr::Enabled(_) => return Err("`enabled`"),
            Expr::Position(_) => return Err("`pc_value`"),
            Expr::Priority(_) => return Err("priorities"),
            Expr::At { .. } | Expr::Remote { .. } => return Err("a remote reference"),
            Expr::Marked(_) | Expr::Stopped => return Err("a mark"),
        }
        Ok(())
    }
}
