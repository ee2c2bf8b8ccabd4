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

/**
 * Takes the lines of a CSV file one after the other. Returns the judgment that a line completes; undefined for the head,
 * for an empty line, and while a text in quotation marks goes on. `isOpen` says whether one does. The head may write
 * names in upper case and with spaces. Throws if it lacks a column or has one that judgments do not have.
 */
export function csvReader() {
  let columns: string[][] | undefined
  let delimiter = ','
  let begun = ''
  return {
    isOpen: () => begun !== '',
    read(line: string): object | undefined {
      const text = begun + line.replace(/\r$/, '')
      const isComplete = (text.match(/"/g)?.length ?? 0) % 2 === 0
      begun = isComplete ? '' : `${text}\n`
      if (!isComplete || text.trim() === '') return undefined
      if (columns) return judgmentOf(columns, fieldsOf(text, delimiter))
      delimiter = commonestIn(text)
      columns = columnsOf(fieldsOf(text, delimiter))
      return undefined
    },
  }
}

const commonestIn = (head: string): string =>
  DELIMITERS.reduce((best, each) => (head.split(each).length > head.split(best).length ? each : best))

/** The fields of a record. One in quotation marks may hold the delimiter, line ends and, doubled, quotation marks. */
function fieldsOf(text: string, delimiter: string): string[] {
  const pieces = text.split(delimiter)
  const fields: string[] = []
  let field: string | undefined
  for (const piece of pieces) {
    field = field === undefined ? piece : field + delimiter + piece
    if ((field.match(/"/g)?.length ?? 0) % 2 === 1) continue
    fields.push(unquoted(field.trim()))
    field = undefined
  }
  return fields
}

const unquoted = (field: string) => (/^".*"$/s.test(field) ? field.slice(1, -1).replaceAll('""', '"') : field)

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
  confidence: (value) => numberOr(Number(value)),
  createdAt: (value) => numberOr(/^\d{11,}$/.test(value) ? Number(value) : Date.parse(value)),
}

const numberOr = (value: number) => (Number.isNaN(value) ? undefined : value)
