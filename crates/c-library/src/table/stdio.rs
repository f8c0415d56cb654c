//! `stdio.h`.

use crate::function::Body::Absent;
use crate::function::LibraryFunction;
use crate::function::Symbolic::{Print, PrintCharacter, PrintFormat, PrintItems};

functions! {
    /// Functions of `stdio.h`.
    StdioFunction in Stdio, STDIO {
        Printf { ("printf", "stdio.h", Absent, Some(PrintFormat { format: 0 })) }
        Vprintf { ("vprintf", "stdio.h", Absent, None) }
        PrintfChk { ("__printf_chk", "stdio.h", Absent, Some(PrintFormat { format: 1 })) }
        Fprintf { ("fprintf", "stdio.h", Absent, Some(PrintFormat { format: 1 })) }
        Vfprintf { ("vfprintf", "stdio.h", Absent, None) }
        FprintfChk { ("__fprintf_chk", "stdio.h", Absent, Some(PrintFormat { format: 2 })) }
        Puts { ("puts", "stdio.h", Absent, Some(Print { arguments: 1 })) }
        Fputs { ("fputs", "stdio.h", Absent, Some(Print { arguments: 2 })) }
        Putchar { ("putchar", "stdio.h", Absent, Some(PrintCharacter { arguments: 1 })) }
        Fputc {
            ("fputc", "stdio.h", Absent, Some(PrintCharacter { arguments: 2 }))
            ("putc", "stdio.h", Absent, Some(PrintCharacter { arguments: 2 }))
        }
        Fwrite { ("fwrite", "stdio.h", Absent, Some(PrintItems)) }
        Fflush { ("fflush", "stdio.h", Absent, Some(Print { arguments: 1 })) }
        Sprintf { ("sprintf", "stdio.h", Absent, None) }
        Vsprintf { ("vsprintf", "stdio.h", Absent, None) }
        Snprintf { ("snprintf", "stdio.h", Absent, None) }
        Vsnprintf { ("vsnprintf", "stdio.h", Absent, None) }
        SprintfChk { ("__sprintf_chk", "stdio.h", Absent, None) }
        VsprintfChk { ("__vsprintf_chk", "stdio.h", Absent, None) }
        SnprintfChk { ("__snprintf_chk", "stdio.h", Absent, None) }
        VsnprintfChk { ("__vsnprintf_chk", "stdio.h", Absent, None) }
        Sscanf {
            ("sscanf", "stdio.h", Absent, None)
            ("__isoc99_sscanf", "stdio.h", Absent, None)
            ("__isoc23_sscanf", "stdio.h", Absent, None)
        }
        Vsscanf {
            ("vsscanf", "stdio.h", Absent, None)
            ("__isoc99_vsscanf", "stdio.h", Absent, None)
            ("__isoc23_vsscanf", "stdio.h", Absent, None)
        }
    }
}

/// The objects of the C library that programs name: the standard streams. They are no inputs of a unit.
pub const STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// What the executor leaves to the environment, although the model checker knows it.
pub(super) const WITHOUT_CONCRETE_MODEL: &[LibraryFunction] = &[LibraryFunction {
    name: "perror",
    header: "stdio.h",
    concrete: None,
    body: Absent,
    symbolic: Some(Print { arguments: 1 }),
}];
