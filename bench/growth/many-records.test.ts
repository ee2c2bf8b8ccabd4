import { beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/platform/config.ts'
import { createLog } from '../../server/src/platform/log.ts'
import { parseSecretKeys } from '../../server/src/platform/secret.ts'
import { SECRET_KEYS, startAlone } from '../../server/test/running-service.ts'
import { headersOf, newApiKey } from '../subject.ts'
import { explaining } from './explaining.ts'
import { fill } from './fill.ts'
import { MANY } from './many-records.ts'
import { writePrototypes } from './prototype.ts'

const ROWS = 3_000
// To compare each record of a page with each of the organization would be three million.
const FEW = 10_000
// These delete what holds nothing, and need not read what others hold: an organization has few documents and users.
const HOLDS_NOTHING = new Set(['documents that are deleted', 'users who are deleted'])

/** The service on a database with an organization of many records, beside so many small ones of other API keys. */
async function serviceBeside(neighbours: number) {
  const { database, url } = await startAlone()
  const credentials = await newApiKey(url)
  await writePrototypes(url, credentials)
  const like = credentials.apiKey
  const others = Array.from({ length: neighbours }, (_, i) => ({ apiKey: `neighbour-${i}`, rows: 100, like }))
  await fill(database, [{ apiKey: like, rows: ROWS }, ...others])
  const explained = explaining(database)
  const config = readConfig({ SECRET_KEYS, LOG_LEVEL: 'silent' })
  const { http } = createApp({
    config,
    database: explained.database,
    secretKeys: parseSecretKeys(SECRET_KEYS),
    log: createLog(config),
  })
  return { http, headers: headersOf(credentials), take: explained.take }
}

describe.each([
  ['alone in its database', 0],
  ['beside many other API keys', 60],
])('in a large organization %s', (_, neighbours) => {
  let service: Awaited<ReturnType<typeof serviceBeside>>
  beforeAll(async () => {
    service = await serviceBeside(neighbours)
  })

  test.each(Object.keys(MANY))('%s: no record is compared with each other one, nor read in vain', async (what) => {
    const [url, data] = MANY[what] ?? []
    service.take()
    const answer = await service.http.inject({
      method: 'POST',
      url: url ?? '',
      headers: service.headers,
      payload: { data },
    })
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
    const { discarded, rows } = service.take()
    expect(discarded).toBeLessThan(FEW)
    expect(rows).toBeLessThan(HOLDS_NOTHING.has(what) ? ROWS / 2 : FEW)
  })
})
