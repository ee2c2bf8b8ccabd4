import { type Command, command, type Options } from '../command.ts'
import { connectWorkspace } from '../connection.ts'
import { Failure } from '../failure.ts'
import { momentOf } from '../moment.ts'
import { anchorOf, defined, numberOf } from '../option-values.ts'
import { timeOf, writeJson, writeLine } from '../output.ts'
import { streamOf, writeStream } from '../stream.ts'

const FILTERS = {
  actor: { type: 'string', value: '<who>', about: 'Only changes by this operator, workspace or API key.' },
  action: { type: 'string', value: '<path>', about: 'Only changes by this operation.' },
  'api-key': { type: 'string', value: '<id>', about: 'Only changes about this API key.' },
  from: { type: 'string', value: '<date>', about: 'Only changes since then.' },
  to: { type: 'string', value: '<date>', about: 'Only changes before then.' },
} as const satisfies Options

type Filters = { [Name in keyof typeof FILTERS]?: string }

function filtersOf({ actor, action, 'api-key': apiKey, from, to }: Filters) {
  return defined({
    actor,
    action,
    apiKey,
    from: from === undefined ? undefined : momentOf('--from', from),
    to: to === undefined ? undefined : momentOf('--to', to),
  })
}

const auditList = command({
  name: 'audit list',
  summary: 'Show the latest administrative changes of the workspace, the newest first.',
  parameters: [],
  options: {
    ...FILTERS,
    last: { type: 'string', value: '<count>', about: 'How many at most; default 50.' },
  },
  async run({ json, last = '50', ...given }) {
    let left = numberOf('--last', last, /^\d{1,5}$/, 1, 10_000)
    const { api } = await connectWorkspace(given)
    const asked = { filters: filtersOf(given), pageSize: Math.min(left, 500) }
    for await (const { data } of api.audit.getAuditRecords.pages(asked)) {
      for (const record of data.slice(0, left)) {
        const { at, actor, door, address, action, apiKey } = record
        const line = [timeOf(at), actor, door, address || '-', action, apiKey].filter(Boolean).join('  ')
        await (json ? writeJson(record) : writeLine(line))
      }
      left -= data.length
      if (left <= 0) return
    }
  },
})

const ANCHOR = '<records>:<head>'

const auditVerify = command({
  name: 'audit verify',
  summary: 'Check that the audit records of the workspace are unchanged. Exits with 1 if they are not.',
  parameters: [],
  options: {
    anchor: {
      type: 'string',
      value: ANCHOR,
      about: 'What an earlier check showed; the records must continue it.',
    },
  },
  async run({ json, anchor, ...given }) {
    const { api } = await connectWorkspace(given)
    const earlier = anchor === undefined ? undefined : anchorOf(anchor, ANCHOR)
    const { data } = await api.audit.verifyAudit(
      earlier ? { anchor: { records: earlier.count, head: earlier.head } } : {},
    )
    const { valid, records, head, brokenAt } = data
    if (json) await writeJson(data)
    else await writeLine(`${valid ? 'unchanged' : 'changed'}: ${records} records, anchor ${records}:${head}`)
    if (valid) return
    throw new Failure(
      brokenAt === null
        ? 'The records do not reach the anchor: their end is missing, or it is the anchor of another chain.'
        : `The record with seq ${brokenAt} does not fit the chain or the anchor.`,
      'docs/operators.md says what the chain proves.',
    )
  },
})

const auditExport = command({
  name: 'audit export',
  summary: 'Write the audit records of the workspace to standard output, as lines of JSON or as CSV.',
  parameters: [],
  options: { ...FILTERS, csv: { type: 'boolean', about: 'Comma-separated values instead of lines of JSON.' } },
  async run({ csv, ...given }) {
    const { profile } = await connectWorkspace(given)
    const data = { format: csv ? 'csv' : 'ndjson', filters: filtersOf(given) }
    await writeStream(streamOf(profile, '/v2/workspace/audit/export', data))
  },
})

export const auditCommands: Command[] = [auditList, auditVerify, auditExport]
