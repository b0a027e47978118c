//! All functions of a model.

use crate::channel;
use crate::emit::{Emit, Helpers};
use crate::expand::{self, Expand, Expansion};
use crate::frame::{self, Frame};
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
                // SAFETY: as above.
                let function =
                    unsafe { std::mem::transmute::<*const u8, Expand>(address((*function)?)) };
                Some(Expansion::new(function, proctype.transitions_at(location)))
            };
            proctype.locations.iter().zip(of).map(expansion).collect()
        };
        let expansions = model.proctypes.iter().zip(&functions.expansions).map(expansion);
        let effects = functions.effects.iter().map(|of| of.iter().map(effect).collect());
        let guards: Vec<Vec<_>> = guards.collect();
        let effects: Vec<Vec<_>> = effects.collect();
        let compiled = guards.iter().zip(&effects);
        let moves = model
            .proctypes
            .iter()
            .zip(compiled)
            .map(|(of, (guards, effects))| Moves::new(of, guards, effects));
        Ok(Program {
            moves: moves.collect(),
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
    letters: Vec<Option<FuncId>>,
}

struct Compiler<'m> {
    model: &'m Model,
    module: JITModule,
    context: Context,
    builder: FunctionBuilderContext,
    helpers: Helpers<FuncId>,
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
        let mut module = JITModule::new(jit);
        let mut signature = module.make_signature();
        signature.params.extend([AbiParam::new(I64); 3]);
        let mut import = |name| {
            let imported = module.declare_function(name, Linkage::Import, &signature);
            imported.map_err(|error| error.to_string())
        };
        let helpers = Helpers {
            take_first: import("take_first")?,
            copy: import("copy")?,
            note_differences: import("note_differences")?,
        };
        let (context, builder) = (module.make_context(), FunctionBuilderContext::new());
        Ok(Compiler { model, module, context, builder, helpers, budget: BUDGET })
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
