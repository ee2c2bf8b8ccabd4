import type { ChatModel } from '../../../platform/chat/chat-model.ts'
import type { Evidence } from './evidence.ts'
import { writeAnswer } from './written-answer.ts'

interface Answer {
  answer: string
  /** What it quotes, and of which evidence. */
  cited: { id: string; snippet: string }[]
  /** What the reader should know of how it was made. */
  warnings: string[]
}

/**
 * Answers from evidence: in the words of the chat model if there is one and what it wrote holds, else in quotes. A
 * warning says why what it wrote was not used.
 */
export async function answerFrom(evidence: Evidence[], question: string, chat: ChatModel | undefined): Promise<Answer> {
  const written = chat && (await writeAnswer(chat, question, evidence))
  if (written && 'answer' in written) return { answer: written.answer, cited: written.citations, warnings: [] }
  return { answer: inQuotes(evidence), cited: evidence, warnings: written ? [written.warning] : [] }
}

/** Quotes all evidence, each with its id. */
const inQuotes = (evidence: Evidence[]): string =>
  evidence.map(({ id, label, snippet }) => `${label}: “${snippet}” [${id}]`).join('\n')
