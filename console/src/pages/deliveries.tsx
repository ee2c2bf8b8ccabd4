import { lazy, Suspense, useMemo } from 'react'
import type { Delivery } from '../../../client/src/index.ts'
import { useRead, useReadPages } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { type Column, DataTable, More } from '../ui/data-table.tsx'
import {
  dateRangeOf,
  FilterForm,
  SelectField,
  TextField,
  TimeField,
  useFilters,
  withChosen,
  withoutEmpty,
} from '../ui/filters.tsx'
import { AsTable, Badge, Facts, Heading, Panel } from '../ui/show.tsx'
import { Empty, Loaded, Loading } from '../ui/states.tsx'
import { numberText, shareText, timeText } from '../ui/text.ts'
import { To } from './browse-links.tsx'
import { HTTP_CLASSES, STATUSES, TONES } from './delivery.ts'
import { DeliveryDetails } from './delivery-details.tsx'
import { REPLAY_MS, ReplayAction, ReplayProgress, TestAction } from './delivery-replay.tsx'
import { EVENT_OPTIONS, EventName } from './event-types.tsx'
import { countOutcomes, outcomesOverTime, type Step, stepsOf } from './outcomes.ts'
import { PlaceFields } from './place-fields.tsx'
import { readEndpoints } from './read-endpoints.ts'
import { shortened } from './threads/comment-text.ts'

const Chart = lazy(async () => ({ default: (await import('../ui/chart.tsx')).Chart }))

const PAGE_SIZE = 100
const REFRESH_MS = 10_000

/** Every delivery of every endpoint, what was sent and answered, and the ways to send again. */
export function Page() {
  const [{ delivery }, change] = useFilters()
  const query = useDeliveries()
  const endpoints = useEndpointNames()
  return (
    <>
      <Heading
        title={t.deliveries.title}
        about={t.deliveries.about}
        actions={
          endpoints.length > 0 && (
            <>
              <TestAction endpoints={endpoints} />
              <ReplayAction endpoints={endpoints} />
            </>
          )
        }
      />
      <DeliveryFilters endpoints={endpoints} />
      <ReplayProgress />
      <Loaded query={query}>{() => <Deliveries query={query} endpoints={endpoints} />}</Loaded>
      {delivery && (
        <DeliveryDetails id={delivery} endpoints={endpoints} close={() => change({ delivery: undefined })} />
      )}
    </>
  )
}

function useDeliveries() {
  const [{ endpointId, status, httpStatus, eventType, eventId, organizationId, documentId, replayed, ...times }] =
    useFilters()
  const filters = withoutEmpty({
    endpointId,
    status: STATUSES.find((each) => each === status),
    httpStatus: HTTP_CLASSES.find((each) => each === httpStatus),
    eventType,
    eventId,
    organizationId,
    documentId,
    dateRange: dateRangeOf(times),
  })
  return useReadPages(
    ['deliveries', filters],
    async (api, token, options) => {
      const { data, pageToken } = await api.webhooks.listDeliveries(
        { pageSize: PAGE_SIZE, ...filters, ...token },
        options,
      )
      return { rows: data, next: pageToken }
    },
    { refetchInterval: replayed ? REPLAY_MS : REFRESH_MS },
  )
}

/** The endpoints by id, with the beginnings of their descriptions, or with their addresses. */
function useEndpointNames(): [id: string, name: string][] {
  const { data = [] } = useRead(['endpoints'], (api, options) => readEndpoints(api, PAGE_SIZE, options))
  return data.map(({ id, url, description }) => [id, shortened(description) || url])
}

function DeliveryFilters({ endpoints }: { endpoints: [string, string][] }) {
  const [filters] = useFilters()
  const { eventType = '' } = filters
  const places: [string, string][] = [...endpoints, ['raw', t.deliveries.raw], ['processed', t.deliveries.processed]]
  const statuses = STATUSES.map((each): [string, string] => [each, t.deliveries.statuses[each]])
  const classes = HTTP_CLASSES.map((each): [string, string] => [each, t.deliveries.classes[each]])
  return (
    <FilterForm>
      <SelectField
        // The names come later than the page.
        key={endpoints.length}
        label={t.endpoint}
        name="endpointId"
        value={filters.endpointId}
        options={withChosen(places, filters.endpointId)}
        any={t.all}
      />
      <SelectField label={t.status} name="status" value={filters.status} options={statuses} any={t.all} />
      <SelectField label={t.lastAnswer} name="httpStatus" value={filters.httpStatus} options={classes} any={t.all} />
      <SelectField
        label={t.eventType}
        name="eventType"
        value={eventType}
        options={withChosen(EVENT_OPTIONS, eventType)}
        any={t.all}
      />
      <TextField label={t.deliveries.messageId} name="eventId" value={filters.eventId} placeholder="msg_…" />
      <PlaceFields organizationId={filters.organizationId} documentId={filters.documentId} />
      <TimeField label={t.from} name="start" value={filters.start} />
      <TimeField label={t.until} name="end" value={filters.end} />
    </FilterForm>
  )
}

const NoEndpoint = () => (
  <>
    {t.deliveries.noEndpoint} <To page="/endpoints" label={t.deliveries.toEndpoints} />
  </>
)

function Deliveries(props: { query: ReturnType<typeof useDeliveries>; endpoints: [string, string][] }) {
  const { query, endpoints } = props
  const { rows } = query
  const [, change] = useFilters()
  const columns = columnsOf(endpoints)
  if (rows.length === 0) {
    return <Empty what={t.deliveries.none} next={endpoints.length > 0 ? t.deliveries.noneNext : <NoEndpoint />} />
  }
  return (
    <>
      <SuccessOverTime rows={rows} />
      <Panel title={t.deliveries.list}>
        <DataTable
          label={t.deliveries.list}
          columns={columns}
          rows={rows}
          idOf={({ id }) => id}
          open={({ id }) => change({ delivery: id })}
        />
        <More query={query} />
      </Panel>
    </>
  )
}

function columnsOf(endpoints: [string, string][]): Column<Delivery>[] {
  const names = new Map(endpoints)
  return [
    { header: t.created, cell: ({ createdAt }) => timeText(createdAt) },
    { header: t.eventType, cell: ({ eventType }) => <EventName type={eventType} /> },
    { header: t.status, cell: ({ status }) => <Badge tone={TONES[status]}>{t.deliveries.statuses[status]}</Badge> },
    { header: t.endpoint, cell: ({ endpointId }) => names.get(endpointId) ?? endpointId },
    { header: t.attempts, isNumber: true, cell: ({ attempts }) => numberText(attempts) },
    { header: t.lastAnswer, cell: ({ lastAttempt }) => lastAttempt?.status ?? lastAttempt?.error ?? t.none },
  ]
}

/** How the deliveries of the list ended, in numbers and over time. */
function SuccessOverTime({ rows }: { rows: Delivery[] }) {
  const over = useMemo(() => outcomesOverTime(rows), [rows])
  const { pending, failing, succeeded, failed, rate } = countOutcomes(rows)
  return (
    <Panel title={t.deliveries.success}>
      <Facts
        facts={[
          [t.deliveries.shown, numberText(rows.length)],
          [t.deliveries.succeeded, numberText(succeeded)],
          [t.deliveries.failed, numberText(failed)],
          [t.deliveries.pending, numberText(pending)],
          [t.deliveries.failing, numberText(failing)],
          [t.deliveries.rate, shareText(rate)],
        ]}
      />
      <Suspense fallback={<Loading />}>
        <Chart
          label={t.deliveries.chart}
          step={over.length}
          x={over.x}
          series={[
            { label: t.deliveries.succeeded, colour: '--good', values: over.succeeded },
            { label: t.deliveries.failing, colour: '--wait', values: over.failing },
            { label: t.deliveries.failed, colour: '--bad', values: over.failed },
          ]}
        />
        <AsTable>
          <DataTable label={t.deliveries.chart} columns={STEPS} rows={stepsOf(over)} idOf={({ x }) => String(x)} />
        </AsTable>
      </Suspense>
    </Panel>
  )
}

const STEPS: Column<Step>[] = [
  { header: t.from, cell: ({ x }) => timeText(x * 1000) },
  { header: t.deliveries.succeeded, isNumber: true, cell: ({ succeeded }) => numberText(succeeded) },
  { header: t.deliveries.failing, isNumber: true, cell: ({ failing }) => numberText(failing) },
  { header: t.deliveries.failed, isNumber: true, cell: ({ failed }) => numberText(failed) },
]
