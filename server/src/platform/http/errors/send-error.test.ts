import fastify from 'fastify'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { DatabaseError, DatabaseUnavailable } from '../../db/db.ts'
import { ApiError } from '../../errors.ts'
import { createErrorSender } from './send-error.ts'

/** A server whose only operation throws, and the lines that it logs. */
function failing() {
  const lines: { level: number; msg: string; failures?: number; requestId: string }[] = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const app = fastify()
  onTestFinished(() => app.close())
  app.decorateRequest('operationName', '')
  const sendError = createErrorSender({ log })
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  let thrown: Error = new Error('none')
  app.get('/', () => Promise.reject(thrown))
  return {
    lines,
    async fail(error: Error) {
      thrown = error
      const { statusCode, headers } = await app.inject('/')
      return { statusCode, retryAfter: headers['retry-after'] }
    },
  }
}

test('while the database does not answer, each request gets UNAVAILABLE and the log one error', async () => {
  const { lines, fail } = failing()
  for (let times = 0; times < 5; times++) {
    expect(await fail(new DatabaseUnavailable('refused'))).toEqual({ statusCode: 503, retryAfter: '1' })
  }
  expect(lines.map(({ level, failures }) => ({ level, failures }))).toEqual([{ level: 50, failures: 1 }])
})

test('each other failure of this side is logged, also during an outage', async () => {
  const { lines, fail } = failing()
  await fail(new DatabaseUnavailable('refused'))
  await fail(new Error('a fault'))
  await fail(new DatabaseError('another', '42P01', undefined))
  const errors = lines.filter(({ level }) => level === 50)
  expect(errors).toHaveLength(3)
  expect(new Set(errors.map(({ requestId }) => requestId)).size).toBe(3)
})

test('a refusal that asks to try again is told below the errors, and one of the caller not at all', async () => {
  const { lines, fail } = failing()
  await fail(new ApiError('UNAVAILABLE', 'Busy.'))
  await fail(new ApiError('NOT_FOUND', 'None.'))
  expect(lines.map(({ level, msg }) => ({ level, msg }))).toEqual([{ level: 30, msg: 'Busy.' }])
})
