//! The doctor on made-up machines: nothing installed, everything, wrong versions, hung programs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::examine;
use super::machine::{Answer, Machine, User};
use super::needs::NEEDS;
use super::probe::Finding;
use super::report::Report;
use crate::output::Verbosity;

#[derive(Clone)]
struct FakeMachine {
    /// Programs by name, all in /usr/bin, with what they answer.
    programs: BTreeMap<&'static str, Answer>,
    /// Files by path, with their text.
    files: BTreeMap<PathBuf, &'static str>,
    /// Symbolic links.
    links: BTreeMap<PathBuf, PathBuf>,
    user: User,
}

impl Machine for FakeMachine {
    fn find_program(&self, name: &str) -> Option<PathBuf> {
        self.programs.contains_key(name).then(|| Path::new("/usr/bin").join(name))
    }

    fn run(&self, program: &Path, _: &[&str]) -> Answer {
        let name = program.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        self.programs.get(name).cloned().unwrap_or(Answer::Failed)
    }

    fn names_in(&self, directory: &Path) -> Vec<String> {
        let paths: BTreeSet<&PathBuf> = self.files.keys().chain(self.links.keys()).collect();
        let inside = paths.into_iter().filter(|path| path.parent() == Some(directory));
        inside.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect()
    }

    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        let target = self.links.get(path).map_or(path, PathBuf::as_path);
        self.files.contains_key(target).then(|| target.to_owned())
    }

    fn read(&self, path: &Path) -> Option<String> {
        self.files.get(path).map(ToString::to_string)
    }

    fn user(&self) -> User {
        self.user
    }
}

const LLVM_LIBRARIES: &str = "/usr/lib/llvm-19/lib";

fn printed(text: &str) -> Answer {
    Answer::Printed(text.to_owned())
}

fn empty_machine() -> FakeMachine {
    FakeMachine {
        programs: BTreeMap::new(),
        files: BTreeMap::new(),
        links: BTreeMap::new(),
        user: User::Root,
    }
}

fn full_machine() -> FakeMachine {
    let mut machine = empty_machine();
    machine.programs.extend([
        ("cc", printed("cc (Debian 12.2.0-14) 12.2.0\n")),
        ("c++", printed("c++ (Debian 12.2.0-14) 12.2.0\n")),
        ("clang-19", printed("Debian clang version 19.1.7 (3~deb12u1)\n")),
        ("llvm-config-19", printed("19.1.7\n/usr/lib/llvm-19/lib\n/usr/lib/llvm-19/include\n")),
        ("z3", printed("Z3 version 4.8.12 - 64 bit\n")),
    ]);
    let files = [
        ("/usr/lib/llvm-19/lib/libclang-19.so.1", ""),
        ("/usr/lib/llvm-19/lib/libLLVM-19.so", ""),
        ("/usr/lib/llvm-19/lib/libPolly.a", ""),
        ("/usr/lib/llvm-19/lib/clang/19/include/sanitizer/asan_interface.h", ""),
        ("/usr/lib/llvm-19/include/llvm-c/Core.h", ""),
        ("/usr/lib/libzstd.so.1.5.4", ""),
        ("/usr/lib/libxml2.so", ""),
        ("/usr/lib/libffi.so", ""),
        ("/usr/lib/libz3.so", ""),
        ("/usr/include/zstd.h", ""),
        ("/usr/include/libxml2/libxml/parser.h", ""),
        ("/usr/include/ffi.h", ""),
        ("/usr/include/z3.h", ""),
        ("/usr/include/z3_version.h", "#define Z3_FULL_VERSION \"4.8.12.0\"\n"),
    ];
    machine.files.extend(files.map(|(path, text)| (PathBuf::from(path), text)));
    machine.links.insert("/usr/lib/libzstd.so".into(), "/usr/lib/libzstd.so.1.5.4".into());
    machine
}

fn report(machine: &FakeMachine) -> Report {
    Report::new(&examine(machine), machine.user())
}

fn text(machine: &FakeMachine, verbosity: Verbosity) -> String {
    anstream::adapter::strip_str(&report(machine).to_text(verbosity)).to_string()
}

fn finding(machine: &FakeMachine, name: &str) -> Finding {
    examine(machine).into_iter().find(|examined| examined.need.name == name).unwrap().finding
}

#[test]
fn the_setup_script_installs_exactly_the_packages_the_doctor_asks_for() {
    let listed: BTreeSet<&str> = include_str!("../../../../scripts/debian-packages")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    let needed: BTreeSet<&str> = NEEDS.iter().flat_map(|need| need.packages).copied().collect();
    assert_eq!(listed, needed);
}

#[test]
fn a_machine_with_everything_is_ready() {
    let machine = full_machine();
    let text = text(&machine, Verbosity::Normal);
    assert!(report(&machine).ready(), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("ok ")).count(), NEEDS.len());
    assert!(text.ends_with("\nEverything obligato needs is installed.\n"), "{text}");
}

#[test]
fn quiet_says_nothing_when_all_is_well() {
    assert_eq!(text(&full_machine(), Verbosity::Quiet), "");
}

#[test]
fn an_empty_machine_gets_one_line_that_installs_everything() {
    let machine = empty_machine();
    let text = text(&machine, Verbosity::Normal);
    assert!(!report(&machine).ready());
    assert_eq!(text.lines().filter(|line| line.starts_with("missing ")).count(), NEEDS.len());
    let install = text.lines().last().unwrap();
    assert_eq!(
        install,
        "  apt-get install -y --no-install-recommends clang-19 g++ gcc libclang-19-dev libclang-rt-19-dev \
         libffi-dev libpolly-19-dev libxml2-dev libz3-dev libzstd-dev llvm-19-dev z3"
    );
}

#[test]
fn whoever_is_not_root_is_told_to_use_sudo() {
    let mut machine = full_machine();
    machine.user = User::Ordinary;
    machine.programs.remove("z3");
    let text = text(&machine, Verbosity::Quiet);
    assert!(text.contains("\n  sudo apt-get install -y --no-install-recommends z3\n"), "{text}");
}

#[test]
fn a_wrong_version_is_not_taken_for_the_right_one() {
    let mut machine = full_machine();
    machine.programs.insert("clang-19", printed("Debian clang version 14.0.6\n"));
    assert!(matches!(finding(&machine, "clang-19"), Finding::WrongVersion(_)));
    let text = text(&machine, Verbosity::Quiet);
    assert!(text.starts_with("wrong version clang-19"), "{text}");
    assert!(text.contains("14.0.6    /usr/bin/clang-19  version 19 is needed"), "{text}");
    assert!(text.contains("--no-install-recommends clang-19\n"), "{text}");
}

#[test]
fn a_hung_program_is_reported_and_not_reinstalled() {
    let mut machine = full_machine();
    machine.programs.insert("clang-19", Answer::TimedOut);
    let text = text(&machine, Verbosity::Quiet);
    assert!(text.contains("try '/usr/bin/clang-19 --version' by hand"), "{text}");
    assert!(!text.contains("apt-get"), "{text}");
    assert!(!report(&machine).ready());
}

#[test]
fn a_broken_llvm_config_is_reported_for_llvm_and_does_not_hide_libclang() {
    let mut machine = full_machine();
    machine.programs.insert("llvm-config-19", Answer::Failed);
    assert_eq!(finding(&machine, "llvm-19"), Finding::Failed("/usr/bin/llvm-config-19".into()));
    assert!(matches!(finding(&machine, "libclang-19"), Finding::Found(_)));
}

#[test]
fn llvm_without_its_headers_is_missing() {
    let mut machine = full_machine();
    machine.files.remove(Path::new("/usr/lib/llvm-19/include/llvm-c/Core.h"));
    let absent = "no file '/usr/lib/llvm-19/include/llvm-c/Core.h'".to_owned();
    assert_eq!(finding(&machine, "llvm-19"), Finding::Missing { absent });
}

#[test]
fn a_library_without_its_header_is_missing() {
    let mut machine = full_machine();
    machine.files.remove(Path::new("/usr/include/zstd.h"));
    assert_eq!(finding(&machine, "zstd"), Finding::Missing { absent: "no file 'zstd.h'".into() });
}

#[test]
fn the_version_of_a_library_is_read_from_the_file_it_links_to() {
    let Finding::Found(place) = finding(&full_machine(), "zstd") else {
        panic!("zstd is not found");
    };
    assert_eq!(place.version.as_deref(), Some("1.5.4"));
    assert_eq!(place.path, Path::new("/usr/lib/libzstd.so"));
}

#[test]
fn libclang_is_found_through_the_loader_cache_when_it_is_nowhere_else() {
    let mut machine = full_machine();
    machine.files.remove(&Path::new(LLVM_LIBRARIES).join("libclang-19.so.1"));
    assert!(matches!(finding(&machine, "libclang-19"), Finding::Missing { .. }));
    machine.files.insert("/opt/llvm/libclang-19.so.19".into(), "");
    let cache = "3 libs found\n\tlibc.so.6 (libc6,x86-64) => /lib/libc.so.6\n\
                 \tlibclang-19.so.19 (libc6,x86-64) => /opt/llvm/libclang-19.so.19\n";
    machine.programs.insert("ldconfig", printed(cache));
    assert!(matches!(finding(&machine, "libclang-19"), Finding::Found(_)));
}

#[test]
fn another_libclang_is_not_taken_for_the_right_one() {
    let mut machine = full_machine();
    machine.files.remove(&Path::new(LLVM_LIBRARIES).join("libclang-19.so.1"));
    machine.files.insert(Path::new(LLVM_LIBRARIES).join("libclang-14.so.1"), "");
    machine.files.insert(Path::new(LLVM_LIBRARIES).join("libclang-19.something"), "");
    assert!(matches!(finding(&machine, "libclang-19"), Finding::Missing { .. }));
}

#[test]
fn the_json_has_the_documented_fields_in_a_fixed_order() {
    let mut machine = full_machine();
    machine.programs.remove("z3");
    let json = report(&machine).to_json();
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["schema"], 1);
    assert_eq!(value["ready"], false);
    assert_eq!(value["missing_packages"], serde_json::json!(["z3"]));
    let last = json.split("\"name\": ").last().unwrap();
    let fields = "\"z3\",
      \"purpose\": \"decides formulas over integers and reals of any size\",
      \"wanted\": \"4.8 or newer\",
      \"status\": \"missing\",
      \"version\": null,
      \"path\": null,
      \"problem\": \"no program 'z3' in PATH\",
      \"packages\": [
        \"z3\"
      ]
    }
  ],
  \"missing_packages\": [
    \"z3\"
  ],
  \"install\": \"apt-get install -y --no-install-recommends z3\"
}
";
    assert_eq!(last, fields);
    assert_eq!(json, report(&machine).to_json());
}
