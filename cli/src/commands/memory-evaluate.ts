import { setTimeout } from 'node:timers/promises'
import { type Api, PrecedentError } from '../../../client/src/index.ts'
import { type Command, command } from '../command.ts'
import { connect } from '../connection.ts'
import { reportLines } from '../evaluation-report.ts'
import { Failure, UsageError } from '../failure.ts'
import { momentOf } from '../moment.ts'
import { note, timeOf, writeJson, writeLine } from '../output.ts'
import { startProgress } from '../progress.ts'

const LOOK_MS = 1000

/** `precedent memory evaluate`: the server measures in the background, and this waits for its report. */
export const evaluate: Command = command({
  name: 'memory evaluate',
  summary: 'Report how well search and suggestions would have done on the past of the API key.',
  parameters: [],
  options: {
    from: { type: 'string', value: '<date>', about: 'Ask about the judgments since then; default: the last 30 %.' },
    latest: { type: 'boolean', about: 'Show the latest report that is stored, or wait for the one that runs.' },
  },
  notes:
    'A worker of the server measures. Ctrl-C ends only the waiting; --latest waits again. The last 20 reports are kept.',
  async run({ json, from, latest, ...given }) {
    if (latest && from !== undefined) throw new UsageError('--latest excludes --from.')
    const { api } = await connect(given)
    const evaluationId = latest ? await latestOf(api) : await start(api, from)
    const evaluation = await finished(api, evaluationId)
    if (json) return writeJson(evaluation)
    if (!evaluation.report) return
    for (const line of reportLines(evaluation.report)) for (const each of line.split('\n')) await writeLine(each)
    if (latest) note(`It ended at ${timeOf(evaluation.finishedAt ?? evaluation.createdAt)}.`)
  },
})

async function start(api: Api, from: string | undefined): Promise<string> {
  const since = from === undefined ? {} : { from: momentOf('--from', from) }
  try {
    return (await api.memory.evaluateMemory(since)).evaluationId
  } catch (error) {
    if (!(error instanceof PrecedentError) || error.status !== 'FAILED_PRECONDITION') throw error
    throw new Failure(error.message, '`precedent memory evaluate --latest` waits for it.')
  }
}

async function latestOf(api: Api): Promise<string> {
  const [latest] = (await api.memory.getEvaluations({})).evaluations
  if (latest) return latest.evaluationId
  throw new Failure('No report is stored for this API key.', '`precedent memory evaluate` makes one.')
}

/** The evaluation once it has ended. How far it is stands on the terminal. */
async function finished(api: Api, evaluationId: string) {
  const progress = startProgress('Evaluating')
  try {
    for (;;) {
      const [evaluation] = (await api.memory.getEvaluations({ evaluationId })).evaluations
      if (evaluation?.status === 'completed') return evaluation
      if (!evaluation) {
        throw new Failure('The evaluation is no longer stored.', '`precedent memory evaluate` begins another.')
      }
      if (evaluation.status === 'failed') {
        throw new Failure('The evaluation failed three times.', "The server's log says why.")
      }
      const { total, read } = evaluation
      progress.show(total === null || total === 0 ? 'waits for a worker' : read / total)
      await setTimeout(LOOK_MS)
    }
  } finally {
    progress.end()
  }
}
