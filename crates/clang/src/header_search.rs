//! Where headers are looked for in vain: files that would change what a text means if they appeared.
//!
//! The preprocessor takes the first file of a name along its directories, and `__has_include` asks whether there is one. [`HeaderSearch::absent`]
//! reads the directives of sources as text and lists the places that the search passes before it finds a file. Directives in branches that the
//! preprocessor skips count too. An operand that a macro makes is known only by the file that was found.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The directories that flags of a compiler name for headers, in the order of the search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeaderSearch {
    quoted: Vec<PathBuf>,
    angled: Vec<PathBuf>,
    /// Files that the command line includes.
    forced: Vec<String>,
}

/// How a directive names a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name<'t> {
    /// `"header.h"`: beside the file that names it first.
    Quoted(&'t str),
    /// `<header.h>`.
    Angled(&'t str),
    /// By a macro.
    Computed,
}

/// What a source asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Request<'t> {
    name: Name<'t>,
    /// Does the search begin behind the directory of the file, as in `#include_next`?
    is_next: bool,
}

impl HeaderSearch {
    /// Reads the flags of a compilation.
    pub fn new(flags: &[String]) -> Self {
        let mut search = Self::default();
        let (mut plain, mut system, mut after) = (Vec::new(), Vec::new(), Vec::new());
        let mut rest = flags.iter();
        while let Some(flag) = rest.next() {
            // `-include` and `-idirafter` before `-I`, so that none is taken for another.
            let options = ["-include", "-imacros", "-iquote", "-isystem", "-idirafter", "-I"];
            let Some(option) = options.into_iter().find(|option| flag.starts_with(option)) else {
                continue;
            };
            let joined = flag[option.len()..].to_owned();
            let value = if joined.is_empty() { rest.next().cloned() } else { Some(joined) };
            let Some(value) = value else { break };
            match option {
                "-include" | "-imacros" => search.forced.push(value),
                "-iquote" => search.quoted.push(value.into()),
                "-isystem" => system.push(value.into()),
                "-idirafter" => after.push(value.into()),
                _ => plain.push(value.into()),
            }
        }
        search.angled = [plain, system, after].concat();
        search
    }

    /// The places at which a header that these files ask for is looked for and not found. Names of files are relative to the directory in
    /// which they are compiled, and so are the places.
    pub fn absent(&self, directory: &Path, files: &[&str]) -> BTreeSet<PathBuf> {
        let mut absent = BTreeSet::new();
        let is_there = |place: &Path| directory.join(place).is_file();
        for name in &self.forced {
            let places = std::iter::once(PathBuf::new()).chain(self.after_quotes());
            let places = places.map(|place| place.join(name));
            absent.extend(places.take_while(|place| !is_there(place)));
        }
        for file in files {
            let Ok(bytes) = std::fs::read(directory.join(file)) else { continue };
            let text = String::from_utf8_lossy(&bytes).replace("\\\r\n", "").replace("\\\n", "");
            let own = Path::new(file).parent().unwrap_or(Path::new("")).to_owned();
            for Request { name, is_next } in requests(&text) {
                let (name, places): (&str, Vec<PathBuf>) = match name {
                    Name::Quoted(name) => {
                        (name, std::iter::once(own.clone()).chain(self.after_quotes()).collect())
                    }
                    Name::Angled(name) => (name, self.angled.clone()),
                    Name::Computed => {
                        absent.extend(self.before_found(&own, files));
                        continue;
                    }
                };
                let places = places.into_iter().map(|place| place.join(name));
                let missing = |place: &PathBuf| !is_there(place);
                if is_next {
                    absent.extend(places.filter(missing));
                } else {
                    absent.extend(places.take_while(missing));
                }
            }
        }
        absent
    }

    /// The directories for names in quotes, without that of the file.
    fn after_quotes(&self) -> impl Iterator<Item = PathBuf> + use<'_> {
        self.quoted.iter().chain(&self.angled).cloned()
    }

    /// The places before each file that was found, whoever asked for it.
    fn before_found(&self, own: &Path, files: &[&str]) -> Vec<PathBuf> {
        let places: Vec<PathBuf> =
            std::iter::once(own.to_owned()).chain(self.after_quotes()).collect();
        let mut before = Vec::new();
        for file in files.iter().map(Path::new) {
            for (at, place) in places.iter().enumerate() {
                let Ok(name) = file.strip_prefix(place) else { continue };
                before.extend(places[..at].iter().map(|place| place.join(name)));
            }
        }
        before.retain(|place| !files.iter().any(|file| Path::new(file) == place));
        before
    }
}

/// The headers that a text asks for, by directives and by `__has_include`.
fn requests(text: &str) -> Vec<Request<'_>> {
    let mut requests = Vec::new();
    for line in text.lines() {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        if let Some(directive) = directive {
            let words = [("include_next", true), ("include", false), ("import", false)];
            let operand = words
                .into_iter()
                .find_map(|(word, is_next)| Some((directive.strip_prefix(word)?, is_next)));
            if let Some((operand, is_next)) = operand {
                requests.push(Request { name: name_of(operand), is_next });
            }
        }
        for (word, is_next) in [("__has_include_next", true), ("__has_include", false)] {
            let operands = line.split(word).skip(1);
            let operands = operands.filter_map(|rest| rest.trim_start().strip_prefix('('));
            let names = operands.map(name_of).filter(|name| *name != Name::Computed);
            requests.extend(names.map(|name| Request { name, is_next }));
        }
    }
    requests
}

fn name_of(operand: &str) -> Name<'_> {
    let operand = operand.trim_start();
    let within = |open: char, close: char| operand.strip_prefix(open)?.split_once(close);
    match (within('"', '"'), within('<', '>')) {
        (Some((name, _)), _) => Name::Quoted(name),
        (_, Some((name, _))) => Name::Angled(name),
        (None, None) => Name::Computed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn absent(flags: &str, text: &str, there: &[&str]) -> Vec<String> {
        let directory = tempfile::tempdir().expect("a directory");
        std::fs::write(directory.path().join("a.c"), text).expect("a file");
        for name in there {
            let path = directory.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
            std::fs::write(path, "").expect("a file");
        }
        let flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
        let files: Vec<&str> = std::iter::once("a.c").chain(there.iter().copied()).collect();
        let found = HeaderSearch::new(&flags).absent(directory.path(), &files);
        found.iter().map(|place| place.display().to_string()).collect()
    }

    #[test]
    fn directories_before_the_one_that_has_a_header_could_shadow_it() {
        let flags = "-Ione -I two -isystem three -iquote four";
        let found = absent(flags, "#include \"lim.h\"\n", &["two/lim.h"]);
        assert_eq!(found, ["four/lim.h", "lim.h", "one/lim.h"]);
        let found = absent(flags, "# include <lim.h> // \"x.h\"\n", &["two/lim.h"]);
        assert_eq!(found, ["one/lim.h"]);
        let found = absent(flags, "#include <stdio.h>\n", &[]);
        assert_eq!(found, ["one/stdio.h", "three/stdio.h", "two/stdio.h"]);
        assert_eq!(absent("-Ione", "#include_next <a.h>\n", &["one/a.h"]), [""; 0]);
    }

    #[test]
    fn a_header_that_is_only_asked_for_is_absent() {
        let text = "#if defined __has_include && \\\n __has_include(\"opt.h\")\n#endif\n";
        assert_eq!(absent("", text, &[]), ["opt.h"]);
        assert_eq!(absent("", text, &["opt.h"]), [""; 0]);
        assert_eq!(absent("-Ione", "#if __has_include (<opt.h>)\n#endif\n", &[]), ["one/opt.h"]);
    }

    #[test]
    fn names_by_macros_and_of_the_command_line_count() {
        let text = "#include LIMITS\n";
        assert_eq!(absent("-Ione -Itwo", text, &["two/lim.h"]), ["lim.h", "one/lim.h"]);
        assert_eq!(absent("-include all.h -Ione", "", &["one/all.h"]), ["all.h"]);
    }
}
