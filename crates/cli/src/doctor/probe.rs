//! Looking for each need on a machine.

use std::path::{Path, PathBuf};

use super::machine::{Answer, Machine};
use super::needs::{Evidence, LLVM_MAJOR, NEEDS, Need};
use super::version::{find_version, version_of_library};

/// A need and what was found of it.
#[derive(Debug)]
pub struct Examined {
    /// What was looked for.
    pub need: &'static Need,
    /// What was found.
    pub finding: Finding,
}

/// What was found of one need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// It is there and will do.
    Found(ToolLocation),
    /// It is not there.
    Missing {
        /// What exactly was not found.
        absent: String,
    },
    /// It is there, but in a version that will not do.
    WrongVersion(ToolLocation),
    /// Its program cannot be run.
    Failed(PathBuf),
    /// Its program does not answer.
    TimedOut(PathBuf),
}

/// Where something is, and which version of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolLocation {
    /// The file that was found.
    pub path: PathBuf,
    /// Its version, where it tells.
    pub version: Option<String>,
}

/// Looks for everything obligato needs, in the order of the table.
pub fn examine(machine: &impl Machine) -> Vec<Examined> {
    let llvm = ask_llvm_config(machine);
    let search = Search::new(machine, &llvm);
    NEEDS.iter().map(|need| Examined { need, finding: find(need, &search, &llvm) }).collect()
}

fn find<M: Machine>(need: &Need, search: &Search<'_, M>, llvm: &LlvmConfig) -> Finding {
    let place = match need.evidence {
        Evidence::Program(name) => search.program(name),
        Evidence::LoadableLibrary(stem) => search.loadable_library(stem),
        Evidence::LinkableLibrary { file, header, version_header } => {
            search.linkable_library(file, header, version_header)
        }
        Evidence::LlvmDevelopment => search.llvm_development(llvm),
    };
    match place {
        Ok(place) if need.wanted.accepts(place.version.as_deref()) => Finding::Found(place),
        Ok(place) => Finding::WrongVersion(place),
        Err(finding) => finding,
    }
}

/// What `llvm-config-19` says of its installation.
type LlvmConfig = Result<LlvmPlaces, Finding>;

struct LlvmPlaces {
    program: ToolLocation,
    libraries: PathBuf,
    headers: PathBuf,
}

const LLVM_CONFIG: &str = "llvm-config-19";

/// Asked once: several needs depend on the answer.
fn ask_llvm_config(machine: &impl Machine) -> LlvmConfig {
    let path = machine.find_program(LLVM_CONFIG).ok_or_else(|| missing_program(LLVM_CONFIG))?;
    match machine.run(&path, &["--version", "--libdir", "--includedir"]) {
        Answer::Printed(text) => {
            let mut lines = text.lines();
            let version = lines.next().and_then(find_version);
            let libraries = lines.next().unwrap_or_default().into();
            let headers = lines.next().unwrap_or_default().into();
            Ok(LlvmPlaces { program: ToolLocation { path, version }, libraries, headers })
        }
        Answer::Failed => Err(Finding::Failed(path)),
        Answer::TimedOut => Err(Finding::TimedOut(path)),
    }
}

/// Where to look: what `llvm-config` says first, then Debian's places, then the usual ones.
struct Search<'machine, M> {
    machine: &'machine M,
    libraries: Vec<PathBuf>,
    headers: Vec<PathBuf>,
}

impl<'machine, M: Machine> Search<'machine, M> {
    fn new(machine: &'machine M, llvm: &LlvmConfig) -> Self {
        let multiarch = format!("{}-linux-gnu", std::env::consts::ARCH);
        let mut libraries: Vec<PathBuf> = Vec::new();
        let mut headers: Vec<PathBuf> = Vec::new();
        if let Ok(places) = llvm {
            libraries.push(places.libraries.clone());
            headers.push(places.headers.clone());
        }
        libraries.push(format!("/usr/lib/llvm-{LLVM_MAJOR}/lib").into());
        libraries.push(Path::new("/usr/lib").join(&multiarch));
        libraries.extend(["/usr/lib64", "/usr/lib", "/usr/local/lib"].map(PathBuf::from));
        headers.push(format!("/usr/lib/llvm-{LLVM_MAJOR}/include").into());
        headers.push(Path::new("/usr/include").join(multiarch));
        headers.extend(["/usr/include", "/usr/local/include"].map(PathBuf::from));
        Self { machine, libraries, headers }
    }

    fn program(&self, name: &str) -> Result<ToolLocation, Finding> {
        let path = self.machine.find_program(name).ok_or_else(|| missing_program(name))?;
        match self.machine.run(&path, &["--version"]) {
            Answer::Printed(text) => Ok(ToolLocation { path, version: find_version(&text) }),
            Answer::Failed => Err(Finding::Failed(path)),
            Answer::TimedOut => Err(Finding::TimedOut(path)),
        }
    }

    fn loadable_library(&self, stem: &str) -> Result<ToolLocation, Finding> {
        let with_version = format!("{stem}.");
        let matches = |name: &str| name == stem || name.starts_with(&with_version);
        let in_directories = self.libraries.iter().find_map(|directory| {
            let names = self.machine.names_in(directory);
            names.into_iter().filter(|name| matches(name)).find_map(|name| {
                let path = directory.join(name);
                Some((self.machine.resolve(&path)?, path))
            })
        });
        let (file, path) = in_directories
            .or_else(|| self.loader_cache(matches))
            .ok_or_else(|| missing_file(stem))?;
        Ok(ToolLocation { version: version_in_name(&file), path })
    }

    /// The loader's own list, for libraries in places that only its configuration names.
    fn loader_cache(&self, matches: impl Fn(&str) -> bool) -> Option<(PathBuf, PathBuf)> {
        let ldconfig = self.machine.find_program("ldconfig").unwrap_or("/sbin/ldconfig".into());
        let Answer::Printed(text) = self.machine.run(&ldconfig, &["-p"]) else {
            return None;
        };
        // A line reads: libclang-19.so.19 (libc6,x86-64) => /usr/lib/…/libclang-19.so.19
        text.lines().find_map(|line| {
            let (name, path) = line.trim().split_once(" => ")?;
            let path = PathBuf::from(path);
            matches(name.split(' ').next()?).then_some(())?;
            Some((self.machine.resolve(&path)?, path))
        })
    }

    fn linkable_library(
        &self,
        file: &str,
        header: Option<&str>,
        version_header: Option<&str>,
    ) -> Result<ToolLocation, Finding> {
        let (target, path) = self.first(&self.libraries, file).ok_or_else(|| missing_file(file))?;
        if let Some(header) = header {
            self.first(&self.headers, header).ok_or_else(|| missing_file(header))?;
        }
        let version = match version_header {
            Some(header) => {
                let (found, _) =
                    self.first(&self.headers, header).ok_or_else(|| missing_file(header))?;
                self.machine.read(&found).as_deref().and_then(find_version)
            }
            None => version_in_name(&target),
        };
        Ok(ToolLocation { path, version })
    }

    fn llvm_development(&self, llvm: &LlvmConfig) -> Result<ToolLocation, Finding> {
        let places = llvm.as_ref().map_err(Clone::clone)?;
        let needed_files = [
            places.headers.join("llvm-c/Core.h"),
            places.libraries.join(format!("libLLVM-{LLVM_MAJOR}.so")),
        ];
        for file in needed_files {
            self.machine.resolve(&file).ok_or_else(|| missing_file(&file.display().to_string()))?;
        }
        Ok(places.program.clone())
    }

    /// The first directory that holds `file`: where it leads to, and where it is.
    fn first(&self, directories: &[PathBuf], file: &str) -> Option<(PathBuf, PathBuf)> {
        directories.iter().find_map(|directory| {
            let path = directory.join(file);
            Some((self.machine.resolve(&path)?, path))
        })
    }
}

fn version_in_name(file: &Path) -> Option<String> {
    version_of_library(file.file_name()?.to_str()?)
}

fn missing_program(name: &str) -> Finding {
    Finding::Missing { absent: format!("no program '{name}' in PATH") }
}

fn missing_file(name: &str) -> Finding {
    Finding::Missing { absent: format!("no file '{name}'") }
}
