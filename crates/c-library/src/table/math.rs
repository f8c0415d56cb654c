//! `math.h`: a function and its twin on floats are two rows.

use obligato_bytecode::FloatBinary::{CopySign, Maximum, Minimum};
use obligato_bytecode::FloatUnary::{Absolute, Ceiling, Floor, Rint, Round, Truncate};
use obligato_bytecode::FloatWidth::{Double, Single};

use crate::function::Body::Absent;
use crate::function::Symbolic::{FloatBinary, FloatUnary};

functions! {
    /// Functions of `math.h` on doubles.
    DoubleFunction in Double, DOUBLE {
        Fabs { ("fabs", "math.h", Absent, Some(FloatUnary(Absolute, Double))) }
        Sqrt { ("sqrt", "math.h", Absent, None) }
        Floor { ("floor", "math.h", Absent, Some(FloatUnary(Floor, Double))) }
        Ceil { ("ceil", "math.h", Absent, Some(FloatUnary(Ceiling, Double))) }
        Trunc { ("trunc", "math.h", Absent, Some(FloatUnary(Truncate, Double))) }
        Round { ("round", "math.h", Absent, Some(FloatUnary(Round, Double))) }
        Rint {
            ("rint", "math.h", Absent, Some(FloatUnary(Rint, Double)))
            ("nearbyint", "math.h", Absent, Some(FloatUnary(Rint, Double)))
            ("roundeven", "math.h", Absent, None)
        }
        Sin { ("sin", "math.h", Absent, None) }
        Cos { ("cos", "math.h", Absent, None) }
        Tan { ("tan", "math.h", Absent, None) }
        Asin { ("asin", "math.h", Absent, None) }
        Acos { ("acos", "math.h", Absent, None) }
        Atan { ("atan", "math.h", Absent, None) }
        Sinh { ("sinh", "math.h", Absent, None) }
        Cosh { ("cosh", "math.h", Absent, None) }
        Tanh { ("tanh", "math.h", Absent, None) }
        Exp { ("exp", "math.h", Absent, None) }
        Exp2 { ("exp2", "math.h", Absent, None) }
        Expm1 { ("expm1", "math.h", Absent, None) }
        Log { ("log", "math.h", Absent, None) }
        Log2 { ("log2", "math.h", Absent, None) }
        Log10 { ("log10", "math.h", Absent, None) }
        Log1p { ("log1p", "math.h", Absent, None) }
        Fmod { ("fmod", "math.h", Absent, None) }
        Fmin { ("fmin", "math.h", Absent, Some(FloatBinary(Minimum, Double))) }
        Fmax { ("fmax", "math.h", Absent, Some(FloatBinary(Maximum, Double))) }
        Fdim { ("fdim", "math.h", Absent, None) }
        Copysign { ("copysign", "math.h", Absent, Some(FloatBinary(CopySign, Double))) }
        Pow { ("pow", "math.h", Absent, None) }
        Hypot { ("hypot", "math.h", Absent, None) }
        Atan2 { ("atan2", "math.h", Absent, None) }
        Fma { ("fma", "math.h", Absent, None) }
        Ldexp {
            ("ldexp", "math.h", Absent, None)
            ("scalbn", "math.h", Absent, None)
        }
        Lround {
            ("lround", "math.h", Absent, None)
            ("llround", "math.h", Absent, None)
        }
        Lrint {
            ("lrint", "math.h", Absent, None)
            ("llrint", "math.h", Absent, None)
        }
        Isnan {
            ("__isnan", "math.h", Absent, None)
            ("isnan", "math.h", Absent, None)
        }
        Isinf {
            ("__isinf", "math.h", Absent, None)
            ("isinf", "math.h", Absent, None)
        }
        Finite {
            ("__finite", "math.h", Absent, None)
            ("finite", "math.h", Absent, None)
        }
        Signbit { ("__signbit", "math.h", Absent, None) }
        Fpclassify { ("__fpclassify", "math.h", Absent, None) }
        Frexp { ("frexp", "math.h", Absent, None) }
        Modf { ("modf", "math.h", Absent, None) }
    }
}

functions! {
    /// Functions of `math.h` on floats.
    SingleFunction in Single, SINGLE {
        Fabsf { ("fabsf", "math.h", Absent, Some(FloatUnary(Absolute, Single))) }
        Sqrtf { ("sqrtf", "math.h", Absent, None) }
        Floorf { ("floorf", "math.h", Absent, Some(FloatUnary(Floor, Single))) }
        Ceilf { ("ceilf", "math.h", Absent, Some(FloatUnary(Ceiling, Single))) }
        Truncf { ("truncf", "math.h", Absent, Some(FloatUnary(Truncate, Single))) }
        Roundf { ("roundf", "math.h", Absent, Some(FloatUnary(Round, Single))) }
        Rintf {
            ("rintf", "math.h", Absent, Some(FloatUnary(Rint, Single)))
            ("nearbyintf", "math.h", Absent, Some(FloatUnary(Rint, Single)))
            ("roundevenf", "math.h", Absent, None)
        }
        Sinf { ("sinf", "math.h", Absent, None) }
        Cosf { ("cosf", "math.h", Absent, None) }
        Tanf { ("tanf", "math.h", Absent, None) }
        Asinf { ("asinf", "math.h", Absent, None) }
        Acosf { ("acosf", "math.h", Absent, None) }
        Atanf { ("atanf", "math.h", Absent, None) }
        Sinhf { ("sinhf", "math.h", Absent, None) }
        Coshf { ("coshf", "math.h", Absent, None) }
        Tanhf { ("tanhf", "math.h", Absent, None) }
        Expf { ("expf", "math.h", Absent, None) }
        Exp2f { ("exp2f", "math.h", Absent, None) }
        Expm1f { ("expm1f", "math.h", Absent, None) }
        Logf { ("logf", "math.h", Absent, None) }
        Log2f { ("log2f", "math.h", Absent, None) }
        Log10f { ("log10f", "math.h", Absent, None) }
        Log1pf { ("log1pf", "math.h", Absent, None) }
        Fmodf { ("fmodf", "math.h", Absent, None) }
        Fminf { ("fminf", "math.h", Absent, Some(FloatBinary(Minimum, Single))) }
        Fmaxf { ("fmaxf", "math.h", Absent, Some(FloatBinary(Maximum, Single))) }
        Fdimf { ("fdimf", "math.h", Absent, None) }
        Copysignf { ("copysignf", "math.h", Absent, Some(FloatBinary(CopySign, Single))) }
        Powf { ("powf", "math.h", Absent, None) }
        Hypotf { ("hypotf", "math.h", Absent, None) }
        Atan2f { ("atan2f", "math.h", Absent, None) }
        Fmaf { ("fmaf", "math.h", Absent, None) }
        Ldexpf {
            ("ldexpf", "math.h", Absent, None)
            ("scalbnf", "math.h", Absent, None)
        }
        Lroundf {
            ("lroundf", "math.h", Absent, None)
            ("llroundf", "math.h", Absent, None)
        }
        Lrintf {
            ("lrintf", "math.h", Absent, None)
            ("llrintf", "math.h", Absent, None)
        }
        Isnanf {
            ("__isnanf", "math.h", Absent, None)
            ("isnanf", "math.h", Absent, None)
        }
        Isinff {
            ("__isinff", "math.h", Absent, None)
            ("isinff", "math.h", Absent, None)
        }
        Finitef {
            ("__finitef", "math.h", Absent, None)
            ("finitef", "math.h", Absent, None)
        }
        Signbitf { ("__signbitf", "math.h", Absent, None) }
        Fpclassifyf { ("__fpclassifyf", "math.h", Absent, None) }
        Frexpf { ("frexpf", "math.h", Absent, None) }
        Modff { ("modff", "math.h", Absent, None) }
    }
}
