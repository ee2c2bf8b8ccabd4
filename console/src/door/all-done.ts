/** Why the service refused one item of many. */
export class ItemError extends Error {
  /** What the request calls the item. */
  readonly id: string

  constructor(id: string, message: string) {
    super(message)
    this.id = id
  }
}

/** The answer of an operation for many items, if each was done. Throws an ItemError for one that was not. */
export async function allDone<Answer extends { data: Record<string, { success: boolean; message: string }> }>(
  asked: Promise<Answer>,
): Promise<Answer> {
  const answer = await asked
  for (const [id, { success, message }] of Object.entries(answer.data)) if (!success) throw new ItemError(id, message)
  return answer
}
