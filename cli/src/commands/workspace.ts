import { createClient, PrecedentError } from '../../../client/src/index.ts'
import { type Command, command } from '../command.ts'
import { connectAnyhow, connectWorkspace } from '../connection.ts'
import { Failure, UsageError } from '../failure.ts'
import { note, writeJson, writeLine, writePretty } from '../output.ts'
import { assertStorable, saveProfile } from './profile.ts'

const create = command({
  name: 'workspace create',
  summary: 'Create a workspace with its first API key, and store its credentials as a profile.',
  parameters: ['<profile>'],
  options: {
    'owner-email': { type: 'string', value: '<address>', about: 'Required. The address of the owner.' },
    name: { type: 'string', value: '<name>', about: "The workspace's name." },
  },
  notes: 'Where WORKSPACE_CREATE=token, PRECEDENT_OPERATOR_TOKEN must hold the token of the operator.',
  async run({ json, 'owner-email': owner, name, ...given }, [profileName = '']) {
    const ownerEmail = requireOwner(owner)
    const { profile } = await connectAnyhow(given)
    const { url } = profile
    await assertStorable(profileName)
    const operatorToken = process.env.PRECEDENT_OPERATOR_TOKEN
    const asked = { ownerEmail, ...(name !== undefined && { workspaceName: name }) }
    const { data } = await createClient({ baseUrl: url, operatorToken }).workspaces.createWorkspace(asked).catch(refuse)
    const [apiKey = ''] = Object.keys(data.apiKeyList)
    const workspace = { workspaceId: data.id, workspaceAuthToken: data.authToken }
    const tokens = await createClient({ baseUrl: url, ...workspace }).workspaces.getAuthTokens({ apiKey })
    await saveProfile(profileName, { url, apiKey, authToken: tokens.data.authTokens[0]?.token, ...workspace })
    if (json) return writeJson({ profile: profileName, workspaceId: data.id, apiKey })
    await writeLine(`workspace  ${data.id}  ${data.name}`)
    await writeLine(`API key    ${apiKey}`)
    note(`The profile ${profileName} holds the credentials and is used from now on.`)
  },
})

/** The operator's token tells who may create a workspace; the credentials of a profile do not. */
function refuse(error: unknown): never {
  if (!(error instanceof PrecedentError) || error.status !== 'PERMISSION_DENIED') throw error
  const next = NEXT.find(([about]) => error.message.includes(about))?.[1]
  throw new Failure(error.message, next)
}

const NEXT = [
  ["operator's token", 'Set PRECEDENT_OPERATOR_TOKEN to the OPERATOR_TOKEN of the server.'],
  ['additional workspace', 'The address owns a workspace already: name another by --owner-email.'],
] as const

function requireOwner(ownerEmail: string | undefined): string {
  if (ownerEmail === undefined) throw new UsageError('--owner-email is missing.')
  return ownerEmail
}

const show = command({
  name: 'workspace show',
  summary: 'Show the workspace and its API keys. Its token is not shown.',
  parameters: [],
  options: {},
  async run({ json, ...given }) {
    const { api } = await connectWorkspace(given)
    const { authToken: _, ...shown } = (await api.workspaces.getWorkspace()).data
    await (json ? writeJson(shown) : writePretty(shown))
  },
})

const list = command({
  name: 'keys list',
  summary: 'List the API keys of the workspace.',
  parameters: [],
  options: {},
  async run({ json, ...given }) {
    const { api } = await connectWorkspace(given)
    for await (const { data } of api.workspaces.getApiKeys.pages()) {
      for (const key of data) {
        const line = [key.id, key.type, key.disabled ? 'disabled' : '', key.apiKeyName].filter(Boolean).join('  ')
        await (json ? writeJson(key) : writeLine(line))
      }
    }
  },
})

const add = command({
  name: 'keys create',
  summary: 'Create an API key, and store its credentials as a profile.',
  parameters: ['<profile>'],
  options: {
    'owner-email': { type: 'string', value: '<address>', about: 'Required. The address of whom the key is for.' },
    production: { type: 'boolean', about: 'A key for production; without it, one for testing.' },
    name: { type: 'string', value: '<name>', about: 'The name of the key; without it, that of the profile.' },
  },
  async run({ json, 'owner-email': owner, production, name, ...given }, [profileName = '']) {
    const ownerEmail = requireOwner(owner)
    const { api, profile } = await connectWorkspace(given)
    const { url, workspaceId, workspaceAuthToken } = profile
    await assertStorable(profileName)
    const { data } = await api.workspaces.createApiKey({
      ownerEmail,
      type: production ? 'production' : 'testing',
      apiKeyName: name ?? profileName,
    })
    const tokens = await api.workspaces.getAuthTokens({ apiKey: data.apiKey })
    const authToken = tokens.data.authTokens[0]?.token
    await saveProfile(profileName, { url, apiKey: data.apiKey, authToken, workspaceId, workspaceAuthToken })
    if (json) return writeJson({ profile: profileName, apiKey: data.apiKey })
    await writeLine(data.apiKey)
    note(`The profile ${profileName} holds the credentials and is used from now on.`)
  },
})

export const workspaceCommands: Command[] = [create, show, list, add]
