import type { Config } from '../../platform/config.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import type { Secrets } from '../../platform/secret.ts'
import { serviceAddress } from '../../platform/settings/service-address.ts'
import { html, page } from './html.ts'

const PATH = '/email/unsubscribe'
const PURPOSE = 'email-unsubscribe'

/** The emails of a user in an organization. */
interface Subscription {
  apiKey: string
  organizationKey: string
  userKey: string
}

/**
 * The URL that ends all emails of an organization to a user. It is sealed, so nobody can forge one, under a key that
 * stays when the master key rotates.
 */
export function unsubscribeUrl(
  { apiKey, organizationKey, userKey }: Subscription,
  links: Secrets,
  config: Pick<Config, 'publicUrl' | 'host' | 'port'>,
): string {
  const token = links.seal(JSON.stringify([apiKey, organizationKey, userKey]), PURPOSE)
  return `${serviceAddress(config)}${PATH}?token=${token}`
}

interface Request {
  query: unknown
}

interface Reply {
  code(status: number): Reply
  header(name: string, value: string): Reply
  send(body: string): unknown
}

type Handler = (request: Request, reply: Reply) => Promise<unknown>

interface Router {
  get(path: string, handler: Handler): unknown
  post(path: string, handler: Handler): unknown
}

/**
 * Serves the URLs of `unsubscribeUrl`. GET changes nothing, because mail filters open every link. POST unsubscribes:
 * from the page's button, or by one click in a mail program (RFC 8058).
 */
export function mountUnsubscribe(db: Db, http: Router, keys: Keys): void {
  http.get(PATH, async (request, reply) => respond(reply, (await subscriptionOf(request, keys)) ? QUESTION : INVALID))
  http.post(PATH, async (request, reply) => {
    const subscription = await subscriptionOf(request, keys)
    if (subscription) await unsubscribe(db, subscription)
    return respond(reply, subscription ? DONE : INVALID)
  })
}

/** What opens links. Those of earlier versions were sealed under the master key. */
interface Keys {
  secrets: Secrets
  linkSecrets: () => Promise<Secrets>
}

async function subscriptionOf({ query }: Request, keys: Keys): Promise<Subscription | undefined> {
  const links = await keys.linkSecrets()
  const { token } = query as { token: unknown }
  for (const secrets of [links, keys.secrets]) {
    try {
      const [apiKey, organizationKey, userKey] = JSON.parse(secrets.open(token as string, PURPOSE))
      return { apiKey, organizationKey, userKey }
    } catch {
      // Not sealed under this key.
    }
  }
  return undefined
}

/** Sets the email preference to NONE in the organization and in every document that has one of its own. */
async function unsubscribe(db: Db, { apiKey, organizationKey, userKey }: Subscription): Promise<void> {
  await db.query(sql`
    with general as (
      insert into notification_preference (api_key, organization_key, user_key, email)
      select o.api_key, o.key, ${userKey}::uuid, 'NONE'
      from organization o
      where o.api_key = ${apiKey} and o.key = ${organizationKey}
      on conflict (api_key, organization_key, user_key, scope) do update
      set email = excluded.email
    )
    update notification_preference
    set email = 'NONE'
    where api_key = ${apiKey} and organization_key = ${organizationKey} and user_key = ${userKey}
      and document_key is not null and email is not null`)
}

interface PageResponse {
  status: number
  page: string
}

const QUESTION: PageResponse = {
  status: 200,
  page: page(
    'Unsubscribe',
    html`<h1 style="margin:0 0 12px;font-size:20px">No more emails?</h1>
<p>You will get no further emails about comments in this organization.</p>
<form method="post"><button style="padding:8px 16px;font:inherit">Unsubscribe</button></form>`,
  ),
}

const DONE: PageResponse = {
  status: 200,
  page: page(
    'Unsubscribed',
    html`<h1 style="margin:0 0 12px;font-size:20px">You are unsubscribed.</h1>
<p>No further emails about comments in this organization will be sent to you.</p>`,
  ),
}

const INVALID: PageResponse = {
  status: 400,
  page: page(
    'Invalid link',
    html`<h1 style="margin:0 0 12px;font-size:20px">This link is not valid.</h1>
<p>It may be incomplete. Open it once more from the email.</p>`,
  ),
}

// The page loads no script, cannot be framed and does not pass on its address.
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
}

function respond(reply: Reply, { status, page }: PageResponse): unknown {
  for (const [name, value] of Object.entries(HEADERS)) reply.header(name, value)
  return reply.code(status).send(page)
}
