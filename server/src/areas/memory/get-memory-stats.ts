import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { nullable, oneOf, Type } from '../../platform/schema.ts'
import { learningState } from './head/stored-heads.ts'
import { FEWEST_JUDGMENTS } from './learning/learn-head.ts'
import { countEmbedded } from './vectors/vector-progress.ts'

const count = (description: string) => Type.Integer({ description })

/** Reports the size of the decision memory of the API key. */
export const getMemoryStats = operation({
  path: '/v2/memory/stats/get',
  auth: 'apiKey',
  access: 'read',
  summary: 'Get the size of the decision memory',
  input: Type.Object({}),
  example: {},
  output: Type.Object({
    totalActivities: count('Judgments.'),
    totalProfiles: count('Users who decided, by themselves or by an agent.'),
    totalPatterns: count('Recurring reasons, as `patterns/get` lists them; up to ten minutes old.'),
    totalKnowledgeSources: count('Files with rules, as `knowledge/list` lists them.'),
    embedding: nullable(
      Type.Object(
        {
          model: Type.String(),
          embedded: count('Judgments that the model has seen.'),
          pending: count('Judgments that it has not seen; until it has seen all once, words alone are compared.'),
        },
        { description: 'How far the judgments are embedded; null where no model is configured.' },
      ),
    ),
    learning: Type.Object(
      {
        status: oneOf(
          ['tooFewJudgments', 'pending', 'ready'],
          '`tooFewJudgments`: fewer than 200 took a side on some content, and suggestions are made by a formula. `pending`: they are learned from within minutes, once all are embedded. `ready`: suggestions are made by what was learned.',
        ),
        learnedAt: nullable(
          Type.Integer({ description: 'When it was learned last (epoch ms); null if it is not ready.' }),
        ),
      },
      { description: 'What suggestions have learned from the judgments.' },
    ),
  }),
  errors: [],
  message: '',
  bare: true,
}).run(async ({ db, tenant, embedder, patternCache, secrets }) => {
  const [[row], patterns, learning] = await Promise.all([
    db.query<{ judgments: number; reviewers: number; sources: number }>(sql`
      select count(*) as judgments, count(distinct reviewer_key) as reviewers,
        (
          select count(*)
          from knowledge_source
          where api_key = ${tenant.apiKey} and status not in ('awaited', 'uploaded')
        ) as sources
      from judgment
      where api_key = ${tenant.apiKey}`),
    patternCache.count(db, tenant),
    learningState(db, tenant.apiKey, FEWEST_JUDGMENTS, secrets),
  ])
  const { judgments = 0, reviewers = 0, sources = 0 } = row ?? {}
  const embedded = embedder ? await countEmbedded(db, tenant, embedder.model) : 0
  return {
    totalActivities: judgments,
    totalProfiles: reviewers,
    totalPatterns: patterns,
    totalKnowledgeSources: sources,
    embedding: embedder ? { model: embedder.model, embedded, pending: Math.max(0, judgments - embedded) } : null,
    learning,
  }
})
