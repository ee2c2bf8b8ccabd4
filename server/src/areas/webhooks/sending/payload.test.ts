import { constants, createDecipheriv, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import { expect, test } from 'vitest'
import { toBody } from './payload.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const encoded = (type: 'spki' | 'pkcs1') => publicKey.export({ type, format: 'der' }).toString('base64')
const plain = { encode: false, publicKey: null, protect: false }
const payload = { event: 'comment.add', data: { text: 'Ünïcode 🦉' } }

/** Decrypts as a customer would, with Node's crypto. */
function decrypt(body: string): unknown {
  const { encryptedData, encryptedKey, iv, ...rest } = JSON.parse(body)
  expect(rest).toEqual({})
  const padding = constants.RSA_PKCS1_OAEP_PADDING
  const wrapped = Buffer.from(encryptedKey, 'base64')
  expect(wrapped).toHaveLength(256)
  const key = privateDecrypt({ key: privateKey, padding, oaepHash: 'sha256' }, wrapped)
  const decipher = createDecipheriv('aes-256-cbc', key, Buffer.from(iv, 'base64'))
  const text = Buffer.concat([decipher.update(Buffer.from(encryptedData, 'base64')), decipher.final()])
  return JSON.parse(text.toString('utf8'))
}

const decode = (body: string) => Buffer.from(JSON.parse(body).encodedPayload, 'base64').toString('utf8')

test('without options the payload is sent as it is', () => {
  expect(JSON.parse(toBody(JSON.stringify(payload), plain))).toEqual(payload)
})

test('encodeData: { encodedPayload } in base64', () => {
  const body = toBody(JSON.stringify(payload), { ...plain, encode: true })
  expect(Object.keys(JSON.parse(body))).toEqual(['encodedPayload'])
  expect(JSON.parse(decode(body))).toEqual(payload)
})

test.each(['spki', 'pkcs1'] as const)('encryptData: opened with the private key of a %s public key', (type) => {
  const options = { ...plain, publicKey: encoded(type) }
  expect(decrypt(toBody(JSON.stringify(payload), options))).toEqual(payload)
  expect(toBody(JSON.stringify(payload), options)).not.toBe(toBody(JSON.stringify(payload), options))
})

test('both: encrypted, then encoded', () => {
  expect(
    decrypt(decode(toBody(JSON.stringify(payload), { encode: true, publicKey: encoded('spki'), protect: false }))),
  ).toEqual(payload)
})

test('enableDataProtection removes people, texts and files, and keeps the rest', () => {
  const user = { userId: 'u1', name: 'Maya', email: 'maya@example.com' }
  const comment = {
    commentId: 7,
    commentText: 'secret',
    commentHtml: '<b>secret</b>',
    from: user,
    attachments: [{ attachmentId: 1, name: 'plan.pdf', url: 'https://files.example/plan.pdf', size: 10 }],
    taggedUserContacts: [{ userId: 'u2', contact: { ...user, userId: 'u2' } }],
  }
  const data = {
    actionUser: user,
    commentAnnotation: { annotationId: 'a', comments: [comment], status: { name: 'Open' } },
  }
  const body = toBody(JSON.stringify({ event: 'comment.add', data, from: user }), { ...plain, protect: true })
  expect(JSON.parse(body)).toEqual({
    event: 'comment.add',
    from: { userId: 'u1' },
    data: {
      actionUser: { userId: 'u1' },
      commentAnnotation: {
        annotationId: 'a',
        status: { name: 'Open' },
        comments: [
          {
            commentId: 7,
            from: { userId: 'u1' },
            attachments: [{ attachmentId: 1, size: 10 }],
            taggedUserContacts: [{ userId: 'u2', contact: { userId: 'u2' } }],
          },
        ],
      },
    },
  })
})

const protectedBody = (payload: Record<string, unknown>) =>
  JSON.parse(toBody(JSON.stringify(payload), { ...plain, protect: true }))

test('enableDataProtection removes the text that stands for a mentioned user', () => {
  const contact = { userId: 'u2', name: 'Jane Doe', initial: 'JD', color: '#f00' }
  const toOrganizationUserGroup = [
    { text: '@Jane’s team', groupId: 'g', clientGroupId: 'g', group: { users: ['Jane'] } },
  ]
  expect(
    protectedBody({ taggedUserContacts: [{ userId: 'u2', text: '@Jane Doe', contact }], toOrganizationUserGroup }),
  ).toEqual({
    taggedUserContacts: [{ userId: 'u2', contact: { userId: 'u2' } }],
    toOrganizationUserGroup: [{ groupId: 'g', clientGroupId: 'g' }],
  })
})

test('enableDataProtection removes the words that a thread points at', () => {
  const place = { elementId: 'intro', occurrence: 1, selectAllContent: false }
  expect(protectedBody({ targetElement: { ...place, targetText: 'said', surroundings: ['said'] } })).toEqual({
    targetElement: place,
  })
})

test('enableDataProtection removes texts of suggestions, agents and custom data', () => {
  const proposed = { summary: 'said', oldValue: 'said', newValue: { said: 1 }, rejectReason: 'said', note: 'said' }
  const suggestion = { targetId: 't', targetType: 'cell', status: 'rejected', driftDetected: false, resolvedAt: 5 }
  const reason = { title: 'said', description: 'said', severity: 'high', findingId: 'F' }
  const agent = { agentId: 'a', agentType: 'custom', executionId: 'e', url: 'https://app.example/plan' }
  const data = {
    commentAnnotation: {
      suggestion: { ...suggestion, ...proposed, resolvedBy: { userId: 'u1', fullName: 'Maya' } },
      agent: { ...agent, agentName: 'said', instructions: 'said', reason },
      context: { access: { team: 'said' }, note: 'said' },
      customList: [{ id: 'l1', label: 'said' }],
      comments: [{ commentId: 1, context: { note: 'said' }, agent: { ...agent, agentName: 'said', reason } }],
    },
  }
  const shown = { ...agent, reason: { severity: 'high', findingId: 'F' } }
  const commentAnnotation = {
    suggestion: { ...suggestion, resolvedBy: { userId: 'u1' } },
    agent: shown,
    customList: [{ id: 'l1' }],
    comments: [{ commentId: 1, agent: shown }],
  }
  expect(protectedBody({ reason: 'gone', data })).toEqual({ reason: 'gone', data: { commentAnnotation } })
})

test('enableDataProtection removes transcriptions, and everything that identifies a recording or a file', () => {
  const file = {
    name: 'a',
    url: 'https://f.example/a',
    thumbnailUrl: 'https://f.example/t',
    displayName: 'Jane',
    caption: 'said',
    lines: [['said']],
    size: 3,
  }
  const recorder = {
    ...file,
    id: 'r1',
    transcript: 'said',
    transcription: { text: 'said' },
    attachment: file,
    versions: [{ ...file }],
  }
  const from = { userId: 'u1', name: 'Maya' }
  const data = {
    commentVoiceUrl: 'https://f.example/voice',
    transcription: { transcriptedText: 'said', vttFileUrl: 'https://f.example/vtt' },
    recorders: [{ ...recorder, from }],
    attachments: [{ ...file, metadata: { alt: 'said', width: 5 } }],
    assets: [{ version: 1, url: 'https://f.example/a', fileName: 'a.mp4', mimeType: 'video/mp4', fileFormat: 'mp4' }],
  }
  expect(protectedBody(data)).toEqual({
    recorders: [{ id: 'r1', size: 3, attachment: { size: 3 }, versions: [{ size: 3 }], from: { userId: 'u1' } }],
    attachments: [{ size: 3, metadata: { width: 5 } }],
    assets: [{ version: 1, mimeType: 'video/mp4', fileFormat: 'mp4' }],
  })
})

test.each(['name', 'displayName', 'email', 'initial', 'photoUrl', 'iconUrl', 'color'])(
  'enableDataProtection reduces a user of whom nothing is known but the %s',
  (field) => {
    const body = protectedBody({
      commentTextFrom: { userId: 'u1', [field]: 'x' },
      to: [{ userId: 'u2', [field]: 'x' }],
    })
    expect(body).toEqual({ commentTextFrom: { userId: 'u1' }, to: [{ userId: 'u2' }] })
  },
)

test('enableDataProtection keeps the names of documents and the page of a thread', () => {
  const kept = {
    metadata: { documentId: 'd', documentName: 'Plan', documentMetadata: { area: 'Sales' } },
    pageInfo: { url: 'https://app.example/plan', title: 'Plan' },
    reaction: { id: 'x', icon: '👍' },
  }
  expect(protectedBody(kept)).toEqual(kept)
})

test('enableDataProtection removes the devices of users', () => {
  const deviceInfo = { userAgent: 'Mozilla/5.0', osName: 'Linux' }
  expect(protectedBody({ pageInfo: { title: 'Plan', deviceInfo }, deviceInfo })).toEqual({
    pageInfo: { title: 'Plan' },
  })
})
