//! All functions of a model.

use crate::channel;
use crate::emit::{Emit, Helpers};
use crate::expand::{self, Expand, Expansion};
use crate::frame::{self, Frame};
use crate::known::Channels;
use crate::meet::{self, Meeting};
use crate::moves::Moves;
use crate::support;
use auspex_process::ir::*;
use auspex_process::{Executable, Model};
use cranelift_codegen::Context;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, default_libcall_names};

pub type Guards = unsafe extern "C" fn(*mut Frame) -> Executable;
pub type Apply = unsafe extern "C" fn(*mut Frame) -> u32;
pub type Letter = unsafe extern "C" fn(*mut Frame) -> u64;

/// What a transition does; a function is first known by its number, then by its address.
#[derive(Clone, Copy)]
pub enum Effect<F = Apply> {
    /// Only control moves.
    None,
    Interpreted,
    Function {
        function: F,
        /// See [`auspex_process::Code::declines_late`].
        late: bool,
    },
}

pub struct Program {
    /// For each proctype and location, the function that says which of its transitions can run.
    pub guards: Vec<Vec<Option<Guards>>>,
    /// For each proctype and transition, what it does.
    pub effects: Vec<Vec<Effect>>,
    /// For each proctype and location, all that it can do next at once.
    pub expansions: Vec<Vec<Option<Expansion>>>,
    /// For each proctype and location, what is done there about a message that another process offers.
    pub meetings: Vec<Vec<Meeting>>,
    pub wide_locations: bool,
    pub remembers_last: bool,
    /// For each proctype, for atomic runs.
    pub moves: Vec<Moves>,
    /// For each temporal property.
    pub letters: Vec<Option<Letter>>,
    /// Where the code lies: taken out when that is given back.
    module: Option<JITModule>,
}

// SAFETY: after it was compiled nothing in it changes any more; the functions work on what they are given.
unsafe impl std::marker::Send for Program {}
// SAFETY: as above.
unsafe impl std::marker::Sync for Program {}

impl Drop for Program {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the functions are called only through this program.
            unsafe { module.free_memory() };
        }
    }
}

impl Program {
    pub fn compile(model: &Model) -> Result<Self, String> {
        let mut compiler = Compiler::new(model)?;
        let functions = compiler.all()?;
        compiler.module.finalize_definitions().map_err(|error| error.to_string())?;
        let module = compiler.module;
        let address = |function: FuncId| module.get_finalized_function(function);
        let guards = |function: FuncId| {
            // SAFETY: each function was compiled with the signature of its kind.
            unsafe { std::mem::transmute::<*const u8, Guards>(address(function)) }
        };
        let apply = |function: FuncId| {
            // SAFETY: as above.
            unsafe { std::mem::transmute::<*const u8, Apply>(address(function)) }
        };
        let letter = |function: FuncId| {
            // SAFETY: as above.
            unsafe { std::mem::transmute::<*const u8, Letter>(address(function)) }
        };
        let expand = |function: FuncId| {
            // SAFETY: as above.
            unsafe { std::mem::transmute::<*const u8, Expand>(address(function)) }
        };
        let has_meetings = support::has_meetings(model);
        let meeting = |meeting: &Meeting<FuncId>| match *meeting {
            Meeting::Nothing => Meeting::Nothing,
            Meeting::Interpreted => Meeting::Interpreted,
            Meeting::Function { function, receives } => {
                Meeting::Function { function: expand(function), receives }
            }
        };
        let meetings = functions.meetings.iter().map(|of| of.iter().map(meeting).collect());
        let offers = functions.offers.iter().map(|of| of.iter().map(|f| f.map(expand)).collect());
        let offers: Vec<Vec<_>> = offers.collect();
        let guards = functions.guards.iter().map(|of| of.iter().map(|f| f.map(guards)).collect());
        let effect = |effect: &Effect<FuncId>| match *effect {
            Effect::None => Effect::None,
            Effect::Interpreted => Effect::Interpreted,
            Effect::Function { function, late } => {
                Effect::Function { function: apply(function), late }
            }
        };
        let expansion = |(proctype, of): (&Proctype, &Vec<Option<FuncId>>)| {
            let expansion = |(location, function): (&ControlLocation, &Option<FuncId>)| {
                let transitions = proctype.transitions_at(location);
                Some(Expansion::new(expand((*function)?), transitions, has_meetings))
            };
            proctype.locations.iter().zip(of).map(expansion).collect()
        };
        let expansions = model.proctypes.iter().zip(&functions.expansions).map(expansion);
        let effects = functions.effects.iter().map(|of| of.iter().map(effect).collect());
        let guards: Vec<Vec<_>> = guards.collect();
        let effects: Vec<Vec<_>> = effects.collect();
        let compiled = guards.iter().zip(&effects).zip(&offers);
        let moves = model
            .proctypes
            .iter()
            .zip(compiled)
            .map(|(of, ((guards, effects), offers))| Moves::new(of, guards, effects, offers));
        Ok(Program {
            moves: moves.collect(),
            meetings: meetings.collect(),
            wide_locations: model.wide_locations,
            remembers_last: model.remembers_last,
            guards,
            effects,
            expansions: expansions.collect(),
            letters: functions.letters.iter().map(|f| f.map(letter)).collect(),
            module: Some(module),
        })
    }
}

#[derive(Default)]
struct Functions {
    guards: Vec<Vec<Option<FuncId>>>,
    effects: Vec<Vec<Effect<FuncId>>>,
    expansions: Vec<Vec<Option<FuncId>>>,
    meetings: Vec<Vec<Meeting<FuncId>>>,
    offers: Vec<Vec<Option<FuncId>>>,
    letters: Vec<Option<FuncId>>,
}

struct Compiler<'m> {
    model: &'m Model,
    module: JITModule,
    context: Context,
    builder: FunctionBuilderContext,
    helpers: Helpers<FuncId>,
    known: Channels<'m>,
    /// Cranelift's instructions that may still be compiled, so that a huge model starts at once: the rest of it is
    /// interpreted.
    budget: usize,
}

/// A tenth of a second or two: some two thousand statements.
const BUDGET: usize = 80_000;

impl<'m> Compiler<'m> {
    fn new(model: &'m Model) -> Result<Self, String> {
        let mut flags = settings::builder();
        for (flag, value) in
            [("use_colocated_libcalls", "false"), ("is_pic", "false"), ("opt_level", "speed")]
        {
            flags.set(flag, value).map_err(|error| error.to_string())?;
        }
        flags
            .set("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" })
            .map_err(|error| error.to_string())?;
        let isa = cranelift_native::builder().map_err(str::to_string)?;
        let isa = isa.finish(settings::Flags::new(flags)).map_err(|error| error.to_string())?;
        let mut jit = JITBuilder::with_isa(isa, default_libcall_names());
        jit.symbol("take_first", channel::take_first as *const u8);
        jit.symbol("copy", expand::copy as *const u8);
        jit.symbol("note_differences", expand::note_differences as *const u8);
        jit.symbol("meet", meet::meet as *const u8);
        let mut module = JITModule::new(jit);
        let mut signature = module.make_signature();
        signature.params.extend([AbiParam::new(I64); 3]);
        let mut with_result = signature.clone();
        with_result.returns.push(AbiParam::new(I64));
        let mut import = |name, signature| {
            let imported = module.declare_function(name, Linkage::Import, signature);
            imported.map_err(|error| error.to_string())
        };
        let helpers = Helpers {
            take_first: import("take_first", &signature)?,
            copy: import("copy", &signature)?,
            note_differences: import("note_differences", &signature)?,
            meet: import("meet", &with_result)?,
        };
        let (context, builder) = (module.make_context(), FunctionBuilderContext::new());
        let known = Channels::new(model);
        Ok(Compiler { model, module, context, builder, helpers, known, budget: BUDGET })
    }

    fn all(&mut self) -> Result<Functions, String> {
        let model = self.model;
        let mut functions = Functions::default();
        for proctype in &model.proctypes {
            let guards = proctype
                .locations
                .iter()
                .map(|location| self.guards(proctype.transitions_at(location)));
            functions.guards.push(guards.collect::<Result<_, _>>()?);
            let effects = proctype.transitions.iter().map(|t| self.apply(&t.action));
            functions.effects.push(effects.collect::<Result<_, _>>()?);
            let expansions = proctype.locations.iter().map(|at| self.expansion(proctype, at));
            functions.expansions.push(expansions.collect::<Result<_, _>>()?);
            let meetings = proctype.locations.iter().map(|at| self.meeting(proctype, at));
            functions.meetings.push(meetings.collect::<Result<_, _>>()?);
            functions.offers.push(self.offers(proctype)?);
        }
        for propositions in &model.properties {
            functions.letters.push(self.letter(propositions)?);
        }
        Ok(functions)
    }

    /// Which of some transitions can run.
    fn guards(&mut self, transitions: &[Transition]) -> Result<Option<FuncId>, String> {
        let model = self.model;
        if transitions.len() > 64 || self.budget == 0 {
            return Ok(None);
        }
        let function = self.function(&[I64, I64], |emit| {
            let masks = [(); 2].map(|()| emit.builder.declare_var(I64));
            let zero = emit.builder.ins().iconst(I64, 0);
            masks.iter().for_each(|mask| emit.builder.def_var(*mask, zero));
            for (bit, transition) in transitions.iter().enumerate() {
                let [yes, ask, next] = [(); 3].map(|()| emit.builder.create_block());
                emit.decline = ask;
                match support::has_guard(model, &transition.action) {
                    true => emit.guard(&transition.action, yes, next),
                    false => emit.jump(ask),
                }
                for (block, mask) in [yes, ask].into_iter().zip(masks) {
                    emit.enter(block);
                    emit.set_bit(mask, bit);
                    emit.jump(next);
                }
                emit.enter(next);
            }
            masks.iter().map(|mask| emit.builder.use_var(*mask)).collect()
        })?;
        Ok(Some(function))
    }

    /// What a statement does: 0 if it was done.
    fn apply(&mut self, action: &Action) -> Result<Effect<FuncId>, String> {
        if matches!(action, Action::Skip | Action::Guard(_) | Action::Else) {
            return Ok(Effect::None);
        }
        if !support::has_effect(self.model, action) || self.budget == 0 {
            return Ok(Effect::Interpreted);
        }
        let function = self.function(&[I32], |emit| {
            let [done, declined] = [(); 2].map(|()| emit.builder.create_block());
            emit.decline = declined;
            emit.notes_changes = !matches!(action, Action::DStep(_));
            emit.effect(action, done);
            emit.enter(declined);
            let no = emit.int(1);
            emit.builder.ins().return_(&[no]);
            emit.enter(done);
            vec![emit.int(0)]
        })?;
        Ok(Effect::Function { function, late: support::declines_late(action) })
    }

    /// All that a process can do next at a location.
    fn expansion(
        &mut self,
        proctype: &Proctype,
        location: &ControlLocation,
    ) -> Result<Option<FuncId>, String> {
        if !expand::is_expandable(self.model, proctype, location) || self.budget == 0 {
            return Ok(None);
        }
        let function = self.function(&[I64], |emit| {
            emit.notes_changes = true;
            vec![emit.expansion(proctype.transitions_at(location))]
        })?;
        Ok(Some(function))
    }

    /// What is done at a location about a message that another process offers.
    fn meeting(
        &mut self,
        proctype: &Proctype,
        location: &ControlLocation,
    ) -> Result<Meeting<FuncId>, String> {
        // Where nothing is offered nobody asks.
        let plan = match support::has_meetings(self.model) && self.budget > 0 {
            true => meet::plan(self.model, &self.known, proctype, location),
            false => Meeting::Interpreted,
        };
        Ok(match plan {
            Meeting::Nothing => Meeting::Nothing,
            Meeting::Interpreted => Meeting::Interpreted,
            Meeting::Function { receives, .. } => {
                let function = self.function(&[I64], |emit| {
                    emit.notes_changes = true;
                    vec![emit.meeting(proctype.transitions_at(location))]
                })?;
                Meeting::Function { function, receives }
            }
        })
    }

    /// For each transition that atomic runs may come to, what it does if it is a rendezvous send.
    fn offers(&mut self, proctype: &Proctype) -> Result<Vec<Option<FuncId>>, String> {
        let mut offers = vec![None; proctype.transitions.len()];
        let targets = proctype.transitions.iter().filter(|transition| transition.atomic);
        for location in targets.map(|transition| transition.target) {
            let first = proctype.locations[location.0 as usize].first as usize;
            for (index, transition) in proctype.transitions_of(location).iter().enumerate() {
                let Action::Send(send) = &transition.action else { continue };
                let is_known = offers[first + index].is_some();
                if is_known
                    || self.budget == 0
                    || !self.known.may_meet(&send.channel)
                    || !self.can_send(&transition.action)
                {
                    continue;
                }
                offers[first + index] =
                    Some(self.function(&[I64], |emit| vec![emit.offer_in_run(send, transition)])?);
            }
        }
        Ok(offers)
    }

    fn can_send(&self, action: &Action) -> bool {
        support::has_guard(self.model, action) && support::has_effect(self.model, action)
    }

    /// Which propositions hold. One that cannot be evaluated does not.
    fn letter(&mut self, propositions: &[Expr]) -> Result<Option<FuncId>, String> {
        let model = self.model;
        let is_proposition = |expr: &Expr| support::is_proposition(model, expr);
        if !propositions.iter().all(is_proposition) || propositions.len() > 64 || self.budget == 0 {
            return Ok(None);
        }
        let function = self.function(&[I64], |emit| {
            let mask = emit.builder.declare_var(I64);
            let zero = emit.builder.ins().iconst(I64, 0);
            emit.builder.def_var(mask, zero);
            for (bit, proposition) in propositions.iter().enumerate() {
                let [yes, next] = [(); 2].map(|()| emit.builder.create_block());
                emit.decline = next;
                emit.branch(proposition, yes, next);
                emit.enter(yes);
                emit.set_bit(mask, bit);
                emit.jump(next);
                emit.enter(next);
            }
            vec![emit.builder.use_var(mask)]
        })?;
        Ok(Some(function))
    }

    fn function(
        &mut self,
        results: &[cranelift_codegen::ir::Type],
        body: impl FnOnce(&mut Emit<'_, 'm>) -> Vec<cranelift_codegen::ir::Value>,
    ) -> Result<FuncId, String> {
        let mut signature: Signature = self.module.make_signature();
        signature.params.push(AbiParam::new(I64));
        signature.returns.extend(results.iter().map(|ty| AbiParam::new(*ty)));
        let id = self
            .module
            .declare_anonymous_function(&signature)
            .map_err(|error| error.to_string())?;
        self.context.func.signature = signature;
        let func = &mut self.context.func;
        let mut refer = |helper| self.module.declare_func_in_func(helper, func);
        let helpers = Helpers {
            take_first: refer(self.helpers.take_first),
            copy: refer(self.helpers.copy),
            note_differences: refer(self.helpers.note_differences),
            meet: refer(self.helpers.meet),
        };
        let mut builder = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let frame = builder.block_params(entry)[0];
        let bytes = builder.ins().load(I64, crate::emit::flags(), frame, frame::BYTES);
        let process = builder.ins().load(I64, crate::emit::flags(), frame, frame::PROCESS);
        let model = self.model;
        let mut emit = Emit {
            model,
            known: &self.known,
            builder,
            frame,
            bytes,
            process,
            decline: entry,
            helpers,
            notes_changes: false,
        };
        let values = body(&mut emit);
        emit.builder.ins().return_(&values);
        emit.builder.seal_all_blocks();
        emit.builder.finalize(self.module.target_config());
        self.budget = self.budget.saturating_sub(self.context.func.dfg.num_insts());
        let defined = self.module.define_function(id, &mut self.context);
        self.module.clear_context(&mut self.context);
        defined.map(|()| id).map_err(|error| error.to_string())
    }
}
