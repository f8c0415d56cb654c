//! Output to readers that go away or fail.

use super::*;
use crate::exit::Exit;

struct Failing(io::ErrorKind);

impl Write for Failing {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(self.0.into())
    }
}

fn output_to(sink: impl Write + 'static) -> Output {
    Output::new(Box::new(sink), Verbosity::Normal)
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut output = output_to(Failing(io::ErrorKind::BrokenPipe));
    output.write_text("first").unwrap();
    output.write_text("second").unwrap();
    output.finish().unwrap();
    assert_eq!(output.reader, Reader::Gone);
}

#[test]
fn a_pipe_that_closes_under_buffered_text_is_not_an_error() {
    let mut output = output_to(BufWriter::new(Failing(io::ErrorKind::BrokenPipe)));
    output.write_text("small enough to stay in the buffer").unwrap();
    assert_eq!(output.reader, Reader::Listening);
    output.finish().unwrap();
    assert_eq!(output.reader, Reader::Gone);
}

#[test]
fn a_full_disk_is_a_tool_error() {
    let mut output = output_to(Failing(io::ErrorKind::StorageFull));
    let error = output.write_text("text").unwrap_err();
    assert_eq!(error.exit(), Exit::ToolError);
    assert!(output.finish().is_err());
}

#[test]
fn quiet_drops_remarks_and_keeps_results() {
    let mut output = Output::new(Box::new(Failing(io::ErrorKind::Other)), Verbosity::Quiet);
    output.remark(format_args!("dropped before it can fail")).unwrap();
    assert!(output.write_text("result").is_err());
}

#[test]
fn the_flag_overrides_what_the_terminal_suggests() {
    assert_eq!(resolve(ColourWhen::Auto, ColorChoice::Never), ColorChoice::Never);
    assert_eq!(resolve(ColourWhen::Always, ColorChoice::Never), ColorChoice::AlwaysAnsi);
    assert_eq!(resolve(ColourWhen::Never, ColorChoice::Always), ColorChoice::Never);
}
