import { secrets } from '../ask.ts'
import { type Command, command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { note, writeJson, writeLine } from '../output.ts'
import {
  addressFault,
  chosenProfile,
  DEFAULT_URL,
  type Profile,
  profilesPath,
  readProfiles,
  writeProfiles,
} from '../profile.ts'

const add = command({
  name: 'profile add',
  isLocal: true,
  summary: 'Store a server and its credentials under a name, and use it from now on. Replaces a profile of that name.',
  parameters: ['<name>'],
  options: {
    url: { type: 'string', value: '<address>', about: `Where the server is; default ${DEFAULT_URL}.` },
    'api-key': { type: 'string', value: '<id>', about: 'The API key.' },
    'workspace-id': { type: 'string', value: '<id>', about: 'The workspace, to manage API keys.' },
  },
  notes:
    'The auth tokens are asked for, first that of the API key, then that of the workspace. Without a terminal each is a\n' +
    'line of standard input, so that no token stands in the list of processes.',
  async run({ url = DEFAULT_URL, 'api-key': apiKey, 'workspace-id': workspaceId, json }, [name = '']) {
    assertName(name)
    const fault = addressFault(url)
    if (fault) throw new UsageError(`--url takes the address of a server: ${fault}.`)
    const [authToken, workspaceAuthToken] = await secrets([
      apiKey === undefined ? undefined : 'Auth token of the API key: ',
      workspaceId === undefined ? undefined : 'Auth token of the workspace: ',
    ])
    await saveProfile(name, { url, apiKey, authToken, workspaceId, workspaceAuthToken })
    if (json) await writeJson({ current: name, file: profilesPath })
    else note(`The profile ${name} is stored in ${profilesPath} and used from now on.`)
  },
})

function assertName(name: string): void {
  if (!/^[a-z0-9][\w.-]*$/i.test(name)) throw new UsageError('A name has letters, digits, dots, dashes, underscores.')
}

/**
 * Fails unless a new profile of this name can be stored: one that exists holds credentials that no other place may
 * hold. Called before further ones are made.
 */
export async function assertStorable(name: string): Promise<void> {
  assertName(name)
  const stored = await readProfiles()
  if (Object.hasOwn(stored.profiles, name)) {
    throw new UsageError(
      `There is a profile ${name} already. Choose another name, or remove it with its credentials first.`,
    )
  }
  await writeProfiles(stored)
}

/** Stores a profile and makes it the current one. */
export async function saveProfile(name: string, profile: Profile): Promise<void> {
  const { profiles } = await readProfiles()
  await writeProfiles({ current: name, profiles: { ...profiles, [name]: profile } })
}

const use = command({
  name: 'profile use',
  isLocal: true,
  summary: 'Use this profile when none is named.',
  parameters: ['<name>'],
  options: {},
  async run({ json }, [name = '']) {
    const { url } = await chosenProfile({ profile: name })
    await writeProfiles({ ...(await readProfiles()), current: name })
    await (json ? writeJson({ current: name, url }) : writeLine(`${name}  ${url}`))
  },
})

const list = command({
  name: 'profile list',
  isLocal: true,
  summary: 'List the profiles. A star marks the current one.',
  parameters: [],
  options: {},
  async run({ json }) {
    const { current, profiles } = await readProfiles()
    for (const [name, { url, apiKey, workspaceId }] of Object.entries(profiles)) {
      if (json) await writeJson({ name, current: name === current, url, apiKey, workspaceId })
      else await writeLine(`${name === current ? '*' : ' '} ${name}  ${url}  ${apiKey ?? workspaceId ?? ''}`.trimEnd())
    }
  },
})

const show = command({
  name: 'profile show',
  summary: 'Show which server and credentials are used and where they come from. Tokens are not shown.',
  parameters: [],
  options: {},
  async run({ json, ...given }) {
    const { source, url, apiKey, workspaceId, authToken, workspaceAuthToken } = await chosenProfile(given)
    const shown = { url, apiKey, authToken: said(authToken), workspaceId, workspaceAuthToken: said(workspaceAuthToken) }
    if (json) return writeJson({ source, ...shown })
    await writeLine(`from                  ${source}`)
    for (const [name, value] of Object.entries(shown)) await writeLine(`${name.padEnd(20)}  ${value ?? 'none'}`)
  },
})

const said = (token: string | undefined) => (token === undefined ? undefined : 'set')

const remove = command({
  name: 'profile remove',
  isLocal: true,
  summary: 'Delete a profile with its credentials.',
  parameters: ['<name>'],
  options: {},
  async run({ json }, [name = '']) {
    await chosenProfile({ profile: name })
    const { current, profiles } = await readProfiles()
    const { [name]: _, ...others } = profiles
    await writeProfiles({ current: current === name ? undefined : current, profiles: others })
    if (json) await writeJson({ removed: name })
    else note(`The profile ${name} is deleted.`)
  },
})

export const profileCommands: Command[] = [add, use, list, show, remove]
