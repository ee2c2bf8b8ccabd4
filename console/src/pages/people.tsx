import { type ReactNode, useState } from 'react'
import type { Api, User } from '../../../client/src/index.ts'
import { useRead, useReadPages, useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Action } from '../ui/action.tsx'
import { type Column, PagedTable } from '../ui/data-table.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FilterForm, type Filters, SelectField, TextField, useFilters } from '../ui/filters.tsx'
import { type Held, OfOrganization } from '../ui/organization.tsx'
import { save } from '../ui/save.ts'
import { Facts, Heading } from '../ui/show.tsx'
import { Empty, Loaded } from '../ui/states.tsx'
import { numberText } from '../ui/text.ts'
import { To } from './browse-links.tsx'
import { AddGroup, GroupActions, TakeOut, useGroups } from './people/group-actions.tsx'
import { AddPerson, PersonActions } from './people/person-actions.tsx'

const PAGE_SIZE = 50
const PROGRESS_MS = 1_000

/** The people of an organization, and what the law asks of whoever stores data about them. */
export function Page() {
  return (
    <>
      <Heading title={t.people.title} about={t.people.about} />
      <OfOrganization>
        {(organizationId, field, held) => (
          <>
            <PeopleFilters organization={field} held={held} />
            <PeopleActions organizationId={organizationId} />
            <People organizationId={organizationId} />
          </>
        )}
      </OfOrganization>
    </>
  )
}

/** The name or address that a person has, and the group that a person is in. */
function PeopleFilters({ organization, held }: { organization: ReactNode; held: Held }) {
  const [{ search = '', group }] = useFilters()
  const { data = [] } = useGroups(held.id)
  const groups = data.map(({ groupId, groupName, usersCount }): [string, string] => [
    groupId,
    `${groupName || groupId} (${numberText(usersCount)})`,
  ])
  return (
    <FilterForm>
      {organization}
      <TextField label={t.people.search} name="search" value={search} />
      {groups.length > 0 && (
        <SelectField label={t.people.group} name="group" value={held.ofIt(group)} options={groups} any={t.all} />
      )}
    </FilterForm>
  )
}

/** Adds a person or a group, and changes the group that is shown. */
function PeopleActions({ organizationId }: { organizationId: string }) {
  const [{ group }] = useFilters()
  return (
    <div className="actions">
      <AddPerson organizationId={organizationId} />
      <AddGroup organizationId={organizationId} />
      {group && <GroupActions organizationId={organizationId} groupId={group} />}
    </div>
  )
}

function People({ organizationId }: { organizationId: string }) {
  const [{ search, user, group }, change] = useFilters()
  const asked = {
    organizationId,
    ...(search && { searchKey: search }),
    ...(group && { organizationUserGroupIds: [group] }),
  }
  const query = useReadPages(['people', asked], async (api, token, options) => {
    const { data, nextPageToken } = await api.users.getUsers({ ...asked, pageSize: PAGE_SIZE, ...token }, options)
    return { rows: Array.isArray(data) ? data : [], next: nextPageToken }
  })
  return (
    <PagedTable
      query={query}
      empty={<Nobody search={search} group={group} />}
      label={t.people.list}
      columns={group ? [...COLUMNS, takeOutColumn(organizationId, group)] : COLUMNS}
      idOf={({ userId }) => userId}
      open={({ userId }) => change({ user: userId })}
    >
      {user && (
        <PersonDialog
          key={user}
          userId={user}
          organizationId={organizationId}
          close={() => change({ user: undefined })}
        />
      )}
    </PagedTable>
  )
}

/** Why the list is empty. */
function Nobody({ search, group }: Filters) {
  if (search) return <Empty what={t.people.none} next={t.people.noneNext} />
  if (group) return <Empty what={t.people.noMember} next={t.people.noMemberNext} />
  return <Empty what={t.people.nobody} next={t.people.nobodyNext} />
}

const COLUMNS: Column<User>[] = [
  { header: t.name, cell: ({ name, userId }) => name || userId },
  { header: t.userId, cell: ({ userId }) => userId },
  { header: t.people.email, cell: ({ email }) => email ?? t.none },
]

const takeOutColumn = (organizationId: string, groupId: string): Column<User> => ({
  header: t.people.group,
  cell: ({ userId }) => <TakeOut organizationId={organizationId} groupId={groupId} userId={userId} />,
})

/** Where more is told of a person. */
const ELSEWHERE = [
  ['/access', t.access.title],
  ['/activity', t.activity.title],
  ['/notifications', t.notifications.title],
] as const

/** One person by the id, which an address may hold though the list does not. */
function PersonDialog({
  userId,
  organizationId,
  close,
}: {
  userId: string
  organizationId: string
  close: () => void
}) {
  const query = useRead(['person', organizationId, userId], async (api, options) => {
    const { data } = await api.users.getUsers({ organizationId, userIds: [userId] }, options)
    return { person: Array.isArray(data) ? data[0] : undefined }
  })
  // Somebody who is erased is found no more while the progress is shown.
  const [known, setKnown] = useState<User>()
  const { person = known } = query.data ?? {}
  if (person !== known) setKnown(person)
  return (
    <Dialog title={person?.name || userId} close={close}>
      <Loaded query={query}>
        {() =>
          person ? (
            <Details person={person} organizationId={organizationId} close={close} />
          ) : (
            <Empty what={t.people.unknown} next={t.people.unknownNext} />
          )
        }
      </Loaded>
    </Dialog>
  )
}

function Details(props: { person: User; organizationId: string; close: () => void }) {
  const { person, organizationId } = props
  const { api } = useTenant()
  const [jobId, setJobId] = useState<string>()
  const { userId, email } = person
  const download = async () => {
    const stored = await storedAbout(api, organizationId, userId)
    save(`data-of-${userId}.json`, JSON.stringify(stored, null, 2), 'application/json')
    return t.people.exported(numberText(stored.length))
  }
  const erase = async () => {
    const { data } = await api.userData.deleteUserData({ userIds: [userId] })
    setJobId(data.jobId)
    return undefined
  }
  return (
    <>
      <Facts
        facts={[
          [t.userId, userId],
          [t.people.email, email],
          [t.organizationId, organizationId],
        ]}
      />
      <p className="actions">
        {ELSEWHERE.map(([page, title]) => (
          <To key={page} page={page} search={{ organizationId, userId }} label={title} />
        ))}
      </p>
      {jobId && <Erasure jobId={jobId} />}
      <footer className="actions">
        <PersonActions {...props} />
        <Action label={t.people.export} needs="administer" reads run={download} />
        <Action label={t.people.erase} needs="administer" confirm={t.people.eraseConfirm} danger run={erase} />
      </footer>
    </>
  )
}

/** Everything that is stored about somebody in an organization, one record an item. */
async function storedAbout(api: Api, organizationId: string, userId: string): Promise<unknown[]> {
  const records: unknown[] = []
  let pageToken: string | null = null
  do {
    const page: Awaited<ReturnType<Api['userData']['getUserData']>> = await api.userData.getUserData({
      organizationId,
      userId,
      ...(pageToken && { pageToken }),
    })
    const { user, ...lists } = page.data
    if (pageToken === null && user) records.push({ user })
    for (const [kind, list] of Object.entries(lists)) records.push(...list.map((each) => ({ [kind]: each })))
    pageToken = page.nextPageToken
  } while (pageToken)
  return records
}

function Erasure({ jobId }: { jobId: string }) {
  const query = useRead(
    ['erasure', jobId],
    (api, options) => api.userData.getUserDataDeletionStatus({ jobId }, options),
    {
      refetchInterval: PROGRESS_MS,
    },
  )
  return (
    <Loaded query={query}>
      {({ data: { isDeleteCompleted, tasksLeft } }) => (
        <p role="status">{isDeleteCompleted ? t.people.erased : t.people.erasing(numberText(tasksLeft))}</p>
      )}
    </Loaded>
  )
}
