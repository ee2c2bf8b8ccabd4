import { beforeAll, expect, test } from 'vitest'
import { askAsMachine } from '../../../test/console.ts'
import { type Service, startConfigured } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'

const TOKEN = 'a-token-of-the-operator'

let service: Service

beforeAll(async () => {
  service = await startConfigured({ OPERATOR_TOKEN: TOKEN })
  return () => service.app.http.close()
})

const ask = (path: string, data: object) => askAsMachine(service, `operators/${path}`, data, TOKEN)

async function invited(email: string, role: string): Promise<string> {
  const { body } = await ask('invite', { email, role })
  return (body.result.data as { id: string }).id
}

test('the last operator stays; others can be changed and removed, also where nobody is an operator', async () => {
  await service.database.query(sql`delete from operator`)
  const admin = await invited('admin@example.com', 'admin')
  expect((await ask('update', { id: admin, role: 'viewer' })).status).toBe(200)
  expect((await ask('remove', { id: admin })).status).toBe(200)
  const last = await invited('last@example.com', 'operator')
  expect((await ask('update', { id: last, role: 'admin' })).body.error.status).toBe('FAILED_PRECONDITION')
  expect((await ask('remove', { id: last })).body.error.status).toBe('FAILED_PRECONDITION')
  expect((await ask('update', { id: last, name: 'Last' })).status).toBe(200)
})
