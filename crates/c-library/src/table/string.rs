//! `string.h` and `strings.h`.

use crate::function::Body::{Absent, Code};
use crate::function::Symbolic::{
    AppendString, CompareMemory, ComparePrefixes, CompareStrings, Copy, CopyDisjoint, CopyString,
    Fill, FindCharacter, StringLength,
};

functions! {
    /// Functions of `string.h` and `strings.h`.
    StringFunction in String, STRING {
        Memcpy {
            ("memcpy", "string.h", Absent, Some(CopyDisjoint))
            ("__memcpy_chk", "string.h", Absent, Some(CopyDisjoint))
        }
        Mempcpy { ("mempcpy", "string.h", Absent, None) }
        Memmove {
            ("memmove", "string.h", Absent, Some(Copy))
            ("__memmove_chk", "string.h", Absent, Some(Copy))
        }
        Bcopy { ("bcopy", "strings.h", Absent, None) }
        Memset {
            ("memset", "string.h", Absent, Some(Fill))
            ("__memset_chk", "string.h", Absent, Some(Fill))
        }
        Bzero {
            ("bzero", "strings.h", Absent, None)
            ("explicit_bzero", "string.h", Absent, None)
        }
        Memcmp {
            ("memcmp", "string.h", Code, Some(CompareMemory))
            ("bcmp", "strings.h", Code, Some(CompareMemory))
        }
        Memchr { ("memchr", "string.h", Code, None) }
        Strlen { ("strlen", "string.h", Code, Some(StringLength)) }
        Strnlen { ("strnlen", "string.h", Code, None) }
        Strcpy {
            ("strcpy", "string.h", Code, Some(CopyString))
            ("__strcpy_chk", "string.h", Absent, Some(CopyString))
        }
        Stpcpy { ("stpcpy", "string.h", Code, None) }
        Strncpy {
            ("strncpy", "string.h", Code, None)
            ("__strncpy_chk", "string.h", Absent, None)
        }
        Strcat {
            ("strcat", "string.h", Code, Some(AppendString))
            ("__strcat_chk", "string.h", Absent, Some(AppendString))
        }
        Strncat {
            ("strncat", "string.h", Code, None)
            ("__strncat_chk", "string.h", Absent, None)
        }
        Strcmp {
            ("strcmp", "string.h", Code, Some(CompareStrings))
            ("strcoll", "string.h", Code, None)
        }
        Strncmp { ("strncmp", "string.h", Code, Some(ComparePrefixes)) }
        Strcasecmp { ("strcasecmp", "strings.h", Code, None) }
        Strncasecmp { ("strncasecmp", "strings.h", Code, None) }
        Strchr {
            ("strchr", "string.h", Code, Some(FindCharacter))
            ("index", "strings.h", Code, None)
        }
        Strrchr {
            ("strrchr", "string.h", Code, None)
            ("rindex", "strings.h", Code, None)
        }
        Strstr { ("strstr", "string.h", Code, None) }
        Strspn { ("strspn", "string.h", Code, None) }
        Strcspn { ("strcspn", "string.h", Code, None) }
        Strpbrk { ("strpbrk", "string.h", Code, None) }
        Strdup {
            ("strdup", "string.h", Absent, None)
            ("__strdup", "string.h", Absent, None)
        }
        Strndup {
            ("strndup", "string.h", Absent, None)
            ("__strndup", "string.h", Absent, None)
        }
    }
}
