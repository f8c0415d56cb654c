//! `ctype.h`.

use crate::function::Body::{Absent, Code};
use crate::function::Symbolic::{ClassTable, LowerTable, UpperTable};

functions! {
    /// Functions of `ctype.h`, and those that its macros call.
    CharacterFunction in Character, CHARACTER {
        Isupper { ("isupper", "ctype.h", Code, None) }
        Islower { ("islower", "ctype.h", Code, None) }
        Isalpha { ("isalpha", "ctype.h", Code, None) }
        Isdigit { ("isdigit", "ctype.h", Code, None) }
        Isxdigit { ("isxdigit", "ctype.h", Code, None) }
        Isspace { ("isspace", "ctype.h", Code, None) }
        Isprint { ("isprint", "ctype.h", Code, None) }
        Isgraph { ("isgraph", "ctype.h", Code, None) }
        Isblank { ("isblank", "ctype.h", Code, None) }
        Iscntrl { ("iscntrl", "ctype.h", Code, None) }
        Ispunct { ("ispunct", "ctype.h", Code, None) }
        Isalnum { ("isalnum", "ctype.h", Code, None) }
        Tolower { ("tolower", "ctype.h", Code, None) }
        Toupper { ("toupper", "ctype.h", Code, None) }
        CtypeBLoc { ("__ctype_b_loc", "ctype.h", Absent, Some(ClassTable)) }
        CtypeTolowerLoc { ("__ctype_tolower_loc", "ctype.h", Absent, Some(LowerTable)) }
        CtypeToupperLoc { ("__ctype_toupper_loc", "ctype.h", Absent, Some(UpperTable)) }
    }
}
