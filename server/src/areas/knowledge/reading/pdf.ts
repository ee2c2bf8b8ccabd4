import { getDocumentProxy } from 'unpdf'
import { Lines } from './lines.ts'
import { LONGEST_HEADING } from './outline.ts'
import { type Extracted, ReadingError } from './reading.ts'

const MOST_PAGES = 2_000

interface Line {
  text: string
  height: number
  y: number
}

/** Reads the text of a PDF. Larger lines become headings, wider gaps separate paragraphs. Images are not read. */
export async function readPdf(bytes: Uint8Array): Promise<Extracted> {
  const lines = new Lines()
  try {
    const document = await getDocumentProxy(bytes, { disableFontFace: true, verbosity: 0 })
    if (document.numPages > MOST_PAGES) throw new ReadingError('file-too-large')
    const pages: Line[][] = []
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number)
      const { items } = await page.getTextContent()
      pages.push(linesOf(items as TextItem[]))
      page.cleanup()
    }
    const body = bodyHeight(pages.flat())
    for (const page of pages) addPage(lines, page, body)
  } catch (error) {
    if (error instanceof ReadingError) throw error
    throw new ReadingError('file-unreadable', error)
  }
  return { markdown: lines.toString(), usedRawFallback: false }
}

interface TextItem {
  str?: string
  transform?: number[]
  height?: number
  hasEOL?: boolean
}

/** A line begins after the end of another, or with text at another height. Blanks before its text are left out. */
function linesOf(items: TextItem[]): Line[] {
  const lines: Line[] = []
  let open: Line | undefined
  for (const { str = '', transform = [], height = 0, hasEOL } of items) {
    const y = transform[5] ?? 0
    if (str.trim()) {
      if (!open || Math.abs(open.y - y) > Math.max(2, open.height / 2)) {
        open = { text: '', height: 0, y }
        lines.push(open)
      }
      open.height = Math.max(open.height, height)
    }
    if (open) open.text += str
    if (hasEOL) open = undefined
  }
  return lines.map((line) => ({ ...line, text: line.text.replace(/\s+/g, ' ').trim().toWellFormed() }))
}

/** The height of most of the text. */
function bodyHeight(lines: Line[]): number {
  const characters = new Map<number, number>()
  for (const { height, text } of lines) {
    const rounded = Math.round(height * 2) / 2
    characters.set(rounded, (characters.get(rounded) ?? 0) + text.length)
  }
  return [...characters].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0
}

const LARGER = 1.15
const WIDE_GAP = 1.7

function addPage(lines: Lines, page: Line[], body: number): void {
  let last: Line | undefined
  for (const line of page) {
    const isHeading = line.height > body * LARGER && line.text.length <= LONGEST_HEADING
    const gap = last ? last.y - line.y : 0
    if (isHeading || !last || gap > WIDE_GAP * Math.max(line.height, last.height) || gap < 0) lines.add('')
    lines.add(isHeading ? `## ${line.text}\n` : line.text)
    last = line
  }
  lines.add('')
}
