import type { ApiKeyTenant } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import { mapOf, nullable, type Static, Type } from '../../../platform/schema.ts'
import { readAgreement } from './agreement.ts'
import { countDecisions, type Group } from './decision-counts.ts'
import { readFlags } from './flags.ts'
import { readReviewer } from './reviewer.ts'
import { readScopeRate } from './scope-rate.ts'
import { shiftsOf } from './shifts.ts'

const count = (description: string) => Type.Integer({ description })
const rate = (description: string) => nullable(Type.Number({ description }))

/** How a reviewer decides, as `profiles/get` returns it. */
export const Profile = Type.Object({
  userId: Type.String(),
  name: Type.String(),
  email: nullable(Type.String()),
  totalJudgments: count('Judgments of the user, of every decision.'),
  decidedJudgments: count('Those that approve or reject; the approval rate rests on them.'),
  approvalRate: rate('Share of approvals among them; null without any.'),
  scope: Type.Object(
    { decidedJudgments: count('How many were compared.'), approvalRate: rate('Share of approvals among them.') },
    { description: 'The newest 10,000 judgments of all reviewers of the API key, for comparison.' },
  ),
  agreement: Type.Object(
    {
      compared: count('Threads, and contents of documents, on which others decided too, and not evenly.'),
      agreed: count('Those on which the user decided as most of the others.'),
      rate: rate('Null without any.'),
    },
    {
      description:
        'How the user decided on the latest 300 items, compared with the majority of the others. Of a thread or a document the 1,000 newest judgments of others count.',
    },
  ),
  avgReviewTimeSeconds: Type.Number({ description: 'Always 0: when a review began is not known.' }),
  topFlags: Type.Array(Type.Object({ issue: Type.String(), count: Type.Integer() }), {
    description: 'Reasons that the user gives again and again for rejecting, the most frequent first.',
  }),
  contentTypes: Type.Array(Type.String(), { description: 'What the user reviews, the most frequent first.' }),
  peakHours: Type.Array(Type.Integer(), { description: 'The three hours (UTC) in which the user decides most.' }),
  orgBreakdown: mapOf(
    Type.Object({
      organizationId: Type.String(),
      clientOrganizationId: Type.String(),
      judgments: Type.Integer(),
      approvals: Type.Integer(),
      approvalRate: rate('Share of approvals among those that approve or reject.'),
    }),
    'By organization: the 100 with most judgments.',
  ),
  lastActive: count('When the user decided last (epoch ms).'),
  twinEligible: Type.Boolean({ description: 'Whether there are 50 judgments or more.' }),
  twinAccuracy: Type.Null({ description: 'Always null: reviewers are not imitated.' }),
  evolvedStandards: Type.Optional(
    Type.Array(
      Type.Object({
        topic: Type.String(),
        shiftDate: Type.Integer({ description: 'Epoch milliseconds.' }),
        oldPattern: Type.String(),
        newPattern: Type.String(),
      }),
      {
        description:
          'Content types whose approval rate moved by 25 points or more: the last 90 days against the 275 before.',
      },
    ),
  ),
})
export type Profile = Static<typeof Profile>

const TWIN_JUDGMENTS = 50

/** Computes the profile of a user from their judgments; null if there are none. */
export async function readProfile(db: Db, tenant: ApiKeyTenant, userId: string): Promise<Profile | null> {
  const reviewer = await readReviewer(db, tenant, userId)
  if (!reviewer) return null
  const [counts, scope, agreement, topFlags] = await Promise.all([
    countDecisions(db, tenant, userId),
    readScopeRate(db, tenant),
    readAgreement(db, tenant, userId),
    readFlags(db, tenant, userId),
  ])
  const evolvedStandards = shiftsOf(counts.byTypeAndPeriod, counts.now)
  return {
    ...reviewer,
    totalJudgments: counts.all.judgments,
    decidedJudgments: counts.all.decided,
    approvalRate: rateOf(counts.all),
    scope,
    agreement,
    avgReviewTimeSeconds: 0,
    topFlags,
    contentTypes: counts.contentTypes,
    peakHours: counts.hours.slice(0, 3),
    orgBreakdown: Object.fromEntries(counts.byOrganization.map((group) => [group.organizationId, breakdown(group)])),
    twinEligible: counts.all.judgments >= TWIN_JUDGMENTS,
    twinAccuracy: null,
    ...(evolvedStandards.length > 0 && { evolvedStandards }),
  }
}

const rateOf = ({ approvals, decided }: Pick<Group, 'approvals' | 'decided'>) =>
  decided === 0 ? null : approvals / decided

const breakdown = (group: Group & { organizationId: string }) => ({
  organizationId: group.organizationId,
  clientOrganizationId: group.organizationId,
  judgments: group.judgments,
  approvals: group.approvals,
  approvalRate: rateOf(group),
})
