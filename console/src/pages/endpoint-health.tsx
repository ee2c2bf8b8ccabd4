import type { Delivery } from '../../../client/src/index.ts'
import { useRead } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Badge, Facts } from '../ui/show.tsx'
import { Loaded } from '../ui/states.tsx'
import { durationText, numberText, shareText, timeText } from '../ui/text.ts'
import { To } from './browse-links.tsx'
import { isGood } from './delivery.ts'
import { countOutcomes, healthOf } from './outcomes.ts'

const LATEST = 100
const REFRESH_MS = 30_000
const TONES = { sound: 'good', failing: 'bad', untried: 'wait' } as const

/** How the latest deliveries of an endpoint went. */
export function EndpointHealth({ endpointId }: { endpointId: string }) {
  const query = useRead(
    ['health', endpointId],
    (api, options) => api.webhooks.listDeliveries({ endpointId, pageSize: LATEST }, options),
    { refetchInterval: REFRESH_MS },
  )
  return (
    <section>
      <h3>{t.endpoints.health}</h3>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="muted">{t.endpoints.nothingSent}</p>
          ) : (
            <>
              <Outcomes deliveries={data} />
              <To page="/deliveries" search={{ endpointId }} label={t.endpoints.itsDeliveries} />
            </>
          )
        }
      </Loaded>
    </section>
  )
}

function Outcomes({ deliveries }: { deliveries: Delivery[] }) {
  const { pending, rate } = countOutcomes(deliveries)
  const health = healthOf(deliveries)
  const durations = deliveries.flatMap(({ lastAttempt }) => lastAttempt?.durationMs ?? []).sort((a, b) => a - b)
  const median = durations[Math.floor(durations.length / 2)]
  const lastGood = deliveries.find(({ status }) => status === 'succeeded')
  const lastBad = deliveries.find(({ lastAttempt }) => lastAttempt && !isGood(lastAttempt.status))
  return (
    <>
      <Strip deliveries={deliveries} />
      <Facts
        facts={[
          [
            t.status,
            <Badge key="state" tone={TONES[health]}>
              {t.endpoints.healths[health]}
            </Badge>,
          ],
          [t.deliveries.rate, shareText(rate)],
          [t.deliveries.pending, numberText(pending)],
          [t.endpoints.median, median === undefined ? t.none : durationText(median)],
          [t.endpoints.lastGood, timeText(lastGood?.lastAttempt?.sentAt)],
          [t.endpoints.lastBad, lastBad ? whyOf(lastBad) : t.none],
        ]}
      />
    </>
  )
}

const whyOf = ({ lastAttempt }: Delivery) =>
  `${timeText(lastAttempt?.sentAt)}: ${lastAttempt?.status ?? lastAttempt?.error ?? t.none}`

/** A line for each delivery, the oldest first. The facts below say the same in words. */
const Strip = ({ deliveries }: { deliveries: Delivery[] }) => (
  <svg className="strip" viewBox={`0 0 ${LATEST * 4} 16`} preserveAspectRatio="none" aria-hidden="true">
    {deliveries.toReversed().map(({ id, status, lastAttempt }, index) => (
      <rect
        key={id}
        x={index * 4}
        width="3"
        height="16"
        className={status === 'pending' && lastAttempt ? 'failed' : status}
      />
    ))}
  </svg>
)
