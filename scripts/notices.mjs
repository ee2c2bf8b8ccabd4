import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { placeFile } from './place.mjs'

const repository = fileURLToPath(new URL('..', import.meta.url))

/** Writes the licences of the packages that a build has bundled, by the paths of what it has read. */
export function writeNotices(file, inputs) {
  const folders = inputs.map((path) => /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path)?.[0])
  const notices = [...new Set(folders)].filter(Boolean).sort().map(noticeOf)
  placeFile(file, notices.join(`\n${'-'.repeat(80)}\n`))
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${repository}/${folder}/package.json`, 'utf8'))
  const file = readdirSync(`${repository}/${folder}`).find((each) => /^licen[cs]e/i.test(each))
  const text = file === undefined ? '' : readFileSync(`${repository}/${folder}/${file}`, 'utf8')
  return `${name} ${version} (${license})\n\n${text}`
}
