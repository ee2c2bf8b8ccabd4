import type { Services } from '../../platform/context.ts'
import { MailError } from '../../platform/outbound/mail.ts'
import { isSuccess, OutboundError } from '../../platform/outbound/outbound.ts'
import type { Static } from '../../platform/schema.ts'
import type { EmailServiceConfig } from '../workspaces/setting/email-service.ts'
import type { Message } from './compose.ts'

const TIMEOUT_MS = 15_000
const MAX_ANSWER_BYTES = 4096

type EmailConfig = Static<typeof EmailServiceConfig>

/** Sends through SendGrid's v3 API (`POST /v3/mail/send`) with the customer's key; throws `MailError`. */
export async function sendBySendgrid(
  message: Message,
  emailConfig: EmailConfig,
  { outbound, config }: Services,
): Promise<void> {
  const { apiKey } = emailConfig
  try {
    const { status, body } = await outbound.request({
      url: `${config.sendgridUrl.replace(/\/$/, '')}/v3/mail/send`,
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'user-agent': 'Precedent' },
      body: JSON.stringify(toRequest(message, emailConfig)),
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_ANSWER_BYTES,
    })
    if (isSuccess(status)) return
    const reason = readable(body).replaceAll(apiKey, '[secret]')
    throw new MailError(`SendGrid answered ${status}${reason && `: ${reason}`}`, isTemporary(status), undefined)
  } catch (error) {
    if (error instanceof OutboundError) {
      const reached = error.failure !== 'refused-address'
      throw new MailError(`SendGrid was not reached: ${error.message}`, reached, error)
    }
    throw error
  }
}

// The customer may correct a key or sender that SendGrid refuses.
const isTemporary = (status: number) => [401, 403, 408, 429].includes(status) || status >= 500

/**
 * The request body; it uses the customer's template for the kind of message, if there is one. The email's id is the
 * same at each attempt, so that one sent twice can be told by it.
 */
function toRequest(message: Message, { fromEmail, commentTemplateId, tagTemplateId }: EmailConfig) {
  const { id, to, fromName, subject, text, html, headers, properties, areAllMentions } = message
  const templateId = areAllMentions ? tagTemplateId : commentTemplateId
  const recipient = { to: [{ email: to.address, name: to.name }], custom_args: { emailId: id } }
  return {
    from: { email: fromEmail, name: fromName },
    subject,
    headers,
    ...(templateId
      ? { template_id: templateId, personalizations: [{ ...recipient, dynamic_template_data: properties }] }
      : {
          personalizations: [recipient],
          content: [
            { type: 'text/plain', value: text },
            { type: 'text/html', value: html },
          ],
        }),
  }
}

/** The error messages of a response, or its text. U+0000 is replaced, because the database cannot store it. */
function readable(body: Buffer): string {
  const text = body.toString('utf8').replaceAll('\0', '\ufffd')
  try {
    const { errors } = JSON.parse(text) as { errors: { message: string }[] }
    return errors.map(({ message }) => message).join('; ')
  } catch {
    return text
  }
}
