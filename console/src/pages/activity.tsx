import { type ReactNode, useState } from 'react'
import type { Api } from '../../../client/src/index.ts'
import { useReadPages, useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Action } from '../ui/action.tsx'
import { type Column, DataTable, More } from '../ui/data-table.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FilterForm, SelectField, TextField, useFilters } from '../ui/filters.tsx'
import { OfOrganization } from '../ui/organization.tsx'
import { save } from '../ui/save.ts'
import { Code, Facts, Heading } from '../ui/show.tsx'
import { Empty, Loaded } from '../ui/states.tsx'
import { jsonText, numberText, timeText } from '../ui/text.ts'

type Activity = Awaited<ReturnType<Api['activities']['getActivities']>>['data'][number]
type Verified = Awaited<ReturnType<Api['activities']['verifyActivities']>>['data']

const PAGE_SIZE = 50
const FEATURES = ['comment', 'reaction', 'recorder', 'crdt', 'custom'] as const

/** The activity log of an organization: a time line, its verification and its export. */
export function Page() {
  return (
    <OfOrganization>
      {(organizationId, field) => (
        <>
          <Heading
            title={t.activity.title}
            about={t.activity.about}
            actions={<LogActions organizationId={organizationId} />}
          />
          <ActivityFilters organization={field} />
          <Activities organizationId={organizationId} />
        </>
      )}
    </OfOrganization>
  )
}

function ActivityFilters({ organization }: { organization: ReactNode }) {
  const [{ documentId = '', userId = '', feature = '' }] = useFilters()
  return (
    <FilterForm>
      {organization}
      <TextField label={t.documentId} name="documentId" value={documentId} />
      <TextField label={t.userId} name="userId" value={userId} />
      <SelectField label={t.activity.feature} name="feature" value={feature} options={[...FEATURES]} any={t.all} />
    </FilterForm>
  )
}

function LogActions({ organizationId }: { organizationId: string }) {
  const { api } = useTenant()
  const [verified, setVerified] = useState<Verified>()
  const verify = async () => {
    const { data } = await api.activities.verifyActivities({ organizationId })
    setVerified(data)
    return undefined
  }
  const exportLog = async () => {
    save(
      `activities-${organizationId}.jsonl`,
      await api.activities.exportActivities({ organizationId, format: 'ndjson' }),
      'application/jsonl',
    )
    return t.activity.exported
  }
  return (
    <>
      <Action label={t.activity.verify} needs="look" reads run={verify} />
      <Action label={t.activity.export} needs="review" reads run={exportLog} />
      {verified && (
        <p role="status" className={verified.valid ? 'told good' : 'told bad'}>
          {sentenceOf(verified)}
        </p>
      )}
    </>
  )
}

function sentenceOf({ count, head, firstBreak }: Verified): string {
  if (firstBreak === null) return t.activity.valid(numberText(count), head)
  return t.activity.broken(numberText(firstBreak.position), firstBreak.reason.replaceAll('_', ' '))
}

function Activities({ organizationId }: { organizationId: string }) {
  const [{ documentId, userId, feature }] = useFilters()
  const featureType = FEATURES.find((each) => each === feature)
  const asked = {
    organizationId,
    ...(documentId && { documentId }),
    ...(userId && { userId }),
    ...(featureType && { featureTypes: [featureType] }),
  }
  const query = useReadPages(['activities', asked], async (api, token, options) => {
    const { data, pageToken } = await api.activities.getActivities(
      { ...asked, order: 'desc', pageSize: PAGE_SIZE, ...token },
      options,
    )
    return { rows: data, next: pageToken }
  })
  const [opened, setOpened] = useState<Activity>()
  return (
    <Loaded query={query}>
      {() => (
        <>
          {query.rows.length === 0 ? (
            <Empty what={t.activity.none} next={t.activity.noneNext} />
          ) : (
            <DataTable
              label={t.activity.list}
              columns={COLUMNS}
              rows={query.rows}
              idOf={({ id }) => id}
              open={setOpened}
            />
          )}
          <More query={query} />
          {opened && <Details activity={opened} close={() => setOpened(undefined)} />}
        </>
      )}
    </Loaded>
  )
}

const whoOf = ({ actionUser }: Activity) => actionUser.name || actionUser.userId

const COLUMNS: Column<Activity>[] = [
  { header: t.time, cell: ({ timestamp }) => timeText(timestamp) },
  { header: t.activity.actor, cell: whoOf },
  { header: t.activity.action, cell: ({ actionType }) => actionType },
  { header: t.activity.what, cell: ({ displayMessage }) => <span className="told">{displayMessage ?? t.none}</span> },
]

function Details({ activity, close }: { activity: Activity; close: () => void }) {
  const { actionType, timestamp, changes = {}, id } = activity
  const changed = Object.entries(changes).map(([field, { from, to }]) => ({ field, from, to }))
  return (
    <Dialog title={t.activity.details} close={close} wide>
      <Facts
        facts={[
          [t.time, timeText(timestamp)],
          [t.activity.actor, whoOf(activity)],
          [t.activity.action, actionType],
          ['id', id],
        ]}
      />
      {changed.length > 0 && (
        <>
          <h3>{t.activity.changes}</h3>
          <DataTable label={t.activity.changes} columns={CHANGES} rows={changed} idOf={({ field }) => field} />
        </>
      )}
      <h3>{t.activity.record}</h3>
      <Code label={t.activity.record} value={activity} />
    </Dialog>
  )
}

const shown = (value: unknown) => <span className="told">{value === undefined ? t.none : jsonText(value)}</span>

const CHANGES: Column<{ field: string; from: unknown; to: unknown }>[] = [
  { header: t.activity.field, cell: ({ field }) => field },
  { header: t.activity.before, cell: ({ from }) => shown(from) },
  { header: t.activity.after, cell: ({ to }) => shown(to) },
]
