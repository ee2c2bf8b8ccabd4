import { type Command, command } from '../command.ts'
import { Failure, UsageError } from '../failure.ts'
import { writeJson, writeLine } from '../output.ts'
import { recordsOfThisMachine, resultOf, type Server } from '../running-server.ts'
import { ON_THIS_MACHINE } from '../server-program.ts'

interface ApiKey {
  apiKey: string
  name: string
  type: string
  disabled: boolean
  authTokens: string[]
}

/** A workspace with its credentials; the server's program writes the same. */
interface Credentials {
  workspaceId: string
  name: string
  ownerEmail: string
  authToken: string
  apiKeys: ApiKey[]
}

/** A token that was replaced. */
interface Reset {
  kind: 'workspace' | 'API key'
  id: string
  authToken: string
}

/** `precedent credentials`: lists the credentials of this installation, or resets lost ones. */
export const credentials: Command = command({
  name: 'credentials',
  summary: 'List the credentials of this installation, or reset lost ones with `reset <id>`.',
  parameters: ["[owner's email | reset]", '[workspace id or API key]'],
  options: {},
  isLocal: true,
  notes:
    `precedent credentials                all workspaces with their API keys and tokens\n` +
    `precedent credentials <email>        those of one owner\n` +
    `precedent credentials reset <id>     a new token for the workspace or API key; the old one stops working\n\n` +
    `${ON_THIS_MACHINE}\nA server that has the embedded database open is asked for it.`,
  async run({ json }, [first, id]) {
    if ((first === 'reset') !== (id !== undefined))
      throw new UsageError('Say `reset <id>`, or only an email, or nothing.')
    if (id === undefined) return list(first, json)
    for await (const reset of await recordsOfThisMachine<Reset>('credentials', ['reset', id], resetAt(id))) {
      if (json) return writeJson(reset)
      await writeLine(`The ${reset.kind} ${id} has a new auth token; the old one no longer works:`)
      await writeLine(`  ${reset.authToken}`)
    }
  },
})

async function list(ownerEmail: string | undefined, json: boolean | undefined): Promise<void> {
  const args = ownerEmail === undefined ? [] : [ownerEmail]
  let count = 0
  for await (const each of await recordsOfThisMachine<Credentials>('credentials', args, listAt(ownerEmail))) {
    count++
    await (json ? writeJson(each) : show(each))
  }
  if (count > 0 || json) return
  await writeLine(ownerEmail === undefined ? 'There is no workspace yet.' : 'There is no such workspace.')
}

async function show({ name, ownerEmail, workspaceId, authToken, apiKeys }: Credentials): Promise<void> {
  await writeLine(`${name} (${ownerEmail})`)
  await writeLine(`  workspace id          ${workspaceId}`)
  await writeLine(`  workspace auth token  ${authToken}`)
  for (const { apiKey, name, type, disabled, authTokens } of apiKeys) {
    await writeLine(`  API key               ${apiKey}  ${name}, ${type}${disabled ? ', disabled' : ''}`)
    for (const token of authTokens) await writeLine(`    auth token          ${token}`)
  }
}

interface Listed {
  id: string
  name: string
  ownerEmail: string
  apiKeys: { id: string; apiKeyName: string; type: string; disabled: boolean }[]
}

const listAt = (ownerEmail: string | undefined) =>
  async function* (server: Server): AsyncGenerator<Credentials> {
    for await (const { id: workspaceId, name, ownerEmail: owner, apiKeys: keys } of workspacesAt(server, ownerEmail)) {
      if (ownerEmail !== undefined && owner.toLowerCase() !== ownerEmail.toLowerCase()) continue
      const { authToken } = await call<{ authToken: string }>(server, { workspaceId, operation: '/v2/workspace/get' })
      const apiKeys: ApiKey[] = []
      for (const { id: apiKey, apiKeyName, type, disabled } of keys) {
        const operation = '/v2/workspace/authtokens/get'
        const found = await call<{ authTokens: { token: string }[] }>(server, { apiKey, operation, data: { apiKey } })
        apiKeys.push({
          apiKey,
          name: apiKeyName,
          type,
          disabled,
          authTokens: found.authTokens.map(({ token }) => token),
        })
      }
      yield { workspaceId, name, ownerEmail: owner, authToken, apiKeys }
    }
  }

const resetAt = (id: string) =>
  async function* (server: Server): AsyncGenerator<Reset> {
    const operation = '/v2/workspace/authtoken/reset'
    for await (const { id: workspaceId, apiKeys } of workspacesAt(server, id)) {
      const isWorkspace = workspaceId === id
      if (!isWorkspace && !apiKeys.some(({ id: apiKey }) => apiKey === id)) continue
      const data = isWorkspace ? { workspace: true } : { apiKey: id }
      const { newAuthToken } = await call<{ newAuthToken: { token: string } }>(server, { workspaceId, operation, data })
      return yield { kind: isWorkspace ? 'workspace' : 'API key', id, authToken: newAuthToken.token }
    }
    throw new Failure(`There is no workspace and no API key ${id}.`, '`precedent credentials` lists them.')
  }

interface Page {
  data: Listed[]
  nextPageToken: string | null
}

async function* workspacesAt(server: Server, search: string | undefined): AsyncGenerator<Listed> {
  let pageToken: string | null = null
  do {
    const filter = { ...(search !== undefined && { search }), ...(pageToken !== null && { pageToken }) }
    const page: Page = await resultOf(server, 'workspaces/list', { ...filter, pageSize: 100 })
    yield* page.data
    pageToken = page.nextPageToken
  } while (pageToken !== null)
}

/** What an operation of the API answers to the operator. */
const call = async <Data>(server: Server, body: object): Promise<Data> =>
  (await resultOf<{ data: Data }>(server, 'call', body)).data
