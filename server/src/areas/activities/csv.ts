// A spreadsheet runs a cell that begins like this; OWASP: CSV injection.
const FORMULA = /^[=+\-@\t\r]/

/** A row of CSV (RFC 4180): every cell quoted, and none that a spreadsheet would run as a formula. */
export const csvRow = (cells: (string | number | null | undefined)[]): string => `${cells.map(cell).join(',')}\r\n`

function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  return `"${(FORMULA.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`
}
