import { type Static, Type } from '../../../platform/schema.ts'
import type { CitedKnowledge } from '../../memory/knowledge/cited-knowledge.ts'
import type { Findings } from '../../memory/search/find-judgments.ts'

/** A judgment that an answer quotes. */
export const Citation = Type.Object({ recordId: Type.String(), snippet: Type.String() })

/** A rule that an answer quotes. */
export const KnowledgeCitation = Type.Object({
  sourceId: Type.String(),
  ruleId: Type.Optional(Type.String()),
  snippet: Type.String(),
})

/** A judgment, or a rule, that an answer may quote. */
export interface Evidence {
  id: string
  /** What a citation of it names. */
  source: Omit<Static<typeof Citation>, 'snippet'> | Omit<Static<typeof KnowledgeCitation>, 'snippet'>
  /** Who decided what, or where the rule stands. */
  label: string
  text: string
  /** What is quoted of the text. */
  snippet: string
}

/** A judgment as evidence, of which `snippet` is quoted. */
export function judgmentEvidence(judgment: Findings['found'][number]['judgment'], snippet: string): Evidence {
  const { recordId, decision, reasoning, actionUser, createdAt } = judgment
  const day = new Date(createdAt).toISOString().slice(0, 10)
  return {
    id: recordId,
    source: { recordId },
    label: `${actionUser.name ?? 'Somebody'}, ${decision}, ${day}`,
    text: reasoning,
    snippet,
  }
}

/** A rule as evidence, of which `snippet` is quoted. */
export function ruleEvidence(
  { sourceId, ruleId, fileName, category, text }: CitedKnowledge,
  snippet: string,
): Evidence {
  return {
    id: ruleId ?? sourceId,
    source: { sourceId, ...(ruleId !== null && { ruleId }) },
    label: category === null ? fileName : `${fileName}, ${category}`,
    text,
    snippet,
  }
}

/** Sorts what is cited of the evidence into judgments and rules. */
export function citationsOf(cited: { id: string; snippet: string }[], evidence: Evidence[]) {
  const citations: Static<typeof Citation>[] = []
  const knowledge: Static<typeof KnowledgeCitation>[] = []
  for (const { id, snippet } of cited) {
    const source = evidence.find((each) => each.id === id)?.source
    if (source === undefined) continue
    if ('recordId' in source) citations.push({ ...source, snippet })
    else knowledge.push({ ...source, snippet })
  }
  return { citations, ...(knowledge.length > 0 && { knowledge }) }
}
