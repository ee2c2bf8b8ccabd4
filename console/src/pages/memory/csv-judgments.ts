import { parse } from 'csv-parse/browser/esm/sync'
import { t } from '../../strings.ts'

/** The columns of a CSV file of judgments, and where each belongs in a judgment. */
const COLUMNS: Record<string, string[]> = {
  decision: ['decision'],
  reasoning: ['reasoning'],
  content: ['content'],
  contenttype: ['contentType'],
  contentuserid: ['contentUserId'],
  confidence: ['confidence'],
  reviewer: ['actionUser', 'userId'],
  reviewername: ['actionUser', 'name'],
  revieweremail: ['actionUser', 'email'],
  createdat: ['createdAt'],
  recordid: ['recordId'],
  annotationid: ['annotationId'],
  organizationid: ['organizationId'],
  documentid: ['documentId'],
}

const REQUIRED = ['decision', 'reasoning', 'reviewer']

/** Excel writes semicolons where commas stand in numbers. */
const DELIMITERS = [',', ';', '\t']
/** A first line by which a file tells Excel what separates its fields. */
const TOLD = /^sep=(.)$/i
/** A request holds less. A text of this length most likely lacks its closing quotation mark. */
const LONGEST_RECORD = 1_000_000

/**
 * Takes the lines of a CSV file one after the other. Returns the judgment that a line completes; undefined for the
 * head, for an empty line, and while a text in quotation marks goes on. `isOpen` says whether one does. The head may
 * write names in upper case and with spaces. Throws if it lacks a column or has one that judgments do not have, or if a
 * text in quotation marks does not end within a million characters.
 */
export function csvReader() {
  let columns: string[][] | undefined
  let delimiter: string | undefined
  let begun = ''
  let isOpen = false
  return {
    isOpen: () => isOpen,
    read(line: string): object | undefined {
      // Only the new line is looked at: a text that goes on may have many.
      if ((line.match(/"/g)?.length ?? 0) % 2 === 1) isOpen = !isOpen
      const text = begun + line.replace(/\r$/, '')
      begun = isOpen ? `${text}\n` : ''
      if (begun.length > LONGEST_RECORD) throw new Error(t.import.quoteTooLong)
      if (isOpen || text.trim() === '') return undefined
      if (columns) return judgmentOf(columns, fieldsOf(text, delimiter))
      const [, told] = TOLD.exec(text) ?? []
      if (told) {
        delimiter = told
        return undefined
      }
      delimiter ??= commonestIn(text)
      columns = columnsOf(fieldsOf(text, delimiter))
      return undefined
    },
  }
}

const commonestIn = (head: string): string =>
  DELIMITERS.reduce((best, each) => (head.split(each).length > head.split(best).length ? each : best))

/** The fields of a record (RFC 4180). */
const fieldsOf = (text: string, delimiter = ','): string[] =>
  parse(text, { delimiter, relax_column_count: true, relax_quotes: true, trim: true })[0] ?? []

function columnsOf(head: string[]): string[][] {
  const names = head.map((name) => name.toLowerCase().replace(/[\s_-]/g, ''))
  const missing = REQUIRED.filter((name) => !names.includes(name))
  if (missing.length > 0) throw new Error(t.import.columnMissing(missing.join(', ')))
  return names.map((name, index) => {
    const column = COLUMNS[name]
    if (!column) throw new Error(t.import.columnUnknown(head[index] ?? ''))
    return column
  })
}

/** Empty fields are left out. A reviewer without a name is called by the id. */
function judgmentOf(columns: string[][], fields: string[]): object {
  const judgment: Record<string, unknown> = {}
  const actionUser: Record<string, string> = {}
  columns.forEach(([field = '', ofReviewer], index) => {
    const value = fields[index] ?? ''
    if (value === '') return
    if (ofReviewer) actionUser[ofReviewer] = value
    else judgment[field] = READERS[field]?.(value) ?? value
  })
  const { userId } = actionUser
  return { ...judgment, actionUser: { ...(userId && { name: userId }), ...actionUser } }
}

/** What is no text in a judgment; what cannot be read stays a text, which the service refuses by name. */
const READERS: Record<string, (value: string) => number | undefined> = {
  confidence: (value) => numberOr(Number(value.replace(',', '.'))),
  createdAt: (value) => numberOr(/^\d{11,}$/.test(value) ? Number(value) : timeOf(value)),
}

/** With dots, the day comes first. With slashes, countries differ in that, so it is no date. */
function timeOf(value: string): number {
  const [, day = '', month = '', year, rest = ''] =
    /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?:,?\s+(\S.*))?$/.exec(value) ?? []
  if (year === undefined) return value.includes('/') ? Number.NaN : Date.parse(value)
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return Date.parse(rest === '' ? date : `${date}T${rest.padStart(rest.indexOf(':') === 1 ? rest.length + 1 : 0, '0')}`)
}

const numberOr = (value: number) => (Number.isNaN(value) ? undefined : value)
