import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { Failure } from './failure.ts'

/** One secret for each question that is one, from the terminal without an echo, else from lines of standard input. */
export async function secrets(questions: (string | undefined)[]): Promise<(string | undefined)[]> {
  if (questions.every((question) => question === undefined)) return []
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: process.stdin.isTTY })
  const answers = lines[Symbol.asyncIterator]()
  const found: (string | undefined)[] = []
  try {
    for (const question of questions) found.push(question === undefined ? undefined : await secret(question, answers))
  } finally {
    lines.close()
  }
  return found
}

async function secret(question: string, answers: AsyncIterator<string>): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write(question)
  const { value, done } = await answers.next()
  if (process.stdin.isTTY) process.stderr.write('\n')
  if (!done && value.trim() !== '') return value.trim()
  throw new Failure(`${question.replace(': ', '')} is missing.`, 'Give it as a line of standard input.')
}
