/**
 * Normalised discounted cumulative gain of the first ten, with graded relevance; undefined without relevant documents.
 */
export function ndcg10(ranking: string[], grades: Map<string, number>): number | undefined {
  const ideal = gain([...grades.values()].sort((a, b) => b - a))
  return ideal > 0 ? gain(ranking.map((id) => grades.get(id) ?? 0)) / ideal : undefined
}

/** The share of the relevant documents among the first ten; undefined without any. */
export function recall10(ranking: string[], grades: Map<string, number>): number | undefined {
  const relevant = [...grades].filter(([, grade]) => grade > 0).map(([id]) => id)
  if (!relevant.length) return undefined
  const first = new Set(ranking.slice(0, 10))
  return relevant.filter((id) => first.has(id)).length / relevant.length
}

function gain(grades: number[]): number {
  return grades.slice(0, 10).reduce((sum, grade, i) => sum + grade / Math.log2(i + 2), 0)
}
