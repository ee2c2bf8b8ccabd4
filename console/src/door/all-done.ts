/** The answer of an operation for many items, if each was done. Throws what the service says of one that was not. */
export async function allDone<Answer extends { data: Record<string, { success: boolean; message: string }> }>(
  asked: Promise<Answer>,
): Promise<Answer> {
  const answer = await asked
  for (const { success, message } of Object.values(answer.data)) if (!success) throw new Error(message)
  return answer
}
