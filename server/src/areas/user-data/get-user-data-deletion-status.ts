import { empty } from '../../platform/db/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { identifier, nullable, Type } from '../../platform/schema.ts'
import { findDeletion } from './deletion.ts'

/** Returns the progress of a deletion of user data. */
export const getUserDataDeletionStatus = operation({
  path: '/v2/users/data/delete/status',
  twin: '/v1/users/data/delete/status',
  auth: 'apiKey',
  access: 'read',
  summary: "Get the status of a deletion of users' data",
  input: Type.Object({ jobId: identifier('From the answer of users/data/delete.') }),
  example: { jobId: 'the jobId of the deletion' },
  output: Type.Object({
    isDeleteCompleted: Type.Boolean(),
    tasksLeft: Type.Integer(),
    lastTaskCompletedTime: nullable(Type.Integer({ description: 'Epoch milliseconds; null before the first.' })),
  }),
  errors: ['NOT_FOUND'],
  message: 'Data deletion status fetched successfully.',
}).run(async ({ db, tenant, input }) => {
  const deletion = await findDeletion(db, tenant, input.jobId, empty)
  if (!deletion) throw new ApiError('NOT_FOUND', `There is no deletion ${input.jobId}.`)
  const tasksLeft = deletion.taskCount - deletion.tasksDone
  return { isDeleteCompleted: tasksLeft === 0, tasksLeft, lastTaskCompletedTime: deletion.lastTaskCompletedAt }
})
