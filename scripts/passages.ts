import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { stemsOf } from '../server/src/areas/memory/words/tokenize.ts'

/** A package of Debian with freely licensed documentation. */
export interface Source {
  package: string
  licence: string
  /** This text must be in the package's copyright file, or the build stops. */
  grant: RegExp
}

export const GPL = /GNU General\s+Public\s+License|^License: GPL|GNU GPL/im

/** Words of a passage: about the length of a judgment. */
const PASSAGE = 60

/** The texts of the files of a package whose paths match, without markup. It is downloaded once into the folder. */
export function textsOf(source: Source, files: RegExp, folder: string): string[] {
  const root = unpacked(source, folder)
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => files.test(file))
  return found.sort().map((file) => {
    const bytes = readFileSync(join(root, file))
    return file.endsWith('.dz') ? gunzipSync(bytes).toString('utf8') : withoutMarkup(bytes.toString('utf8'))
  })
}

function unpacked({ package: name, licence, grant }: Source, folder: string): string {
  const root = join(folder, name)
  const archive = () => readdirSync(folder).find((file) => file.startsWith(`${name}_`))
  if (!archive()) {
    execFileSync('apt-get', ['download', name], { cwd: folder, stdio: 'inherit' })
    execFileSync('dpkg-deb', ['-x', join(folder, archive() ?? ''), root])
  }
  const copyright = readFileSync(join(root, 'usr/share/doc', name, 'copyright'), 'utf8')
  if (!grant.test(copyright)) throw new Error(`${name} does not grant ${licence}.`)
  return root
}

function withoutMarkup(text: string): string {
  return text
    .replace(/<(script|style|pre)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&[a-z#0-9]+;/gi, ' ')
}

/** By stem, the share of passages in which it occurs. */
export function shareOfPassages(pages: string[]): Map<string, number> {
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

/** Lines of `level:stem stem …`: these stems occur in a passage with the probability exp(-level / 20). */
export function levelLines(entries: [string, number][]): string {
  const levels = new Map<number, string[]>()
  for (const [stem, probability] of entries) {
    const level = Math.max(1, Math.round(-20 * Math.log(probability)))
    levels.set(level, [...(levels.get(level) ?? []), stem])
  }
  return [...levels].map(([level, stems]) => `${level}:${stems.sort().join(' ')}`).join('\n')
}
