import { useRead, useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Action } from '../ui/action.tsx'
import { Button } from '../ui/button.tsx'
import { SelectField, TimeField, useFilters } from '../ui/filters.tsx'
import { numberText } from '../ui/text.ts'
import { STATUSES } from './delivery.ts'
import { EVENT_OPTIONS, EVENT_TYPES } from './event-types.tsx'

type Endpoints = [id: string, name: string][]

/** Sends a test event to an endpoint and opens its delivery. The endpoint is at first the one that is shown. */
export function TestAction({ endpoints }: { endpoints: Endpoints }) {
  const { api } = useTenant()
  const [shown, change] = useFilters()
  const send = async ({ endpointId = '', eventType = '' }: Record<string, string>) => {
    const chosen = EVENT_TYPES.find((each) => each === eventType)
    const { data } = await api.webhooks.testEndpoint({ endpointId, ...(chosen && { eventType: chosen }) })
    change({ delivery: data.id })
    return t.deliveries.tested
  }
  const fields = (
    <>
      <SelectField label={t.endpoint} name="endpointId" value={shown.endpointId} options={endpoints} />
      <SelectField label={t.eventType} name="eventType" options={EVENT_OPTIONS} any={t.deliveries.firstType} />
    </>
  )
  return <Action needs="develop" label={t.deliveries.test} fields={fields} run={send} />
}

/**
 * Sends again what an endpoint got in a range of time, at first that of the filters. How far that is stands in
 * `replayed` of the address.
 */
export function ReplayAction({ endpoints }: { endpoints: Endpoints }) {
  const { api } = useTenant()
  const [shown, change] = useFilters()
  const replay = async ({ endpointId = '', start = '', end = '', status }: Record<string, string>) => {
    const chosen = STATUSES.find((each) => each === status)
    const dateRange = { start, ...(end && { end }) }
    const { data } = await api.webhooks.replayDeliveries({ endpointId, dateRange, ...(chosen && { status: chosen }) })
    if (data.queued > 0) change({ replayed: `${endpointId} ${data.queued}` })
    return t.deliveries.replayed(data.queued)
  }
  const fields = (
    <>
      <SelectField label={t.endpoint} name="endpointId" value={shown.endpointId} options={endpoints} />
      <TimeField label={t.from} name="start" value={shown.start} required />
      <TimeField label={t.until} name="end" value={shown.end} />
      <SelectField label={t.status} name="status" value={shown.status} options={[...STATUSES]} any={t.all} />
    </>
  )
  return (
    <Action
      needs="develop"
      label={t.deliveries.replay}
      confirm={t.deliveries.replayConfirm}
      fields={fields}
      run={replay}
    />
  )
}

/** How often is read what a replay has come to. */
export const REPLAY_MS = 2_000
/** The API gives no more at once. Where as many wait, there may be others. */
const MOST = 1_000

/** How many of the deliveries that were replayed still wait. */
export function ReplayProgress() {
  const [{ replayed = '' }, change] = useFilters()
  const [endpointId = '', queued = ''] = replayed.split(' ')
  const waiting = useRead(
    ['waiting', endpointId],
    (api, options) => api.webhooks.listDeliveries({ endpointId, status: 'pending', pageSize: MOST }, options),
    { enabled: replayed !== '', refetchInterval: REPLAY_MS },
  )
  if (replayed === '' || waiting.data === undefined) return null
  const total = Number(queued)
  const left = waiting.data.data.length
  const done = Math.max(0, total - left)
  const isKnown = left < MOST
  return (
    <p role="status">
      <progress aria-label={t.deliveries.replay} max={total} value={isKnown ? done : undefined} />{' '}
      {isKnown
        ? t.deliveries.replaying(numberText(done), numberText(total))
        : t.deliveries.manyWait(numberText(MOST), numberText(total))}{' '}
      <Button look="quiet" press={() => change({ replayed: undefined })}>
        {t.close}
      </Button>
    </p>
  )
}
