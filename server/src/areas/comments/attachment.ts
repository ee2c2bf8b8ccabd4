import { randomInt } from 'node:crypto'
import { type Static, Type, text } from '../../platform/schema.ts'

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

/** The same as kept: it has an id. */
export const NumberedAttachment = Type.Object({ ...Attachment.properties, attachmentId: Type.Number() })

/** Gives an id to each attachment that was sent without. */
export const numbered = (attachments: Static<typeof Attachment>[]) =>
  attachments.map((attachment) => ({
    ...attachment,
    attachmentId: attachment.attachmentId ?? randomInt(100_000, 1_000_000),
  }))
