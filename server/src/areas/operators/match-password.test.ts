import { createHook } from 'node:async_hooks'
import { beforeAll, expect, test } from 'vitest'
import { askConsole, cookieOf } from '../../../test/console.ts'
import { type Service, startAlone } from '../../../test/running-service.ts'
import { createOperatorLink } from './link.ts'

let service: Service
beforeAll(async () => {
  service = await startAlone()
})

test('a password is compared before the transaction of the sign-in, which others would wait for', async () => {
  const link = await askConsole(service, 'session/sign-in', {
    token: await createOperatorLink(service.database, 'ada@example.com'),
  })
  const password = 'correct horse battery'
  await askConsole(service, 'session/set-password', { password }, { cookie: cookieOf(link) })

  const { transaction } = service.database
  let open = 0
  const seen: number[] = []
  service.database.transaction = (work) => {
    open += 1
    return transaction.call(service.database, work).finally(() => {
      open -= 1
    }) as ReturnType<typeof work>
  }
  const watch = createHook({
    init: (_, type) => {
      if (type === 'SCRYPTREQUEST') seen.push(open)
    },
  }).enable()
  const answer = await askConsole(service, 'session/sign-in', { email: 'ada@example.com', password })
  watch.disable()
  service.database.transaction = transaction
  expect(answer.status).toBe(200)
  expect(seen).toEqual([0])
})
