import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { builtinVectors } from '../../../platform/embedder/builtin-embedder.ts'
import { nullable, type Static, Type } from '../../../platform/schema.ts'
import { meaningOf } from './meaning.ts'
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
 * An item bears on an entry if they share two telling stems, and if three measures add up to this: the cosine of their
 * stems, the share of the entry that the item covers beyond the heaviest of them, and the cosine of their vectors. That
 * stem does not count as covered, as it makes vectors alike too. One stem alone is never enough: *euros* is in many
 * texts.
 */
const LEAST_SHARED = 0.62
/** Of that, what words alone contribute. Vectors of texts about different things rarely make up for less. */
const LEAST_BY_WORDS = 0.1
/** Without vectors, as in other languages, the cosine of the stems and the share that is covered add up to this. */
const LEAST_WITHOUT_VECTORS = 0.5
const MOST_CITED = 3
const MOST_FOUND = 20
/** Each takes some 0.01 ms. */
const MOST_COMPARED = 8

/** Finds what the knowledge of a place says on a text: at most three rules, each text once, the nearest first. */
export async function citeKnowledge(
  db: Db,
  tenant: ApiKeyTenant,
  query: string,
  place: { organizationId?: string; documentId?: string },
): Promise<CitedKnowledge[]> {
  const found = await searchKnowledge(db, tenant, {
    query,
    limit: MOST_FOUND,
    sources: holdsFor(tenant, place),
    entries: sql`e.kind = 'rule' or s.rule_count = 0`,
    order: sql`m.similarity + m.further desc`,
  })
  // Not in the statement: of a condition on sums the planner expects too few rows, and reads whole sources.
  const hits = latestOfEachText(found)
    .filter(({ similarity, further }) => further > 0 && similarity + further >= LEAST_BY_WORDS)
    .slice(0, MOST_COMPARED)
  if (hits.length === 0) return []
  const { vectorOf } = await builtinVectors()
  const meaning = meaningOf(query, vectorOf)
  return hits
    .map((hit) => ({ hit, bearing: bearingOf(hit, meaning(hit.text)) }))
    .filter(({ bearing }) => bearing >= 1)
    .sort((a, b) => b.bearing - a.bearing)
    .slice(0, MOST_CITED)
    .map(({ hit }) => toCited(hit))
}

/** Of entries with one text, as a file that was sent twice has them, keeps that of the source that changed last. */
function latestOfEachText(hits: KnowledgeHit[]): KnowledgeHit[] {
  const latest = new Map<string, KnowledgeHit>()
  for (const hit of hits) {
    const known = latest.get(hit.text)
    if (!known || hit.updatedAt > known.updatedAt) latest.set(hit.text, hit)
  }
  return [...latest.values()]
}

/** How much an entry bears on an item: at least 1 if it is to be cited. */
function bearingOf({ similarity, coverage, further }: KnowledgeHit, meaning: number | undefined): number {
  if (meaning === undefined) return (similarity + coverage) / LEAST_WITHOUT_VECTORS
  return (similarity + further + meaning) / LEAST_SHARED
}

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
