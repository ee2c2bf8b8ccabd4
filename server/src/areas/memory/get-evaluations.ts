import { ApiError } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, Type } from '../../platform/schema.ts'
import { Evaluation, readEvaluations } from './evaluation/stored-evaluations.ts'

/** Returns evaluations of the decision memory, the newest first. */
export const getEvaluations = operation({
  path: '/v2/memory/evaluations/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get evaluations of the decision memory',
  input: Type.Object({
    evaluationId: Type.Optional(identifier('From the answer of `memory/evaluate`. Default: all that are kept.')),
  }),
  example: {},
  output: Type.Object({ evaluations: Type.Array(Evaluation) }),
  errors: ['NOT_FOUND'],
  message: '',
  bare: true,
}).run(async ({ db, tenant, input: { evaluationId } }) => {
  const evaluations = await readEvaluations(db, tenant, evaluationId)
  if (evaluationId !== undefined && evaluations.length === 0) {
    throw new ApiError('NOT_FOUND', `There is no evaluation ${evaluationId}.`)
  }
  return { evaluations }
})
