import { expect, test } from 'vitest'
import type { Emit } from '../../platform/event.ts'
import { partsOf } from './activity.ts'
import { type ActivityDecision, emitDecisions } from './activity-event.ts'

const organization = { key: '6b86b273-ff34-fce1-9d6b-804eff5a3f57', id: 'acme' }

/** The decisions emitted for a record with these fields. */
async function decisions(fields: object): Promise<ActivityDecision[]> {
  const told: unknown[] = []
  const emit: Emit = Object.assign(async (_: unknown, payloads: unknown[]) => void told.push(...payloads), {
    ahead: async () => {},
  })
  const activity = {
    featureType: 'custom' as const,
    actionType: 'x',
    actionUser: { userId: 'ada' },
    targetEntityId: 't',
  }
  const place = {
    id: 'a',
    documentId: 'plan',
    position: 1,
    timestamp: 7,
    origin: 1,
    replaces: null,
    kind: 'add' as const,
  }
  const commitments = { actor: null, content: null }
  await emitDecisions(emit, organization, [{ ...place, commitments, ...partsOf({ ...activity, ...fields }) }])
  return told as ActivityDecision[]
}

test('a record whose entityData.decision is a string tells of it, with the reasoning', async () => {
  expect(await decisions({ entityData: { decision: 'approve', reasoning: 'fits' } })).toMatchObject([
    {
      organizationId: 'acme',
      documentId: 'plan',
      activityId: 'a',
      timestamp: 7,
      decision: 'approve',
      reasoning: 'fits',
    },
  ])
})

test('so does one whose changes.decision.to is a string', async () => {
  expect(await decisions({ changes: { decision: { from: 'approve', to: 'reject' } } })).toMatchObject([
    { decision: 'reject', reasoning: null, actor: { userId: 'ada' }, record: { actionType: 'x' } },
  ])
})

test.each([{}, { entityData: { decision: 7 } }, { entityData: 'approve' }, { changes: { decision: { to: null } } }])(
  '%j tells of none',
  async (fields) => {
    expect(await decisions(fields)).toEqual([])
  },
)
