import type { Services } from '../../platform/context.ts'
import { MailError, type Mailer } from '../../platform/outbound/mail.ts'
import type { Static } from '../../platform/schema.ts'
import type { EmailServiceConfig } from '../workspaces/setting/email-service.ts'
import type { Message } from './compose.ts'
import { sendBySendgrid } from './sendgrid.ts'

/** A mail provider. */
export interface Provider {
  /** The sender's name if the config names no company. */
  senderName: string
  /** Resolves when the provider accepts the message; otherwise throws `MailError`. */
  send(message: Message): Promise<void>
}

const PRODUCT = 'Precedent'

/**
 * Returns the provider of an email config: the operator's mail server, or SendGrid with the customer's key. The type
 * `custom` without a key is the operator's.
 */
export function providerOf(
  config: Static<typeof EmailServiceConfig>,
  services: Services,
  mailer: Mailer | undefined,
): Provider | 'none' {
  const { type, apiKey, fromEmail } = config
  if (type === 'sendgrid' || (type === 'custom' && apiKey !== '')) {
    return {
      senderName: PRODUCT,
      send: async (message) => {
        if (apiKey === '') throw new MailError('emailServiceConfig.apiKey is not set.', true, undefined)
        if (fromEmail === '') throw new MailError('emailServiceConfig.fromEmail is not set.', true, undefined)
        await sendBySendgrid(message, config, services)
      },
    }
  }
  if (!mailer) return 'none'
  return {
    senderName: mailer.senderName ?? PRODUCT,
    send: ({ properties, areAllMentions, ...mail }) => mailer.send({ ...mail, replyTo: fromEmail || undefined }),
  }
}
