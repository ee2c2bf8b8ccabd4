import { StringDecoder } from 'node:string_decoder'
import { fromBuffer, type Entry as ZipEntry, type ZipFile } from 'yauzl'
import { Lines } from './lines.ts'
import { type Extracted, MOST_CHARACTERS, ReadingError } from './reading.ts'
import { type DateCells, dateCellsOf } from './xlsx-dates.ts'
import { parseXml } from './xml.ts'

const MOST_ZIP_ENTRIES = 5_000
/** What the parts that are read may inflate to, together. */
const MOST_INFLATED = 128 * 1024 * 1024
const MOST_SHEETS = 100
const MOST_COLUMNS = 256
const MOST_ROWS = 20_000

/** Reads the cells of every sheet of a workbook. Each sheet is a heading, each row a list item. */
export async function readXlsx(bytes: Uint8Array): Promise<Extracted> {
  const zip = await opened(bytes)
  const parts = await readParts(zip)
  const workbook = parts.get('xl/workbook.xml')
  if (workbook === undefined) throw new ReadingError('unsupported-mime-detected-post-validation')
  const shared = sharedStrings(parts.get('xl/sharedStrings.xml') ?? '')
  const dates = dateCellsOf(workbook, parts.get(STYLES) ?? '')
  const lines = new Lines()
  for (const { name, part } of sheetsOf(workbook, parts).slice(0, MOST_SHEETS)) {
    lines.add(`## ${name}\n`)
    lines.addTable(cellsOf(parts.get(part) ?? '', shared, dates))
    lines.add('')
  }
  return { markdown: lines.toString(), usedRawFallback: false }
}

const RELATIONS = 'xl/_rels/workbook.xml.rels'
const STYLES = 'xl/styles.xml'
const FEW = ['xl/workbook.xml', 'xl/sharedStrings.xml', RELATIONS, STYLES]
const SHEET = /^xl\/worksheets\/[^/]{1,100}\.xml$/
const isWanted = (name: string) => FEW.includes(name) || SHEET.test(name)

function opened(bytes: Uint8Array): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromBuffer(Buffer.from(bytes), { lazyEntries: true, validateEntrySizes: true }, (error, zip) =>
      error ? reject(new ReadingError('file-unreadable', error)) : resolve(zip),
    )
  })
}

/** Inflates the wanted parts, and refuses what is or claims to be too large. */
function readParts(zip: ZipFile): Promise<Map<string, string>> {
  const parts = new Map<string, string>()
  let declared = 0
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) =>
      reject(error instanceof ReadingError ? error : new ReadingError('file-unreadable', error))
    if (zip.entryCount > MOST_ZIP_ENTRIES) return fail(new ReadingError('file-too-large'))
    zip.on('error', fail)
    zip.on('end', () => resolve(parts))
    zip.on('entry', (entry: ZipEntry) => {
      if (!isWanted(entry.fileName)) return zip.readEntry()
      declared += entry.uncompressedSize
      if (declared > MOST_INFLATED) return fail(new ReadingError('file-too-large'))
      inflate(zip, entry).then((text) => {
        parts.set(entry.fileName, text)
        zip.readEntry()
      }, fail)
    })
    zip.readEntry()
  })
}

/** Yauzl ends the stream with an error as soon as it holds more than the entry declares. */
function inflate(zip: ZipFile, entry: ZipEntry): Promise<string> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) return reject(error)
      const decoder = new StringDecoder('utf8')
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += decoder.write(chunk)
      })
      stream.on('end', () => resolve(text))
      stream.on('error', reject)
    })
  })
}

interface Sheet {
  name: string
  part: string
}

/**
 * The sheets in the order of their tabs. Which part holds one, its relation says: the numbers of parts are in the order
 * in which sheets were made. Without relations their order has to do.
 */
function sheetsOf(workbook: string, parts: Map<string, string>): Sheet[] {
  const targets = relationTargets(parts.get(RELATIONS) ?? '')
  const tabs: { name: string; relation: string }[] = []
  parseXml(workbook, {
    open(name, attributes) {
      if (name !== 'sheet') return
      const [, relation = ''] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? []
      tabs.push({ name: attributes.name ?? '', relation })
    },
  })
  // By part, so that none is read twice.
  const related = new Map<string, Sheet>()
  for (const { name, relation } of tabs) {
    const part = targets.get(relation)
    if (part !== undefined && parts.has(part) && !related.has(part)) related.set(part, { name, part })
  }
  if (related.size > 0) return [...related.values()]
  const made = [...parts.keys()].filter((name) => SHEET.test(name))
  return made
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((part, i) => ({ part, name: tabs[i]?.name ?? `Sheet ${i + 1}` }))
}

/** The parts that relations of the workbook lead to, by the ids of the relations. */
function relationTargets(xml: string): Map<string, string> {
  const targets = new Map<string, string>()
  parseXml(xml, {
    open(name, { Id: id = '', Target: target = '' }) {
      if (name === 'Relationship') targets.set(id, target.startsWith('/') ? target.slice(1) : `xl/${target}`)
    },
  })
  return targets
}

function sharedStrings(xml: string): string[] {
  const strings: string[] = []
  let inText = false
  let isPhonetic = false
  let open = ''
  parseXml(xml, {
    open(name) {
      if (name === 'si') open = ''
      if (name === 'rPh') isPhonetic = true
      inText = name === 't'
    },
    text(text) {
      if (inText && !isPhonetic) open += text
    },
    close(name) {
      inText = false
      if (name === 'rPh') isPhonetic = false
      if (name === 'si') strings.push(open)
    },
  })
  return strings
}

function cellsOf(xml: string, shared: string[], dates: DateCells): string[][] {
  const rows: string[][] = []
  let characters = 0
  let cell = { column: 0, type: '', style: '', value: '' }
  let inValue = false
  let next = 0
  const textOf = ({ type, style, value }: typeof cell): string => {
    if (type === 's') return shared[Number(value)] ?? ''
    if (type === 'b') return value === '1' ? 'yes' : 'no'
    return type === '' || type === 'n' ? dates.shown(value, style) : value
  }
  const endCell = ({ column, type, ...more }: typeof cell) => {
    const text = textOf({ column, type, ...more })
    characters += text.length
    if (characters > MOST_CHARACTERS) throw new ReadingError('file-too-large')
    if (column >= MOST_COLUMNS || type === 'e') return
    const row = rows.at(-1) ?? []
    while (row.length < column) row.push('')
    row[column] = text
  }
  parseXml(xml, {
    open(name, attributes) {
      if (name === 'row') {
        if (rows.length === MOST_ROWS) throw new ReadingError('file-too-large')
        rows.push([])
        next = 0
      } else if (name === 'c') {
        const { r, t: type = '', s: style = '' } = attributes
        cell = { column: columnOf(r) ?? next, type, style, value: '' }
        next = cell.column + 1
      }
      inValue = name === 'v' || name === 't'
    },
    text(text) {
      if (inValue) cell.value += text
    },
    close(name) {
      inValue = false
      if (name === 'c' && rows.length > 0) endCell(cell)
    },
  })
  return rows.filter((row) => row.some((value) => value.trim()))
}

/** The column of a reference such as `AB12`, from 0. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^([A-Z]{1,3})\d+$/.exec(reference ?? '')?.[1]
  if (letters === undefined) return undefined
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
