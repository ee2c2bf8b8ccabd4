import { randomInt } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Static, Type, text } from '../../../platform/schema.ts'

/** A file attached to a comment. */
export const Attachment = Type.Object(
  {
    attachmentId: Type.Optional(Type.Number({ description: 'Id of the attachment. Default: a new one.' })),
    name: Type.Optional(text('Name of the file.')),
    url: Type.Optional(text('Address of the file.')),
    mimeType: Type.Optional(text('Media type of the file.')),
    type: Type.Optional(text('Kind of the file.')),
    size: Type.Optional(Type.Number({ minimum: 0, description: 'Size in bytes.' })),
  },
  { additionalProperties: true, description: 'Further fields are kept.' },
)

/** An attachment as stored, with its id. */
export const StoredAttachment = Type.Object({ ...Attachment.properties, attachmentId: Type.Number() })

type StoredAttachment = Static<typeof StoredAttachment>

/** Gives an id to each attachment without one: the id of an equal earlier attachment, or a new one. */
export function withAttachmentIds(attachments: Static<typeof Attachment>[], before: StoredAttachment[] = []) {
  const sent = new Set(attachments.map(({ attachmentId }) => attachmentId))
  const free = before.filter(({ attachmentId }) => !sent.has(attachmentId))
  return attachments.map((attachment): StoredAttachment => {
    const index = free.findIndex(({ attachmentId, ...same }) => isDeepStrictEqual(same, attachment))
    const [kept] = index < 0 ? [] : free.splice(index, 1)
    const { attachmentId = kept?.attachmentId ?? randomInt(100_000, 1_000_000) } = attachment
    return { ...attachment, attachmentId }
  })
}
