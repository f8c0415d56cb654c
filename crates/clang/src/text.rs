//! A C file as one preprocessed text, in which every token has a place of its own.
//!
//! clang's debug information knows lines and columns, and all that a macro makes shares one of them; columns past
//! 65,535 are lost. So the file is preprocessed first, without markers and with lines that are
//! short enough, and that text is what is parsed and compiled. `Text` knows where its tokens come from.

use std::thread;

use obligato_model::Position;
use rustc_hash::FxHashSet;

use crate::assembler_names::blank_assembler_names;
use crate::origin::Origins;
use crate::source_file::SourceFile;
use crate::tokens::{Tokens, read_tokens};
use crate::{ClangError, Source, libclang};

/// The preprocessed text of a C file.
#[derive(Debug)]
pub struct Text {
    source: Source,
    bytes: Vec<u8>,
    /// Where lines start.
    lines: Vec<u32>,
    /// Where tokens start and end.
    tokens: Vec<(u32, u32)>,
    origins: Origins,
}

/// The position of a token in the text.
pub(crate) type TokenIndex = usize;

/// Lines break at the first token past this column: far below the limit, and still readable.
const WIDEST: usize = 1000;

/// Directives that have done their work in the preprocessor, and would fail or mean something else in the text.
const SPENT: &[&[u8]] = &[
    b"GCC poison",
    b"GCC system_header",
    b"GCC dependency",
    b"once",
    b"push_macro",
    b"pop_macro",
    b"clang __debug",
];

impl Text {
    /// Preprocesses a file that compiles; what clang says of one that does not is the error.
    pub fn read(source: &Source) -> Result<Self, ClangError> {
        refuse_missing(source)?;
        let (printed, dump) = ask_clang(source)?;
        let lost = |what: &str| {
            let file = source.file.display();
            ClangError::Internal(format!("{file}: clang's preprocessed text {what}"))
        };
        let tokens = read_tokens(&dump).ok_or_else(|| lost("has tokens that cannot be read"))?;
        let mut written = write(&printed, &tokens).ok_or_else(|| lost("and its tokens differ"))?;
        blank_assembler_names(&mut written.bytes, &written.tokens, |token| {
            let file = tokens.all[token].used.file as usize;
            written.system.contains(&tokens.files[file])
        });
        let files = tokens.files.iter().map(|name| {
            let system = written.system.contains(name);
            SourceFile::read(name, &source.directory, system)
        });
        let origins = Origins::new(files.collect(), &tokens.all);
        Ok(Self {
            source: source.clone(),
            bytes: written.bytes,
            lines: written.lines,
            tokens: written.tokens,
            origins,
        })
    }

    /// The file it was made of.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The text as it is parsed and compiled.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where its tokens come from.
    pub(crate) fn origins(&self) -> &Origins {
        &self.origins
    }

    /// How many tokens it has.
    pub(crate) fn token_count(&self) -> usize {
        self.tokens.len()
    }

    /// The token at this offset, or the first one behind it.
    pub(crate) fn token_from(&self, offset: u32) -> TokenIndex {
        self.tokens.partition_point(|&(start, _)| start < offset)
    }

    /// What a token says; nothing past the end.
    pub(crate) fn spelling(&self, token: TokenIndex) -> &[u8] {
        let range = self.tokens.get(token);
        range.map_or(b"", |&(start, end)| &self.bytes[start as usize..end as usize])
    }

    /// Where a token starts; past the end, where the text ends.
    pub(crate) fn start(&self, token: TokenIndex) -> Position {
        self.position(self.tokens.get(token).map_or(self.bytes.len() as u32, |&(start, _)| start))
    }

    /// Where a token ends.
    pub(crate) fn end(&self, token: TokenIndex) -> Position {
        self.position(self.tokens.get(token).map_or(self.bytes.len() as u32, |&(_, end)| end))
    }

    /// Tokens with single blanks where there are any.
    pub(crate) fn joined(&self, tokens: std::ops::Range<TokenIndex>) -> String {
        let mut phrase = Vec::new();
        let mut last_end = None;
        for &(start, end) in self.tokens.get(tokens).unwrap_or_default() {
            if last_end.is_some_and(|last| last < start) {
                phrase.push(b' ');
            }
            phrase.extend_from_slice(&self.bytes[start as usize..end as usize]);
            last_end = Some(end);
        }
        String::from_utf8_lossy(&phrase).into_owned()
    }

    /// The offset of a position.
    pub fn offset(&self, position: Position) -> u32 {
        let line = self.lines.get((position.line as usize).saturating_sub(1));
        line.map_or(self.bytes.len() as u32, |start| start + position.column.saturating_sub(1))
    }

    fn position(&self, offset: u32) -> Position {
        let line = self.lines.partition_point(|&start| start <= offset);
        let start = self.lines[line - 1];
        Position { line: line as u32, column: offset - start + 1 }
    }
}

/// The preprocessed text and a list of its tokens, or what is wrong with the file. All three jobs run at once, beside the search
/// for libclang, which is needed next.
fn ask_clang(source: &Source) -> Result<(Vec<u8>, Vec<u8>), ClangError> {
    let run = |arguments: &[&str]| source.job(arguments).succeed(source.limits);
    let (checked, printed, dumped) = thread::scope(|scope| {
        scope.spawn(libclang::prepare);
        let printing = scope.spawn(|| run(&["-E", "-w"]));
        let dumping = scope.spawn(|| run(&["-fsyntax-only", "-w", "-Xclang", "-dump-tokens"]));
        let checked = run(&["-fsyntax-only", "-w"]);
        (checked, joined(printing), joined(dumping))
    });
    checked?;
    Ok((printed?.stdout, dumped?.stderr))
}

fn joined<T>(thread: thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Says in plain words what clang would say about a flag-like or missing file.
fn refuse_missing(source: &Source) -> Result<(), ClangError> {
    let path = source.directory.join(&source.file);
    let reason = match std::fs::metadata(&path) {
        Ok(file) if file.is_file() => return Ok(()),
        Ok(_) => "this is no file".to_owned(),
        Err(error) => error.to_string(),
    };
    Err(ClangError::File { file: source.file.clone(), reason })
}

struct Written {
    bytes: Vec<u8>,
    lines: Vec<u32>,
    tokens: Vec<(u32, u32)>,
    system: FxHashSet<String>,
}

/// Writes the text: the printed one without line markers and with shorter lines.
fn write(printed: &[u8], tokens: &Tokens<'_>) -> Option<Written> {
    let mut written = Written {
        bytes: Vec::new(),
        lines: vec![0],
        tokens: Vec::new(),
        system: FxHashSet::default(),
    };
    let mut expected = tokens.all.iter();
    for line in printed.split(|&byte| byte == b'\n') {
        if line.first() == Some(&b'#') {
            written.directive(line);
            continue;
        }
        let mut rest = line;
        loop {
            let blanks = rest.iter().take_while(|byte| is_blank(**byte)).count();
            rest = &rest[blanks..];
            if rest.is_empty() {
                break;
            }
            let token = expected.next()?;
            let length = match rest.strip_prefix(token.spelling) {
                Some(_) if !token.spelling.is_empty() => token.spelling.len(),
                // `__TIME__` differs from run to run.
                _ if token.spelling.first() == Some(&b'"') => string_length(rest)?,
                _ => return None,
            };
            written.token(&rest[..length], blanks);
            rest = &rest[length..];
        }
        written.end_line();
    }
    if expected.next().is_some() || u32::try_from(written.bytes.len()).is_err() {
        return None;
    }
    Some(written)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c' | 0)
}

/// The length of the string literal that a text starts with.
fn string_length(text: &[u8]) -> Option<usize> {
    let inner = text.strip_prefix(b"\"")?;
    inner.iter().position(|&byte| byte == b'"').map(|length| length + 2)
}

impl Written {
    fn token(&mut self, spelling: &[u8], blanks: usize) {
        let column = self.bytes.len() - self.line_start();
        if column > WIDEST {
            self.end_line();
        } else {
            // At the start of a line this is indentation; elsewhere one blank says as much as many.
            let most = if column == 0 { 40 } else { 1 };
            self.bytes.extend(std::iter::repeat_n(b' ', blanks.min(most)));
        }
        let start = self.bytes.len();
        self.bytes.extend_from_slice(spelling);
        self.tokens.push((start as u32, self.bytes.len() as u32));
    }

    fn line_start(&self) -> usize {
        self.lines.last().map_or(0, |&start| start as usize)
    }

    /// Ends the line, unless there is nothing on it.
    fn end_line(&mut self) {
        if self.line_start() < self.bytes.len() {
            self.bytes.push(b'\n');
            self.lines.push(self.bytes.len() as u32);
        }
    }

    /// Takes a line that starts with `#`: a marker or a pragma.
    fn directive(&mut self, line: &[u8]) {
        if let Some(pragma) = line.strip_prefix(b"#pragma ") {
            if !SPENT.iter().any(|spent| pragma.starts_with(spent)) {
                self.bytes.extend_from_slice(line);
                self.end_line();
            }
        } else if let Some(name) = system_header(line) {
            self.system.insert(name);
        }
    }
}

/// The file of a marker like `# 1 "/usr/include/stdio.h" 1 3 4`, if it is a system header.
fn system_header(marker: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(marker);
    let (_, rest) = text.split_once('"')?;
    let (name, flags) = rest.rsplit_once('"')?;
    flags
        .split(' ')
        .any(|flag| flag == "3")
        .then(|| name.replace("\\\\", "\\").replace("\\\"", "\""))
}
