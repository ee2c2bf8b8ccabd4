import { type ReactNode, useState } from 'react'
import type { Activity, Api } from '../../../client/src/index.ts'
import { useRead, useReadPages, useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Action } from '../ui/action.tsx'
import { More } from '../ui/data-table.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Diff } from '../ui/diff.tsx'
import { dateRangeOf, FilterForm, SelectField, TimeField, useFilters, withoutEmpty } from '../ui/filters.tsx'
import { grouped } from '../ui/grouped.ts'
import { type Held, OfOrganization } from '../ui/organization.tsx'
import { PickField } from '../ui/pick-field.tsx'
import { save } from '../ui/save.ts'
import { Code, Facts, Heading } from '../ui/show.tsx'
import { Empty, Loaded } from '../ui/states.tsx'
import { numberText, sentenceText, timeText } from '../ui/text.ts'
import { briefChange } from './brief-change.ts'
import { ToThread } from './browse-links.tsx'
import { peopleToPick } from './choices.ts'
import { FormatField, formatOf } from './export-format.tsx'
import { type NameOf, useDocumentNames } from './names.ts'
import { DocumentField } from './place-fields.tsx'
import { shortened, textIn } from './threads/comment-text.ts'

type Verified = Awaited<ReturnType<Api['activities']['verifyActivities']>>['data']

const PAGE_SIZE = 50
const FEATURES = ['comment', 'reaction', 'recorder', 'crdt', 'custom'] as const

/** The activity log of an organization: a time line, its verification and its export. */
export function Page() {
  return (
    <>
      <Heading title={t.activity.title} about={t.activity.about} />
      <OfOrganization>
        {(organizationId, field, held) => (
          <>
            <div className="actions">
              <LogActions key={organizationId} organizationId={organizationId} />
            </div>
            <ActivityFilters organization={field} held={held} />
            <Activities key={organizationId} organizationId={organizationId} />
          </>
        )}
      </OfOrganization>
    </>
  )
}

function ActivityFilters({ organization, held }: { organization: ReactNode; held: Held }) {
  const [{ userId = '', feature = '' }] = useFilters()
  const kinds = FEATURES.map((each): [string, string] => [each, t.activity.features[each]])
  return (
    <FilterForm>
      {organization}
      <DocumentField held={held} />
      <PickField label={t.person} name="userId" value={userId} source={peopleToPick(held.id)} />
      <SelectField label={t.activity.feature} name="feature" value={feature} options={kinds} any={t.all} />
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
  const exportLog = async (values: Record<string, string>) => {
    const { format, ending, type } = formatOf(values)
    const asked = { organizationId, format, ...withoutEmpty({ dateRange: dateRangeOf(values) }) }
    save(`activities-${organizationId}.${ending}`, await api.activities.exportActivities(asked), type)
    return t.activity.exported
  }
  const fields = (
    <>
      <FormatField />
      <TimeField label={t.from} name="start" />
      <TimeField label={t.until} name="end" />
    </>
  )
  return (
    <>
      <Action label={t.activity.verify} needs="look" reads run={verify} />
      <Action label={t.activity.export} needs="review" reads fields={fields} run={exportLog} />
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
    ...withoutEmpty({ documentId, userId, featureTypes: featureType && [featureType] }),
  }
  const query = useReadPages(['activities', asked], async (api, token, options) => {
    const { data, pageToken } = await api.activities.getActivities(
      { ...asked, order: 'desc', pageSize: PAGE_SIZE, ...token },
      options,
    )
    return { rows: data, next: pageToken }
  })
  const [{ activity: opened }, change] = useFilters()
  const nameOf = useDocumentNames(
    organizationId,
    query.rows.flatMap(({ metadata }) => metadata.documentId ?? []),
  )
  return (
    <Loaded query={query}>
      {() => (
        <>
          {query.rows.length === 0 ? (
            <Empty what={t.activity.none} next={t.activity.noneNext} />
          ) : (
            <TimeLine rows={query.rows} nameOf={nameOf} open={(id) => change({ activity: id })} />
          )}
          <More query={query} />
          {opened && (
            <Details id={opened} organizationId={organizationId} close={() => change({ activity: undefined })} />
          )}
        </>
      )}
    </Loaded>
  )
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' })
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })

/** The activities by day, the newest first. */
function TimeLine({ rows, nameOf, open }: { rows: Activity[]; nameOf: NameOf; open: (id: string) => void }) {
  const days = grouped(rows, ({ timestamp }) => DAY.format(timestamp))
  return (
    <section aria-label={t.activity.list} className="panel">
      {days.map(([day, activities]) => (
        <section key={day}>
          <h2>{day}</h2>
          <ol className="timeline">
            {activities.map((activity) => (
              <Entry key={activity.id} activity={activity} nameOf={nameOf} open={() => open(activity.id)} />
            ))}
          </ol>
        </section>
      ))}
    </section>
  )
}

/** The kinds whose target is a thread. */
const OF_THREADS = ['comment', 'reaction']

/** Longer texts stand in the details. */
const TEXT_LENGTH = 200

function Entry({ activity, nameOf, open }: { activity: Activity; nameOf: NameOf; open: () => void }) {
  const { timestamp, actionType, featureType, targetEntityId, displayMessage, entityData, metadata } = activity
  const { organizationId } = metadata
  const text = shortened(textIn(entityData), TEXT_LENGTH)
  return (
    <li>
      <div>
        <span className="muted">{CLOCK.format(timestamp)}</span>{' '}
        <button type="button" className="link" onClick={open}>
          {sentenceText(displayMessage || `${whoOf(activity)} ${actionType}`)}
        </button>{' '}
        <span className="muted">{metadata.documentId && nameOf(metadata.documentId)}</span>{' '}
        {OF_THREADS.includes(featureType) && organizationId && targetEntityId && (
          <ToThread organizationId={organizationId} thread={targetEntityId} />
        )}
      </div>
      {text && <p className="told muted">{text}</p>}
      <Changes activity={activity} />
    </li>
  )
}

const whoOf = ({ actionUser }: Activity) => actionUser.name || actionUser.userId

/** The fields that an activity changed, each with what it was and is. The record of the details holds all of it. */
function Changes({ activity: { changes = {} } }: { activity: Activity }) {
  const changed = Object.entries(changes).map(([field, change]) => [field, briefChange(change)] as const)
  if (changed.length === 0) return null
  return (
    <dl className="changes">
      {changed.map(([field, { from, to }]) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            <Diff before={from} after={to} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** One activity by its id, which an address may hold though the list does not. */
function Details({ id, organizationId, close }: { id: string; organizationId: string; close: () => void }) {
  const query = useRead(['activity', organizationId, id], async (api, options) => {
    const { data } = await api.activities.getActivities({ organizationId, activityIds: [id] }, options)
    return { activity: data[0] }
  })
  return (
    <Dialog title={t.activity.details} close={close} wide>
      <Loaded query={query}>
        {({ activity }) =>
          activity ? (
            <>
              <Facts
                facts={[
                  [t.time, timeText(activity.timestamp)],
                  [t.activity.actor, whoOf(activity)],
                  [t.activity.action, activity.actionType],
                  [t.activity.id, id],
                ]}
              />
              {activity.changes && <h3>{t.activity.changes}</h3>}
              <Changes activity={activity} />
              <h3>{t.activity.record}</h3>
              <Code label={t.activity.record} value={activity} />
            </>
          ) : (
            <Empty what={t.activity.unknown} next={t.activity.unknownNext} />
          )
        }
      </Loaded>
    </Dialog>
  )
}
