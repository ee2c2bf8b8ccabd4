import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Api } from '../../../client/src/index.ts'
import { type Command, command, type Options } from '../command.ts'
import { connect } from '../connection.ts'
import { Failure } from '../failure.ts'
import { importJudgments } from '../judgment-import.ts'
import { defined, numberOf } from '../option-values.ts'
import { note, timeOf, writeJson, writeLine } from '../output.ts'
import { startProgress } from '../progress.ts'
import { streamOf, writeStream } from '../stream.ts'
import { utf8Lines } from '../utf8-lines.ts'
import { evaluate } from './memory-evaluate.ts'

const PLACE = {
  'organization-id': { type: 'string', value: '<id>', about: 'Only judgments of this organization.' },
  'document-id': { type: 'string', value: '<id>', about: 'Only judgments of this document of the organization.' },
} as const satisfies Options

const NEAREST = {
  'organization-id': { ...PLACE['organization-id'], about: 'Its judgments come before those of the whole API key.' },
  'document-id': { ...PLACE['document-id'], about: 'Its judgments come before those of the organization.' },
} as const satisfies Options

const placeOf = (values: { 'organization-id'?: string; 'document-id'?: string }) =>
  defined({ organizationId: values['organization-id'], documentId: values['document-id'] })

const search = command({
  name: 'memory search',
  summary: 'Search past judgments, the most similar first.',
  parameters: ['<query>'],
  options: {
    ...PLACE,
    limit: { type: 'string', value: '<count>', about: 'How many at most; default 10.' },
    decision: { type: 'string', value: '<decision>', about: 'Only judgments with this decision, such as `approve`.' },
    content: { type: 'boolean', about: 'Search what was reviewed, not what was decided and why.' },
  },
  async run({ json, limit = '10', decision, content, ...values }, [query = '']) {
    const { api } = await connect(values)
    const found = await api.memory.searchJudgments({
      query,
      ...placeOf(values),
      limit: numberOf('--limit', limit, /^\d+$/, 1, 50),
      embeddingType: content ? 'content' : 'review',
      ...(decision !== undefined && { filters: { decision } }),
    })
    if (json) return writeJson(found)
    for (const { similarity, decision, actionUser, createdAt, recordId, reasoning } of found.results) {
      const who = actionUser.name ?? actionUser.userId ?? 'unknown'
      await writeLine(`${percent(similarity)}  ${decision}  ${who}, ${timeOf(createdAt)}  ${recordId}`)
      await writeLine(`       ${reasoning}`)
    }
    for (const warning of found.warnings ?? []) note(warning)
    note(`${found.results.length} of ${found.totalInScope} judgments`)
  },
})

const suggest = command({
  name: 'memory suggest',
  summary: 'Suggest a decision for a new item, with its reasons and caveats, and the rules that bear on it.',
  parameters: ['<item>'],
  options: NEAREST,
  async run({ json, ...values }, [query = '']) {
    const { api } = await connect(values)
    const suggested = await api.memory.suggestDecision({ query, ...placeOf(values) })
    if (json) return writeJson(suggested)
    const { primary, warnings = [] } = suggested
    // Where nothing is suggested, the warnings say why, and are the result.
    if (primary === null) for (const why of warnings.length > 0 ? warnings : ['No suggestion.']) await writeLine(why)
    if (primary !== null) await writeSuggestion('', primary)
    if (suggested.conflict !== null) await writeSuggestion('but ', suggested.conflict)
    for (const { text, fileName } of suggested.knowledge ?? []) await writeLine(`  rule: ${text}  (${fileName})`)
    if (primary !== null) for (const warning of warnings) note(warning)
  },
})

type Suggestion = NonNullable<Awaited<ReturnType<Api['memory']['suggestDecision']>>['primary']>

async function writeSuggestion(role: string, suggestion: Suggestion): Promise<void> {
  const { recommendation, confidence, basedOn, basedOnTotal, uniqueReviewers, scopeLabel } = suggestion
  const basis = `${basedOn} of ${basedOnTotal} judgments by ${uniqueReviewers} reviewers, ${scopeLabel}`
  await writeLine(`${role}${recommendation}  ${percent(confidence).trim()} confident  (${basis})`)
  for (const reason of suggestion.topReasons) await writeLine(`  + ${reason}`)
  for (const caveat of suggestion.caveats) await writeLine(`  ! ${caveat}`)
}

const percent = (share: number) => `${Math.round(share * 100)} %`.padStart(5)

const importCommand = command({
  name: 'memory import',
  summary: 'Add judgments from lines of JSON. It can be repeated. Exits with 1 if a line was left out.',
  parameters: ['<file>'],
  options: {
    create: {
      type: 'boolean',
      about: 'Add the organizations and documents that judgments name and that do not exist.',
    },
  },
  notes: 'The file may be -, which is standard input. Each line has the form that `addJudgments` takes.',
  async run({ json, create = false, ...given }, [file = '']) {
    const { api } = await connect(given)
    const { lines, end } = await linesOf(file)
    const faulty: { line: number; fault: string }[] = []
    const report = (line: number, fault: string) => {
      faulty.push({ line, fault })
      if (!json) note(`line ${line}: ${fault}`)
    }
    const added = await importJudgments(api, lines, { create, report }).finally(end)
    if (json) await writeJson({ added, faulty })
    else await writeLine(`${added} added${faulty.length === 0 ? '' : `, ${faulty.length} faulty and left out`}`)
    if (!json && !create && faulty.some(({ fault }) => / does not exist$/.test(fault)))
      note('With --create, organizations and documents that do not exist are added.')
    if (faulty.length > 0) process.exitCode = 1
  },
})

/** The lines of a file. How far it is read is shown on the terminal. */
async function linesOf(file: string): Promise<{ lines: AsyncIterable<string>; end(): void }> {
  if (file === '-') return { lines: utf8Lines(process.stdin), end: () => {} }
  const { size } = await stat(file).catch((error) => {
    throw new Failure(`The file cannot be read: ${error instanceof Error ? error.message : error}`)
  })
  const progress = startProgress('Importing')
  const input = createReadStream(file)
  input.on('data', () => progress.show(size === 0 ? 1 : input.bytesRead / size))
  return { lines: utf8Lines(input), end: progress.end }
}

const exportCommand = command({
  name: 'memory export',
  summary: 'Write all judgments of the API key to standard output, as lines of JSON.',
  parameters: [],
  options: {},
  async run(given) {
    const { profile } = await connect(given)
    await writeStream(streamOf(profile, '/v2/memory/judgments/export', {}))
  },
})

export const memoryCommands: Command[] = [search, suggest, evaluate, importCommand, exportCommand]
