import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService } from '../running-service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
  await service.database.script(`
    create function disk_is_full() returns trigger language plpgsql as $$
    begin
      if to_jsonb(new)::text like '%too-much%' then
        raise exception 'could not extend file "base/5/17582": No space left on device' using errcode = 'disk_full';
      end if;
      return new;
    end $$;
    create trigger disk_is_full before insert on document for each row execute function disk_is_full();
    create trigger disk_is_full before insert on workspace for each row execute function disk_is_full()`)
})
afterAll(() => service.database.script('drop function disk_is_full cascade'))

const FULL = { status: 'UNAVAILABLE', message: 'The disk of the database is full; nothing was changed.', code: 503 }

test('while the disk of the database is full, a write is UNAVAILABLE, says why, and changes nothing', async () => {
  const ws = await newWorkspace(service)
  const documents = [{ documentId: 'one' }, { documentId: 'too-much' }]
  const request = { organizationId: 'acme', createOrganization: true, documents }
  const { status, body } = await ws.call('/v2/organizations/documents/add', request)
  expect([status, body.error]).toEqual([503, FULL])
  expect((await ws.ok('/v2/organizations/get', {})).data).toEqual([])
})

test('so is the creation of a workspace', async () => {
  const { status, body } = await service.call('/v2/workspace/create', {
    ownerEmail: `too-much.${randomUUID()}@example.com`,
  })
  expect([status, body.error]).toEqual([503, FULL])
})
