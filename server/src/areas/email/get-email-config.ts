import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { EmailServiceConfig, emailService } from '../workspaces/setting/email-service.ts'
import { readService } from '../workspaces/setting/service-config.ts'

/** Returns the email config, with defaults for what was never set. */
export const getEmailConfig = operation({
  path: '/v2/workspace/emailconfig/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get the email configuration',
  input: Type.Object({}),
  example: {},
  output: Type.Object({ useEmailService: Type.Boolean(), emailServiceConfig: EmailServiceConfig }),
  errors: [],
  message: 'Email configuration retrieved successfully.',
}).run(async ({ db, tenant, secrets }) => {
  const { isOn, config } = await readService(db, tenant, secrets, emailService)
  return { useEmailService: isOn, emailServiceConfig: config }
})
