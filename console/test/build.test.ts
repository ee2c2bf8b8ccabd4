import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const built = fileURLToPath(new URL('../../server/dist/console', import.meta.url))
const KIB = 1024

const files = () => readdirSync(built)
const packed = (file: string) => gzipSync(readFileSync(join(built, file))).length
const index = () => readFileSync(join(built, 'index.html'), 'utf8')
const isLoadedAtOnce = (file: string) => index().includes(`./${file}"`)

test('the first load has at most 150 KiB of scripts and styles, compressed', () => {
  const first = files().filter(isLoadedAtOnce)
  expect(first.some((file) => file.endsWith('.css'))).toBe(true)
  expect(first.map(packed).reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(150 * KIB)
})

test('what is loaded when a page is opened has at most 40 KiB a file, compressed', () => {
  const later = files().filter((file) => file.endsWith('.js') && !isLoadedAtOnce(file))
  expect(later.length).toBeGreaterThan(1)
  expect(later.filter((file) => packed(file) > 40 * KIB)).toEqual([])
})

test('every file but the page carries its hash in its name', () => {
  expect(files().filter((file) => file !== 'index.html' && !/-[A-Z0-9]{8}\.(js|css)$/.test(file))).toEqual([])
})

test('the page holds no script and no style of its own, which the policy would refuse', () => {
  expect(index()).not.toMatch(/<style|style=|<script(?! type="module" src)/)
})
