import { type Installation, type Process, type Queue, readInstallation } from '../../door/installation.ts'
import { useRead } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Badge, Bar, Facts, Named, Panel } from '../../ui/show.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { bytesText, durationText, millisecondsText, numberText, timeText } from '../../ui/text.ts'
import { Model } from '../memory/model.tsx'

const REFRESH_MS = 5_000
/** A process beats every ten seconds; one that missed some may be gone. */
const MISSED_MS = 35_000
/** Above these a figure is marked: work that waits, timers that are late, a clock that is off. */
const LATE_MS = 60_000
const SLOW_LOOP_MS = 100
const CLOCK_MS = 10

/** What runs now: processes with their versions and memory, queues with depth and age, database, model, retention. */
export function InstallationPanels() {
  const query = useRead(['installation'], (_api, { signal }) => readInstallation(signal), {
    refetchInterval: REFRESH_MS,
  })
  return (
    <Loaded query={query}>
      {(installation) => (
        <>
          <Processes installation={installation} />
          <Queues queues={installation.queues} />
          <Stored installation={installation} />
        </>
      )}
    </Loaded>
  )
}

function Processes({ installation: { processes, time } }: { installation: Installation }) {
  const columns: Column<Process>[] = [
    { header: t.installation.process, cell: ({ host, pid }) => `${host} (${pid})` },
    { header: t.operator.role, cell: ({ role, sendsMail }) => (sendsMail ? t.installation.withMail(role) : role) },
    {
      header: t.status,
      cell: ({ seenAt }) => <Alive isMissed={time - seenAt > MISSED_MS} ago={time - seenAt} />,
    },
    { header: t.installation.version, cell: ({ version }) => version },
    { header: t.installation.since, cell: ({ startedAt }) => timeText(startedAt) },
    {
      header: t.installation.loop,
      cell: ({ eventLoopDelayMs }) => <Marked ms={eventLoopDelayMs} most={SLOW_LOOP_MS} />,
    },
    {
      header: t.installation.clock,
      cell: ({ clockOffsetMs }) => <Marked ms={clockOffsetMs} most={CLOCK_MS} />,
    },
    { header: t.installation.memory, cell: ({ memoryBytes }) => bytesText(memoryBytes) },
    { header: t.installation.index, cell: ({ index }) => <IndexMemory index={index} /> },
    {
      header: t.installation.connections,
      cell: ({ connections: { inUse, most, waiting } }) => t.installation.connectionsText(inUse, most, waiting),
    },
  ]
  return (
    <Panel title={t.installation.processes}>
      {processes.length === 0 ? (
        <Empty what={t.installation.noProcess} next={t.installation.noProcessNext} />
      ) : (
        <DataTable label={t.installation.processes} columns={columns} rows={processes} idOf={({ id }) => id} />
      )}
    </Panel>
  )
}

const Alive = ({ isMissed, ago }: { isMissed: boolean; ago: number }) => (
  <Badge tone={isMissed ? 'bad' : 'good'}>
    {isMissed ? t.installation.missed(durationText(Math.max(0, ago))) : t.installation.runs}
  </Badge>
)

/** Milliseconds, marked where there are too many. */
const Marked = ({ ms, most }: { ms: number; most: number }) => (
  <span className={Math.abs(ms) > most ? 'bad' : ''}>{millisecondsText(ms)}</span>
)

function IndexMemory({ index: { lexicalBytes, vectorBytes, limitBytes } }: Pick<Process, 'index'>) {
  const used = lexicalBytes + vectorBytes
  return (
    <>
      <Bar label={t.installation.index} share={limitBytes === 0 ? 0 : used / limitBytes} />{' '}
      {t.installation.ofLimit(bytesText(used), bytesText(limitBytes))}
    </>
  )
}

const Queues = ({ queues }: { queues: Queue[] }) => (
  <Panel title={t.installation.queues}>
    <DataTable
      label={t.installation.queues}
      columns={QUEUES}
      rows={queues}
      idOf={({ queue, type = '' }) => `${queue} ${type}`}
    />
  </Panel>
)

/** The service counts no further. */
const MOST_COUNTED = 10_000

const nameOf = ({ queue, type }: Queue) => (type ? `${queue}: ${type}` : queue)

const QUEUES: Column<Queue>[] = [
  {
    header: t.installation.queue,
    cell: (queue) => <Named name={t.installation.queueNames[nameOf(queue)]} raw={nameOf(queue)} />,
  },
  {
    header: t.installation.depth,
    cell: ({ depth }) => numberText(depth) + (depth >= MOST_COUNTED ? t.orMore : ''),
  },
  {
    header: t.installation.oldest,
    cell: ({ oldestAgeMs, oldestAt }) => (
      <span className={oldestAgeMs > LATE_MS ? 'bad' : ''}>
        {/* What is only due later has no age. */}
        {oldestAt === null || oldestAgeMs === 0 ? t.none : durationText(oldestAgeMs)}
      </span>
    ),
  },
]

const Stored = ({ installation: { time, database, retention, embedder } }: { installation: Installation }) => (
  <Panel title={t.installation.stored}>
    <Facts
      facts={[
        [t.installation.database, `${t.installation.kinds[database.kind] ?? database.kind} ${database.version}`],
        [t.installation.size, bytesText(database.bytes)],
        [t.installation.time, timeText(time)],
        [t.installation.webhookDays, t.installation.days(numberText(retention.webhookDays))],
        [t.installation.requestMinutes, t.installation.minutes(numberText(retention.recentRequestMinutes))],
        [t.memory.model, <Model key="model" model={embedder.model} />],
        [t.installation.unembedded, numberText(embedder.unembeddedChanges)],
      ]}
    />
  </Panel>
)
