import { type Static, Type } from '../../../platform/schema.ts'
import type { citeKnowledge } from '../../memory/knowledge/cited-knowledge.ts'
import type { Findings } from '../../memory/search/find-judgments.ts'
import type { Evidence } from './evidence.ts'

/** A judgment that an answer quotes. */
export const Citation = Type.Object({ recordId: Type.String(), snippet: Type.String() })

/** A rule that an answer quotes. */
export const KnowledgeCitation = Type.Object({
  sourceId: Type.String(),
  ruleId: Type.Optional(Type.String()),
  snippet: Type.String(),
})

/** A judgment as evidence, of which `snippet` is quoted. */
export function judgmentEvidence(judgment: Findings['found'][number]['judgment'], snippet: string): Evidence {
  const { recordId, decision, reasoning, actionUser, createdAt } = judgment
  const day = new Date(createdAt).toISOString().slice(0, 10)
  return {
    id: recordId,
    kind: 'judgment',
    label: `${actionUser.name ?? 'Somebody'}, ${decision}, ${day}`,
    text: reasoning,
    snippet,
  }
}

type Rules = Awaited<ReturnType<typeof citeKnowledge>>

const idOf = ({ ruleId, sourceId }: Rules[number]) => ruleId ?? sourceId

/** A rule as evidence, of which `snippet` is quoted. */
export const ruleEvidence = (rule: Rules[number], snippet: string): Evidence => ({
  id: idOf(rule),
  kind: 'rule',
  label: rule.category === null ? rule.fileName : `${rule.fileName}, ${rule.category}`,
  text: rule.text,
  snippet,
})

/** Sorts what is cited into judgments and rules. */
export function citationsOf(cited: { id: string; snippet: string }[], evidence: Evidence[], rules: Rules) {
  const judgments = new Set(evidence.flatMap(({ id, kind }) => (kind === 'judgment' ? [id] : [])))
  const knowledge: Static<typeof KnowledgeCitation>[] = cited.flatMap(({ id, snippet }) => {
    const rule = judgments.has(id) ? undefined : rules.find((each) => idOf(each) === id)
    return rule ? [{ sourceId: rule.sourceId, ...(rule.ruleId !== null && { ruleId: rule.ruleId }), snippet }] : []
  })
  return {
    citations: cited.filter(({ id }) => judgments.has(id)).map(({ id, snippet }) => ({ recordId: id, snippet })),
    ...(knowledge.length > 0 && { knowledge }),
  }
}
