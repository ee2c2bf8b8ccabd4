import { type PublicPayload, publicEvent } from '../../../platform/event.ts'
import { TRIGGER_TYPES } from '../../workspaces/setting/trigger.ts'

/** An endpoint was disabled: by a call, or by the service because its deliveries failed. */
export const endpointDisabled = publicEvent<PublicPayload>('endpoint.disabled')

/** The last retry of a message has failed. */
export const messageAttemptExhausted = publicEvent<PublicPayload>('message.attempt.exhausted')

/** The types of operational events, which report on deliveries. They never cause further operational events. */
export const OPERATIONAL_TYPES: string[] = [endpointDisabled.type, messageAttemptExhausted.type]

const APPROVAL_TYPES = [
  'execution.dispatched',
  'execution.completed',
  'execution.failed',
  'execution.cancelled',
  'step.awaiting-approval',
  'step.completed',
  'step.failed',
  'step.breached',
  'step.cancelled',
  'group.quorum-met',
  'loop.iteration-started',
  'loop.exhausted',
]

/** Every event type that an endpoint can list in `filterTypes`. */
export const EVENT_TYPES: string[] = [...TRIGGER_TYPES, ...APPROVAL_TYPES, ...OPERATIONAL_TYPES]
