//! Contracts: `(*@contract … *)`, `con … noc`, and the items of a contract.

use super::types::plain;
use super::{Parser, Step};
use crate::ast::{Clause, ContractItem, ContractItemKind, Force};
use crate::diagnostic::Diagnostic;
use crate::token::TokenKind;

impl Parser<'_> {
    /// The contract after a signature, if there is one.
    pub(super) fn contract(&mut self) -> Step<Option<Vec<ContractItem>>> {
        if self.peek() == TokenKind::OpenContract {
            let open = self.take().span;
            let items = self.contract_items(TokenKind::CloseBlock);
            if self.peek() != TokenKind::CloseBlock {
                let wanted = ["an item of the contract", "'*)'"];
                return self.expected_by(&wanted, open, "the contract starts here");
            }
            self.take();
            return Ok(Some(items));
        }
        if self.accept_word("con") {
            let items = self.contract_items(TokenKind::End);
            self.expect_word("noc")?;
            return Ok(Some(items));
        }
        Ok(None)
    }

    /// The items up to `end`, which is not taken.
    pub(super) fn contract_items(&mut self, end: TokenKind) -> Vec<ContractItem> {
        let mut items = Vec::new();
        while !self.too_many_errors() {
            let kind = self.peek();
            let ends = matches!(
                kind,
                TokenKind::End | TokenKind::Tel | TokenKind::Let | TokenKind::CloseBlock
            );
            if kind == end || ends || kind.starts_declaration() || self.at_word("noc") {
                break;
            }
            self.braces = 0;
            if let Ok(item) = self.contract_item() {
                items.push(item);
            } else {
                self.skip_contract_item();
            }
        }
        items
    }

    fn skip_contract_item(&mut self) {
        self.reset();
        while !matches!(
            self.peek(),
            TokenKind::End | TokenKind::Tel | TokenKind::Let | TokenKind::CloseBlock
        ) && !self.peek().starts_declaration()
        {
            if self.take().kind == TokenKind::Semicolon && self.braces <= 0 {
                return;
            }
        }
    }

    /// Skips to before the `;` after a mode.
    fn skip_mode(&mut self) {
        loop {
            match self.peek() {
                TokenKind::CloseParen if self.peek_at(1) == TokenKind::Semicolon => {
                    self.take();
                    return;
                }
                TokenKind::End | TokenKind::Tel | TokenKind::Let | TokenKind::CloseBlock => return,
                _ => {
                    self.take();
                }
            }
        }
    }

    fn contract_item(&mut self) -> Step<ContractItem> {
        let trivia = self.open_trivia();
        let token = self.peek_token();
        let start = token.span.start;
        let kind = match token.kind {
            TokenKind::Var => self.ghost_variables()?,
            TokenKind::Const => {
                self.take();
                ContractItemKind::Constant(self.constant()?)
            }
            TokenKind::Name => match self.tokens.text(token.span) {
                "weakly" => {
                    self.take();
                    self.clause_item(Force::Weakly)?
                }
                "assume" | "guarantee" => self.clause_item(Force::Strict)?,
                "mode" => {
                    let mode = self.contract_mode();
                    if mode.is_err() {
                        self.skip_mode();
                    }
                    mode?
                }
                "import" => self.import()?,
                "assumption_vars" => {
                    self.take();
                    let names = self.names("the name of a variable")?;
                    self.expect(TokenKind::Semicolon, "';'")?;
                    ContractItemKind::AssumptionVariables(names)
                }
                "decreases" => return Err(self.unsupported(token.span, "'decreases'")),
                _ => return Err(self.expected(&ITEMS)),
            },
            _ => return Err(self.expected(&ITEMS)),
        };
        let span = self.span_from(start);
        let trivia = plain(self.close_trivia(trivia));
        Ok(ContractItem { kind, span, trivia })
    }

    /// `var x: int = e;`.
    fn ghost_variables(&mut self) -> Step<ContractItemKind> {
        self.take();
        let mut groups = vec![self.variables()?];
        while self.accept(TokenKind::Comma) {
            groups.push(self.variables()?);
        }
        self.expect(TokenKind::Equal, "'=' and a value")?;
        let value = self.expression()?;
        self.end_clause()?;
        Ok(ContractItemKind::Variables(groups, value))
    }

    fn clause_item(&mut self, force: Force) -> Step<ContractItemKind> {
        if self.accept_word("assume") {
            return Ok(ContractItemKind::Assume(self.clause()?, force));
        }
        self.expect_word("guarantee")?;
        Ok(ContractItemKind::Guarantee(self.clause()?, force))
    }

    fn clause(&mut self) -> Step<Clause> {
        let title = self.title();
        let condition = self.expression()?;
        self.end_clause()?;
        Ok(Clause { title, condition })
    }

    fn end_clause(&mut self) -> Step<()> {
        if self.accept(TokenKind::Semicolon) {
            return Ok(());
        }
        Err(self.expected(&["an operator", "';'"]))
    }

    /// `mode m ( require e; ensure e; );`.
    fn contract_mode(&mut self) -> Step<ContractItemKind> {
        self.take();
        let name = self.name("the name of a mode")?;
        self.expect(TokenKind::OpenParen, "'('")?;
        let mut requires = Vec::new();
        let mut ensures = Vec::new();
        loop {
            let place = self.peek_token().span;
            if self.accept_word("require") {
                if !ensures.is_empty() {
                    let text = "in a mode 'require' comes before 'ensure'";
                    return Err(self.report(Diagnostic::error(place, text)));
                }
                requires.push(self.clause()?);
            } else if self.accept_word("ensure") {
                ensures.push(self.clause()?);
            } else {
                break;
            }
        }
        if self.peek() != TokenKind::CloseParen {
            return Err(self.expected(&["'require'", "'ensure'", "')'"]));
        }
        self.take();
        self.expect(TokenKind::Semicolon, "';' after the mode")?;
        Ok(ContractItemKind::Mode { name, requires, ensures })
    }

    /// `import c(x, y) returns (z);`.
    fn import(&mut self) -> Step<ContractItemKind> {
        self.take();
        let contract = self.name("the name of a contract")?;
        let statics = self.static_arguments()?;
        self.expect(TokenKind::OpenParen, "'('")?;
        let mut inputs = Vec::new();
        if self.peek() != TokenKind::CloseParen {
            inputs.push(self.expression()?);
            while self.accept(TokenKind::Comma) {
                inputs.push(self.expression()?);
            }
        }
        self.expect(TokenKind::CloseParen, "')'")?;
        self.expect(TokenKind::Returns, "'returns'")?;
        self.expect(TokenKind::OpenParen, "'('")?;
        let mut outputs = Vec::new();
        if self.peek() != TokenKind::CloseParen {
            outputs = self.names("the name of an output")?;
        }
        self.expect(TokenKind::CloseParen, "')'")?;
        self.expect(TokenKind::Semicolon, "';' after the import")?;
        let inputs = self.program.expr_lists.add(inputs);
        Ok(ContractItemKind::Import { contract, statics, inputs, outputs })
    }
}

const ITEMS: [&str; 6] = ["'assume'", "'guarantee'", "'mode'", "'import'", "'var'", "'const'"];
