import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Failure } from './failure.ts'

/** A server and the credentials for it. */
export interface Profile {
  url: string
  apiKey?: string | undefined
  authToken?: string | undefined
  workspaceId?: string | undefined
  workspaceAuthToken?: string | undefined
}

/** The stored profiles, and the one that is used when none is named. */
interface Profiles {
  current?: string | undefined
  profiles: Record<string, Profile>
}

export const DEFAULT_URL = 'http://127.0.0.1:8080'

/**
 * What is wrong with the address of a server; undefined if nothing is. `localhost:8080` is a URL too, of the scheme
 * `localhost`. fetch refuses a URL with a password, which no message shows.
 */
export function addressFault(text: string): string | undefined {
  const { protocol = '', username = '', password = '' } = URL.canParse(text) ? new URL(text) : {}
  if (!/^https?:$/.test(protocol)) return `${text.replace(/\/\/.*@/, '//…@')} is no http or https address`
  return username + password === '' ? undefined : 'an address here has no user name and no password'
}

const { env } = process

/** The file of the profiles. Only its owner may read it. */
export const profilesPath = join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'precedent', 'profiles.json')

/** The stored profiles; none if there is no file. */
export async function readProfiles(): Promise<Profiles> {
  try {
    return JSON.parse(await readFile(profilesPath, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { profiles: {} }
    throw new Failure(`${profilesPath} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

/** Replaces the stored profiles as a whole. */
export async function writeProfiles(profiles: Profiles): Promise<void> {
  await mkdir(dirname(profilesPath), { recursive: true, mode: 0o700 })
  const draft = `${profilesPath}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
  await rename(draft, profilesPath)
}

/** A profile, and where it comes from. */
export interface Chosen extends Profile {
  source: string
  /** The name of a stored one. */
  name?: string
}

/**
 * The server and credentials of a command: those of the named profile. Without one, `--server` and the environment.
 * Without these, the current profile. The credentials of a profile go to its own server only.
 */
export async function chosenProfile(given: { profile?: string; server?: string }): Promise<Chosen> {
  if (given.profile !== undefined && given.server !== undefined) {
    throw new Failure('--profile and --server exclude each other.', 'A profile names its server itself.')
  }
  const named = given.profile ?? (given.server === undefined ? env.PRECEDENT_PROFILE || undefined : undefined)
  if (named !== undefined) return stored(await readProfiles(), named)
  if (given.server !== undefined) return { ...ofEnvironment(), url: given.server, source: '--server' }
  if (Object.values(ofEnvironment()).some(Boolean)) {
    const { url, ...credentials } = ofEnvironment()
    return { ...credentials, url: url ?? DEFAULT_URL, source: 'the environment' }
  }
  const profiles = await readProfiles()
  if (profiles.current !== undefined) return stored(profiles, profiles.current)
  return { url: DEFAULT_URL, source: 'the default server' }
}

function stored({ profiles }: Profiles, name: string): Chosen {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (!profile) {
    throw new Failure(`There is no profile ${name}.`, '`precedent profile list` shows those there are.')
  }
  return { ...profile, source: `the profile ${name}`, name }
}

function ofEnvironment(): Omit<Profile, 'url'> & { url: string | undefined } {
  return {
    url: env.PRECEDENT_URL || undefined,
    apiKey: env.PRECEDENT_API_KEY || undefined,
    authToken: env.PRECEDENT_AUTH_TOKEN || undefined,
    workspaceId: env.PRECEDENT_WORKSPACE_ID || undefined,
    workspaceAuthToken: env.PRECEDENT_WORKSPACE_AUTH_TOKEN || undefined,
  }
}
