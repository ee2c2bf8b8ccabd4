/** Sentences of documentation that are too long to be understood at the first reading. */
const MOST_WORDS = 30

interface Word {
  text: string
  line: number
}

/**
 * Each sentence of a page in Markdown that has more than 30 words, as `line words: beginning`, with the line where it
 * begins. Code blocks, tables and HTML comments do not count.
 */
export function longSentences(page: string): string[] {
  return sentencesOf(page)
    .filter((words) => words.length > MOST_WORDS)
    .map((words) => `${words[0]?.line} ${words.length} words: ${beginning(words)} …`)
}

function beginning(words: Word[]): string {
  return words
    .slice(0, 8)
    .map(({ text }) => text)
    .join(' ')
}

/** The sentences of a page in Markdown. A heading, a list item and a paragraph each end a sentence. */
function sentencesOf(page: string): Word[][] {
  return blocksOf(page).flatMap((block) => {
    const sentences: Word[][] = [[]]
    for (const word of block) {
      if (/[\p{L}\p{N}`]/u.test(word.text)) sentences.at(-1)?.push(word)
      if (endsSentence(word.text)) sentences.push([])
    }
    return sentences
  })
}

function endsSentence(word: string): boolean {
  return /[.!?][)\]"'”*_]*$/.test(word) && !/^\(?(e\.g|i\.e|vs|cf)\.$/.test(word)
}

/** The words of each paragraph, heading and list item. */
function blocksOf(page: string): Word[][] {
  const blocks: Word[][] = [[]]
  for (const [index, line] of proseOf(page).split('\n').entries()) {
    const text = line.replace(/^[\s>]*([-*+]|\d+\.)\s+/, '')
    const isHeading = /^#{1,6}\s/.test(text)
    if (text !== line || isHeading || text.trim() === '') blocks.push([])
    const words = text.split(/\s+/).filter(Boolean)
    blocks.at(-1)?.push(...words.map((word) => ({ text: word, line: index + 1 })))
    if (isHeading) blocks.push([])
  }
  return blocks
}

/**
 * The page with the same lines, but without code blocks, tables, comments and the addresses of links; a code span is
 * one word.
 */
function proseOf(page: string): string {
  return page
    .replace(/^[ \t]*(```|~~~).*?^[ \t]*\1/gms, emptyLines)
    .replace(/<!--.*?-->/gs, emptyLines)
    .replace(/^[ \t]*\|.*$/gm, '')
    .replace(/`[^`]+`/g, (span) => span.replace(/[^\n`]+/g, (text) => text.replace(/[\s.]/g, '-')))
    .replace(/\]\([^)]*\)/g, ']')
}

function emptyLines(text: string): string {
  return text.replace(/[^\n]/g, '')
}
