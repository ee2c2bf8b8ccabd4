import { operation } from '../../platform/operation.ts'
import { identifier, nullable, Type } from '../../platform/schema.ts'
import { Profile, readProfile } from './profile/profile.ts'

/** Describes how a reviewer decides, from their own judgments; null for somebody who has not judged. */
export const getProfile = operation({
  path: '/v2/memory/profiles/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get how a reviewer decides',
  description:
    'Computed from the newest 50,000 judgments of the user; nothing of it is stored. Each rate comes with the count that it rests on.',
  input: Type.Object({
    targetUserId: Type.Optional(identifier('Id of the user; without it the result is null.')),
  }),
  example: { targetUserId: 'nadia' },
  output: nullable(Profile),
  errors: [],
  message: '',
  bare: true,
}).run(async ({ db, tenant, input: { targetUserId } }) =>
  targetUserId === undefined ? null : readProfile(db, tenant, targetUserId),
)
