import { startOf } from '../../../platform/template.ts'

/** What is searched of a text. A rule is a list item or a headed paragraph; chunks cover the whole text. */
export interface Entry {
  kind: 'chunk' | 'rule'
  /** The heading that it stands under. */
  category: string | null
  content: string
}

interface Block {
  kind: 'heading' | 'item' | 'paragraph'
  text: string
}

const CHUNK_CHARACTERS = 1_000
const LONGEST_RULE = 2_000
/** A longer line is text, however it looks. */
export const LONGEST_HEADING = 120

/** Divides a text in Markdown, or plain text that looks like it, into chunks and rules, in its order. */
export function outline(markdown: string): Entry[] {
  const entries: Entry[] = []
  let category: string | null = null
  let chunk = ''
  const endChunk = () => {
    if (chunk.trim()) entries.push({ kind: 'chunk', category, content: chunk.trim() })
    chunk = ''
  }
  for (const { kind, text } of blocksOf(markdown)) {
    if (kind === 'heading') {
      endChunk()
      category = text
    } else if (isRule(kind, text, category)) entries.push({ kind: 'rule', category, content: cut(text) })
    for (const piece of piecesOf(text)) {
      if (chunk.length + piece.length > CHUNK_CHARACTERS) endChunk()
      chunk += chunk ? `\n${piece}` : piece
    }
  }
  endChunk()
  return entries
}

/** A paragraph that introduces a list is no rule itself. */
const isRule = (kind: Block['kind'], text: string, category: string | null) =>
  kind === 'item' || (kind === 'paragraph' && category !== null && !/[:：]$/u.test(text))

const cut = (text: string) => (text.length > LONGEST_RULE ? `${startOf(text, LONGEST_RULE - 1)}…` : text)

const HEADING = /^#{1,6}\s+(\S.*)$/
/** Full-width marks, and bullets of Japanese and Chinese, need no space after them. */
const ITEM =
  /^(?:(?:[-*+•▪◦‣–—]|\(?\p{Nd}{1,3}[.)]|\(?\p{L}[.)])\s+|(?:[・●○]|（?\p{Nd}{1,3}[．）、]|[①-⑳])\s*)(\S.*)$/u

function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  for (const raw of markdown.split(/\r\n|\r|\n/)) {
    const line = raw.trim()
    const block = blockOf(line)
    if (line === '') open = undefined
    else if (block) {
      blocks.push(block)
      open = block.kind === 'heading' ? undefined : block
    } else if (open) open.text += ` ${line}`
    else {
      open = { kind: 'paragraph', text: line }
      blocks.push(open)
    }
  }
  return blocks
}

/**
 * A heading without the number signs that may close it, as in `## Photos ##`. Takes time in proportion to its length.
 */
function withoutClosing(heading: string): string {
  let end = heading.length
  while (heading[end - 1] === '#') end--
  return end > 0 && end < heading.length && heading[end - 1]?.trim() !== '' ? heading : heading.slice(0, end).trimEnd()
}

function blockOf(line: string): Block | undefined {
  const heading = headingOf(line)
  if (heading !== undefined && heading.length <= LONGEST_HEADING) return { kind: 'heading', text: heading }
  const item = ITEM.exec(line)?.[1]
  return item === undefined ? undefined : { kind: 'item', text: item.replace(/^\[[ xX]\]\s+/, '') }
}

function headingOf(line: string): string | undefined {
  const marked = HEADING.exec(line)?.[1]
  if (marked !== undefined) return withoutClosing(marked)
  return isCapitals(line) ? line : undefined
}

/** A line in capitals heads what follows in plain text. A script without them, as in *PDFは不可*, has none. */
const isCapitals = (line: string) =>
  line.length <= LONGEST_HEADING && /^(?=(?:.*\p{Lu}){4})[^\p{Ll}\p{Lo}]*$/u.test(line)

/** Marks at which a sentence ends; those of scripts without spaces need none after them. */
const SENTENCE_ENDS = ['. ', '! ', '? ', '؟ ', '۔ ', '। ', '。', '！', '？']

/** A long block in pieces that fit into a chunk, divided at ends of sentences, else between words. */
function* piecesOf(text: string): Generator<string> {
  let rest = text
  while (rest.length > CHUNK_CHARACTERS) {
    const end = endOfPiece(rest.slice(0, CHUNK_CHARACTERS))
    yield rest.slice(0, end)
    rest = rest.slice(end).trimStart()
  }
  yield rest
}

/** Where to divide: after the last sentence of the second half, else at the last blank, else between characters. */
function endOfPiece(head: string): number {
  const sentence = Math.max(...SENTENCE_ENDS.map((mark) => head.lastIndexOf(mark)))
  if (sentence > CHUNK_CHARACTERS / 2) return sentence + 1
  const space = head.lastIndexOf(' ')
  return space > 0 ? space : startOf(head, CHUNK_CHARACTERS - 1).length
}
