//! What came of a gate, as JSON.

use obligato_store::StoredObligation;
use serde_json::{Value, json};

use super::{GateResult, Percent, Regression};

impl GateResult {
    /// The document that `obligato gate --format json` prints.
    pub fn document(&self) -> Value {
        let rows = self.rows.iter().map(|row| {
            json!({
                "criterion": row.criterion.to_string(),
                "required": row.required.to_string(),
                "share": Percent::of(row.met, row.total).to_string(),
                "met": row.met,
                "unresolved": row.unresolved,
                "total": row.total,
                "enough": row.is_enough,
            })
        });
        let id = |obligation: &StoredObligation| obligation.id.clone();
        let mut shares = Vec::new();
        let mut lost = Vec::new();
        for regression in self.regressions.iter().flatten() {
            match regression {
                Regression::Share { criterion, before, now } => shares.push(json!({
                    "criterion": criterion.to_string(),
                    "before": before.to_string(),
                    "now": now.to_string(),
                })),
                Regression::Lost(obligation) => lost.push(id(obligation)),
            }
        }
        json!({
            "format": "obligato-gate",
            "version": 1,
            "tool": self.tool,
            "exit": self.outcome.exit_code(),
            "criteria": rows.collect::<Vec<_>>(),
            "missing": self.missing.iter().map(id).collect::<Vec<_>>(),
            "fallen": shares,
            "lost": lost,
        })
    }
}
