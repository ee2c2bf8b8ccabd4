import { useRead, useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Action } from '../ui/action.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Badge, Code, CopyButton, Facts } from '../ui/show.tsx'
import { Loaded } from '../ui/states.tsx'
import { jsonText, timeText } from '../ui/text.ts'
import { AttemptLog } from './attempt-log.tsx'
import { type Details, TONES } from './delivery.ts'
import { EventName } from './event-types.tsx'

const REFRESH_MS = 3_000

interface DeliveryDetailsProps {
  id: string
  /** Their names by id. */
  endpoints: [id: string, name: string][]
  close: () => void
}

/** One delivery: what is sent, and each attempt with its answer. */
export function DeliveryDetails({ id, endpoints, close }: DeliveryDetailsProps) {
  const { api } = useTenant()
  const read = () => api.webhooks.getDelivery({ deliveryId: id })
  const query = useRead(['delivery', id], read, { refetchInterval: REFRESH_MS })
  const resend = async () => {
    await api.webhooks.resendDelivery({ deliveryId: id })
    return t.deliveries.resent
  }
  return (
    <Dialog title={t.deliveries.one} close={close} wide>
      <Loaded query={query}>
        {({ data }) => <DeliveryFacts delivery={data} endpoint={new Map(endpoints).get(data.endpointId)} />}
      </Loaded>
      <footer>
        <Action needs="develop" label={t.deliveries.resend} run={resend} />
      </footer>
    </Dialog>
  )
}

function DeliveryFacts({ delivery, endpoint }: { delivery: Details; endpoint: string | undefined }) {
  const { id, messageId, endpointId, eventType, status, createdAt, nextAttemptAt, request, attemptLog } = delivery
  return (
    <>
      <Facts
        facts={[
          [
            t.status,
            <Badge key="status" tone={TONES[status]}>
              {t.deliveries.statuses[status]}
            </Badge>,
          ],
          [t.eventType, <EventName key="type" type={eventType} />],
          [t.created, timeText(createdAt)],
          [t.endpoint, endpoint ?? endpointId],
          [t.deliveries.id, id],
          [t.deliveries.messageId, messageId],
          [t.deliveries.url, request.url],
        ]}
      />
      <h3>{t.attempts}</h3>
      <AttemptLog attempts={attemptLog} next={nextAttemptAt} />
      <div className="heading">
        <h3>{t.deliveries.request}</h3>
        <CopyButton text={jsonText(request.payload)} />
      </div>
      <Code label={t.deliveries.request} value={request.payload} />
    </>
  )
}
