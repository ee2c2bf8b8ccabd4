import type { Api } from '../../../client/src/index.ts'
import { useRead, useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Action } from '../ui/action.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Badge, Code, Facts } from '../ui/show.tsx'
import { Empty, Loaded } from '../ui/states.tsx'
import { numberText, timeText } from '../ui/text.ts'
import { TONES } from './delivery.ts'

type Details = Awaited<ReturnType<Api['webhooks']['getDelivery']>>['data']

const REFRESH_MS = 3_000

/** One delivery: what is sent, and each attempt with its answer. */
export function DeliveryDetails({ id, close }: { id: string; close: () => void }) {
  const { api } = useTenant()
  const read = () => api.webhooks.getDelivery({ deliveryId: id })
  const query = useRead(['delivery', id], read, { refetchInterval: REFRESH_MS })
  const resend = async () => {
    await api.webhooks.resendDelivery({ deliveryId: id })
    return t.deliveries.resent
  }
  return (
    <Dialog title={t.deliveries.one} close={close} wide>
      <Loaded query={query}>{({ data }) => <DeliveryFacts delivery={data} />}</Loaded>
      <footer>
        <Action label={t.deliveries.resend} run={resend} />
      </footer>
    </Dialog>
  )
}

function DeliveryFacts({ delivery }: { delivery: Details }) {
  const { id, messageId, endpointId, eventType, status, createdAt, nextAttemptAt, request, attemptLog } = delivery
  return (
    <>
      <Facts
        facts={[
          [
            t.status,
            <Badge key="status" tone={TONES[status]}>
              {status}
            </Badge>,
          ],
          [t.eventType, eventType],
          [t.endpoint, endpointId],
          [t.deliveries.id, id],
          [t.deliveries.messageId, messageId],
          [t.created, timeText(createdAt)],
          [t.deliveries.next, timeText(nextAttemptAt)],
          [t.deliveries.url, request.url],
        ]}
      />
      <h3>{t.attempts}</h3>
      {attemptLog.length === 0 && <Empty what={t.deliveries.noAttempt} next={t.deliveries.noAttemptNext} />}
      <ol className="timeline">
        {attemptLog.map((attempt) => (
          <li key={attempt.number}>
            <strong>{`${attempt.number}. ${timeText(attempt.sentAt)}`}</strong>{' '}
            <Badge tone={isGood(attempt.status) ? 'good' : 'bad'}>{attempt.status ?? t.deliveries.noAnswer}</Badge>{' '}
            {numberText(attempt.durationMs)} ms
            {attempt.error && <p className="bad">{attempt.error}</p>}
            {attempt.response && <Code label={t.deliveries.response} value={attempt.response} />}
          </li>
        ))}
      </ol>
      <h3>{t.deliveries.request}</h3>
      <Code label={t.deliveries.request} value={request.payload} />
    </>
  )
}

const isGood = (status: number | null) => status !== null && status >= 200 && status < 300
