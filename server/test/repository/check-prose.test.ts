import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { longSentences } from '../../../scripts/long-sentences.ts'
import { repository } from '../architecture/source.ts'

/** Runs the check on a page; returns its exit code, and its lines without the path of the page. */
async function check(page: string): Promise<{ code: number; lines: string[] }> {
  const directory = await mkdtemp(join(tmpdir(), 'prose-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const path = join(directory, 'page.md')
  await writeFile(path, page)
  return new Promise((resolve) => {
    const command = ['--import', 'tsx', 'scripts/check-prose.ts', path]
    execFile(process.execPath, command, { cwd: repository }, (error, stdout) => {
      const lines = stdout.split('\n').filter(Boolean)
      resolve({ code: error ? Number(error.code) : 0, lines: lines.map((line) => line.replace(path, 'page.md')) })
    })
  })
}

const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i + 1}`).join(' ')
const reported = (line: number, count = 31) => `${line} ${count} words: ${words(8)} …`

test.each<[where: string, page: string, line: number]>([
  ['in a paragraph', `# A page\n\n${words(31)}.`, 3],
  ['after a short one', `Short.\nAlso short: ${'`a.b c`'}. ${words(31)}.`, 2],
  ['over several lines', `${words(31).replaceAll(' ', '\n')}\n`, 1],
  ['in a heading', `Text.\n## ${words(31)}\nText.`, 2],
  ['in a list item', `- One.\n- ${words(31)}\n- Three.`, 2],
  ['in a numbered step', `1. One.\n2. ${words(31)}`, 2],
  ['after a code block', `\`\`\`sh\nls\n\`\`\`\n${words(31)}.`, 4],
  ['after a table', `| a |\n|---|\n| b |\n\n${words(31)}`, 5],
])('reports a sentence of more than 30 words %s', (_, page, line) => {
  expect(longSentences(page)).toEqual([reported(line)])
})

test('every long sentence of a page is reported with its place, and fails the check', async () => {
  const { code, lines } = await check(`${words(31)}. ${words(30)}.\n\n${words(40)}`)
  expect({ code, lines }).toEqual({ code: 1, lines: [`page.md:${reported(1)}`, `page.md:${reported(3, 40)}`] })
})

test('a page without long sentences passes the check', async () => {
  expect(await check(`${words(30)}.`)).toEqual({ code: 0, lines: [] })
})

test.each([
  ['a sentence of 30 words', `${words(30)}.`],
  ['sentences that are long only together', `${words(20)}. ${words(20)}? *${words(20)}.* ${words(20)}!`],
  ['list items that are long only together', `- ${words(20)}\n- ${words(20)}\n  ${words(10)}`],
  ['code', `\`\`\`\n${words(50)}\n\`\`\`\n\n   ~~~ts\n   ${words(50)}\n   ~~~`],
  ['a code span, which is one word', `Run \`${words(50)}\`.`],
  ['a table', `| ${words(50)} |`],
  ['the address of a link', `[${words(30)}](https://example.com/${words(10)}).`],
  ['a comment', `<!-- ${words(20)}\n${words(20)} -->`],
])('reports nothing for %s', (_, page) => {
  expect(longSentences(page)).toEqual([])
})
