import fc from 'fast-check'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { expect, test } from 'vitest'
import { newSigningSecret } from '../../../platform/id.ts'
import { sign, signedHeaders } from './signature.ts'

test('the test vector of the Standard Webhooks documentation', () => {
  const body = '{"event_type":"ping","data":{"success":true}}'
  const message = { id: 'msg_loFOjxBNrRLzqYUf', timestamp: 1731705121, body }
  expect(sign('whsec_plJ3nmyCDGBKInavdOK15jsl', message)).toBe('v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=')
})

test('every body verifies with each secret of a rotation, and with no other', () => {
  fc.assert(
    fc.property(fc.json(), (body) => {
      const [current, old, foreign] = [newSigningSecret(), newSigningSecret(), newSigningSecret()]
      const message = { id: 'msg_1', timestamp: Math.floor(Date.now() / 1000), body }
      const headers = signedHeaders([current, old], message)
      expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
      for (const secret of [current, old]) {
        new StandardWebhook(secret).verify(body, headers)
        new SvixWebhook(secret).verify(body, headers)
      }
      expect(() => new StandardWebhook(foreign).verify(body, headers)).toThrow()
    }),
    { numRuns: 20 },
  )
})
