import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { newWorkspace, type Service, startService } from '../../../test/running-service.ts'

const GET = '/v2/workspace/advancedwebhookconfig/get'
const UPDATE = '/v2/workspace/advancedwebhookconfig/update'

let service: Service
beforeAll(async () => {
  service = await startService()
})

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const pkcs1 = publicKey.export({ type: 'pkcs1', format: 'der' }).toString('base64')

const defaults = { isEnabled: false, encryptData: false, encodeData: false, publicKey: '', enableDataProtection: false }

test('reads as disabled with defaults when never configured', async () => {
  const ws = await newWorkspace(service)
  expect((await ws.ok(GET)).data).toEqual(defaults)
})

test('never configured: an update without isEnabled: true is FAILED_PRECONDITION and changes nothing', async () => {
  const ws = await newWorkspace(service)
  for (const data of [{ encodeData: true }, { isEnabled: false }, { publicKey: spki }]) {
    const { status, body } = await ws.call(UPDATE, data)
    expect([status, body.error.status]).toEqual([400, 'FAILED_PRECONDITION'])
    expect(body.error.message).toContain('not configured')
  }
  expect((await ws.ok(GET)).data).toEqual(defaults)
})

test('isEnabled: true enables; the response is the config after the write', async () => {
  const ws = await newWorkspace(service)
  expect((await ws.ok(UPDATE, { isEnabled: true })).data).toEqual({ ...defaults, isEnabled: true })
  expect((await ws.ok(UPDATE, { encodeData: true })).data).toEqual({ ...defaults, isEnabled: true, encodeData: true })
  expect((await ws.ok(UPDATE, { isEnabled: false })).data).toEqual({ ...defaults, encodeData: true })
  expect((await ws.ok(UPDATE, { enableDataProtection: true })).data.enableDataProtection).toBe(true)
  expect((await ws.ok(GET)).data).toEqual({ ...defaults, encodeData: true, enableDataProtection: true })
})

test('none of the five fields is INVALID_ARGUMENT', async () => {
  const ws = await newWorkspace(service)
  for (const data of [{}, { unknown: true }]) {
    const { status, body } = await ws.call(UPDATE, data)
    expect([status, body.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
    expect(body.error.message).toContain('isEnabled, encryptData, encodeData, publicKey or enableDataProtection')
  }
})

test('encryptData needs a usable publicKey: SPKI or PKCS#1', async () => {
  const ws = await newWorkspace(service)
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'der' })
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ type: 'pkcs1', format: 'der' })
  const unusable = [ec, short].map((key) => key.toString('base64'))
  for (const bad of [undefined, '', 'AAAA', 'not base64 at all', ...unusable]) {
    const { body } = await ws.call(UPDATE, { isEnabled: true, encryptData: true, publicKey: bad })
    expect(body.error.details.issues[0].path).toBe('publicKey')
  }
  for (const good of [spki, pkcs1]) {
    const { data } = await ws.ok(UPDATE, { isEnabled: true, encryptData: true, publicKey: good })
    expect(data).toMatchObject({ encryptData: true, publicKey: good })
  }
})

test('encryptData needs a usable publicKey: a private key is refused', async () => {
  const ws = await newWorkspace(service)
  for (const type of ['pkcs8', 'pkcs1'] as const) {
    const secret = privateKey.export({ type, format: 'der' }).toString('base64')
    const { body } = await ws.call(UPDATE, { isEnabled: true, encryptData: true, publicKey: secret })
    expect(body.error.details.issues[0].path).toBe('publicKey')
  }
})
