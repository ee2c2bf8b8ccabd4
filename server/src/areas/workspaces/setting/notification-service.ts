import { REFUSES_NULL, type Static, Type } from '../../../platform/schema.ts'
import type { ServiceKind } from './service-config.ts'
import { groupedTriggers, Triggers } from './trigger.ts'

const Delay = Type.Object(
  {
    isEnabled: Type.Boolean({ description: 'Whether they wait.' }),
    delaySeconds: Type.Integer({ minimum: 10, maximum: 15_552_000, description: 'How long.' }),
  },
  {
    description: 'How long a notification of a comment waits for inbox and email; what is read meanwhile is not sent.',
  },
)

const Batch = Type.Object(
  {
    isEnabled: Type.Boolean({ description: 'Whether they are gathered. Where both kinds are on, they are by user.' }),
    batchWindowSeconds: Type.Integer({
      minimum: 10,
      maximum: 604_800,
      description: 'How long after the first of them all appear.',
    }),
    maxActivities: Type.Integer({ minimum: 2, maximum: 50, description: 'So many appear at once, without waiting.' }),
  },
  {
    description:
      'Notifications of comments gathered, by document or by user: they appear together in the inbox, and are one email.',
  },
)

/** The notification config of an API key. */
export const NotificationServiceConfig = Type.Object({
  triggers: Triggers,
  delayConfig: Delay,
  batchConfig: Type.Object({ document: Batch, user: Batch }),
})

const BatchChange = Type.Partial(Batch, REFUSES_NULL)

/** An update of it: any part, at any depth, but no null. */
export const NotificationServiceChange = Type.Partial(
  Type.Object({
    triggers: Triggers,
    delayConfig: Type.Partial(Delay, REFUSES_NULL),
    batchConfig: Type.Partial(Type.Object({ document: BatchChange, user: BatchChange }), REFUSES_NULL),
  }),
  REFUSES_NULL,
)

const BATCH = { isEnabled: false, batchWindowSeconds: 10, maxActivities: 2 }

/** Notifications in the inbox. */
export const notificationService: ServiceKind<Static<typeof NotificationServiceConfig>> = {
  name: 'notification',
  schema: NotificationServiceConfig,
  defaults: {
    triggers: {},
    delayConfig: { isEnabled: false, delaySeconds: 10 },
    batchConfig: { document: BATCH, user: BATCH },
  },
  secretFields: [],
  seed: () => ({ triggers: groupedTriggers(['comment', 'huddle']) }),
}
