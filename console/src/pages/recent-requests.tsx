import type { Api } from '../../../client/src/index.ts'
import { useReadPages } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { type Column, PagedTable } from '../ui/data-table.tsx'
import { Badge, Panel } from '../ui/show.tsx'
import { Empty } from '../ui/states.tsx'
import { millisecondsText, timeText } from '../ui/text.ts'

type Request = Awaited<ReturnType<Api['workspaces']['listRequests']>>['data'][number]

const PAGE_SIZE = 20
const LIVE_MS = 3_000

/** The last requests of the API key, live. Those that the console itself makes are not among them. */
export function RecentRequests() {
  const query = useReadPages(
    ['requests'],
    async (api, token, options) => {
      const { data, pageToken } = await api.workspaces.listRequests({ pageSize: PAGE_SIZE, ...token }, options)
      return { rows: data, next: pageToken }
    },
    { refetchInterval: LIVE_MS },
  )
  return (
    <Panel title={t.requests.title}>
      <p className="muted">{t.requests.about}</p>
      <PagedTable
        query={query}
        empty={<Empty what={t.requests.none} next={t.requests.noneNext} />}
        label={t.requests.title}
        columns={COLUMNS}
        idOf={({ requestId }) => requestId}
      />
    </Panel>
  )
}

const COLUMNS: Column<Request>[] = [
  { header: t.time, cell: ({ time }) => timeText(time) },
  { header: t.requests.operation, cell: ({ operation }) => operation },
  { header: t.status, cell: ({ status }) => <Badge tone={status < 400 ? 'good' : 'bad'}>{status}</Badge> },
  { header: t.requests.took, isNumber: true, cell: ({ durationMs }) => millisecondsText(durationMs) },
  { header: t.requests.message, cell: ({ message }) => <span className="told">{message ?? t.none}</span> },
  { header: t.requests.id, cell: ({ requestId }) => requestId },
]
