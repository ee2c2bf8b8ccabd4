import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'

const count = (description: string) => Type.Integer({ description })

/** How much the decision memory of the API key holds. */
export const getMemoryStats = operation({
  path: '/v2/memory/stats/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get the size of the decision memory',
  input: Type.Object({}),
  output: Type.Object({
    totalActivities: count('Judgments.'),
    totalProfiles: count('Users and agents who decided.'),
    totalPatterns: count('Always 0: no patterns are derived.'),
    totalKnowledgeSources: count('Always 0: no other sources are read.'),
  }),
  errors: [],
  message: '',
  bare: true,
}).run(async ({ db, tenant }) => {
  const [row] = await db.query<{ judgments: number; reviewers: number }>(sql`
    select count(*) as judgments, count(distinct reviewer_key) as reviewers
    from judgment
    where api_key = ${tenant.apiKey}`)
  const { judgments = 0, reviewers = 0 } = row ?? {}
  return { totalActivities: judgments, totalProfiles: reviewers, totalPatterns: 0, totalKnowledgeSources: 0 }
})
