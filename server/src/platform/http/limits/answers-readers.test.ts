import { expect, test } from 'vitest'
import { newWorkspace, startService } from '../../../../test/running-service.ts'

test('readers that leave before their large answers come take nothing from those that stay', async () => {
  const service = await startService()
  const ws = await newWorkspace(service)
  const place = { organizationId: 'acme', documentId: 'plan' }
  const commentData = [{ from: { userId: 'ada' }, commentText: 'x'.repeat(200_000) }]
  await ws.ok('/v2/commentannotations/add', {
    ...place,
    createOrganization: true,
    createDocument: true,
    commentAnnotations: Array.from({ length: 20 }, (_, n) => ({ annotationId: `t${n}`, commentData })),
  })
  const leave = () =>
    fetch(`${service.url}/v2/commentannotations/get`, {
      method: 'POST',
      headers: { ...ws.keyHeaders, 'content-type': 'application/json' },
      body: JSON.stringify({ data: place }),
      signal: AbortSignal.timeout(5),
    }).then(
      () => {},
      () => {},
    )
  // Each answer is of 4 MB, and an API key may hold 32.
  for (let round = 0; round < 6; round++) await Promise.all(Array.from({ length: 8 }, leave))
  expect((await ws.call('/v2/commentannotations/get', place)).status).toBe(200)
}, 60_000)
