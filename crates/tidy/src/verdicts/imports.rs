//! Names under which a verdict could be made, or the criteria be asked for one, without either being seen.

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{ItemMod, ItemType, ItemUse, Path, UseTree};

use super::{Found, is_for_tests};

/// Other names for `Verdict`, and its variants without it.
pub fn names(file: &syn::File) -> Vec<Found> {
    let mut names = Names(Vec::new());
    names.visit_file(file);
    names.0
}

/// Where the judge of the criteria is named.
pub fn judges(file: &syn::File) -> Vec<Found> {
    let mut judges = Judges(Vec::new());
    judges.visit_file(file);
    judges.0
}

struct Names(Vec<Found>);

impl<'f> Visit<'f> for Names {
    fn visit_item_mod(&mut self, item: &'f ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'f ItemUse) {
        for path in paths(&item.tree) {
            let renamed = path.ends_with(&["Verdict".to_owned(), "as".to_owned()]);
            let inside = path.iter().rev().skip(1).any(|segment| segment == "Verdict");
            if renamed || (inside && path.last().is_some_and(|last| last != "self")) {
                let what = "gives a verdict or its variants another name".to_owned();
                self.0.push(Found { line: item.span().start().line, what });
            }
        }
    }

    fn visit_item_type(&mut self, item: &'f ItemType) {
        if let syn::Type::Path(path) = &*item.ty
            && path.path.segments.last().is_some_and(|last| last.ident == "Verdict")
        {
            let what = "gives a verdict another name".to_owned();
            self.0.push(Found { line: item.span().start().line, what });
        }
    }
}

struct Judges(Vec<Found>);

impl Judges {
    fn add(&mut self, line: usize) {
        let what = "judges by the criteria alone; obligato_campaign::judging::assess does it all";
        self.0.push(Found { line, what: what.to_owned() });
    }
}

impl<'f> Visit<'f> for Judges {
    fn visit_item_mod(&mut self, item: &'f ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'f ItemUse) {
        let is_judge = |path: &Vec<String>| {
            path.first().is_some_and(|first| first == "obligato_criteria")
                && path.iter().any(|segment| segment == "judge")
        };
        if paths(&item.tree).iter().any(is_judge) {
            self.add(item.span().start().line);
        }
    }

    fn visit_path(&mut self, path: &'f Path) {
        let segments = || path.segments.iter().map(|segment| &segment.ident);
        let of_criteria = |ident: &syn::Ident| ident == "obligato_criteria" || ident == "criteria";
        if segments().any(of_criteria) && segments().next_back().is_some_and(|last| last == "judge")
        {
            self.add(path.span().start().line);
        }
        visit::visit_path(self, path);
    }
}

/// The paths that are imported, with `*` for all and `as` behind what is renamed.
fn paths(tree: &UseTree) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    let mut open = vec![(Vec::new(), tree)];
    while let Some((mut path, tree)) = open.pop() {
        match tree {
            UseTree::Path(inner) => {
                path.push(inner.ident.to_string());
                open.push((path, &*inner.tree));
            }
            UseTree::Name(name) => {
                path.push(name.ident.to_string());
                paths.push(path);
            }
            UseTree::Rename(rename) => {
                path.extend([rename.ident.to_string(), "as".to_owned()]);
                paths.push(path);
            }
            UseTree::Glob(_) => {
                path.push("*".to_owned());
                paths.push(path);
            }
            UseTree::Group(group) => {
                open.extend(group.items.iter().map(|item| (path.clone(), item)));
            }
        }
    }
    paths
}
