//! What obligato needs on a machine, as a table. `scripts/debian-packages` lists the same packages
//! for the set-up script; a test holds the two together.

use super::version::Wanted;

/// One thing that has to be installed.
#[derive(Debug)]
pub struct Need {
    /// What it is called in the report.
    pub name: &'static str,
    /// What obligato uses it for.
    pub purpose: &'static str,
    /// What shows that it is there.
    pub evidence: Evidence,
    /// Which versions will do.
    pub wanted: Wanted,
    /// The Debian packages that bring it.
    pub packages: &'static [&'static str],
}

/// What shows that something is installed.
#[derive(Debug, Clone, Copy)]
pub enum Evidence {
    /// A program in `PATH` that answers `--version`.
    Program(&'static str),
    /// A shared library that is loaded at run time: `stem`, or `stem` with a version after it.
    LoadableLibrary(&'static str),
    /// A library that programs are linked with: this very file, and a header where there is one.
    LinkableLibrary {
        /// The file name the linker looks for.
        file: &'static str,
        /// A header that comes with it.
        header: Option<&'static str>,
        /// A header that spells out the version, where the file name does not.
        version_header: Option<&'static str>,
    },
    /// `llvm-config-19`, and the header and library it points to.
    LlvmDevelopment,
}

/// The version of clang and LLVM that obligato is built on.
pub const LLVM_MAJOR: u32 = 19;

const fn linkable(file: &'static str, header: &'static str) -> Evidence {
    Evidence::LinkableLibrary { file, header: Some(header), version_header: None }
}

/// Everything obligato needs, in the order of the report.
pub const NEEDS: &[Need] = &[
    Need {
        name: "cc",
        purpose: "builds the native harness that replays tests",
        evidence: Evidence::Program("cc"),
        wanted: Wanted::Any,
        packages: &["gcc"],
    },
    Need {
        name: "c++",
        purpose: "builds the SAT solver CaDiCaL",
        evidence: Evidence::Program("c++"),
        wanted: Wanted::Any,
        packages: &["g++"],
    },
    Need {
        name: "clang-19",
        purpose: "preprocesses C and compiles it to bitcode",
        evidence: Evidence::Program("clang-19"),
        wanted: Wanted::Major(LLVM_MAJOR),
        packages: &["clang-19"],
    },
    Need {
        name: "libclang-19",
        purpose: "reads the syntax tree of C",
        evidence: Evidence::LoadableLibrary("libclang-19.so"),
        wanted: Wanted::Any,
        packages: &["libclang-19-dev"],
    },
    Need {
        name: "sanitizers",
        purpose: "confirms runtime errors that the machine does not mind",
        evidence: Evidence::LinkableLibrary {
            file: "clang/19/include/sanitizer/asan_interface.h",
            header: None,
            version_header: None,
        },
        wanted: Wanted::Any,
        packages: &["libclang-rt-19-dev"],
    },
    Need {
        name: "llvm-19",
        purpose: "reads bitcode",
        evidence: Evidence::LlvmDevelopment,
        wanted: Wanted::Major(LLVM_MAJOR),
        packages: &["llvm-19-dev"],
    },
    Need {
        name: "polly-19",
        purpose: "LLVM is linked with it",
        evidence: Evidence::LinkableLibrary {
            file: "libPolly.a",
            header: None,
            version_header: None,
        },
        wanted: Wanted::Any,
        packages: &["libpolly-19-dev"],
    },
    Need {
        name: "zstd",
        purpose: "LLVM is linked with it",
        evidence: linkable("libzstd.so", "zstd.h"),
        wanted: Wanted::Any,
        packages: &["libzstd-dev"],
    },
    Need {
        name: "libxml2",
        purpose: "LLVM is linked with it",
        evidence: linkable("libxml2.so", "libxml2/libxml/parser.h"),
        wanted: Wanted::Any,
        packages: &["libxml2-dev"],
    },
    Need {
        name: "libffi",
        purpose: "LLVM is linked with it",
        evidence: linkable("libffi.so", "ffi.h"),
        wanted: Wanted::Any,
        packages: &["libffi-dev"],
    },
    Need {
        name: "libz3",
        purpose: "LLVM is linked with it",
        evidence: Evidence::LinkableLibrary {
            file: "libz3.so",
            header: Some("z3.h"),
            version_header: Some("z3_version.h"),
        },
        wanted: Wanted::AtLeast(4, 8),
        packages: &["libz3-dev"],
    },
    Need {
        name: "z3",
        purpose: "decides formulas over integers and reals of any size",
        evidence: Evidence::Program("z3"),
        wanted: Wanted::AtLeast(4, 8),
        packages: &["z3"],
    },
];
