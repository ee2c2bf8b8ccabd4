import { operation } from '../../platform/operation.ts'
import { identifier, nullable, oneOf, Type } from '../../platform/schema.ts'
import { requireOrganization } from '../organizations/organization.ts'
import { REASONS, verifyLog } from './log/verify.ts'

const Hash = Type.String({ maxLength: 64, description: 'SHA-256 of the last entry, hexadecimal.' })
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Number of entries.' })

/** Verifies that the activity log of an organization is what was written, or reports the first break. */
export const verifyActivities = operation({
  path: '/v2/activities/verify',
  auth: 'apiKey',
  access: 'read',
  summary: 'Verify the activity log',
  description:
    'Walks the hash chain of the log to its sealed head. Give the count and head of an earlier answer as `anchor` to ' +
    'prove as well that the log only grew since.',
  input: Type.Object({
    organizationId: identifier('Id of the organization.'),
    anchor: Type.Optional(Type.Object({ count: Count, head: Hash }, { description: 'What an earlier answer said.' })),
  }),
  example: { organizationId: 'example' },
  output: Type.Object({
    valid: Type.Boolean(),
    count: Count,
    head: Hash,
    firstBreak: nullable(
      Type.Object({
        id: nullable(Type.String({ description: 'Id of the activity, where the break is about one.' })),
        position: Type.Integer({ description: 'The entry of the log, counted from 1; 0 is the beginning.' }),
        reason: oneOf([...REASONS], 'What is wrong there.'),
      }),
    ),
  }),
  errors: ['NOT_FOUND'],
  message: 'Activity log verified.',
}).run(async ({ db, tenant, input, secrets }) => {
  const { organizationId: id, anchor } = input
  const { key } = await requireOrganization(db, tenant, id)
  const { count, head, firstBreak } = await verifyLog({ db, tenant, secrets }, { key, id }, anchor)
  return { valid: firstBreak === null, count, head, firstBreak }
})
