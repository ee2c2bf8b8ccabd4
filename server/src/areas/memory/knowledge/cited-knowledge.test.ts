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

beforeAll(async () => {
  service = await startService()
  ws = await newWorkspace(service)
  for (const [fileName, mimeType, text] of [
    ['security.csv', 'text/csv', SECURITY],
    ['content.md', 'text/plain', CONTENT],
  ] as const) {
    const file = { base64: Buffer.from(text).toString('base64'), mimeType, fileName, fileSize: text.length }
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
  'Which team owns the garden, and what is the requirement for roses?',
  'The rule applies to the owner of a dog',
  'A poem about the sea, the wind and a lost ship',
])('%s: no rule is cited', async (item) => {
  expect(await cited(item)).toEqual([])
})
