// A spreadsheet runs a cell that begins with one of these signs (OWASP: CSV injection), full-width and small forms too.
// Some skip blanks, control characters and zero-width characters before it, so a cell that begins with those is quoted
// as well.
const FORMULA = /^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\u2212\uFE62\uFE63\uFE66\uFE6B\s\p{Cc}\p{Cf}]/u

/** What a cell holds; nothing makes it empty. */
export type Cell = string | number | null | undefined

/** A CSV row (RFC 4180). Every text is quoted, and a leading `'` keeps spreadsheets from running it as a formula. */
export const csvRow = (cells: Cell[]): string => `${cells.map(cell).join(',')}\r\n`

function cell(value: Cell): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  return `"${(FORMULA.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`
}
