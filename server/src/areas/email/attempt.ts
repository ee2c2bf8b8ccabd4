import type { Services } from '../../platform/context.ts'
import type { Db } from '../../platform/db/db.ts'
import { MailError, type Mailer } from '../../platform/outbound/mail.ts'
import { emailService } from '../workspaces/setting/email-service.ts'
import { readService } from '../workspaces/setting/service-config.ts'
import type { Claimed, Outcome } from './claim.ts'
import { compose } from './compose.ts'
import { readEmailContent } from './email-content.ts'
import { providerOf } from './provider.ts'

const MINUTE_MS = 60_000
// The waits sum up to more than a day, so an email survives an outage of that length.
const RETRY_AFTER_MS = [1, 5, 15, 60, 240, 480, 960].map((minutes) => minutes * MINUTE_MS)
const MAX_ERROR = 500

/** The error of an email that only the operator's mail server could send. */
export const NO_MAIL_SERVER = 'The service has no mail server: SMTP_URL is not set.'

/** Tries once to send a claimed email, unless nothing is left to report, and returns the outcome. */
export async function attemptEmail(
  db: Db,
  email: Claimed,
  services: Services,
  mailer: Mailer | undefined,
): Promise<Outcome> {
  const { clock, secrets, config, linkSecrets } = services
  const now = clock.now()
  const tenant = { apiKey: email.apiKey, organizationKeys: email.organizationKeys ?? undefined }
  const [service, content] = await Promise.all([
    readService(db, tenant, secrets, emailService),
    readEmailContent(db, tenant, email),
  ])
  if (!service.isOn) return skipped(now, 'The email service is off.')
  if (!content) return skipped(now, 'There is nothing left to tell.')
  const provider = providerOf(service.config, services, mailer)
  if (provider === 'none') return skipped(now, NO_MAIL_SERVER)
  try {
    await provider.send(
      compose(content, {
        links: await linkSecrets(),
        config,
        company: service.config.fromCompany || provider.senderName,
      }),
    )
    return { status: 'sent', dueAt: now, error: null }
  } catch (error) {
    if (error instanceof MailError) return failed(email, services, error)
    throw error
  }
}

const skipped = (now: number, error: string): Outcome => ({ status: 'skipped', dueAt: now, error })

function failed(email: Claimed, { clock, log }: Services, { message, isTemporary }: MailError): Outcome {
  const error = withoutAddresses(message).slice(0, MAX_ERROR)
  const wait = isTemporary ? RETRY_AFTER_MS[email.attempt - 1] : undefined
  const about = { email: email.id, attempt: email.attempt, reason: error }
  const now = clock.now()
  if (wait === undefined) {
    log.error(about, 'an email failed')
    return { status: 'failed', dueAt: now, error }
  }
  log.warn(about, 'an email is tried again')
  return { status: 'waiting', dueAt: now + Math.round(wait * (1 + Math.random() / 5)), error }
}

// Refusals mostly repeat the address of the recipient, which must not be logged.
const withoutAddresses = (text: string) =>
  text.replace(/[^\s<>"'()[\],:;]{1,320}@[^\s<>"'()[\],:;]{1,320}/g, '[address]')
