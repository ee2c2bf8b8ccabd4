import { createHook } from 'node:async_hooks'
import { beforeAll, expect, test } from 'vitest'
import { askConsole, cookieOf } from '../../../../test/console.ts'
import { type Service, startAlone } from '../../../../test/running-service.ts'
import { createOperatorLink } from '../access/link.ts'

let service: Service
beforeAll(async () => {
  service = await startAlone()
})

const password = 'correct horse battery'

/** Sets the password of an operator who came by a link. */
async function setPasswordOf(email: string): Promise<void> {
  const token = await createOperatorLink(service.database, email)
  const link = await askConsole(service, 'session/sign-in', { token })
  await askConsole(service, 'session/set-password', { password }, { cookie: cookieOf(link) })
}

test('no second spelling of an address leads to the account, whose attempts are counted by the first', async () => {
  await setPasswordOf('ivi@example.com')
  const statusOf = async (email: string) =>
    (await askConsole(service, 'session/sign-in', { email, password })).body.error?.status ?? 'signed in'
  expect(await statusOf('IVI@example.com')).toBe('signed in')
  for (const like of ['\u0130vi', '\u0130v\u0130']) {
    expect(await statusOf(`${like}@example.com`)).toBe('UNAUTHENTICATED')
  }
})

test('a password is compared before the transaction of the sign-in, which others would wait for', async () => {
  await setPasswordOf('ada@example.com')
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
