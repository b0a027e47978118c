//! From files to a program that can be run and checked.

use crate::check::{self, Names, Standard, Unit};
use crate::code::Object;
use crate::tree::Program;
use crate::{ast, emit};
use auspex_system::{Diagnostic, SourceMap};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where imported modules are looked for, after the directory of the file itself.
    pub include_dirs: Vec<PathBuf>,
}

/// A program whose names are known.
pub struct Source {
    pub modules: Vec<ast::Module>,
    pub program: Program,
    pub names: Names,
    pub warnings: Vec<Diagnostic>,
    /// In which order bodies are executed, which module is the main one, and which close the program.
    plan: Plan,
}

#[derive(Clone, Debug)]
struct Plan {
    order: Vec<usize>,
    main: usize,
    environments: Vec<usize>,
}

impl Source {
    pub fn compile(&self, sources: &SourceMap, options: &emit::Options) -> Object {
        emit::emit(&self.program, sources, options)
    }

    /// The same program with other text: the same modules, in the same order.
    pub(crate) fn again(&self, modules: Vec<ast::Module>) -> Result<Self, Vec<Diagnostic>> {
        let Plan { order, main, environments } = &self.plan;
        finish(modules, order, *main, environments)
    }

    /// The syntax tree of the module that was asked for.
    pub fn main(&self) -> Option<&ast::Module> {
        let id = self.program.modules.get(self.program.main)?.id;
        self.modules.get(id.0 as usize)
    }
}

/// Reads the file of the main module, those of modules that it imports, and files that close the program.
pub fn load(
    sources: &mut SourceMap,
    files: &[PathBuf],
    options: &Options,
) -> Result<Source, Vec<Diagnostic>> {
    let Some((main, environments)) = files.split_first() else {
        return Err(vec![Diagnostic::general("no file was given")]);
    };
    let mut loader =
        Loader { sources, options, modules: Vec::new(), open: Vec::new(), errors: Vec::new() };
    let main_index = loader.file(main, None);
    let mut environment_indices = Vec::new();
    for file in environments {
        environment_indices.extend(loader.file(file, None));
    }
    if !loader.errors.is_empty() {
        return Err(loader.errors);
    }
    let Some(main_index) = main_index else {
        return Err(vec![Diagnostic::general("the program could not be read")]);
    };
    let modules: Vec<ast::Module> = loader.modules;
    let order = order(&modules, main_index, &environment_indices);
    finish(modules, &order, main_index, &environment_indices)
}

/// A program that is in no file: one module.
pub fn load_text(
    sources: &mut SourceMap,
    name: &str,
    text: &str,
) -> Result<Source, Vec<Diagnostic>> {
    let file = sources.add(name, text);
    let module = crate::parse(sources, file)?;
    if let Some(import) = module.imports.iter().find(|i| Standard::named(&i.module.text).is_none())
    {
        return Err(vec![Diagnostic::error(import.module.span, "there is no such module here")]);
    }
    finish(vec![module], &[0], 0, &[])
}

fn finish(
    modules: Vec<ast::Module>,
    order: &[usize],
    main: usize,
    environments: &[usize],
) -> Result<Source, Vec<Diagnostic>> {
    let units: Vec<Unit<'_>> = modules
        .iter()
        .enumerate()
        .map(|(index, module)| Unit { module, is_environment: environments.contains(&index) })
        .collect();
    let (program, names, warnings) = check::check(&units, order, main)?;
    let plan = Plan { order: order.to_vec(), main, environments: environments.to_vec() };
    Ok(Source { modules, program, names, warnings, plan })
}

/// In which order bodies are executed: what closes the program first, modules after those that they import.
fn order(modules: &[ast::Module], main: usize, environments: &[usize]) -> Vec<usize> {
    fn visit(modules: &[ast::Module], at: usize, main: usize, order: &mut Vec<usize>) {
        if order.contains(&at) {
            return;
        }
        for import in &modules[at].imports {
            let found = modules.iter().position(|module| module.name.text == import.module.text);
            if let Some(found) = found
                && found != main
                && found < at
            {
                visit(modules, found, main, order);
            }
        }
        order.push(at);
    }
    let mut order = Vec::new();
    environments.iter().for_each(|index| visit(modules, *index, main, &mut order));
    visit(modules, main, main, &mut order);
    order
}

struct Loader<'a> {
    sources: &'a mut SourceMap,
    options: &'a Options,
    /// Each after those that it imports.
    modules: Vec<ast::Module>,
    /// Those that are being read, outermost first.
    open: Vec<String>,
    errors: Vec<Diagnostic>,
}

impl Loader<'_> {
    /// Reads a module and what it imports; gives back its number.
    fn file(&mut self, path: &Path, import: Option<&ast::Ident>) -> Option<usize> {
        let text = match std::fs::read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(failure) => {
                let message = format!("cannot read `{}`: {failure}", path.display());
                self.errors.push(match import {
                    Some(import) => Diagnostic::error(import.span, message),
                    None => Diagnostic::general(message),
                });
                return None;
            }
        };
        let file = self.sources.add(&path.to_string_lossy(), &text);
        let module = match crate::parse(self.sources, file) {
            Ok(module) => module,
            Err(errors) => {
                self.errors.extend(errors);
                return None;
            }
        };
        if let Some(import) = import
            && module.name.text != import.text
        {
            let message = format!("`{}` holds the module `{}`", path.display(), module.name.text);
            let error = Diagnostic::error(import.span, message);
            self.errors.push(error.label(format!("`{}` is imported", import.text)));
            return None;
        }
        if let Some(other) = self.modules.iter().find(|m| m.name.text == module.name.text) {
            let message = format!("there are two modules `{}`", module.name.text);
            let error = Diagnostic::error(module.name.span, message);
            self.errors.push(error.note(other.name.span, "the other one"));
            return None;
        }
        self.open.push(module.name.text.clone());
        let imported = module.imports.iter().all(|import| self.import(&import.module, path));
        self.open.pop();
        if !imported {
            return None;
        }
        self.modules.push(module);
        Some(self.modules.len() - 1)
    }

    fn import(&mut self, name: &ast::Ident, from: &Path) -> bool {
        let is_read = self.modules.iter().any(|found| found.name.text == name.text);
        if is_read || Standard::named(&name.text).is_some() {
            return true;
        }
        if self.open.contains(&name.text) {
            let chain = self.open.join(" -> ");
            let message = format!("modules import each other: {chain} -> {}", name.text);
            self.errors.push(Diagnostic::error(name.span, message).label("imported again here"));
            return false;
        }
        let Some(path) = self.find(&name.text, from) else {
            self.errors.push(self.missing(name, from));
            return false;
        };
        self.file(&path, Some(name)).is_some()
    }

    fn find(&self, name: &str, from: &Path) -> Option<PathBuf> {
        let own = from.parent().map(Path::to_path_buf).unwrap_or_default();
        let dirs = std::iter::once(&own).chain(&self.options.include_dirs);
        let names = [format!("{name}.lf"), format!("{}.lf", name.to_lowercase())];
        dirs.flat_map(|dir| names.iter().map(move |name| dir.join(name)))
            .find(|path| path.is_file())
    }

    fn missing(&self, name: &ast::Ident, from: &Path) -> Diagnostic {
        let dir = from.parent().filter(|dir| !dir.as_os_str().is_empty());
        let dir = dir.map_or_else(|| ".".to_owned(), |dir| dir.display().to_string());
        Diagnostic::error(name.span, format!("there is no module `{}`", name.text))
            .label("imported here")
            .hint(format!("it would be in `{dir}/{}.lf`; -I names other directories", name.text))
    }
}
