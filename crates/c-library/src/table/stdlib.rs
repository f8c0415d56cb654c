//! `stdlib.h`, `inttypes.h`, `setjmp.h`, and what other headers have of the same kind.

use crate::function::Body::{Absent, Code};
use crate::function::Symbolic::{Abort, Allocate, AllocateArray, Exit, Free};

functions! {
    /// Functions of `stdlib.h` and `inttypes.h` that do not call back.
    StdlibFunction in Stdlib, STDLIB {
        Malloc { ("malloc", "stdlib.h", Absent, Some(Allocate)) }
        Calloc { ("calloc", "stdlib.h", Absent, Some(AllocateArray)) }
        AlignedAlloc {
            ("aligned_alloc", "stdlib.h", Absent, None)
            ("memalign", "malloc.h", Absent, None)
        }
        Realloc { ("realloc", "stdlib.h", Absent, None) }
        Reallocarray { ("reallocarray", "stdlib.h", Absent, None) }
        Free { ("free", "stdlib.h", Absent, Some(Free)) }
        Abs { ("abs", "stdlib.h", Code, None) }
        Labs {
            ("labs", "stdlib.h", Code, None)
            ("llabs", "stdlib.h", Code, None)
            ("imaxabs", "inttypes.h", Code, None)
        }
        Div { ("div", "stdlib.h", Absent, None) }
        Strtol {
            ("strtol", "stdlib.h", Absent, None)
            ("strtoll", "stdlib.h", Absent, None)
            ("strtoimax", "inttypes.h", Absent, None)
            ("__isoc23_strtol", "stdlib.h", Absent, None)
            ("__isoc23_strtoll", "stdlib.h", Absent, None)
        }
        Strtoul {
            ("strtoul", "stdlib.h", Absent, None)
            ("strtoull", "stdlib.h", Absent, None)
            ("strtoumax", "inttypes.h", Absent, None)
            ("__isoc23_strtoul", "stdlib.h", Absent, None)
            ("__isoc23_strtoull", "stdlib.h", Absent, None)
        }
        Atoi { ("atoi", "stdlib.h", Code, None) }
        Atol {
            ("atol", "stdlib.h", Code, None)
            ("atoll", "stdlib.h", Absent, None)
        }
        Strtod { ("strtod", "stdlib.h", Absent, None) }
        Atof { ("atof", "stdlib.h", Absent, None) }
        Strtof { ("strtof", "stdlib.h", Absent, None) }
        Exit {
            ("exit", "stdlib.h", Absent, Some(Exit))
            ("_exit", "unistd.h", Absent, Some(Exit))
            ("_Exit", "stdlib.h", Absent, Some(Exit))
            ("quick_exit", "stdlib.h", Absent, Some(Exit))
        }
        Abort { ("abort", "stdlib.h", Absent, Some(Abort)) }
        Setjmp {
            ("setjmp", "setjmp.h", Absent, None)
            ("_setjmp", "setjmp.h", Absent, None)
            ("sigsetjmp", "setjmp.h", Absent, None)
            ("__sigsetjmp", "setjmp.h", Absent, None)
        }
        Longjmp {
            ("longjmp", "setjmp.h", Absent, None)
            ("_longjmp", "setjmp.h", Absent, None)
            ("siglongjmp", "setjmp.h", Absent, None)
        }
    }
}

functions! {
    /// Functions of `stdlib.h` that call back.
    SortFunction in Sort, SORT {
        Qsort { ("qsort", "stdlib.h", Absent, None) }
        Bsearch { ("bsearch", "stdlib.h", Absent, None) }
    }
}
