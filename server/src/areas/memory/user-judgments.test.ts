import { beforeEach, expect, test } from 'vitest'
import { type Service, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { APPROVED, ada, bob, newPlannedWorkspace, text, threadDecisions } from '../../../test/thread-decisions.ts'
import { keyOf } from '../../platform/id.ts'
import { forgetJudgmentsOfUsers } from './user-judgments.ts'

let service: Service
let ws: TestWorkspace

beforeEach(async () => {
  service = await startService()
  ws = await newPlannedWorkspace(service)
})

const { addThread, judgments, update } = threadDecisions(() => ws)

test('judgments go with the user who made them, and what the user wrote goes from those of others', async () => {
  await addThread('t', [text(bob, 'Fine?'), text(ada, 'Fine!')])
  await update('t', { status: APPROVED })
  await addThread('u', [text(ada, 'Also fine?')])
  await update('u', { status: APPROVED }, { actionUser: bob })
  expect((await ws.ok('/v2/memory/search', { query: 'fine', embeddingType: 'content' })).totalInScope).toBe(2)
  const forget = () =>
    service.database.transaction((db) =>
      forgetJudgmentsOfUsers(db, { apiKey: ws.apiKey, workspaceId: ws.id }, { userKeys: [keyOf('bob')] }, 2),
    )
  while (await forget());
  expect(await judgments()).toMatchObject([{ actionUser: ada, reasoning: 'Fine!' }])
  const byContent = await ws.ok('/v2/memory/search', { query: 'fine', embeddingType: 'content' })
  expect(byContent).toMatchObject({ results: [], totalInScope: 1 })
})
