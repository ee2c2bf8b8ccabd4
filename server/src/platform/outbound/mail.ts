import { createTransport } from 'nodemailer'
import type { Config } from '../config.ts'

/** One message to one person. */
export interface Mail {
  /** The local part is the same in every attempt, so that duplicates can be recognised. */
  id: string
  /** The name beside the sender's address; default: that of the configured sender. */
  fromName?: string | undefined
  replyTo?: string | undefined
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}

/** The only door for mail: the operator's SMTP server. */
export interface Mailer {
  /** The name of the configured sender; undefined where it is an address alone. */
  readonly senderName: string | undefined
  /** Resolves when the server has accepted the message; throws `MailError` when it has not. */
  send(mail: Mail): Promise<void>
}

/** The server did not accept the message. The error text is safe to log: it never holds credentials. */
export class MailError extends Error {
  override name = 'MailError'
  /** Whether the server may accept the same message later. */
  readonly isTemporary: boolean
  constructor(message: string, isTemporary: boolean, cause: unknown) {
    super(message, { cause })
    this.isTemporary = isTemporary
  }
}

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 }
/** How many messages the mail server gets at a time from this process. */
export const MAX_CONNECTIONS = 16

/** Creates the mailer of `SMTP_URL`; undefined without one. */
export function createMailer({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): Mailer | undefined {
  if (smtpUrl === undefined || mailFrom === undefined) return undefined
  const transport = createTransport({ url: smtpUrl, pool: true, maxConnections: MAX_CONNECTIONS, ...TIMEOUTS })
  const sender = senderOf(mailFrom)
  return {
    senderName: sender.name,
    async send({ id, fromName, to, ...message }) {
      const from = { name: fromName ?? sender.name ?? '', address: sender.address }
      // An object, because a text is parsed as a list of addresses.
      const envelope = { from: sender.address, to: [{ name: '', address: to.address }] }
      const messageId = `<${id}@${sender.address.split('@').at(-1)}>`
      try {
        // The content of a message is never read as a file path or a URL.
        await transport.sendMail({
          ...message,
          from,
          to,
          envelope,
          messageId,
          disableFileAccess: true,
          disableUrlAccess: true,
        })
      } catch (error) {
        throw toMailError(error)
      }
    },
  }
}

/** Connects and signs in to the mail server without sending anything; throws `MailError` where that fails. */
export async function checkMailServer(smtpUrl: string): Promise<void> {
  const transport = createTransport({ url: smtpUrl, ...TIMEOUTS })
  try {
    await transport.verify()
  } catch (error) {
    throw toMailError(error)
  } finally {
    transport.close()
  }
}

function senderOf(mailFrom: string): { name: string | undefined; address: string } {
  const [, name = '', address = mailFrom] = /^([^<]*)<([^>]+)>$/.exec(mailFrom) ?? []
  return { name: name.trim() || undefined, address }
}

interface SmtpFault {
  code?: string
  message?: string
  responseCode?: number
  response?: string
}

/** RFC 5321 §4.2.1: a code 4yz is temporary, a code 5yz permanent. Without a code the server was not reached. */
function toMailError(error: unknown): MailError {
  const { code = 'no code', message = '', responseCode, response } = error as SmtpFault
  // A server may repeat the credentials in its reply. They may be corrected later, so the error counts as temporary.
  if (code === 'EAUTH') {
    return new MailError(`The mail server refused the credentials of SMTP_URL (${responseCode ?? code}).`, true, error)
  }
  if (responseCode !== undefined) {
    return new MailError(`The mail server answered: ${response ?? responseCode}`, responseCode < 500, error)
  }
  const isOfMessage = code === 'EENVELOPE' || code === 'EMESSAGE'
  // The library's own code says less than that of the system, such as ECONNREFUSED.
  const [reason] = /\bE(?:CONN\w+|NOTFOUND|AI_AGAIN|\w+UNREACH|TIMEDOUT|PIPE)\b/.exec(message) ?? [code]
  return new MailError(`The message did not reach the mail server (${reason}).`, !isOfMessage, error)
}
