import { useState } from 'react'
import { t } from '../strings.ts'
import { Button } from '../ui/button.tsx'
import { Badge, Code } from '../ui/show.tsx'
import { Empty } from '../ui/states.tsx'
import { durationText, numberText, timeText } from '../ui/text.ts'
import { type Details, isGood } from './delivery.ts'

type Attempt = Details['attemptLog'][number]

/** So many are shown at first: an answer may fill the window. */
const FEW = 5

/** The next attempt of a delivery, where there will be one, and those that were made, the latest first. */
export function AttemptLog({ attempts, next }: { attempts: Attempt[]; next: number | null }) {
  const [wantsAll, setWantsAll] = useState(false)
  if (attempts.length === 0 && next === null) {
    return <Empty what={t.deliveries.noAttempt} next={t.deliveries.noAttemptNext} />
  }
  const latestFirst = attempts.toReversed()
  const shown = wantsAll ? latestFirst : latestFirst.slice(0, FEW)
  const unread = (latestFirst.at(-1)?.number ?? 1) - 1
  return (
    <>
      <ol className="timeline">
        {next !== null && (
          <li className="wait">
            <div>
              <strong>{timeText(next)}</strong> <Badge tone="wait">{t.deliveries.planned}</Badge>
            </div>
            <p className="muted">{t.deliveries.nextHelp}</p>
          </li>
        )}
        {shown.map((attempt, index) => (
          <li key={attempt.number} className={isGood(attempt.status) ? 'good' : 'bad'}>
            <Line attempt={attempt} before={latestFirst[index + 1]} />
          </li>
        ))}
      </ol>
      {shown.length < attempts.length && (
        <Button press={() => setWantsAll(true)}>{t.deliveries.allAttempts(numberText(attempts.length))}</Button>
      )}
      {wantsAll && unread > 0 && <p className="muted">{t.deliveries.before(unread)}</p>}
    </>
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
