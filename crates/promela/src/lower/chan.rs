//! Channel types and the messages that go through them.

use super::Lowerer;
use super::decl::Site;
use super::scope::VarInfo;
use crate::ast::{self, TypeName, VarDecl};
use auspex_process::Scalar;
use auspex_process::ir::*;
use auspex_system::{Diagnostic, Span};

/// The length of a channel is kept in two bytes.
const LARGEST_CAPACITY: i32 = 65_535;

impl Lowerer<'_> {
    pub fn create_channels(
        &mut self,
        var: &VarDecl,
        info: &VarInfo,
        capacity: &ast::Expr,
        fields: &[TypeName],
        span: Span,
        site: Site,
    ) {
        if info.ty != VarType::Scalar(Scalar::Channel) {
            self.error(span, format!("`{}` is not a channel", var.name.text));
            return;
        }
        let Some(ty) = self.channel_type(capacity, fields, span) else { return };
        let count = self.model.channel_types[ty.0 as usize].fields.len();
        self.channel_fields.insert(var.name.text.clone(), count);
        for place in self.element_places(var, info) {
            self.add_init(info.space, Init::Channel(place, ty), site);
        }
    }

    pub fn channel_type(
        &mut self,
        capacity: &ast::Expr,
        fields: &[TypeName],
        span: Span,
    ) -> Option<ChannelTypeId> {
        let capacity = match self.constant(capacity) {
            Some(n @ 0..=LARGEST_CAPACITY) => n as u32,
            _ => {
                let message = format!("a channel holds 0 to {LARGEST_CAPACITY} messages");
                self.error(capacity.span, message);
                return None;
            }
        };
        let mut flat = Vec::new();
        for field in fields {
            let ty = self.type_of(field, span)?;
            self.flatten(ty, None, &mut flat);
        }
        // As in Spin: a lone bit is kept in a byte, and not cut to a bit.
        if let [only] = flat.as_mut_slice() {
            *only = only.widened();
        }
        let message_size: usize = flat.iter().map(|f| f.size()).sum();
        let ty = ChannelType { capacity, fields: flat, message_size: message_size as u32 };
        if u64::from(capacity) * message_size as u64 > 1 << 24 {
            self.error(span, "this channel is larger than 16 MiB");
            return None;
        }
        let known = self.model.channel_types.iter().position(|t| *t == ty);
        let index = known.unwrap_or_else(|| {
            self.model.channel_types.push(ty);
            self.model.channel_types.len() - 1
        });
        Some(ChannelTypeId(index as u16))
    }

    /// The scalars that a type consists of, arrays element by element.
    pub fn flatten(&self, ty: VarType, length: Option<u32>, out: &mut Vec<Scalar>) {
        for _ in 0..length.unwrap_or(1) {
            match ty {
                VarType::Scalar(scalar) => out.push(scalar.narrowed()),
                VarType::Struct(id) => {
                    for field in &self.model.structs[id as usize].fields {
                        self.flatten(field.ty, field.length, out);
                    }
                }
            }
        }
    }

    pub fn send(&mut self, chan: &ast::VarRef, args: &[ast::Expr], sorted: bool) -> Action {
        let channel = self.channel(chan);
        let mut values = Vec::new();
        for arg in args {
            self.message_values(arg, &mut values);
        }
        self.check_fields(chan, values.len());
        self.message_lengths.push((values.len(), chan.span));
        Action::Send(Box::new(Send { channel, values, sorted }))
    }

    /// A typedef variable stands for all its fields.
    pub fn message_values(&mut self, arg: &ast::Expr, out: &mut Vec<Expr>) {
        if let ast::ExprKind::Name(var) = &arg.kind
            && let Some((space, offset, indices, id)) = self.whole_struct(var)
        {
            let base = Place {
                space,
                offset,
                indices,
                ty: Scalar::Int,
                name: self.map.snippet(var.span).to_string(),
            };
            let places = self.struct_places(&base, id);
            out.extend(places.into_iter().map(load));
            return;
        }
        out.push(self.value(arg));
    }

    /// The places of all scalars of a struct that lies at `base`.
    pub fn struct_places(&self, base: &Place, id: u16) -> Vec<Place> {
        let mut places = Vec::new();
        self.collect_places(base, id, &mut places);
        places
    }

    fn collect_places(&self, base: &Place, id: u16, out: &mut Vec<Place>) {
        for field in &self.model.structs[id as usize].fields {
            let size = field.element_size(&self.model.structs);
            for i in 0..field.length.unwrap_or(1) {
                let mut place = base.clone();
                place.offset += field.offset + i * size;
                place.name = match field.length {
                    Some(_) => format!("{}.{}[{i}]", base.name, field.name),
                    None => format!("{}.{}", base.name, field.name),
                };
                match field.ty {
                    VarType::Scalar(ty) => out.push(Place { ty, ..place }),
                    VarType::Struct(id) => self.collect_places(&place, id, out),
                }
            }
        }
    }

    pub fn receive(
        &mut self,
        chan: &ast::VarRef,
        args: &[ast::RecvArg],
        random: bool,
        keep: bool,
    ) -> Receive {
        let channel = self.channel(chan);
        let mut fields = Vec::new();
        for arg in args {
            self.pattern(arg, &mut fields);
        }
        self.check_fields(chan, fields.len());
        self.message_lengths.push((fields.len(), chan.span));
        Receive { channel, fields, anywhere: random, keep }
    }

    pub fn pattern(&mut self, arg: &ast::RecvArg, out: &mut Vec<Pattern>) {
        match arg {
            ast::RecvArg::Constant(expr) | ast::RecvArg::Eval(expr) => {
                let value = self.value(expr);
                out.push(Pattern::Match(value));
            }
            ast::RecvArg::Name(var) if is_wildcard(var) => out.push(Pattern::Any),
            ast::RecvArg::Name(var) => {
                if let Some(constant) = self.symbolic(var) {
                    out.push(Pattern::Match(Expr::Const(constant)));
                } else if let Some((space, offset, indices, id)) = self.whole_struct(var) {
                    let name = self.map.snippet(var.span).to_string();
                    let base = Place { space, offset, indices, ty: Scalar::Int, name };
                    out.extend(self.struct_places(&base, id).into_iter().map(Pattern::Store));
                } else if let Some(place) = self.target(var) {
                    out.push(Pattern::Store(place));
                }
            }
        }
    }

    /// Too few or too many fields go wrong when the statement is tried; say so early.
    fn check_fields(&mut self, chan: &ast::VarRef, given: usize) {
        let Some(wanted) = self.channel_fields.get(&chan.name.text).copied() else { return };
        if wanted != given && chan.field.is_none() {
            let message = format!("`{}` has {wanted} fields, {given} given", chan.name.text);
            self.warning(Diagnostic::warning(chan.span, message));
        }
    }

    /// More fields than any channel has can never be right.
    pub fn check_message_lengths(&mut self) {
        let lengths = self.model.channel_types.iter().map(|ty| ty.fields.len());
        let Some(most) = lengths.max() else { return };
        for (given, span) in std::mem::take(&mut self.message_lengths) {
            if given > most {
                self.error(span, format!("{given} fields are more than any channel has"));
            }
        }
    }

    /// The number of the channel that a name stands for.
    pub fn channel(&mut self, var: &ast::VarRef) -> Expr {
        let Some(place) = self.place(var) else { return Expr::Const(0) };
        if place.ty != Scalar::Channel {
            let error = Diagnostic::error(var.span, format!("`{}` is not a channel", place.name));
            self.errors.push(error);
        }
        load(place)
    }
}

pub fn is_wildcard(var: &ast::VarRef) -> bool {
    var.name.text == "_"
}

/// The value at a place, in its cheapest form.
pub fn load(place: Place) -> Expr {
    match (place.space, place.indices.is_empty()) {
        (Space::Global, true) => Expr::Global(place.ty, place.offset),
        (Space::Local, true) => Expr::Local(place.ty, place.offset),
        _ => Expr::Load(Box::new(place)),
    }
}
