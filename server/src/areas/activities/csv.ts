// Spreadsheets run cells that begin like this as formulas (OWASP: CSV injection).
const FORMULA = /^[=+\-@\t\r]/

/** A CSV row (RFC 4180). Every text is quoted, and a leading `'` keeps spreadsheets from running it as a formula. */
export const csvRow = (cells: (string | number | null | undefined)[]): string => `${cells.map(cell).join(',')}\r\n`

function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  return `"${(FORMULA.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`
}
