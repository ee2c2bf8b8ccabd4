/** A judgment, or a rule, that an answer may quote. */
export interface Evidence {
  id: string
  kind: 'judgment' | 'rule'
  /** Who decided what, or where the rule stands. */
  label: string
  text: string
  /** What is quoted of the text. */
  snippet: string
}

/** An answer made of quotes alone, each with the id of what it is quoted from. */
export function quotedAnswer(evidence: Evidence[]): string {
  return evidence.map(({ id, label, snippet }) => `${label}: “${snippet}” [${id}]`).join('\n')
}
