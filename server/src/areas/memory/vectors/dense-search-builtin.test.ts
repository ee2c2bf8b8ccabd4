import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newWorkspace, type Service, startAlone, type TestWorkspace } from '../../../../test/running-service.ts'
import { NOTHING_FITS } from '../search/fit.ts'

let service: Service
let ws: TestWorkspace
beforeAll(async () => {
  service = await startAlone({ EMBEDDER: 'builtin' })
})
afterAll(async () => {
  await service.app.http.close()
  await service.database.close()
})

const judgment = (recordId: string, content: string, decision = 'approve') => ({
  recordId,
  decision,
  reasoning: `${content}: ${decision}.`,
  content,
  actionUser: { userId: recordId, name: recordId },
})
const MOTORS = [
  'The car dealer offers a truck with a new engine',
  'A driver bought a car from the dealer',
  'The vehicle was repaired at the garage',
]
const add = (contents: string[]) =>
  ws.ok('/v2/memory/judgments/add', { judgments: contents.map((content, i) => judgment(`r${i}`, content)) })
const stats = async () => (await ws.ok('/v2/memory/stats/get')).embedding

describe('with the built-in model', () => {
  beforeAll(async () => {
    ws = await newWorkspace(service)
    await add(MOTORS)
  })

  test('judgments are found by words, without a warning, until they are embedded', async () => {
    expect(await stats()).toMatchObject({ embedded: 0, pending: 3 })
    const { results, warnings } = await ws.ok('/v2/memory/search', { query: 'car dealer', embeddingType: 'content' })
    expect(results[0]).toMatchObject({ recordId: 'r1' })
    expect(warnings).toBeUndefined()
    const { primary } = await ws.ok('/v2/memory/suggest', { query: 'A car dealer sells a car with an engine' })
    expect(primary?.caveats.join(' ')).not.toMatch(/embed/)
  })

  test('a judgment is found by meaning once it is embedded', async () => {
    await service.drainJobs()
    expect(await stats()).toMatchObject({ embedded: 3, pending: 0 })
    const found = await ws.ok('/v2/memory/search', { query: 'automobile purchase', embeddingType: 'content' })
    expect(found.results.map(({ recordId }) => recordId)).toContain('r1')
    expect(found.warnings).toBeUndefined()
  })

  test('words rank; vectors fill the limit, with a warning where nothing is nearer than chance', async () => {
    const find = (query: string) => ws.ok('/v2/memory/search', { query, embeddingType: 'content' })
    const { results, totalInScope, warnings } = await find('repaired garage')
    expect(results[0]).toMatchObject({ recordId: 'r2' })
    expect(results).toHaveLength(totalInScope)
    expect(warnings).toBeUndefined()
    const offTopic = await find('Dewey decimal classification of music')
    expect(offTopic.results).toHaveLength(totalInScope)
    expect(offTopic.warnings).toEqual([NOTHING_FITS])
  })

  test('an item on topic gets a suggestion, an item about something else none', async () => {
    expect(
      (await ws.ok('/v2/memory/suggest', { query: 'A driver repaired the engine of a car' })).primary,
    ).toMatchObject({
      recommendation: 'approve',
    })
    const offTopic = { query: 'Dewey decimal classification of a library of music' }
    expect((await ws.ok('/v2/memory/suggest', offTopic)).primary).toBeNull()
  })
})

test('what shares only parts of words comes behind what is near, and before what is not', async () => {
  ws = await newWorkspace(service)
  await add([...MOTORS, 'Klmtropak zxqwvut', 'Quux'])
  const find = async () => {
    const { results } = await ws.ok('/v2/memory/search', {
      query: 'A vehicle repaired at the garage klmtropa',
      embeddingType: 'content',
    })
    return results.map(({ recordId }) => recordId)
  }
  expect((await find()).at(-1)).toBe('r3')
  await service.drainJobs()
  expect((await find()).slice(-2)).toEqual(['r3', 'r4'])
})

test('judgments in another language have no vectors and are compared by words, without a warning', async () => {
  ws = await newWorkspace(service)
  await add([
    'Die Rechnung des Lieferanten wurde zweimal bezahlt',
    'Der Vertrag nennt den Gerichtsstand und die Haftung',
    'Die Rechnung nennt den Lieferanten und die Haftung',
  ])
  await service.drainJobs()
  expect(await stats()).toMatchObject({ embedded: 3, pending: 0 })
  const { results, warnings } = await ws.ok('/v2/memory/search', {
    query: 'Rechnung des Lieferanten',
    embeddingType: 'content',
  })
  expect(results[0]).toMatchObject({ recordId: 'r0' })
  expect(warnings).toBeUndefined()
  const asked = { query: 'Die Rechnung des Lieferanten nennt die Haftung' }
  expect((await ws.ok('/v2/memory/suggest', asked)).primary).toMatchObject({ recommendation: 'approve' })
})

describe('with contents in another language', () => {
  test('words alone are compared: the vectors of an English model say nothing of them', async () => {
    ws = await newWorkspace(service)
    await add([
      'Il testo della pagina non spiega come il cliente può restituire il prodotto.',
      'Il contrasto del pulsante è troppo basso per chi non vede bene.',
      'La foto non ha un testo alternativo che si possa leggere.',
    ])
    await service.drainJobs()
    const find = (query: string) => ws.ok('/v2/memory/search', { query, embeddingType: 'content' })
    const { results } = await find('contrasto pulsante')
    expect(results[0]).toMatchObject({ recordId: 'r1' })
    expect((await find('zxqv jjkw')).results).toEqual([])
  })

  test('a suggestion embeds no item, as no vector would be compared', async () => {
    const embed = vi.spyOn(service.app.services.denseSearch, 'embed')
    const asked = { query: 'Il contrasto del pulsante della pagina è troppo basso' }
    expect((await ws.ok('/v2/memory/suggest', asked)).primary).toMatchObject({ recommendation: 'approve' })
    expect(embed).not.toHaveBeenCalled()
    embed.mockRestore()
  })
})
