import type { ReactNode } from 'react'
import type { Notification } from '../../../client/src/index.ts'
import { useRead, useReadPages } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { type Column, PagedTable } from '../ui/data-table.tsx'
import { FilterForm, SelectField, useFilters } from '../ui/filters.tsx'
import { type Held, OfOrganization } from '../ui/organization.tsx'
import { PickField } from '../ui/pick-field.tsx'
import { Badge, Heading, Panel } from '../ui/show.tsx'
import { Empty, Loaded } from '../ui/states.tsx'
import { numberText, sentenceText, timeText } from '../ui/text.ts'
import { ToThread } from './browse-links.tsx'
import { peopleToPick } from './choices.ts'
import { type NameOf, useDocumentNames } from './names.ts'
import { InboxActions, MarkRead } from './notifications/inbox-actions.tsx'
import { NotificationSettings } from './notifications/notification-settings.tsx'
import { Preferences } from './notifications/preferences.tsx'
import { DocumentField } from './place-fields.tsx'

const PAGE_SIZE = 50
const UNREAD = 'unread'
/** Where the service stops counting what is unread. */
const MOST_COUNTED = 1_000

/** What somebody was told, and what they chose to be told. */
export function Page() {
  return (
    <>
      <Heading title={t.notifications.title} about={t.notifications.about} />
      <OfOrganization>
        {(organizationId, field, held) => (
          <>
            <NotificationFilters organization={field} held={held} />
            <OfPerson organizationId={organizationId} />
          </>
        )}
      </OfOrganization>
      <NotificationSettings />
    </>
  )
}

function NotificationFilters({ organization, held }: { organization: ReactNode; held: Held }) {
  const [{ userId = '', state = '' }] = useFilters()
  return (
    <FilterForm>
      {organization}
      <PickField label={t.person} name="userId" value={userId} source={peopleToPick(held.id)} />
      <DocumentField held={held} />
      <SelectField
        label={t.notifications.state}
        name="state"
        value={state}
        options={[[UNREAD, t.notifications.unread]]}
        any={t.all}
      />
    </FilterForm>
  )
}

function OfPerson({ organizationId }: { organizationId: string }) {
  const [{ userId, documentId, state }] = useFilters()
  if (!userId) return <Empty what={t.notifications.nobody} next={t.notifications.nobodyNext} />
  const asked = { organizationId, userId, ...(documentId && { documentId }) }
  return (
    <>
      <Preferences {...asked} />
      <Inbox asked={asked} unreadOnly={state === UNREAD} />
    </>
  )
}

interface Asked {
  organizationId: string
  userId: string
  documentId?: string
}

function Inbox({ asked, unreadOnly }: { asked: Asked; unreadOnly: boolean }) {
  const query = useReadPages(['notifications', asked, unreadOnly], async (api, token, options) => {
    const { data, pageToken } = await api.notifications.getNotifications(
      { ...asked, ...(unreadOnly && { unreadOnly }), pageSize: PAGE_SIZE, ...token },
      options,
    )
    return { rows: data, next: pageToken }
  })
  const documents = query.rows.flatMap(({ metadata }) => metadata.documentId ?? [])
  const nameOf = useDocumentNames(asked.organizationId, documents)
  const columns = columnsOf(asked, nameOf)
  const unread = query.rows.filter(({ isUnread }) => isUnread).map(({ id }) => id)
  return (
    <Panel
      title={t.notifications.inbox}
      actions={unread.length > 0 && <MarkRead whose={asked} ids={unread} label={t.notifications.markShown} />}
    >
      <UnreadCount asked={asked} />
      <PagedTable
        query={query}
        empty={<Empty what={t.notifications.none} next={t.notifications.noneNext} />}
        label={t.notifications.list}
        columns={columns}
        idOf={({ id }) => id}
      />
    </Panel>
  )
}

function UnreadCount({ asked }: { asked: Asked }) {
  const query = useRead(['notifications', 'count', asked], (api, options) =>
    api.notifications.countNotifications(asked, options),
  )
  return (
    <Loaded query={query}>
      {({ data: { unread, forYou } }) => {
        const more = unread >= MOST_COUNTED ? t.orMore : ''
        return <p className="muted">{t.notifications.counted(numberText(unread) + more, numberText(forYou) + more)}</p>
      }}
    </Loaded>
  )
}

const columnsOf = (asked: Asked, nameOf: NameOf): Column<Notification>[] => [
  { header: t.notifications.headline, cell: (notification) => <Told notification={notification} /> },
  { header: t.document, cell: ({ metadata: { documentId } }) => (documentId ? nameOf(documentId) : t.none) },
  { header: t.notifications.state, cell: (notification) => <State asked={asked} notification={notification} /> },
  { header: t.time, cell: ({ timestamp }) => timeText(timestamp) },
]

const Told = ({ notification }: { notification: Notification }) => (
  <>
    {sentenceText(notification.displayHeadlineMessage ?? '')}
    {notification.displayBodyMessage && <p className="told muted">{notification.displayBodyMessage}</p>}
    {notification.targetAnnotationId && notification.metadata.organizationId && (
      <p>
        <ToThread organizationId={notification.metadata.organizationId} thread={notification.targetAnnotationId} />
      </p>
    )}
  </>
)

const State = ({ asked, notification }: { asked: Asked; notification: Notification }) => (
  <div className="verdict">
    <Badge tone={notification.isUnread ? 'wait' : 'plain'}>
      {notification.isUnread ? t.notifications.unread : t.notifications.read}
    </Badge>
    {notification.forYou && <Badge>{t.notifications.forYou}</Badge>}
    <InboxActions whose={asked} notification={notification} />
  </div>
)
