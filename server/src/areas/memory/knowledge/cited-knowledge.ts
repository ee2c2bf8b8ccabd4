import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { nullable, type Static, Type } from '../../../platform/schema.ts'
import { holdsFor, type KnowledgeHit, searchKnowledge } from './search-knowledge.ts'

/** A rule, or a piece of a text without rules, that bears on an item. */
export const CitedKnowledge = Type.Object({
  sourceId: Type.String(),
  fileName: Type.String(),
  ruleId: nullable(Type.String()),
  category: nullable(Type.String({ description: 'The heading that it stands under.' })),
  text: Type.String(),
  updatedAt: Type.Integer({ description: 'When its source was changed last (epoch ms).' }),
  rulesChangedAt: Type.Integer({ description: 'When a rule of its source came or went last (epoch ms).' }),
})
export type CitedKnowledge = Static<typeof CitedKnowledge>

/**
 * An item bears on a rule if they share several telling words, and if the share of the rule that it covers and their
 * similarity add up to this. A long item covers much of a short rule but is not near it; a short question is near a long
 * one of which it covers little; what is in between has some of both.
 */
const LEAST_SHARED = 0.5
const FEWEST_SHARED = 2
const MOST_CITED = 3
const MOST_COMPARED = 20

/** Finds what the knowledge that holds for a place says on a text: at most three rules, the nearest first. */
export async function citeKnowledge(
  db: Db,
  tenant: ApiKeyTenant,
  query: string,
  place: { organizationId?: string; documentId?: string },
): Promise<CitedKnowledge[]> {
  const hits = await searchKnowledge(db, tenant, {
    query,
    limit: MOST_COMPARED,
    condition: sql`(e.kind = 'rule' or s.rule_count = 0) and ${holdsFor(tenant, place)}`,
    order: sql`m.coverage + m.similarity desc`,
  })
  return hits.filter(bears).slice(0, MOST_CITED).map(toCited)
}

const bears = ({ coverage, similarity, shared }: KnowledgeHit) =>
  shared >= FEWEST_SHARED && coverage + similarity >= LEAST_SHARED

function toCited(hit: KnowledgeHit): CitedKnowledge {
  const { sourceId, fileName, ruleId, category, text, updatedAt, rulesChangedAt } = hit
  return { sourceId, fileName, ruleId, category, text, updatedAt, rulesChangedAt }
}

const FRESH_MS = 48 * 3_600_000

/** Adds a caveat if rules of a cited source changed in the last 48 hours: judgments may rest on those before. */
export function withFreshness<Found extends { primary: { caveats: string[] } | null }>(
  suggestions: Found,
  cited: CitedKnowledge[],
  now: number,
): Found {
  const fresh = new Set(
    cited.filter(({ rulesChangedAt }) => rulesChangedAt > now - FRESH_MS).map(({ fileName }) => fileName),
  )
  const { primary } = suggestions
  if (fresh.size === 0 || !primary) return suggestions
  const caveat = `Rules that bear on the item changed in the last 48 hours: ${[...fresh].join(', ')}.`
  return { ...suggestions, primary: { ...primary, caveats: [...primary.caveats, caveat] } }
}
