//! What a stretch of work has used: time, processor time, memory. The last two are known on Linux only.

use std::fmt;
use std::fs;
use std::time::Instant;

/// The kernel counts processor time in hundredths of a second.
const TICKS_PER_SECOND: f64 = 100.0;

/// From when on something is measured.
pub struct Usage {
    start: Instant,
    processor: f64,
}

impl Usage {
    /// From now on.
    pub fn start() -> Self {
        // Makes the kernel forget the peak so far. Without that, the peak is that of the whole process.
        let _ = fs::write("/proc/self/clear_refs", "5");
        Self { start: Instant::now(), processor: processor_seconds().unwrap_or(0.0) }
    }

    /// Seconds since then.
    pub fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:5.1} s", self.seconds())?;
        if let Some(processor) = processor_seconds() {
            write!(f, " ({:.1} s processor", processor - self.processor)?;
            match peak_megabytes() {
                Some(peak) => write!(f, ", {peak} MB)")?,
                None => write!(f, ")")?,
            }
        }
        Ok(())
    }
}

/// The processor time of all threads of this process.
fn processor_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a name in parentheses and may hold anything; the times are the 12th and 13th after it.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields.split_whitespace().skip(11).map(str::parse::<f64>);
    let (user, system) = (times.next()?.ok()?, times.next()?.ok()?);
    Some((user + system) / TICKS_PER_SECOND)
}

/// The most memory that this process has had.
fn peak_megabytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes / 1024)
}
