//! What came of a gate, as JSON.

use obligato_model::{Assumption, BoundedGroup};
use obligato_store::StoredObligation;
use obligato_store::evidence::SourceDigest;
use obligato_store::result::StoredBound;
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
                "bounded": row.bounded,
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
            "failed_tests": self.failed,
            "missing": self.missing.iter().map(id).collect::<Vec<_>>(),
            "missing_bounded": groups(&self.missing),
            "allowed_bounded": groups(&self.allowed_bounded),
            "assumptions": self.assumed(),
            "unreviewed": self.unreviewed.iter().map(id).collect::<Vec<_>>(),
            "judged": self.judged(),
            "fallen": shares,
            "lost": lost,
        })
    }
}

impl GateResult {
    /// What proofs that count assume.
    fn assumed(&self) -> Vec<Value> {
        let assumptions = self.assumptions.iter();
        let value = |(assumption, count): (&Assumption, &usize)| json!({ "assumption": assumption.to_string(), "obligations": count });
        assumptions.map(value).collect()
    }

    /// What was judged.
    fn judged(&self) -> Value {
        let criteria: Vec<String> = self.criteria.iter().map(ToString::to_string).collect();
        let Some(evidence) = &self.evidence else { return json!({ "criteria": criteria }) };
        let source = |one: &SourceDigest| json!({ "file": one.file, "sha256": one.sha256 });
        json!({
            "criteria": criteria,
            "subject": evidence.subject,
            "function": evidence.function,
            "command": evidence.command,
            "date": evidence.date,
            "tool": evidence.tool,
            "build": evidence.build,
            "sources": evidence.sources.iter().map(source).collect::<Vec<_>>(),
        })
    }
}

/// Obligations that were refuted within bounds only, in groups of equal bounds.
fn groups(obligations: &[StoredObligation]) -> Vec<Value> {
    let groups = BoundedGroup::of(obligations.iter().map(|one| &one.verdict));
    let group = |group: &BoundedGroup| {
        let ids = group.members.iter().map(|at| obligations[*at].id.as_str());
        json!({
            "bounds": group.bounds.iter().map(StoredBound::from).collect::<Vec<_>>(),
            "next": group.next(),
            "obligations": ids.collect::<Vec<_>>(),
        })
    };
    groups.iter().map(group).collect()
}
