import { keyOf } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { emailService } from '../workspaces/setting/email-service.ts'
import { readService } from '../workspaces/setting/service-config.ts'
import { compose } from './compose.ts'
import type { EmailKind } from './email-activity.ts'
import { kindInput, sampleContent } from './sample.ts'

const READER = { userId: 'sample-reader', name: 'Grace Hopper', address: 'grace@example.com' }

/** Shows how an email would look, by a thread that nobody wrote. Nothing is sent. */
export const previewEmail = operation({
  path: '/v2/workspace/emails/preview',
  auth: 'apiKey',
  access: 'read',
  summary: 'Preview an email',
  description:
    'Composed as it is for the SMTP server. With SendGrid templates of your own, their look is known to SendGrid alone; ' +
    '`properties` are the values that they get.',
  input: Type.Object({ kind: Type.Optional(kindInput) }),
  example: { kind: 'mention' },
  output: Type.Object({
    fromName: Type.String({ description: 'The name beside the sender.' }),
    subject: Type.String(),
    text: Type.String({ description: 'The body as text.' }),
    html: Type.String({ description: 'The body as HTML, which loads nothing.' }),
    properties: Type.Record(Type.String(), Type.Unknown(), { description: 'The values that a template gets.' }),
  }),
  errors: [],
  message: 'Email preview composed successfully.',
}).run(async ({ db, tenant, input, secrets, config, linkSecrets }) => {
  const { config: emails } = await readService(db, tenant, secrets, emailService)
  const email = { apiKey: tenant.apiKey, id: 'eml_sample', organizationKey: keyOf('sample'), userKey: keyOf('sample') }
  const content = sampleContent({ ...email, to: READER }, input.kind as EmailKind | undefined)
  const company = emails.fromCompany || 'Precedent'
  const {
    fromName = company,
    subject,
    text,
    html,
    properties,
  } = compose(content, {
    links: await linkSecrets(),
    config,
    company,
  })
  return { fromName, subject, text, html, properties }
})
