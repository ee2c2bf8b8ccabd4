import { ApiError } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { Type, timestamp } from '../../platform/schema.ts'
import { queueEvaluation } from './evaluation/stored-evaluations.ts'

/** Measures in the background how well search and suggestions would have done on the past of the API key. */
export const evaluateMemory = operation({
  path: '/v2/memory/evaluate',
  auth: 'apiKey',
  access: 'write',
  summary: 'Evaluate the decision memory',
  description:
    'Asks about judgments of the past what would have been suggested and found then, by what was known before each. ' +
    '`evaluations/get` returns how far it is, and the report. An API key has one running at a time; the last 20 are kept.',
  input: Type.Object({
    from: Type.Optional(timestamp('The judgments since then are asked about. Default: the last 30 %.')),
  }),
  example: {},
  output: Type.Object({ evaluationId: Type.String() }),
  errors: ['FAILED_PRECONDITION'],
  message: '',
  bare: true,
  successStatus: 202,
  queues: true,
}).run(async ({ db, tenant, input: { from } }) => {
  const evaluationId = await queueEvaluation(db, tenant, from)
  if (evaluationId !== undefined) return { evaluationId }
  throw new ApiError('FAILED_PRECONDITION', 'An evaluation of this API key is not finished yet. Wait for it.')
})
