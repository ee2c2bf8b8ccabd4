import { DateRange, dateRangeIssues, endsOf } from '../../platform/date-range.ts'
import { empty, sql } from '../../platform/db/db.ts'
import { firstIdAt, keyOf, timeOfId } from '../../platform/id.ts'
import { operation } from '../../platform/operation.ts'
import { pageOf } from '../../platform/page.ts'
import { identifier, nullable, oneOf, Type, timestamp } from '../../platform/schema.ts'
import { organizationKeyOf } from '../organizations/organization-key.ts'

const PATH = '/v2/workspace/emails/list'

const STORED = {
  pending: ['collecting', 'waiting', 'sending'],
  sent: ['sent'],
  failed: ['failed'],
  skipped: ['skipped'],
}
type Status = keyof typeof STORED

const status = (description: string) => oneOf(Object.keys(STORED) as Status[], description)

const Email = Type.Object({
  id: Type.String({ description: 'Email id; the `Message-ID` of what is sent begins with it.' }),
  organizationId: Type.String(),
  userId: Type.String({ description: 'To whom it goes.' }),
  status: status('`pending`: it is still to be sent; `skipped`: there was nothing to tell, or nobody to send it.'),
  activities: Type.Integer({ description: 'How many activities it tells of.' }),
  attempts: Type.Integer({ description: 'Attempts so far.' }),
  error: nullable(Type.String({ description: 'Why it was not sent, or not at the last attempt.' })),
  createdAt: timestamp('When its first activity happened.'),
  nextAttemptAt: nullable(timestamp('When it is sent, or tried again; null when it is not.')),
  settledAt: nullable(timestamp('When it was sent, failed or was skipped; null while it is pending.')),
})

interface Row {
  id: string
  organization_id: string
  user_id: string
  status: Status
  activities: number
  attempts: number
  error: string | null
  due_at: number
}

/** Returns the log of emails, the latest first: emails sent, pending, failed and skipped, with the reasons. */
export const listEmails = operation({
  path: PATH,
  auth: 'apiKey',
  access: 'read',
  summary: 'List emails',
  description: 'They are kept for as long as webhook deliveries. Addresses and words are not part of the log.',
  input: Type.Object({
    organizationId: Type.Optional(identifier('Only emails about this organization.')),
    userId: Type.Optional(identifier('Only emails to this user.')),
    status: Type.Optional(status('Only emails that stand there.')),
    dateRange: Type.Optional(DateRange),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: 1000.' })),
    pageToken: Type.Optional(Type.String({ description: 'From the page before.' })),
  }),
  example: { organizationId: 'example', status: 'failed', pageSize: 20 },
  output: Type.Array(Email),
  errors: [],
  message: 'Emails retrieved successfully.',
  page: 'pageToken',
  check: ({ dateRange }) => dateRangeIssues(dateRange, 'dateRange'),
}).run(async ({ db, tenant, input, pageTokens }) => {
  const { pageSize = 1000, pageToken, ...filters } = input
  const { organizationId, userId, dateRange } = filters
  const scope = { operation: PATH, tenant: tenant.apiKey, filters }
  const after = pageToken === undefined ? undefined : (pageTokens.open(scope, pageToken) as string)
  const range = endsOf(dateRange ?? {})
  const rows = await db.query<Row>(sql`
    select e.id, o.id as organization_id, e.person->>'userId' as user_id, e.activities, e.attempt as attempts, e.error,
      e.due_at,
      case when e.status in ('sent', 'failed', 'skipped') then e.status else 'pending' end as status
    from email e
    join organization o on o.api_key = ${tenant.apiKey} and o.key = e.organization_key and o.retired_at is null
    where e.api_key = ${tenant.apiKey}
      and e.id >= ${firstIdAt('eml_', range.start)}
      and e.id < ${firstIdAt('eml_', range.end + 1)}
      ${organizationId === undefined ? empty : sql`and e.organization_key = ${organizationKeyOf(tenant, organizationId)}`}
      ${userId === undefined ? empty : sql`and e.user_key = ${keyOf(userId)}`}
      ${filters.status === undefined ? empty : sql`and e.status = any(${STORED[filters.status as Status]}::text[])`}
      ${after === undefined ? empty : sql`and e.id < ${after}`}
    order by e.id desc
    limit ${pageSize + 1}`)
  const { page, last } = pageOf(rows, pageSize)
  return { data: page.map(toEmail), next: last ? pageTokens.seal(scope, last.id) : null }
})

function toEmail({ organization_id, user_id, due_at, ...row }: Row) {
  const isPending = row.status === 'pending'
  return {
    ...row,
    organizationId: organization_id,
    userId: user_id,
    createdAt: timeOfId('eml_', row.id),
    nextAttemptAt: isPending ? due_at : null,
    settledAt: isPending ? null : due_at,
  }
}
