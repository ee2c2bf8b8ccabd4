import { beforeEach, describe, expect, test } from 'vitest'
import { newWorkspace, startService, type TestWorkspace } from '../../../test/running-service.ts'
import { sql } from '../../platform/db/db.ts'
import { standardTriggers } from '../workspaces/setting/trigger.ts'

const service = await startService()
let ws: TestWorkspace
beforeEach(async () => {
  ws = await newWorkspace(service)
})

const UPDATE = '/v2/workspace/emailconfig/update'
const get = async () => (await ws.ok('/v2/workspace/emailconfig/get')).data
const update = async (data: object) => (await ws.ok(UPDATE, data)).data

const UNSET = {
  type: 'default',
  apiKey: '',
  fromEmail: '',
  fromCompany: '',
  commentTemplateId: '',
  tagTemplateId: '',
  triggers: {},
}
const SEED = standardTriggers(['comment', 'huddle'])

test('unset config reads back as useEmailService false, type default and empty strings', async () => {
  expect(await get()).toEqual({ useEmailService: false, emailServiceConfig: UNSET })
})

describe('the first enable', () => {
  test.each([
    ['useEmailService: true', { useEmailService: true }],
    ['type: custom', { emailServiceConfig: { type: 'custom' } }],
  ])('by %s seeds type custom, standard comment and all huddle triggers, and switches on', async (_, data) => {
    const seeded = { useEmailService: true, emailServiceConfig: { ...UNSET, type: 'custom', triggers: SEED } }
    expect(await update(data)).toEqual(seeded)
    expect(await get()).toEqual(seeded)
  })

  test('seeds comment types on, suggestion types off, huddle types on', async () => {
    const { triggers } = (await update({ useEmailService: true })).emailServiceConfig
    expect(triggers).toMatchObject({
      'comment_annotation.add': true,
      'comment.reaction_delete': true,
      'comment_annotation.suggestion_accept': false,
      'comment_annotation.suggestion_reject': false,
      'huddle.create': true,
      'huddle.join': true,
    })
    expect(Object.keys(triggers)).not.toContain('crdt.update_data')
  })

  test('merges the values of the same request over the defaults', async () => {
    const triggers = { 'comment.add': false }
    expect(await update({ useEmailService: true, emailServiceConfig: { type: 'sendgrid', triggers } })).toEqual({
      useEmailService: true,
      emailServiceConfig: { ...UNSET, type: 'sendgrid', triggers: { ...SEED, 'comment.add': false } },
    })
  })

  test('keeps the other stored fields', async () => {
    await update({ emailServiceConfig: { fromEmail: 'a@b.co', apiKey: 'SG.1' } })
    const config = (await update({ useEmailService: true })).emailServiceConfig
    expect(config).toEqual({ ...UNSET, type: 'custom', fromEmail: 'a@b.co', apiKey: 'SG.1', triggers: SEED })
  })

  test('seeds nothing where triggers are stored', async () => {
    await update({ emailServiceConfig: { triggers: { 'comment.add': true } } })
    expect(await update({ useEmailService: true })).toEqual({
      useEmailService: true,
      emailServiceConfig: { ...UNSET, triggers: { 'comment.add': true } },
    })
  })

  test('happens once: switching off and on again leaves what was changed since', async () => {
    await update({ useEmailService: true })
    await update({
      useEmailService: false,
      emailServiceConfig: { type: 'default', triggers: { 'comment.add': false } },
    })
    const again = await update({ useEmailService: true })
    expect(again.emailServiceConfig).toEqual({ ...UNSET, triggers: { ...SEED, 'comment.add': false } })
  })
})

describe('an update', () => {
  test('is partial: the answer holds unsent fields as stored', async () => {
    await update({ emailServiceConfig: { apiKey: 'SG.1', fromCompany: 'Acme' } })
    const after = await update({
      emailServiceConfig: { fromEmail: 'a@b.co', commentTemplateId: 'c', tagTemplateId: 't' },
    })
    expect(after).toEqual({
      useEmailService: false,
      emailServiceConfig: {
        ...UNSET,
        apiKey: 'SG.1',
        fromCompany: 'Acme',
        fromEmail: 'a@b.co',
        commentTemplateId: 'c',
        tagTemplateId: 't',
      },
    })
    expect(await get()).toEqual(after)
  })

  test('merges triggers per key', async () => {
    await update({ useEmailService: true })
    const { triggers } = (await update({ emailServiceConfig: { triggers: { 'comment.add': false, added2: true } } }))
      .emailServiceConfig
    expect(triggers).toEqual({ ...SEED, 'comment.add': false, added2: true })
  })

  test('empties a field with an empty string', async () => {
    await update({ emailServiceConfig: { apiKey: 'SG.1', fromEmail: 'a@b.co' } })
    expect((await update({ emailServiceConfig: { apiKey: '', fromEmail: '' } })).emailServiceConfig).toEqual(UNSET)
  })

  test('ignores unknown fields', async () => {
    expect((await update({ emailServiceConfig: { fromCompany: 'Acme', other: 1 } })).emailServiceConfig).toEqual({
      ...UNSET,
      fromCompany: 'Acme',
    })
  })

  test('does not lose what a concurrent one sets', async () => {
    const names = ['commentTemplateId', 'tagTemplateId', 'fromCompany', 'apiKey'] as const
    await Promise.all(names.map((name) => update({ emailServiceConfig: { [name]: name } })))
    for (const name of names) expect((await get()).emailServiceConfig[name]).toBe(name)
  })

  test.each([{}, { other: 1 }])('%j: at least one of both fields is required', async (data) => {
    const { status, body } = await ws.call(UPDATE, data)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({
      status: 'INVALID_ARGUMENT',
      message: 'At least one of useEmailService or emailServiceConfig must be provided',
    })
  })

  test.each([
    ['useEmailService', { useEmailService: 'yes' }],
    ['emailServiceConfig', { emailServiceConfig: [] }],
    ['emailServiceConfig.type', { emailServiceConfig: { type: 'mailgun' } }],
    ['emailServiceConfig.apiKey', { emailServiceConfig: { apiKey: 1 } }],
    ['emailServiceConfig.apiKey', { emailServiceConfig: { apiKey: 'SG.x\ny—' } }],
    ['emailServiceConfig.fromEmail', { emailServiceConfig: { fromEmail: 'not an address' } }],
    ['emailServiceConfig.fromCompany', { emailServiceConfig: { fromCompany: 'a\r\nBcc: b' } }],
    ['emailServiceConfig.triggers', { emailServiceConfig: { triggers: [] } }],
    ['emailServiceConfig.triggers.comment.add', { emailServiceConfig: { triggers: { 'comment.add': 'on' } } }],
  ])('%s must be valid: INVALID_ARGUMENT, nothing changed', async (path, data) => {
    const { status, body } = await ws.call(UPDATE, data)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT', details: { issues: [{ path }] } })
    expect(await get()).toEqual({ useEmailService: false, emailServiceConfig: UNSET })
  })
})

test.each(['default', 'sendgrid', 'custom'])('type can be %s', async (type) => {
  await update({ useEmailService: true })
  expect((await update({ emailServiceConfig: { type } })).emailServiceConfig.type).toBe(type)
})

test("the provider's key is kept encrypted", async () => {
  await update({ emailServiceConfig: { apiKey: 'SG.very-secret' } })
  const rows = await service.database.query(sql`select * from setting where api_key = ${ws.apiKey}`)
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain('SG.very-secret')
})

test('the config of one API key is not that of another', async () => {
  await update({ useEmailService: true })
  ws = await newWorkspace(service)
  expect((await get()).useEmailService).toBe(false)
})
