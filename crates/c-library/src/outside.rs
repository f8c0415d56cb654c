//! What functions of POSIX and of processors write that have no model: facts of their standards, one row for each name.
//!
//! Those functions are stubs, whose results are inputs. They write through the parameters that are listed, and `errno`, and nothing else.

/// A function, and the positions of the parameters through which it writes.
struct Row(&'static str, &'static [usize]);

/// Functions that system headers declare.
#[rustfmt::skip]
const STANDARD: &[Row] = &[
    // unistd.h, fcntl.h, sys/stat.h
    Row("access", &[]), Row("chdir", &[]), Row("chmod", &[]), Row("close", &[]), Row("creat", &[]), Row("dup", &[]),
    Row("dup2", &[]), Row("fsync", &[]), Row("ftruncate", &[]), Row("getpid", &[]), Row("getppid", &[]), Row("getuid", &[]),
    Row("geteuid", &[]), Row("isatty", &[]), Row("link", &[]), Row("lseek", &[]), Row("mkdir", &[]), Row("open", &[]),
    Row("rmdir", &[]), Row("sleep", &[]), Row("unlink", &[]), Row("usleep", &[]), Row("write", &[]),
    Row("read", &[1]), Row("pread", &[1]), Row("pwrite", &[]), Row("getcwd", &[0]), Row("gethostname", &[0]),
    Row("readlink", &[1]), Row("pipe", &[0]), Row("stat", &[1]), Row("lstat", &[1]), Row("fstat", &[1]),
    // sys/socket.h, poll.h, sys/select.h
    Row("socket", &[]), Row("bind", &[]), Row("listen", &[]), Row("connect", &[]), Row("send", &[]), Row("sendto", &[]),
    Row("shutdown", &[]), Row("accept", &[1, 2]), Row("recv", &[1]), Row("recvfrom", &[1, 4, 5]), Row("poll", &[0]),
    Row("select", &[1, 2, 3, 4]), Row("getsockopt", &[3, 4]), Row("setsockopt", &[]),
    // time.h, sys/time.h
    Row("clock", &[]), Row("time", &[0]), Row("difftime", &[]), Row("clock_gettime", &[1]), Row("clock_getres", &[1]),
    Row("gettimeofday", &[0, 1]), Row("nanosleep", &[1]),
    // stdio.h: a stream belongs to the library
    Row("fopen", &[]), Row("fclose", &[0]), Row("fflush", &[0]), Row("feof", &[]), Row("ferror", &[]), Row("fread", &[0, 3]),
    Row("fwrite", &[3]), Row("fgets", &[0, 2]), Row("fgetc", &[0]), Row("getc", &[0]), Row("fseek", &[0]), Row("ftell", &[0]),
    Row("remove", &[]), Row("rename", &[]),
    // stdlib.h
    Row("rand", &[]), Row("srand", &[]), Row("getenv", &[]),
];

/// Functions with names that the language reserves: instructions of processors. Those that let interrupts come are not among them.
#[rustfmt::skip]
const RESERVED: &[Row] = &[
    Row("__disable_irq", &[]), Row("__NOP", &[]), Row("__DSB", &[]), Row("__ISB", &[]), Row("__DMB", &[]), Row("__CLZ", &[]),
    Row("__REV", &[]), Row("__REV16", &[]), Row("__RBIT", &[]), Row("__get_PRIMASK", &[]), Row("__get_BASEPRI", &[]),
    Row("__get_IPSR", &[]), Row("__get_MSP", &[]), Row("__get_PSP", &[]), Row("__BKPT", &[]),
];

/// Who declares a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclaredBy {
    /// A header of the system.
    System,
    /// Somebody else, who may mean another function by its name.
    Others,
}

/// The positions of the parameters through which a function writes, if that is known.
pub fn written_parameters(name: &str, declared_by: DeclaredBy) -> Option<&'static [usize]> {
    let standard = STANDARD.iter().filter(|_| declared_by == DeclaredBy::System);
    let row = standard.chain(RESERVED).find(|Row(known, _)| *known == name);
    row.map(|Row(_, written)| *written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_fact_only_where_the_system_declares_it() {
        assert_eq!(written_parameters("read", DeclaredBy::System), Some([1].as_slice()));
        assert_eq!(written_parameters("read", DeclaredBy::Others), None);
        assert_eq!(written_parameters("__NOP", DeclaredBy::Others), Some([].as_slice()));
        assert_eq!(written_parameters("read_sensor", DeclaredBy::System), None);
    }

    #[test]
    fn no_function_is_listed_twice() {
        let rows = || STANDARD.iter().chain(RESERVED);
        for Row(name, _) in rows() {
            assert_eq!(rows().filter(|Row(other, _)| other == name).count(), 1, "{name}");
        }
    }
}
