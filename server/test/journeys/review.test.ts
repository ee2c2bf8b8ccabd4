import { expect, test } from 'vitest'
import { createClient } from '../../../client/src/index.ts'
import { startEventReceiver } from '../../../demo/event-receiver.ts'
import { runReview } from '../../../demo/review.ts'
import { startAlone } from '../running-service.ts'

test('from nothing to a review thread whose signed events arrive at the receiver, in one go', async () => {
  const operatorToken = 'an-operator-token-of-32-characters'
  const service = await startAlone({ WORKSPACE_CREATE: 'token', OPERATOR_TOKEN: operatorToken })
  const receiver = await startEventReceiver()
  await service.app.worker.start()
  const said: string[] = []
  const review = await runReview({ baseUrl: service.url, operatorToken }, receiver, (line) => said.push(line))
  expect(review.events.map(({ event }) => event).sort()).toEqual([
    'comment.add',
    'comment.add',
    'comment_annotation.add',
  ])
  expect(new Set(review.events.map(({ id }) => id)).size).toBe(3)
  expect(said.join('\n')).not.toContain(review.authToken)
  // As the console shows it.
  const { workspaceId, workspaceAuthToken } = review
  const owner = createClient({ baseUrl: service.url, workspaceId, workspaceAuthToken })
  expect((await owner.workspaces.getApiKeys({})).data.map(({ apiKeyName }) => apiKeyName)).toEqual([
    'Maya Test API Key',
  ])
  await service.app.worker.stop()
  await receiver.close()
})
