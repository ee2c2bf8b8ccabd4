import { type Database, type Db, raw, type Sql } from '../../src/platform/db/db.ts'
import { type Parameter, toParameters } from '../../src/platform/db/parameters.ts'
import { WORK_SETTINGS } from '../../src/platform/db/session-settings.ts'

/** A node of a plan, as `explain` tells it. */
export interface Plan {
  'Node Type': string
  'Total Cost': number
  'Index Name'?: string
  'Rows Removed by Join Filter'?: number
  'Rows Removed by Filter'?: number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  'Actual Loops': number
  Plans?: Plan[]
}

/** What `explain (format json)` answers: a text from the embedded database. */
export type PlanAnswer = string | [{ Plan: Plan }]

/** The plan in the answer to an `explain (format json)`. */
export function planIn([row]: { 'QUERY PLAN': PlanAnswer }[]): Plan {
  const plans = row?.['QUERY PLAN'] ?? '[]'
  const [{ Plan }] = typeof plans === 'string' ? (JSON.parse(plans) as [{ Plan: Plan }]) : plans
  return Plan
}

/**
 * The number of rows, or pairs of rows, that the statements of `job` read and discard, by the plans that workers keep,
 * or by those that the settings lead to.
 */
export const rowsInVain = (
  database: Database,
  job: (db: Db) => Promise<unknown>,
  settings?: Record<string, string>,
): Promise<number> => summed(database, job, discarded, settings)

/** The number of blocks that the statements of `job` read, by the plans that workers keep. */
export const blocksRead = (database: Database, job: (db: Db) => Promise<unknown>): Promise<number> =>
  summed(database, job, blocks)

/** The number of blocks that the statements of `job` read, by plans that are made for their values. */
export const blocksReadForValues = (database: Database, job: (db: Db) => Promise<unknown>): Promise<number> =>
  summed(database, job, blocks, { plan_cache_mode: 'force_custom_plan' })

/**
 * How often the statements of `job` sort, by the plans that workers keep: where an index gives the order they do not.
 */
export const sortsOf = (database: Database, job: (db: Db) => Promise<unknown>): Promise<number> =>
  summed(database, job, sorts)

/** The number of scans in the plans of `job`, run or not, by an index whose name matches. */
export const scansBy = (
  index: RegExp,
  database: Database,
  job: (db: Db) => Promise<unknown>,
  settings?: Record<string, string>,
): Promise<number> => summed(database, job, (plan) => scans(plan, index), settings)

/** Plans such as are made where a table has no statistics yet, so that a join seems to have one row on each side. */
const NESTED_LOOPS = { enable_hashjoin: 'off', enable_mergejoin: 'off', enable_material: 'off' }

/** How often the statements of `job` group rows, where all that they join is joined row by row. */
export const groupingsOf = (database: Database, job: (db: Db) => Promise<unknown>): Promise<number> =>
  summed(database, job, groupings, NESTED_LOOPS)

/** The statements of `job` are run, and return no rows. */
async function summed(
  database: Database,
  job: (db: Db) => Promise<unknown>,
  figure: (plan: Plan) => number,
  settings: Record<string, string> = WORK_SETTINGS,
): Promise<number> {
  let sum = 0
  await job({
    query: async (statement: Sql) => {
      await database.transaction(async (db) => {
        for (const [name, value] of Object.entries(settings)) await db.query(raw(`set local ${name} = ${value}`))
        await db.query(raw(`prepare measured as ${statement.text}`))
        const rows = await db.query<{ 'QUERY PLAN': PlanAnswer }>(
          raw(
            `explain (analyze, buffers, format json) execute measured (${toParameters(statement.values).map(literal).join()})`,
          ),
        )
        await db.query(raw('deallocate measured'))
        sum += figure(planIn(rows))
      })
      return []
    },
  })
  return sum
}

const literal = (value: Parameter) => (value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`)

/** The blocks of 8 KiB that a plan touched. */
export const blocks = (plan: Plan): number => (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)

/** The rows, or pairs of rows, that a plan read and discarded. */
export const discarded = (plan: Plan): number =>
  ((plan['Rows Removed by Join Filter'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((sum, each) => sum + discarded(each), 0)

const sorts = (plan: Plan): number =>
  Number(plan['Node Type'] === 'Sort') + (plan.Plans ?? []).reduce((sum, each) => sum + sorts(each), 0)

const groupings = (plan: Plan): number =>
  (plan['Node Type'] === 'Aggregate' ? plan['Actual Loops'] : 0) +
  (plan.Plans ?? []).reduce((sum, each) => sum + groupings(each), 0)

const scans = (plan: Plan, index: RegExp): number =>
  Number(index.test(plan['Index Name'] ?? '')) + (plan.Plans ?? []).reduce((sum, each) => sum + scans(each, index), 0)
