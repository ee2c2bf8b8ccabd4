import { type Command, command } from '../command.ts'
import { connect } from '../connection.ts'
import { Failure } from '../failure.ts'
import { FOLLOWING, following } from '../following.ts'
import { anchorOf, defined } from '../option-values.ts'
import { note, timeOf, writeJson, writeLine } from '../output.ts'
import { streamOf, writeStream } from '../stream.ts'
import { tail } from '../tail.ts'

const activitiesTail = command({
  name: 'activities tail',
  summary: "Show an organization's latest activities, then each new one.",
  parameters: ['<organization>'],
  options: {
    ...FOLLOWING,
    'document-id': { type: 'string', value: '<id>', about: 'Only activities of this document.' },
    'user-id': { type: 'string', value: '<id>', about: 'Only activities of this user.' },
  },
  async run({ json, 'document-id': documentId, 'user-id': userId, ...values }, [organizationId = '']) {
    const { api } = await connect(values)
    const filters = { organizationId, ...defined({ documentId, userId }) }
    const activities = tail({
      list: (page) => api.activities.getActivities({ ...filters, ...page }),
      idOf: ({ id }) => id,
      onNone: () =>
        json || note('There are none yet. `precedent call updateActivityConfig --help` shows how to log them.'),
      ...following(values),
    })
    for await (const activity of activities) {
      const { timestamp, actionType, actionUser, displayMessage, targetEntityId, metadata } = activity
      const what = displayMessage ?? targetEntityId ?? ''
      const line = [timeOf(timestamp), actionType.padEnd(28), actionUser.name ?? actionUser.userId, metadata.documentId]
      await (json ? writeJson(activity) : writeLine([...line, what].filter(Boolean).join('  ')))
    }
  },
})

const ANCHOR = '<count>:<head>'

const activitiesVerify = command({
  name: 'activities verify',
  summary: "Check that an organization's activity log is unchanged. Exits with 1 if it is not.",
  parameters: ['<organization>'],
  options: {
    anchor: {
      type: 'string',
      value: ANCHOR,
      about: 'What an earlier check showed; the log must continue it.',
    },
  },
  async run({ json, anchor, ...given }, [organizationId = '']) {
    const { api } = await connect(given)
    const { data } = await api.activities.verifyActivities({
      organizationId,
      ...(anchor !== undefined && { anchor: anchorOf(anchor, ANCHOR) }),
    })
    if (json) await writeJson(data)
    else
      await writeLine(
        `${data.valid ? 'unchanged' : 'changed'}: ${data.count} entries, anchor ${data.count}:${data.head}`,
      )
    if (data.valid) return
    const { position, reason, id } = data.firstBreak ?? { position: 0, reason: 'unknown', id: null }
    throw new Failure(
      `The log is broken at entry ${position}: ${reason.replaceAll('_', ' ')}${id === null ? '' : ` (${id})`}.`,
      'docs/activity-log.md says what each reason means.',
    )
  },
})

const activitiesExport = command({
  name: 'activities export',
  summary: "Write an organization's activity log to standard output, as lines of JSON or as CSV.",
  parameters: ['<organization>'],
  options: {
    csv: { type: 'boolean', about: 'Comma-separated values instead of lines of JSON.' },
    from: { type: 'string', value: '<date>', about: 'Only what was added since then.' },
    to: { type: 'string', value: '<date>', about: 'Only what was added until then.' },
  },
  async run({ csv, from, to, ...given }, [organizationId = '']) {
    const { profile } = await connect(given)
    const data = { organizationId, format: csv ? 'csv' : 'ndjson', dateRange: defined({ start: from, end: to }) }
    await writeStream(streamOf(profile, '/v2/activities/export', data))
  },
})

export const activityCommands: Command[] = [activitiesTail, activitiesVerify, activitiesExport]
