import { t } from '../strings.ts'
import { Badge, Code } from '../ui/show.tsx'
import { Empty } from '../ui/states.tsx'
import { durationText, numberText, timeText } from '../ui/text.ts'
import { type Details, isGood } from './delivery.ts'

type Attempt = Details['attemptLog'][number]

/** The attempts of a delivery on a time line, the first one first, and the next one where there will be one. */
export function AttemptLog({ attempts, next }: { attempts: Attempt[]; next: number | null }) {
  if (attempts.length === 0 && next === null) {
    return <Empty what={t.deliveries.noAttempt} next={t.deliveries.noAttemptNext} />
  }
  return (
    <ol className="timeline">
      {attempts.map((attempt, index) => (
        <li key={attempt.number} className={isGood(attempt.status) ? 'good' : 'bad'}>
          <Line attempt={attempt} before={attempts[index - 1]} />
        </li>
      ))}
      {next !== null && (
        <li className="wait">
          <div>
            <strong>{timeText(next)}</strong> <Badge tone="wait">{t.deliveries.planned}</Badge>
          </div>
          <p className="muted">{t.deliveries.nextHelp}</p>
        </li>
      )}
    </ol>
  )
}

function Line({ attempt, before }: { attempt: Attempt; before: Attempt | undefined }) {
  const { number, sentAt, status, durationMs, error, response, url } = attempt
  return (
    <>
      <div>
        <strong>{`${number}. ${timeText(sentAt)}`}</strong>{' '}
        <Badge tone={isGood(status) ? 'good' : 'bad'}>{status ?? t.deliveries.noAnswer}</Badge> {numberText(durationMs)}{' '}
        ms
        {before && <span className="muted"> · {t.deliveries.after(durationText(sentAt - before.sentAt))}</span>}
        {before && before.url !== url && <p className="told muted">{url}</p>}
      </div>
      {error && <p className="told">{error}</p>}
      {response && <Code label={t.deliveries.responseOf(number)} value={response} />}
    </>
  )
}
