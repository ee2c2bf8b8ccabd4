import { type Api, createClient } from '../client/src/index.ts'
import { checkPermissions, checkUsers } from './collaboration/check-people.ts'
import { type Check, checkDocuments, checkFolders, checkOrganizations } from './collaboration/check-places.ts'
import { checkActivities, checkLog, checkNotifications, checkRecordings } from './collaboration/check-records.ts'
import { checkComments, checkCounts, checkReactions, checkThreads } from './collaboration/check-threads.ts'
import { checkUserData } from './collaboration/check-user-data.ts'
import { COMPANY, planCompany, type Sizes } from './collaboration/company.ts'
import { createExpectation } from './collaboration/expectation.ts'
import { LOADERS } from './collaboration/load.ts'
import { reportWhile } from './collaboration/progress.ts'
import type { Server } from './review.ts'

/** The checks, in this order. */
const CHECKS: [what: string, check: Check][] = [
  ['organizations', checkOrganizations],
  ['documents', checkDocuments],
  ['folders', checkFolders],
  ['users and user groups', checkUsers],
  ['permissions', checkPermissions],
  ['comment threads', checkThreads],
  ['counts of threads', checkCounts],
  ['comments', checkComments],
  ['reactions', checkReactions],
  ['recordings', checkRecordings],
  ['notifications', checkNotifications],
  ['activities', checkActivities],
  ['the log of activities', checkLog],
  ['the data of users', checkUserData],
]

/** How much was written and compared. */
export interface Collaboration {
  written: Record<string, number>
  comparisons: number
}

const REPORT_MS = 5_000

/**
 * Loads a whole company through the API, then compares every read operation with what was written. Says how far it is
 * after each step and, in a long step, every `reportMs` milliseconds.
 */
export async function runCollaboration(
  server: Server,
  say: (line: string) => void,
  sizes: Sizes = COMPANY,
  reportMs = REPORT_MS,
): Promise<Collaboration> {
  let calls = 0
  const client = await newWorkspace(server, say, (...request) => {
    calls++
    return fetch(...request)
  })
  const company = planCompany(sizes)
  const written: Record<string, number> = {}
  const loading = performance.now()
  for (const [what, load] of LOADERS) {
    const start = performance.now()
    const before = calls
    const counts = await reportWhile(
      Promise.all(company.map((organization) => load(client, organization))),
      () => say(`   … ${what}: ${number(calls - before)} calls in ${since(start)}`),
      reportMs,
    )
    written[what] = counts.reduce((sum, count) => sum + count, 0)
    say(`   ${number(written[what])} ${what} in ${since(start)}`)
  }
  say(`3. Everything is written, in ${since(loading)}; now it is read and compared`)
  const expect = createExpectation()
  const reading = performance.now()
  for (const [what, check] of CHECKS) {
    const before = expect.count()
    const start = performance.now()
    const report = () => say(`   … ${what}: ${number(expect.count() - before)} comparisons in ${since(start)}`)
    for (const organization of company) await reportWhile(check(client, organization, expect), report, reportMs)
    say(`   ${what}: ${number(expect.count() - before)} comparisons in ${since(start)}`)
  }
  say(`4. ${number(expect.count())} comparisons in ${since(reading)}; everything reads as it was written`)
  return { written, comparisons: expect.count() }
}

/** A workspace with notifications and the activity log enabled. */
async function newWorkspace(
  { baseUrl, operatorToken }: Server,
  say: (line: string) => void,
  counted: typeof fetch,
): Promise<Api> {
  const { data: workspace } = await createClient({ baseUrl, operatorToken }).workspaces.createWorkspace({
    ownerEmail: `amara+${Date.now()}@northwind.example`,
    workspaceName: 'Northwind Group',
  })
  const [apiKey = ''] = Object.keys(workspace.apiKeyList)
  const admin = createClient({ baseUrl, workspaceId: workspace.id, workspaceAuthToken: workspace.authToken })
  const { data: tokens } = await admin.workspaces.getAuthTokens({ apiKey })
  const client = createClient({ baseUrl, apiKey, authToken: tokens.authTokens[0]?.token ?? '', fetch: counted })
  say(`1. Workspace ${workspace.id} “${workspace.name}” with the API key ${apiKey}`)
  await client.notifications.updateNotificationConfig({ useNotificationService: true })
  await client.activities.updateActivityConfig({ activityServiceConfig: { isEnabled: true } })
  say('2. Notifications and the activity log are on; the company is written')
  return client
}

const number = (value: number) => value.toLocaleString('en-US')

const since = (start: number) => `${((performance.now() - start) / 1000).toFixed(1)} s`
