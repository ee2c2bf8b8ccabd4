import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { repository } from '../architecture/source.ts'
import { newWorkspace, startService, type TestWorkspace } from '../running-service.ts'

const read = (path: string) => readFileSync(join(repository, path), 'utf8')
const pages = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'client/README.md'],
  ...readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
]

/** The anchors of a page, as the usual viewers of Markdown make them of its headings. */
function anchorsOf(path: string): string[] {
  const headings = [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => text)
  return headings.map((text) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  )
}

describe('the documentation', () => {
  test('links only to files and headings that exist', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].flatMap(([, link = '']) => {
        const [path = '', anchor] = link.split('#')
        const target = path === '' ? page : join(dirname(page), path)
        const isThere = existsSync(join(repository, target))
        if (!isThere) return [`${page}: ${link}`]
        return anchor === undefined || anchorsOf(target).includes(anchor) ? [] : [`${page}: ${link}`]
      }),
    )
    expect(broken).toEqual([])
  })

  test('has every page on its first page', () => {
    const index = read('docs/README.md')
    const top = readdirSync(join(repository, 'docs')).filter((file) => file.endsWith('.md') && file !== 'README.md')
    // The measurements lead to their details themselves.
    const missing = top.filter((file) => !/^benchmarks-/.test(file) && !index.includes(`(${file}`))
    expect(missing).toEqual([])
  })

  test('names in the guide to moving only operations that are there', () => {
    const { paths } = JSON.parse(read('docs/openapi.json'))
    const named = [...read('docs/moving.md').matchAll(/`(\/v[12]\/[^`]+)`/g)].map(([, path = '']) => path)
    expect(named.length).toBeGreaterThan(5)
    const isThere = (path: string) =>
      path.endsWith('…') ? Object.keys(paths).some((each) => each.startsWith(path.slice(0, -1))) : path in paths
    expect(named.filter((path) => !isThere(path))).toEqual([])
  })

  test('lists as missing only operations that are not there', () => {
    const { paths } = JSON.parse(read('docs/openapi.json'))
    const [, section = ''] =
      /## Operations of the hosted API that are missing\n([\s\S]*?)(?:\n## |$)/.exec(read('docs/limits.md')) ?? []
    const named = [...section.matchAll(/^\|([^|]+)\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([a-z/*-]+)`/g)].map(([, path = '']) => path.replace('*', '')),
    )
    expect(named.length).toBeGreaterThan(5)
    const there = named.filter((path) => Object.keys(paths).some((each) => each.slice(4).startsWith(path)))
    expect(there).toEqual([])
  })

  test('names only scripts of package.json', () => {
    const { scripts } = JSON.parse(read('package.json'))
    const known = [...Object.keys(scripts), 'ci', 'install', 'pack']
    const unknown = pages.flatMap((page) =>
      [...read(page).matchAll(/\bnpm run (?:-s |--silent )?([\w:-]+)/g)]
        .filter(([, name = '']) => !known.includes(name))
        .map(([text]) => `${page}: ${text}`),
    )
    expect(unknown.filter((each) => !each.startsWith('CHANGELOG'))).toEqual([])
  })
})

describe('the guide to permissions', () => {
  const guide = read('docs/permissions.md')
  let ws: TestWorkspace
  beforeAll(async () => {
    ws = await newWorkspace(await startService())
  })

  test('gives, asks and takes away as it shows', async () => {
    const all = [...guide.matchAll(/`(\/v2\/[^`]+)`[^`]*?(?:`[^`]+`[^`]*?)*:\n\n```json\n([\s\S]*?)```/g)]
    const [provider, ...others] = all.filter(([, path]) => path?.includes('/workspace/'))
    const steps = all.filter(([, path]) => !path?.includes('/workspace/'))
    const check = '/v2/auth/permissions/check'
    expect(steps.map(([, path]) => path)).toEqual([
      '/v2/organizations/documents/add',
      '/v2/organizations/documents/access/update',
      '/v2/auth/permissions/add',
      check,
      '/v2/auth/permissions/remove',
    ])
    const [, shown = ''] = /```json answer\n([\s\S]*?)```/.exec(guide) ?? []
    let asked: unknown
    for (const [, path = '', body = ''] of steps) {
      const { data } = (await ws.ok(path, JSON.parse(body))) as { data: unknown }
      if (path === check) expect(data).toMatchObject(JSON.parse(shown))
      if (path === check) asked = JSON.parse(body)
    }
    const { data } = await ws.ok(check, asked)
    expect(data.map(({ allowed }: { allowed: boolean }) => allowed)).toEqual([false, false, false])
    expect([provider?.[1], ...others]).toEqual(['/v2/workspace/permissionproviderconfig/update'])
    const sent = JSON.parse(provider?.[2] ?? '')
    expect(await ws.ok(provider?.[1] ?? '', sent)).toMatchObject({ data: sent })
  })
})
