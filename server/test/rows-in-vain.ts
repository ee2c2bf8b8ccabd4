import { type Database, type Db, raw, type Sql } from '../src/platform/db/db.ts'
import { type Parameter, toParameters } from '../src/platform/db/parameters.ts'
import { WORK_SETTINGS } from '../src/platform/db/work-settings.ts'

interface Plan {
  'Rows Removed by Join Filter'?: number
  'Rows Removed by Filter'?: number
  'Actual Loops': number
  Plans?: Plan[]
}

/**
 * How many rows, or pairs of rows, the statements of `job` look at in vain, by the plans that workers keep. The statements
 * are run, and answer no rows.
 */
export async function rowsInVain(database: Database, job: (db: Db) => Promise<unknown>): Promise<number> {
  let sum = 0
  await job({
    query: async (statement: Sql) => {
      await database.transaction(async (db) => {
        for (const [name, value] of Object.entries(WORK_SETTINGS)) await db.query(raw(`set local ${name} = ${value}`))
        await db.query(raw(`prepare measured as ${statement.text}`))
        const [row] = await db.query<{ 'QUERY PLAN': string | [{ Plan: Plan }] }>(
          raw(
            `explain (analyze, format json) execute measured (${toParameters(statement.values).map(literal).join()})`,
          ),
        )
        await db.query(raw('deallocate measured'))
        const plans = row?.['QUERY PLAN'] ?? '[]'
        const [{ Plan }] = typeof plans === 'string' ? (JSON.parse(plans) as [{ Plan: Plan }]) : plans
        sum += discarded(Plan)
      })
      return []
    },
  })
  return sum
}

const literal = (value: Parameter) => (value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`)

const discarded = (plan: Plan): number =>
  ((plan['Rows Removed by Join Filter'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((sum, each) => sum + discarded(each), 0)
