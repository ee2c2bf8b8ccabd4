import type { ApiKeyTenant } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import { type Context, operation } from '../../platform/operation.ts'
import { email, oneOf, requiredText, type Static, Type } from '../../platform/schema.ts'
import { Domains, domainIssues, insertDomains } from './allowed-domain.ts'
import { apiKeyState, defaultApiKeyName, insertApiKey } from './api-key.ts'
import { updateOptions } from './setting/api-key-options.ts'
import { EmailServiceConfig, emailService } from './setting/email-service.ts'
import { notificationService } from './setting/notification-service.ts'
import { updateService } from './setting/service-config.ts'
import { groupedTriggers, standardTriggers } from './setting/trigger.ts'
import { assertUrlsAllowed, WebhookServiceConfig, webhookService } from './setting/webhook-service.ts'
import { webhookServiceConfigured } from './webhook-service-event.ts'

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

const Input = Type.Object({
  ownerEmail: email('Address of whom the key is for.'),
  type: oneOf(['testing', 'production'], 'The kind of key.'),
  apiKeyName: Type.Optional(requiredText('Default: made from the local part of `ownerEmail`.', 200)),
  createAuthToken: flag('Whether the key gets its auth token at once; default true.'),
  allowedDomains: Type.Optional(Domains),
  addLocalHostToAllowedDomains: flag('Adds `localhost` and `127.0.0.1` to the allowed domains.'),
  requireAutoOrgUser: flag('See the options of the key.'),
  enablePrivateComments: flag('See the options of the key.'),
  useEmailService: flag('Switches emails on.'),
  setDefaultEmailTriggers: flag('Stores the standard email triggers even while emails are off.'),
  emailServiceConfig: Type.Optional(Type.Partial(EmailServiceConfig)),
  useNotificationService: flag('Switches notifications on.'),
  setDefaultNotificationTriggers: flag('Stores the standard notification triggers even while notifications are off.'),
  useWebhookService: flag('Switches basic webhooks on.'),
  webhookServiceConfig: Type.Optional(
    Type.Pick(Type.Partial(WebhookServiceConfig), ['authToken', 'rawNotificationUrl', 'processedNotificationUrl']),
  ),
})

/** Creates an API key with its options and services. Its token is read with `authtokens/get`. */
export const createApiKey = operation({
  path: '/v2/workspace/apikey/create',
  auth: 'workspace',
  access: 'write',
  administers: apiKeyState,
  summary: 'Create an API key',
  description: '`/v2/workspace/authtokens/get` returns its auth token.',
  input: Input,
  example: { ownerEmail: 'ada@example.com', type: 'testing', apiKeyName: 'Staging', createAuthToken: true },
  output: Type.Object({ apiKey: Type.String() }),
  errors: ['PERMISSION_DENIED', 'RESOURCE_EXHAUSTED'],
  message: 'API key created successfully.',
  check: ({ allowedDomains = [] }) => domainIssues(allowedDomains, 'allowedDomains'),
}).run(async (context) => {
  const { db, tenant, input, secrets, config, outbound } = context
  const { ownerEmail, type, apiKeyName: name = defaultApiKeyName(ownerEmail, type) } = input
  if (type === 'production' && config.productionKeys === 'refused') {
    throw new ApiError('PERMISSION_DENIED', 'This server does not let callers create production API keys.')
  }
  assertUrlsAllowed(outbound, input.webhookServiceConfig)
  const withToken = input.createAuthToken ?? true
  const { workspaceId } = tenant
  const apiKey = await insertApiKey(db, secrets, { workspaceId, ownerEmail, name, type, withToken })
  const local = input.addLocalHostToAllowedDomains ? ['localhost', '127.0.0.1'] : []
  await insertDomains(db, apiKey, [...(input.allowedDomains ?? []), ...local])
  await configure(context, { apiKey, workspaceId })
  return { apiKey }
})

type CreateContext = Context<'workspace', 'write', Static<typeof Input>>

/** Stores what the new key was created with; the rest keeps its defaults. */
async function configure(context: CreateContext, tenant: ApiKeyTenant): Promise<void> {
  const { db, input, secrets } = context
  await updateOptions(db, tenant, secrets, {
    ...(input.requireAutoOrgUser !== undefined && { requireAutoOrgUser: input.requireAutoOrgUser }),
    ...(input.enablePrivateComments !== undefined && { isPrivateCommentsEnabled: input.enablePrivateComments }),
  })
  await updateService(context, tenant, emailService, {
    isOn: input.useEmailService,
    config: {
      ...(input.setDefaultEmailTriggers && { triggers: standardTriggers(['comment', 'huddle']) }),
      ...input.emailServiceConfig,
    },
  })
  await updateService(context, tenant, notificationService, {
    isOn: input.useNotificationService,
    config: input.setDefaultNotificationTriggers ? { triggers: groupedTriggers(['comment', 'huddle']) } : {},
  })
  const { useWebhookService, webhookServiceConfig } = input
  if (useWebhookService === undefined && webhookServiceConfig === undefined) return
  const change = { isOn: useWebhookService, config: webhookServiceConfig }
  const { isOn, config } = await updateService(context, tenant, webhookService, change)
  await context.effectsOf(tenant.apiKey).emit(webhookServiceConfigured, [{ isOn, config }])
}
