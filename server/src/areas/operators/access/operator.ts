import { randomUUID } from 'node:crypto'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { lockByName } from '../../../platform/db/list-lock.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { StateReader } from '../../../platform/operation.ts'
import type { Role } from './role.ts'

/** Somebody who may sign in to the console. */
export interface Operator {
  id: string
  email: string
  name: string
  role: Role
  /** The only workspace that the operator sees; null: all. */
  workspaceId: string | null
}

/**
 * The operator of an address; undefined when there is none. It stays until the transaction ends: a session or link may
 * be made for it.
 */
export async function findByEmail(db: Db, email: string): Promise<Operator | undefined> {
  const [row] = await db.query<Operator>(sql`
    select id, email, name, role, workspace_id as "workspaceId"
    from operator
    where lower(email) = lower(${email})
    for key share`)
  return row
}

/**
 * Whether two addresses differ in upper and lower case alone. For a database they may also differ in the sign of Kelvin
 * and a k, which has it as its lower case: another person's address.
 */
export const isSameAddress = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase() && one.toUpperCase() === other.toUpperCase()

/**
 * Throws FAILED_PRECONDITION for the role operator in one workspace, and NOT_FOUND for a workspace that does not exist.
 * Null: all workspaces.
 */
export async function assertReach(
  db: Db,
  { role, workspaceId }: Pick<Operator, 'role' | 'workspaceId'>,
): Promise<void> {
  if (workspaceId === null) return
  if (role === 'operator') {
    const message = 'The role operator is for the whole installation: name another one, or no workspace.'
    throw new ApiError('FAILED_PRECONDITION', message)
  }
  const [known] = await db.query(sql`select id from workspace where id = ${workspaceId}`)
  if (!known) throw new ApiError('NOT_FOUND', `There is no workspace ${workspaceId}.`)
}

/** Stores an operator; undefined when the address is taken. */
export async function insertOperator(db: Db, operator: Omit<Operator, 'id'>): Promise<Operator | undefined> {
  const { email, name, role, workspaceId } = operator
  const [row] = await db.query<{ id: string }>(sql`
    insert into operator (id, email, name, role, workspace_id)
    values (${randomUUID()}, ${email}, ${name}, ${role}, ${workspaceId})
    on conflict (lower(email)) do nothing
    returning id`)
  return row && { ...operator, id: row.id }
}

/** Whether any operator of the whole installation has a password to sign in with. */
export async function hasPasswordOperator(db: Db): Promise<boolean> {
  const [able] = await db.query(sql`select id from operator where role = 'operator' and password is not null limit 1`)
  return able !== undefined
}

/** FAILED_PRECONDITION unless somebody with the role operator is left. Changes of roles run one after another. */
export async function keepAnOperator(db: Db, why = 'The last operator must stay.'): Promise<void> {
  await lockByName(db, 'operator')
  const [left] = await db.query(sql`select id from operator where role = 'operator' limit 1`)
  if (!left) throw new ApiError('FAILED_PRECONDITION', `${why} Give another the role first.`)
}

/** The operator that a call names or makes, for its audit record; null when there is none. */
export const operatorState: StateReader = ({ db, input, answer }) => {
  const id = input.id ?? (answer as { id?: string } | undefined)?.id ?? null
  return readState(db, sql`id = ${id}`)
}

/** The same of an address. */
export const operatorStateOf = (db: Db, email: string) => readState(db, sql`lower(email) = lower(${email})`)

async function readState(db: Db, condition: Sql): Promise<object | null> {
  const [row] = await db.query(sql`
    select email, name, role, workspace_id as "workspaceId" from operator where ${condition}`)
  return row ?? null
}
