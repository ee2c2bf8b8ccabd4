/**
 * Builds server/src/areas/memory/words/prior-frequency-table.ts: how often English stems occur in general text, from
 * freely licensed documentation of Debian. Needs apt-get, dpkg-deb and the network: `npx tsx
 * scripts/prior-frequency-table.ts`.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { stemsOf } from '../server/src/areas/memory/words/tokenize.ts'

const output = fileURLToPath(new URL('../server/src/areas/memory/words/prior-frequency-table.ts', import.meta.url))

interface Source {
  package: string
  licence: string
  /** This text must be in the package's copyright file, or the build stops. */
  grant: RegExp
  files: RegExp
}

const GPL = /GNU General\s+Public\s+License|^License: GPL|GNU GPL/im
const SOURCES: Source[] = [
  { package: 'debian-handbook', licence: 'GPL-2+ or CC-BY-SA-3.0', grant: GPL, files: /html\/en-US\/.*\.html$/ },
  { package: 'debian-history', licence: 'GPL-2+', grant: GPL, files: /en\.html$/ },
  { package: 'debian-policy', licence: 'GPL-2+', grant: GPL, files: /policy\.html\/[^/]*\.html$/ },
  { package: 'debian-reference-en', licence: 'GPL-2+', grant: GPL, files: /\.en\.html$/ },
  { package: 'developers-reference', licence: 'GPL-2', grant: GPL, files: /[^/]*\.html$/ },
  { package: 'harden-doc', licence: 'GPL-2', grant: GPL, files: /html\/en-US\/.*\.html$/ },
  { package: 'installation-guide-amd64', licence: 'GPL-2', grant: GPL, files: /\/en\/.*\.html$/ },
  { package: 'maint-guide', licence: 'GPL-2+', grant: /GPL-2/, files: /\.en\.html$/ },
  { package: 'git-doc', licence: 'GPL-2', grant: GPL, files: /\.txt$/ },
  {
    package: 'gnome-user-docs',
    licence: 'CC-BY-SA-3.0',
    grant: /^License: CC-BY-SA-3\.0/m,
    files: /help\/C\/.*\.page$/,
  },
  { package: 'libreoffice-help-en-us', licence: 'MPL-2.0', grant: /^License: MPL-2\.0/m, files: /\.html$/ },
  { package: 'postgresql-doc-15', licence: 'PostgreSQL', grant: /^License: PostgreSQL/m, files: /\.html$/ },
  { package: 'python3.11-doc', licence: 'PSF-2.0', grant: /PYTHON SOFTWARE FOUNDATION LICENSE/, files: /\.html$/ },
  { package: 'dict-gcide', licence: 'GPL-2+', grant: GPL, files: /\.dict\.dz$/ },
  { package: 'dict-wn', licence: 'WordNet-3.0', grant: /^License: WordNet3\.0/m, files: /\.dict\.dz$/ },
  { package: 'dict-foldoc', licence: 'GFDL-1.1+', grant: /no Invariant Sections/, files: /\.dict\.dz$/ },
]

const STEMS = 20_000
/** Words of a passage: about the length of a judgment. */
const PASSAGE = 60

const folder = mkdtempSync(join(tmpdir(), 'background-'))
try {
  const shares = SOURCES.map((source) => shareOfPassages(texts(source)))
  writeFileSync(output, moduleOf(probabilities(shares)))
} finally {
  rmSync(folder, { recursive: true })
}

function texts(source: Source): string[] {
  execFileSync('apt-get', ['download', source.package], { cwd: folder, stdio: 'inherit' })
  const archive = readdirSync(folder).find((file) => file.startsWith(`${source.package}_`)) ?? ''
  const root = join(folder, source.package)
  execFileSync('dpkg-deb', ['-x', join(folder, archive), root])
  const copyright = readFileSync(join(root, 'usr/share/doc', source.package, 'copyright'), 'utf8')
  if (!source.grant.test(copyright)) throw new Error(`${source.package} does not grant ${source.licence}.`)
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => source.files.test(file))
  if (!files.length) throw new Error(`${source.package} has none of the files expected.`)
  return files.sort().map((file) => {
    const bytes = readFileSync(join(root, file))
    return file.endsWith('.dz') ? gunzipSync(bytes).toString('utf8') : withoutMarkup(bytes.toString('utf8'))
  })
}

function withoutMarkup(text: string): string {
  return text
    .replace(/<(script|style|pre)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&[a-z#0-9]+;/gi, ' ')
}

/** By stem, the share of a package's passages in which it occurs. */
function shareOfPassages(pages: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  let passages = 0
  for (const page of pages) {
    const stems = stemsOf(page)
    for (let from = 0; from < stems.length; from += PASSAGE) {
      passages++
      for (const stem of new Set(stems.slice(from, from + PASSAGE))) counts.set(stem, (counts.get(stem) ?? 0) + 1)
    }
  }
  return new Map([...counts].map(([stem, count]) => [stem, count / passages]))
}

/**
 * Every package has the same weight, whatever its length. A stem that only one package uses is its jargon and is left
 * out.
 */
function probabilities(shares: Map<string, number>[]): [string, number][] {
  const sums = new Map<string, { sum: number; packages: number }>()
  for (const [stem, share] of shares.flatMap((map) => [...map])) {
    if (!/^[a-z]{1,24}$/.test(stem)) continue
    const entry = sums.get(stem) ?? { sum: 0, packages: 0 }
    sums.set(stem, { sum: entry.sum + share, packages: entry.packages + 1 })
  }
  return [...sums]
    .filter(([, { packages }]) => packages > 1)
    .map(([stem, { sum }]): [string, number] => [stem, sum / shares.length])
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, STEMS)
}

function moduleOf(entries: [string, number][]): string {
  const levels = new Map<number, string[]>()
  for (const [stem, probability] of entries) {
    const level = Math.round(-20 * Math.log(probability))
    levels.set(level, [...(levels.get(level) ?? []), stem])
  }
  const lines = [...levels].map(([level, stems]) => `${level}:${stems.sort().join(' ')}`)
  return `// Generated by scripts/prior-frequency-table.ts: the share of 60-word passages in which an English stem occurs, in
// these packages of Debian documentation (counts only, none of their text), each weighing the same:
${SOURCES.map((source) => `// - ${source.package} (${source.licence})`).join('\n')}

/** Lines of \`level:stem stem …\`: these stems occur in a passage with the probability exp(-level / 20).
 * Chunks store levels: another table needs another \`CHUNK_FORM\`. */
export const PRIOR_FREQUENCY_TABLE = \`${lines.join('\n')}\`
`
}
