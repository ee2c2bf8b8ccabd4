import type { Api } from '../../../client/src/index.ts'
import { useReadPages } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { type Column, PagedTable } from '../ui/data-table.tsx'
import { dateRangeOf, FilterForm, SelectField, TimeField, useFilters, withoutEmpty } from '../ui/filters.tsx'
import { PickField } from '../ui/pick-field.tsx'
import { Badge, Heading, Panel } from '../ui/show.tsx'
import { Empty } from '../ui/states.tsx'
import { numberText, timeText } from '../ui/text.ts'
import { ORGANIZATIONS_TO_PICK, peopleToPick } from './choices.ts'
import { EmailPreview } from './email-preview.tsx'
import { EmailSettings } from './settings/email-settings.tsx'

type Email = Awaited<ReturnType<Api['email']['listEmails']>>['data'][number]

const STATUSES = ['pending', 'sent', 'failed', 'skipped'] as const
const TONES = { pending: 'wait', sent: 'good', failed: 'bad', skipped: 'plain' } as const
const PAGE_SIZE = 100
const REFRESH_MS = 10_000
/** While an email waits to be sent. */
const WAITING_MS = 2_000

/** Emails about comments: the provider and its events on request, and the log. */
export function Page() {
  const query = useEmails()
  return (
    <>
      <Heading title={t.email.title} about={t.email.about} />
      <EmailSettings />
      <EmailPreview />
      <Panel title={t.email.log}>
        <LogFilters />
        <PagedTable
          query={query}
          empty={<Empty what={t.email.none} next={t.email.noneNext} />}
          label={t.email.log}
          columns={COLUMNS}
          idOf={({ id }) => id}
        />
      </Panel>
    </>
  )
}

const isWaiting = ({ status }: Email) => status === 'pending'

function useEmails() {
  const [{ status, userId, organizationId, ...times }] = useFilters()
  const filters = withoutEmpty({
    status: STATUSES.find((each) => each === status),
    userId,
    organizationId,
    dateRange: dateRangeOf(times),
  })
  return useReadPages(
    ['emails', filters],
    async (api, pageToken, options) => {
      const { data, pageToken: next } = await api.email.listEmails(
        { pageSize: PAGE_SIZE, ...filters, ...pageToken },
        options,
      )
      return { rows: data, next }
    },
    { refetchInterval: ({ state }) => (state.data?.pages[0]?.rows.some(isWaiting) ? WAITING_MS : REFRESH_MS) },
  )
}

function LogFilters() {
  const [{ status = '', userId = '', organizationId = '', start = '', end = '' }] = useFilters()
  return (
    <FilterForm>
      <SelectField label={t.status} name="status" value={status} options={[...STATUSES]} any={t.all} />
      <PickField label={t.person} name="userId" value={userId} source={peopleToPick('')} />
      <PickField label={t.organization} name="organizationId" value={organizationId} source={ORGANIZATIONS_TO_PICK} />
      <TimeField label={t.from} name="start" value={start} />
      <TimeField label={t.until} name="end" value={end} />
    </FilterForm>
  )
}

const COLUMNS: Column<Email>[] = [
  { header: t.created, cell: ({ createdAt }) => timeText(createdAt) },
  { header: t.status, cell: ({ status }) => <Badge tone={TONES[status]}>{status}</Badge> },
  { header: t.email.userId, cell: ({ userId }) => userId },
  { header: t.organizationId, cell: ({ organizationId }) => organizationId },
  { header: t.email.activities, cell: ({ activities }) => (activities === 0 ? t.email.aTest : numberText(activities)) },
  { header: t.attempts, isNumber: true, cell: ({ attempts }) => numberText(attempts) },
  { header: t.email.next, cell: ({ nextAttemptAt }) => timeText(nextAttemptAt) },
  { header: t.email.settled, cell: ({ settledAt }) => timeText(settledAt) },
  { header: t.email.reason, cell: ({ error }) => error ?? t.none },
]
