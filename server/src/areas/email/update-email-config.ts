import { oneGivenIssues } from '../../platform/errors.ts'
import { operation } from '../../platform/operation.ts'
import { REFUSES_NULL, Type } from '../../platform/schema.ts'
import { EmailServiceChange, EmailServiceConfig, emailService } from '../workspaces/setting/email-service.ts'
import { updateService } from '../workspaces/setting/service-config.ts'
import { settingState } from '../workspaces/setting/setting.ts'

/** Updates the fields that are sent and returns the whole config. */
export const updateEmailConfig = operation({
  path: '/v2/workspace/emailconfig/update',
  auth: 'apiKey',
  access: 'write',
  administers: settingState(emailService.name),
  summary: 'Update the email configuration',
  input: Type.Object(
    {
      useEmailService: Type.Optional(Type.Boolean({ description: 'Switches the service on or off.' })),
      emailServiceConfig: Type.Optional(EmailServiceChange),
    },
    REFUSES_NULL,
  ),
  example: { useEmailService: true, emailServiceConfig: { fromEmail: 'reviews@example.com', fromCompany: 'Acme' } },
  output: Type.Object({ useEmailService: Type.Boolean(), emailServiceConfig: EmailServiceConfig }),
  errors: [],
  message: 'Email configuration updated successfully.',
  check: (input) => oneGivenIssues(input, ['useEmailService', 'emailServiceConfig']),
}).run(async (context) => {
  const { useEmailService: isOn, emailServiceConfig: config } = context.input
  const after = await updateService(context, context.tenant, emailService, { isOn, config })
  return { useEmailService: after.isOn, emailServiceConfig: after.config }
})
