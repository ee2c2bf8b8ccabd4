import { type Api, createClient } from '../../client/src/index.ts'
import { Failure } from './failure.ts'
import { addressFault, type Chosen, chosenProfile } from './profile.ts'

/** A client for the chosen server, and which that is. */
export interface Connection {
  api: Api
  profile: Chosen
}

/** Opens the chosen server for commands that need an API key and its auth token. */
export async function connect(given: { profile?: string; server?: string }): Promise<Connection> {
  const connection = await connectAnyhow(given)
  const { apiKey, authToken, source } = connection.profile
  if (apiKey && authToken) return connection
  throw new Failure(
    `There is no API key with its auth token: ${source} has none.`,
    'Store them with `precedent profile add <name>`, or set PRECEDENT_API_KEY and PRECEDENT_AUTH_TOKEN.',
  )
}

/** Opens the chosen server for commands that need a workspace and its auth token. */
export async function connectWorkspace(given: { profile?: string; server?: string }): Promise<Connection> {
  const connection = await connectAnyhow(given)
  const { workspaceId, workspaceAuthToken, source } = connection.profile
  if (workspaceId && workspaceAuthToken) return connection
  throw new Failure(
    `There is no workspace with its auth token: ${source} has none.`,
    'Store them with `precedent profile add <name> --workspace-id <id>`, or set PRECEDENT_WORKSPACE_ID and ' +
      'PRECEDENT_WORKSPACE_AUTH_TOKEN.',
  )
}

/** Opens the chosen server with the credentials there are. */
export async function connectAnyhow(given: { profile?: string; server?: string }): Promise<Connection> {
  const profile = await chosenProfile(given)
  const fault = addressFault(profile.url)
  if (fault) throw new Failure(`The address of the server is not valid (from ${profile.source}): ${fault}.`)
  return { api: createClient({ ...profile, baseUrl: profile.url }), profile }
}
