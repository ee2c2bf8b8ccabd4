/**
 * `tsx scripts/check-prose.ts [file …]`: reports each sentence of the documentation that has more than 30 words, as
 * `path:line words: beginning`, and exits with 1 when there is one.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { longSentences } from './long-sentences.ts'

const PAGES = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'client/README.md']

const given = process.argv.slice(2)
const faults = (given.length > 0 ? given : documentation()).flatMap((path) =>
  longSentences(readFileSync(path, 'utf8')).map((sentence) => `${path}:${sentence}`),
)
for (const fault of faults) process.stdout.write(`${fault}\n`)
process.exitCode = faults.length > 0 ? 1 : 0

/** The pages at the root of the repository, the client's guide, and every page below docs/. */
function documentation(): string[] {
  process.chdir(dirname(dirname(fileURLToPath(import.meta.url))))
  const below = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
  return [...PAGES, ...below.sort().map((file) => join('docs', file))]
}
