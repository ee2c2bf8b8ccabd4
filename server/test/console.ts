import { createOperatorLink, hashOfToken } from '../src/areas/operators/access/link.ts'
import type { Role } from '../src/areas/operators/access/role.ts'
import { sql } from '../src/platform/db/db.ts'
import type { Service } from './running-service.ts'

/** A success or an error; the tests compare the data as a whole. */
export interface ConsoleBody {
  result: { data: unknown }
  error: { status: string; message: string }
}

interface ConsoleAnswer {
  status: number
  headers: Headers
  body: ConsoleBody
}

/** Calls the console's part of the API as its page does. */
export const askConsole = (
  service: Service,
  path: string,
  data: unknown = {},
  headers: Record<string, string> = {},
): Promise<ConsoleAnswer> => post(service, path, data, { 'x-precedent-console': '1', ...headers })

/** Calls it as a machine does, with the operator's token. */
export const askAsMachine = (
  service: Service,
  path: string,
  data: unknown,
  token: string,
  headers: Record<string, string> = {},
): Promise<ConsoleAnswer> => post(service, path, data, { authorization: `Bearer ${token}`, ...headers })

async function post(service: Service, path: string, data: unknown, headers: Record<string, string>) {
  const response = await fetch(`${service.url}/console/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(data),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('application/json')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

/** The cookie that an answer sets, as the browser sends it back. */
export const cookieOf = ({ headers }: ConsoleAnswer): string => (headers.get('set-cookie') ?? '').split(';')[0] ?? ''

/** Lets everybody try again: the tests share one address. */
export async function forgetAttempts({ database }: Service): Promise<void> {
  await database.query(sql`delete from rate_limit where key like 'console%'`)
  await database.query(sql`delete from refused_sign_in`)
}

/** Ends the minute in which refused sign-ins are counted, and records the sums. */
export async function endMinuteOfRefusals(service: Service): Promise<void> {
  await service.database.query(sql`update refused_sign_in set ends_at = 0`)
  await service.drainJobs()
}

/** The headers of a trusted proxy that serves https, for a caller of an address. */
export const byHttps = (address: string) => ({ 'x-forwarded-for': address, 'x-forwarded-proto': 'https' })

let made = 0

/** Signs somebody in with a role, for all workspaces or one; returns a function that calls as them. */
export async function signedIn(service: Service, role: Role, workspaceId: string | null = null) {
  made += 1
  const email = `${role}-${made}-${Date.now()}@example.com`
  const token = await createOperatorLink(service.database, email)
  await service.database.query(sql`
    update operator set role = ${role}, workspace_id = ${workspaceId} where email = ${email}`)
  await forgetAttempts(service)
  const answer = await askConsole(service, 'session/sign-in', { token })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  const cookie = cookieOf(answer)
  const ask = (path: string, data: unknown = {}, headers: Record<string, string> = {}) =>
    askConsole(service, path, data, { cookie, ...headers })
  return { email, cookie, ask, hash: hashOfToken(cookie.slice(cookie.indexOf('=') + 1)) }
}
