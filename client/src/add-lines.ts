import type { Api } from './api.ts'
import type { CallOptions } from './call-options.ts'
import { PrecedentError } from './errors.ts'

type Request = Parameters<Api['memory']['addJudgments']>[0]

/** A judgment of a file, and the number of its line. */
export interface JudgmentLine {
  line: number
  judgment: Request['judgments'][number] & { recordId: string }
}

interface Adding {
  /** Where judgments belong that name no place. */
  place?: Pick<Request, 'organizationId' | 'documentId'>
  /** Told of each line that the service does not take, and why. */
  refuse: (line: number, reason: string) => void
  options?: CallOptions
}

/**
 * Adds judgments in one request, or in as few as the service takes: a request that it refuses is sent again without the
 * judgments that it finds invalid, and one that is too large in halves. So none keeps the others out. Returns how many
 * were added. Throws where the service refuses the caller, or does not answer.
 *
 * It is no part of the package: the console and the command line share it.
 */
export async function addLines(api: Api, lines: JudgmentLine[], adding: Adding): Promise<number> {
  if (lines.length === 0) return 0
  const { place, refuse, options } = adding
  try {
    const judgments = lines.map(({ judgment }) => judgment)
    const { results } = await api.memory.addJudgments({ ...place, judgments }, options)
    const refused = lines.filter(({ judgment }) => !results[judgment.recordId]?.success)
    for (const { line, judgment } of refused) refuse(line, results[judgment.recordId]?.message ?? 'was not added')
    return lines.length - refused.length
  } catch (error) {
    if (!(error instanceof PrecedentError)) throw error
    const faults = faultsOf(error)
    if (faults.size === 0) return addHalves(api, lines, adding, error)
    for (const [index, fault] of faults) refuse(lines[index]?.line ?? 0, fault)
    const rest = lines.filter((_, index) => !faults.has(index))
    return addLines(api, rest, adding)
  }
}

async function addHalves(api: Api, lines: JudgmentLine[], adding: Adding, error: PrecedentError): Promise<number> {
  // A proxy before the service may take less than the service does.
  if (error.status !== 'INVALID_ARGUMENT' && error.httpStatus !== 413) throw error
  if (lines.length === 1) {
    for (const { line } of lines) adding.refuse(line, error.message)
    return 0
  }
  const half = Math.ceil(lines.length / 2)
  return (await addLines(api, lines.slice(0, half), adding)) + (await addLines(api, lines.slice(half), adding))
}

/** The first error of each invalid judgment of a request, by its position. */
function faultsOf({ details }: PrecedentError): Map<number, string> {
  const faults = new Map<number, string>()
  for (const { path, message } of details?.issues ?? []) {
    const [, index, field] = /^judgments\[(\d+)\]\.?(.*)$/.exec(path) ?? []
    if (index !== undefined && !faults.has(Number(index))) faults.set(Number(index), `${field} ${message}`.trim())
  }
  return faults
}
