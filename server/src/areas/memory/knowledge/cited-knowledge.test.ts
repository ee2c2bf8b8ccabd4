import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService, type TestWorkspace } from '../../../../test/running-service.ts'

let service: Service
let ws: TestWorkspace

const SECURITY = `Rule,Applies to,Requirement,Owner
Password length,Employee accounts,At least 14 characters with a passphrase,Security team
Encryption at rest,Databases with personal data,AES-256 with keys rotated yearly,Platform team
Third-party libraries,Production code,No packages under the AGPL licence,Legal team
Open ports,Virtual machines,SSH reachable through the VPN only,Security team
Feature flags,New user interfaces,Removed within 90 days after rollout,Frontend team
`
const CONTENT = `# Content guidelines

- Use the logo only on a white or dark blue background.
- Discounts are stated with their end date and conditions.
- All videos need captions in the language of the audience.
- Headlines must not exceed 70 characters.
`

const OFFICE = `# Delivery

Goods are delivered within ten working days after the order.

# Renewal

Contracts that renew automatically need a notice period of at most 60 days.

# Children

Children under sixteen are not named or shown without the consent of a parent, and never in stories about violence or illness.

# Gifts

Gifts from suppliers above 50 euros are returned.

# Preise

Lieferanten müssen ihre Preise schriftlich nennen und drei Monate einhalten.
`

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  for (const [fileName, mimeType, text] of [
    ['security.csv', 'text/csv', SECURITY],
    ['content.md', 'text/plain', CONTENT],
    ['office.md', 'text/plain', OFFICE],
  ] as const) {
    const file = { base64: Buffer.from(text).toString('base64'), mimeType, fileName, fileSize: Buffer.byteLength(text) }
    await ws.ok('/v2/memory/knowledge/ingest', { source: 'inline', file })
  }
  await service.drainJobs()
}, 120_000)

const cited = async (query: string) =>
  ((await ws.ok('/v2/memory/suggest', { query })).knowledge ?? []).map(({ text }) => text)

test.each([
  ['Feature flag of the new checkout, long after rollout', 'Feature flags'],
  ['SSH of a virtual machine is open to everyone', 'SSH'],
  ['Personal data without encryption: is that allowed here?', 'Encryption at rest'],
  ['Banner with our logo on a bright red background for the spring sale', 'Use the logo only'],
  ['Newsletter: 20 % discount on all plans! Which conditions have to be named?', 'Discounts are stated'],
])('%s: the rule on it is cited alone, whatever its columns are called', async (item, rule) => {
  expect(await cited(item)).toEqual([expect.stringContaining(rule)])
})

test.each([
  ['Ordered five weeks ago and still nothing delivered.', 'Goods are delivered'],
  ['The agreement renews automatically each year unless cancelled 6 months before.', 'Contracts that renew'],
])('%s: the rule on a short item is cited by what its other words mean', async (item, rule) => {
  expect(await cited(item)).toEqual([expect.stringContaining(rule)])
})

test('in a language that the vectors do not know, words alone decide', async () => {
  const item = 'Die Lieferanten wollen Preise für den Strom nicht mehr schriftlich nennen, sondern am Telefon.'
  expect(await cited(item)).toEqual([expect.stringContaining('Lieferanten')])
})

test.each([
  'A cake for 30 euros',
  'Parents and children at the zoo',
  'Which team owns the garden, and what is the requirement for roses?',
  'The rule applies to the owner of a dog',
  'A poem about the sea, the wind and a lost ship',
])('%s: no rule is cited', async (item) => {
  expect(await cited(item)).toEqual([])
})

test('of a rule that two sources have, that of the source which changed last is cited', async () => {
  const other = await newWorkspace(service)
  const rule = '- All videos need captions in the language of the audience.\n'
  for (const [fileName, more] of [
    ['first.md', '- Headlines must not exceed 70 characters.\n'],
    ['second.md', '- Headlines must not exceed 60 characters.\n'],
  ] as const) {
    const bytes = Buffer.from(rule + more)
    const file = { base64: bytes.toString('base64'), mimeType: 'text/plain', fileName, fileSize: bytes.length }
    await other.ok('/v2/memory/knowledge/ingest', { source: 'inline', file })
    await service.drainJobs()
  }
  const { knowledge } = await other.ok('/v2/memory/suggest', { query: 'Videos without captions for the audience' })
  expect(knowledge).toEqual([expect.objectContaining({ fileName: 'second.md' })])
})
