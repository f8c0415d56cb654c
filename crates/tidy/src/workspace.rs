//! The workspace as its manifests describe it: members in order, and what each depends on.

use std::path::Path;

use toml::{Table, Value};

use crate::read;

/// The members of a workspace, in the order of the root manifest.
pub struct Workspace {
    /// The members.
    pub members: Vec<Member>,
}

/// One crate of ours.
pub struct Member {
    /// The name of its directory, by which the rules speak of it.
    pub name: String,
    /// The name of its package, by which other manifests speak of it.
    pub package: String,
    /// The packages it depends on: normal, for tests and for building, on any target.
    pub dependencies: Vec<String>,
}

impl Workspace {
    /// Reads the root manifest and those of all members.
    pub fn read(root: &Path) -> Result<Self, String> {
        let manifest = parse(root, "Cargo.toml")?;
        let workspace = manifest.get("workspace").ok_or("Cargo.toml: no [workspace]")?;
        let shared = workspace.get("dependencies").and_then(Value::as_table);
        let members = workspace.get("members").and_then(Value::as_array);
        let members = members.ok_or("Cargo.toml: no workspace members")?;
        let members = members
            .iter()
            .map(|member| {
                let directory = member.as_str().ok_or("Cargo.toml: a member that is no string")?;
                Member::read(root, directory, shared.unwrap_or(&Table::new()))
            })
            .collect::<Result<_, String>>()?;
        Ok(Self { members })
    }

    /// The place of the member with this package name in the order of the members.
    pub fn place_of(&self, package: &str) -> Option<usize> {
        self.members.iter().position(|member| member.package == package)
    }
}

impl Member {
    fn read(root: &Path, directory: &str, shared: &Table) -> Result<Self, String> {
        let path = format!("{directory}/Cargo.toml");
        let manifest = parse(root, &path)?;
        let package = manifest.get("package").and_then(|package| package.get("name"));
        let package = package.and_then(Value::as_str).ok_or(format!("{path}: no package name"))?;
        let mut dependencies = dependencies_in(&manifest, shared);
        for target in tables_in(&manifest, "target") {
            dependencies.extend(dependencies_in(target, shared));
        }
        dependencies.sort();
        dependencies.dedup();
        let name = directory.rsplit('/').next().unwrap_or(directory).to_owned();
        Ok(Self { name, package: package.to_owned(), dependencies })
    }
}

fn parse(root: &Path, path: &str) -> Result<Table, String> {
    read(root, path)?.parse().map_err(|error| format!("{path}: {error}"))
}

fn tables_in<'table>(table: &'table Table, key: &str) -> impl Iterator<Item = &'table Table> {
    let inner = table.get(key).and_then(Value::as_table);
    inner.into_iter().flat_map(Table::values).filter_map(Value::as_table)
}

/// The packages named in the three dependency sections of `table`.
fn dependencies_in(table: &Table, shared: &Table) -> Vec<String> {
    ["dependencies", "dev-dependencies", "build-dependencies"]
        .into_iter()
        .filter_map(|section| table.get(section)?.as_table())
        .flatten()
        .map(|(key, details)| package_of(key, details, shared))
        .collect()
}

/// The package behind a dependency, which may be renamed here or in the workspace's own list.
fn package_of(key: &str, details: &Value, shared: &Table) -> String {
    let inherited = details.get("workspace").and_then(Value::as_bool) == Some(true);
    let details = if inherited { shared.get(key).unwrap_or(details) } else { details };
    details.get("package").and_then(Value::as_str).unwrap_or(key).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_tree::FakeTree;

    #[test]
    fn dependencies_of_every_kind_are_found_under_their_own_names() {
        let tree = FakeTree::workspace(&[(
            "model",
            "[dependencies]\nserde = \"1\"\nshort.workspace = true\n\
             [dev-dependencies]\nproptest = { version = \"1\" }\n\
             [build-dependencies]\nrenamed = { package = \"cc\", version = \"1\" }\n\
             [target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"\n",
        )]);
        let workspace = Workspace::read(tree.root()).unwrap();
        let expected = ["cc", "clap", "libc", "proptest", "serde"];
        assert_eq!(workspace.members[0].dependencies, expected);
        assert_eq!(workspace.members[0].name, "model");
        assert_eq!(workspace.place_of("obligato-model"), Some(0));
    }

    #[test]
    fn a_member_without_a_manifest_is_a_problem() {
        let root = "[workspace]\nmembers = [\"crates/absent\"]\n";
        let tree = FakeTree::new(&[("Cargo.toml", root)]);
        let problem = Workspace::read(tree.root()).err().unwrap();
        assert!(problem.starts_with("crates/absent/Cargo.toml"), "{problem}");
    }
}
