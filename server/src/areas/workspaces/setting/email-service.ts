import {
  clearedByNull,
  email,
  headerKey,
  oneOf,
  REFUSES_NULL,
  type Static,
  Type,
  text,
} from '../../../platform/schema.ts'
import type { ServiceKind } from './service-config.ts'
import { standardTriggers, Triggers } from './trigger.ts'

/** The email config of an API key. Secrets are returned as they were set. */
export const EmailServiceConfig = Type.Object({
  type: oneOf(
    ['default', 'sendgrid', 'custom'],
    "Who sends: the operator's SMTP server, SendGrid, or SendGrid with templates of your own.",
  ),
  apiKey: headerKey('The key of the mail provider.'),
  fromEmail: Type.Union([Type.Literal(''), email('The sender.')], { description: 'The sender.' }),
  fromCompany: Type.String({ maxLength: 200, format: 'identifier', description: 'The name beside the sender.' }),
  commentTemplateId: text("The provider's template for comments."),
  tagTemplateId: text("The provider's template for mentions."),
  triggers: Triggers,
})

const { apiKey, fromEmail, fromCompany, commentTemplateId, tagTemplateId } = EmailServiceConfig.properties

/** An update of it: null empties a text and is refused elsewhere. */
export const EmailServiceChange = Type.Object(
  {
    ...Type.Partial(EmailServiceConfig).properties,
    apiKey: clearedByNull(apiKey),
    fromEmail: clearedByNull(fromEmail),
    fromCompany: clearedByNull(fromCompany),
    commentTemplateId: clearedByNull(commentTemplateId),
    tagTemplateId: clearedByNull(tagTemplateId),
  },
  REFUSES_NULL,
)

/** Emails about comments. */
export const emailService: ServiceKind<Static<typeof EmailServiceConfig>> = {
  name: 'email',
  schema: EmailServiceConfig,
  defaults: {
    type: 'default',
    apiKey: '',
    fromEmail: '',
    fromCompany: '',
    commentTemplateId: '',
    tagTemplateId: '',
    triggers: {},
  },
  secretFields: ['apiKey'],
  seed: () => ({ type: 'custom', triggers: standardTriggers(['comment', 'huddle']) }),
  alsoEnables: ({ type }) => type === 'custom',
}
