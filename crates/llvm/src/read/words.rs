//! Which words are what. Attributes have no end: those of newer compilers are passed over, so a
//! word is an attribute where it is nothing else.

use crate::ir::{BinaryOp, CastOp, FloatPredicate, IntegerPredicate, Linkage, Ordering, UpdateOp};

/// The words that begin an instruction.
pub fn is_opcode(word: &str) -> bool {
    binary_op(word).is_some()
        || cast_op(word).is_some()
        || matches!(
            word,
            "ret"
                | "br"
                | "switch"
                | "indirectbr"
                | "invoke"
                | "callbr"
                | "resume"
                | "unreachable"
                | "catchswitch"
                | "catchret"
                | "cleanupret"
                | "fneg"
                | "icmp"
                | "fcmp"
                | "select"
                | "freeze"
                | "phi"
                | "alloca"
                | "load"
                | "store"
                | "cmpxchg"
                | "atomicrmw"
                | "fence"
                | "getelementptr"
                | "extractelement"
                | "insertelement"
                | "shufflevector"
                | "extractvalue"
                | "insertvalue"
                | "call"
                | "tail"
                | "musttail"
                | "notail"
                | "va_arg"
                | "landingpad"
                | "catchpad"
                | "cleanuppad"
        )
}

/// The words that begin a constant.
pub fn is_constant(word: &str) -> bool {
    match word {
        "null"
        | "undef"
        | "poison"
        | "true"
        | "false"
        | "zeroinitializer"
        | "none"
        | "splat"
        | "blockaddress"
        | "dso_local_equivalent"
        | "no_cfi"
        | "ptrauth"
        | "asm"
        | "getelementptr"
        | "icmp"
        | "fcmp"
        | "select"
        | "extractelement"
        | "insertelement"
        | "shufflevector"
        | "extractvalue"
        | "insertvalue"
        | "fneg" => true,
        _ => binary_op(word).is_some() || cast_op(word).is_some(),
    }
}

/// The words at the top of the file that begin something new, and so end a declaration.
pub fn begins_entity(word: &str) -> bool {
    matches!(
        word,
        "define"
            | "declare"
            | "attributes"
            | "target"
            | "source_filename"
            | "module"
            | "uselistorder"
            | "uselistorder_bb"
    )
}

/// The words with which a global without a name can begin.
pub fn begins_unnamed_global(word: &str) -> bool {
    linkage(word).is_some()
        || matches!(word, "global" | "constant" | "alias" | "ifunc")
        || matches!(word, "unnamed_addr" | "local_unnamed_addr" | "thread_local" | "dso_local")
        || matches!(word, "hidden" | "protected" | "dllimport" | "dllexport" | "addrspace")
}

pub fn linkage(word: &str) -> Option<Linkage> {
    Some(match word {
        "external" => Linkage::External,
        "internal" => Linkage::Internal,
        "private" | "linker_private" | "linker_private_weak" => Linkage::Private,
        "weak" => Linkage::Weak,
        "weak_odr" => Linkage::WeakOdr,
        "linkonce" => Linkage::LinkOnce,
        "linkonce_odr" | "linkonce_odr_auto_hide" => Linkage::LinkOnceOdr,
        "common" => Linkage::Common,
        "available_externally" => Linkage::AvailableExternally,
        "extern_weak" => Linkage::ExternWeak,
        "appending" => Linkage::Appending,
        _ => return None,
    })
}

pub fn binary_op(word: &str) -> Option<BinaryOp> {
    Some(match word {
        "add" => BinaryOp::Add,
        "sub" => BinaryOp::Sub,
        "mul" => BinaryOp::Mul,
        "udiv" => BinaryOp::UnsignedDiv,
        "sdiv" => BinaryOp::SignedDiv,
        "urem" => BinaryOp::UnsignedRem,
        "srem" => BinaryOp::SignedRem,
        "shl" => BinaryOp::ShiftLeft,
        "lshr" => BinaryOp::LogicalShiftRight,
        "ashr" => BinaryOp::ArithmeticShiftRight,
        "and" => BinaryOp::And,
        "or" => BinaryOp::Or,
        "xor" => BinaryOp::Xor,
        "fadd" => BinaryOp::FloatAdd,
        "fsub" => BinaryOp::FloatSub,
        "fmul" => BinaryOp::FloatMul,
        "fdiv" => BinaryOp::FloatDiv,
        "frem" => BinaryOp::FloatRem,
        _ => return None,
    })
}

pub fn cast_op(word: &str) -> Option<CastOp> {
    Some(match word {
        "trunc" => CastOp::Truncate,
        "zext" => CastOp::ZeroExtend,
        "sext" => CastOp::SignExtend,
        "fptrunc" => CastOp::FloatTruncate,
        "fpext" => CastOp::FloatExtend,
        "fptoui" => CastOp::FloatToUnsigned,
        "fptosi" => CastOp::FloatToSigned,
        "uitofp" => CastOp::UnsignedToFloat,
        "sitofp" => CastOp::SignedToFloat,
        "ptrtoint" => CastOp::PointerToInteger,
        "ptrtoaddr" => CastOp::PointerToAddress,
        "inttoptr" => CastOp::IntegerToPointer,
        "bitcast" => CastOp::Bitcast,
        "addrspacecast" => CastOp::AddressSpaceCast,
        _ => return None,
    })
}

pub fn integer_predicate(word: &str) -> Option<IntegerPredicate> {
    Some(match word {
        "eq" => IntegerPredicate::Equal,
        "ne" => IntegerPredicate::NotEqual,
        "ugt" => IntegerPredicate::UnsignedGreater,
        "uge" => IntegerPredicate::UnsignedGreaterEqual,
        "ult" => IntegerPredicate::UnsignedLess,
        "ule" => IntegerPredicate::UnsignedLessEqual,
        "sgt" => IntegerPredicate::SignedGreater,
        "sge" => IntegerPredicate::SignedGreaterEqual,
        "slt" => IntegerPredicate::SignedLess,
        "sle" => IntegerPredicate::SignedLessEqual,
        _ => return None,
    })
}

pub fn float_predicate(word: &str) -> Option<FloatPredicate> {
    Some(match word {
        "false" => FloatPredicate::False,
        "oeq" => FloatPredicate::OrderedEqual,
        "ogt" => FloatPredicate::OrderedGreater,
        "oge" => FloatPredicate::OrderedGreaterEqual,
        "olt" => FloatPredicate::OrderedLess,
        "ole" => FloatPredicate::OrderedLessEqual,
        "one" => FloatPredicate::OrderedNotEqual,
        "ord" => FloatPredicate::Ordered,
        "uno" => FloatPredicate::Unordered,
        "ueq" => FloatPredicate::UnorderedEqual,
        "ugt" => FloatPredicate::UnorderedGreater,
        "uge" => FloatPredicate::UnorderedGreaterEqual,
        "ult" => FloatPredicate::UnorderedLess,
        "ule" => FloatPredicate::UnorderedLessEqual,
        "une" => FloatPredicate::UnorderedNotEqual,
        "true" => FloatPredicate::True,
        _ => return None,
    })
}

pub fn ordering(word: &str) -> Option<Ordering> {
    Some(match word {
        "unordered" => Ordering::Unordered,
        "monotonic" => Ordering::Monotonic,
        "acquire" => Ordering::Acquire,
        "release" => Ordering::Release,
        "acq_rel" => Ordering::AcquireRelease,
        "seq_cst" => Ordering::SequentiallyConsistent,
        _ => return None,
    })
}

pub fn update_op(word: &str) -> Option<UpdateOp> {
    Some(match word {
        "xchg" => UpdateOp::Exchange,
        "add" => UpdateOp::Add,
        "sub" => UpdateOp::Sub,
        "and" => UpdateOp::And,
        "nand" => UpdateOp::Nand,
        "or" => UpdateOp::Or,
        "xor" => UpdateOp::Xor,
        "max" => UpdateOp::Max,
        "min" => UpdateOp::Min,
        "umax" => UpdateOp::UnsignedMax,
        "umin" => UpdateOp::UnsignedMin,
        "fadd" => UpdateOp::FloatAdd,
        "fsub" => UpdateOp::FloatSub,
        "fmax" => UpdateOp::FloatMax,
        "fmin" => UpdateOp::FloatMin,
        "fmaximum" => UpdateOp::FloatMaximum,
        "fminimum" => UpdateOp::FloatMinimum,
        "fmaximumnum" => UpdateOp::FloatMaximumNum,
        "fminimumnum" => UpdateOp::FloatMinimumNum,
        "uinc_wrap" => UpdateOp::IncrementWrap,
        "udec_wrap" => UpdateOp::DecrementWrap,
        "usub_cond" => UpdateOp::SubConditional,
        "usub_sat" => UpdateOp::SubSaturating,
        _ => return None,
    })
}

pub fn is_fast_math(word: &str) -> bool {
    matches!(word, "nnan" | "ninf" | "nsz" | "arcp" | "contract" | "reassoc" | "afn" | "fast")
}

/// The numbers LLVM gives to calling conventions; only the most common ones need to be told
/// apart.
pub fn convention(word: &str) -> Option<u32> {
    Some(match word {
        "ccc" => 0,
        "fastcc" => 8,
        "coldcc" => 9,
        "ghccc" => 10,
        "anyregcc" => 13,
        "preserve_mostcc" => 14,
        "preserve_allcc" => 15,
        "swiftcc" => 16,
        "cxx_fast_tlscc" => 17,
        "tailcc" => 18,
        "x86_stdcallcc" => 64,
        "x86_fastcallcc" => 65,
        "arm_apcscc" => 66,
        "arm_aapcscc" => 67,
        "arm_aapcs_vfpcc" => 68,
        "x86_thiscallcc" => 70,
        "x86_64_sysvcc" => 78,
        "win64cc" => 79,
        "x86_vectorcallcc" => 80,
        "x86_intrcc" => 83,
        "x86_regcallcc" => 92,
        "aarch64_vector_pcs" => 97,
        _ => return None,
    })
}
