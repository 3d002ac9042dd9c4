//! Directives that place data: numbers, strings, padding.

use crate::assembler::{Assembler, SIZE_LIMIT};
use crate::cursor::Cursor;
use crate::diagnostics::{Fault, Span};
use crate::directives::alignment_of;
use crate::expression::Expression;
use crate::lexer::Token;
use crate::object::ItemKind;

/// The little-endian bytes of a number that fits `size` bytes as a signed or an unsigned one.
pub(crate) fn number_bytes(number: i64, size: u8) -> Result<[u8; 8], String> {
    let bits = u32::from(size) * 8;
    if bits < 64 && !(-(1i64 << (bits - 1))..1i64 << bits).contains(&number) {
        return Err(format!("{number:#x} does not fit in {size} byte{}", if size == 1 { "" } else { "s" }));
    }
    Ok(number.to_le_bytes())
}

impl Assembler<'_> {
    /// Runs a data directive; false if there is none of that name.
    pub(crate) fn data_directive(
        &mut self,
        name: &str,
        cursor: &mut Cursor,
        span: Span,
    ) -> Result<bool, Fault> {
        let before = self.next_item();
        self.joinable &= !self.section().flags.nobits;
        match name {
            ".byte" => self.numbers(1, cursor)?,
            ".2byte" | ".short" | ".half" | ".hword" => self.numbers(2, cursor)?,
            ".4byte" | ".word" | ".long" | ".int" => self.numbers(4, cursor)?,
            ".8byte" | ".quad" => self.numbers(8, cursor)?,
            ".ascii" => self.strings(false, cursor)?,
            ".asciz" | ".string" => self.strings(true, cursor)?,
            ".space" | ".skip" | ".zero" => self.space(cursor, span)?,
            ".fill" => self.fill(cursor, span)?,
            // On Xtensa `.align` counts bytes.
            ".align" | ".balign" => self.align(false, cursor, span)?,
            ".p2align" => self.align(true, cursor, span)?,
            ".org" => self.origin(cursor, span)?,
            _ => return Ok(false),
        }
        self.check_nobits(before, span)?;
        Ok(true)
    }

    /// A `.bss` has room for zeros only.
    fn check_nobits(&self, before: usize, span: Span) -> Result<(), Fault> {
        let section = self.section();
        let stray = section.items[before..].iter().any(|item| match &item.kind {
            ItemKind::Bytes(bytes) => bytes.iter().any(|byte| *byte != 0),
            ItemKind::Value { .. } => true,
            ItemKind::Space { fill, .. } | ItemKind::Origin { fill, .. } => *fill != 0,
            ItemKind::Align { fill, .. } => fill.is_some_and(|fill| fill != 0),
            ItemKind::Pool(_) | ItemKind::Code(_) => false,
        });
        if section.flags.nobits && stray {
            return Err(Fault::new(span, format!("section {} holds zeros only", section.name)));
        }
        Ok(())
    }

    fn numbers(&mut self, size: u8, cursor: &mut Cursor) -> Result<(), Fault> {
        if cursor.at_end() {
            return Ok(());
        }
        loop {
            let span = cursor.span();
            let value = self.expression(cursor)?;
            match self.symbols.constant(&value) {
                Some(number) => {
                    let bytes = number_bytes(number, size).map_err(|reason| Fault::new(span, reason))?;
                    self.bytes(&bytes[..size.into()], span)?;
                }
                None => {
                    self.claim(size.into(), span)?;
                    self.push(ItemKind::Value { value, size }, span);
                }
            }
            if !cursor.eat(",") {
                return Ok(());
            }
        }
    }

    fn strings(&mut self, terminated: bool, cursor: &mut Cursor) -> Result<(), Fault> {
        if cursor.at_end() {
            return Ok(());
        }
        loop {
            let span = cursor.span();
            let mut bytes = cursor.string()?.to_vec();
            // Strings side by side are one string.
            while matches!(cursor.peek(), Token::String(_)) {
                bytes.extend_from_slice(cursor.string()?);
            }
            if terminated {
                bytes.push(0);
            }
            self.bytes(&bytes, span)?;
            if !cursor.eat(",") {
                return Ok(());
            }
        }
    }

    /// A byte to fill with, if a comma and one follow.
    fn fill_byte(&mut self, cursor: &mut Cursor) -> Result<Option<u8>, Fault> {
        if !cursor.eat(",") || cursor.is(",") {
            return Ok(None);
        }
        let span = cursor.span();
        let number = self.number(cursor)?;
        let bytes = number_bytes(number, 1).map_err(|reason| Fault::new(span, reason))?;
        Ok(Some(bytes[0]))
    }

    fn space(&mut self, cursor: &mut Cursor, span: Span) -> Result<(), Fault> {
        let count = self.expression(cursor)?;
        if let Some(number) = self.symbols.constant(&count) {
            let size = u64::try_from(number).map_err(|_| Fault::new(span, "negative size"))?;
            self.claim(size, span)?;
        }
        let fill = self.fill_byte(cursor)?.unwrap_or(0);
        self.push(ItemKind::Space { count, fill }, span);
        Ok(())
    }

    /// `.fill count [, size [, value]]`
    fn fill(&mut self, cursor: &mut Cursor, span: Span) -> Result<(), Fault> {
        let count = self.number(cursor)?;
        let (mut size, mut value) = (1, 0);
        if cursor.eat(",") {
            size = self.number(cursor)?;
            if cursor.eat(",") {
                value = self.number(cursor)?;
            }
        }
        if !(0..=8).contains(&size) {
            return Err(Fault::new(span, "the size in .fill is 0..=8 bytes"));
        }
        let total = u64::try_from(count).ok().and_then(|count| count.checked_mul(size as u64));
        let total = total.filter(|total| *total <= SIZE_LIMIT);
        let total = total.ok_or_else(|| Fault::new(span, "count out of range"))?;
        // As in GNU as, which remembers the days of 32-bit values: bytes beyond the fourth are zero.
        let unit = u64::from(value as u32).to_le_bytes();
        let unit = &unit[..size as usize];
        if unit.len() <= 1 || value == 0 {
            self.claim(total, span)?;
            let fill = unit.first().copied().unwrap_or(0);
            self.push(ItemKind::Space { count: Expression::number(total as i64), fill }, span);
            return Ok(());
        }
        self.bytes(&unit.repeat(count as usize), span)
    }

    /// `.align boundary [, fill [, most padding]]`
    fn align(&mut self, power: bool, cursor: &mut Cursor, span: Span) -> Result<(), Fault> {
        let number = self.number(cursor)?;
        let bytes = if power { 1i64.checked_shl(number.clamp(0, 63) as u32).unwrap_or(0) } else { number };
        if power && !(0..=24).contains(&number) {
            return Err(Fault::new(span, format!("alignment 2^{number} is more than 16 MiB")));
        }
        let boundary = alignment_of(bytes, span)?;
        let fill = self.fill_byte(cursor)?;
        let mut limit = u32::MAX;
        if cursor.eat(",") {
            let number = self.number(cursor)?;
            limit = u32::try_from(number).map_err(|_| Fault::new(span, "limit out of range"))?;
        }
        let section = &mut self.sections[self.current.0 as usize];
        section.alignment = section.alignment.max(boundary);
        self.push(ItemKind::Align { boundary, fill, limit }, span);
        Ok(())
    }

    /// `.org offset [, fill]` and `. = offset`.
    pub(crate) fn origin(&mut self, cursor: &mut Cursor, span: Span) -> Result<(), Fault> {
        let offset = self.expression(cursor)?;
        let fill = self.fill_byte(cursor)?.unwrap_or(0);
        self.push(ItemKind::Origin { offset, fill }, span);
        Ok(())
    }
}
