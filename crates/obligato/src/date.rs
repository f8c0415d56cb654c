//! Today and now, as justifications and evidence have them.

use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds since 1970 that builds which have to be the same each time give in place of the clock.
const FIXED: &str = "SOURCE_DATE_EPOCH";

/// The day, by the clock of this machine, in Greenwich.
pub fn today() -> String {
    civil_date(seconds() / 86_400)
}

/// The moment in Greenwich: by `SOURCE_DATE_EPOCH` if that is set, or by the clock of this machine.
pub fn now() -> String {
    let fixed = std::env::var(FIXED).ok().and_then(|text| text.trim().parse::<u64>().ok());
    moment(fixed.unwrap_or_else(seconds))
}

fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// So many seconds after 1970-01-01, as `YYYY-MM-DDThh:mm:ssZ`.
fn moment(seconds: u64) -> String {
    let (day, second) = (seconds / 86_400, seconds % 86_400);
    let (hours, minutes, rest) = (second / 3600, second / 60 % 60, second % 60);
    format!("{}T{hours:02}:{minutes:02}:{rest:02}Z", civil_date(day))
}

/// The day so many days after 1970-01-01. Years are counted from March, so that leap days come last.
fn civil_date(days: u64) -> String {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_from_1970_over_leap_years() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (789, "1972-02-29"),
            (11_016, "2000-02-29"),
            (20_513, "2026-03-01"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(civil_date(days), expected);
        }
        assert_eq!(moment(20_513 * 86_400 + 3_661), "2026-03-01T01:01:01Z");
    }
}
