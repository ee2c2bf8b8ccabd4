import type { Api, CallOptions } from '../../../client/src/index.ts'
import { t } from '../strings.ts'
import type { Choice } from '../ui/choice.ts'
import type { Source } from '../ui/pick-field.tsx'

const MOST = 20
/** So many of the newest judgments are read to find the reviewers in them. */
const NEWEST_JUDGMENTS = 100

/** The organizations of the API key. */
export const ORGANIZATIONS_TO_PICK: Source = {
  key: ['organizations'],
  async find(api, text, options) {
    if (text === '') {
      const { data } = await api.organizations.getOrganizations({ pageSize: MOST }, options)
      return data.map(({ id, organizationName }) => ({ id, name: organizationName || id }))
    }
    const { data } = await api.organizations.searchOrganizations(searched(text), options)
    return data.map(({ organizationId: id, organizationName }) => ({ id, name: organizationName || id }))
  },
}

/** The documents or folders of an organization; none while no organization is named. */
export const placesToPick = (organizationId: string, kind: 'document' | 'folder'): Source => ({
  key: [kind, organizationId],
  ...(organizationId === '' && { nothing: t.pick.noOrganization }),
  find(api, text, options) {
    if (organizationId === '') return Promise.resolve([])
    return (kind === 'folder' ? findFolders : findDocuments)(api, organizationId, text, options)
  },
})

async function findDocuments(api: Api, organizationId: string, text: string, options: CallOptions): Promise<Choice[]> {
  const asked = { organizationId, pageSize: MOST, ...(text && { searchKey: text }) }
  const { data } = await api.documents.getDocuments(asked, options)
  return data.map(({ id, documentName }) => ({ id, name: documentName || id }))
}

async function findFolders(api: Api, organizationId: string, text: string, options: CallOptions): Promise<Choice[]> {
  const asked = { organizationId, pageSize: MOST, ...(text && { searchKey: text }) }
  const { data } = await api.folders.getFolders(asked, options)
  return data.map(({ folderId: id, folderName }) => ({ id, name: folderName || id }))
}

/** The people of an organization first, then others of the API key whom the text names. */
export const peopleToPick = (organizationId: string): Source => ({
  key: ['people', organizationId],
  async find(api, text, options) {
    const asked = { organizationId, pageSize: MOST, ...(text && { searchKey: text }) }
    const [members, others] = await Promise.all([
      organizationId === '' ? [] : api.users.getUsers(asked, options).then(({ data }) => data),
      findUsers(api, text, options),
    ])
    return eachOnce([...members.map(toChoice), ...others])
  },
})

/** Those who gave the newest judgments, the busiest first; then users whom the text names. */
export const REVIEWERS_TO_PICK: Source = {
  key: ['reviewers'],
  async find(api, text, options) {
    const [{ results }, users] = await Promise.all([
      api.memory.queryJudgments({ limit: NEWEST_JUDGMENTS }, options),
      findUsers(api, text, options),
    ])
    const counts = new Map<string, number>()
    for (const { actionUser } of results) {
      const { userId = '' } = actionUser
      counts.set(userId, (counts.get(userId) ?? 0) + 1)
    }
    const reviewers = eachOnce(
      results.flatMap(({ actionUser: { userId, name } }) => (userId ? [{ id: userId, name: name || userId }] : [])),
    ).sort((a, b) => (counts.get(b.id) ?? 0) - (counts.get(a.id) ?? 0))
    return eachOnce([
      ...reviewers.filter(isNamed(text)).map((each) => ({ ...each, note: t.pick.decided })),
      ...users,
    ]).slice(0, MOST)
  },
}

async function findUsers(api: Api, text: string, options: CallOptions): Promise<Choice[]> {
  if (text === '') return []
  const { data } = await api.users.searchUsers(searched(text), options)
  return data.map(toChoice)
}

const searched = (text: string) => ({ query: text, match: 'contains', pageSize: MOST }) as const

interface Person {
  userId: string
  name?: string | null | undefined
  email?: string | null | undefined
}

const toChoice = ({ userId: id, name, email }: Person): Choice => ({ id, name: name || id, note: email ?? undefined })

const isNamed = (text: string) => (choice: Choice) =>
  [choice.id, choice.name].some((each) => each.toLowerCase().includes(text.toLowerCase()))

const eachOnce = (choices: Choice[]): Choice[] =>
  [...new Map(choices.toReversed().map((each) => [each.id, each])).values()].reverse()
