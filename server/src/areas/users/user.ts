import type { ApiKeyScope, ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql, type Transaction } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { SIZE_LIMIT } from '../../platform/record-size.ts'
import {
  anyObject,
  clearedByNull,
  email,
  identifier,
  personName,
  REFUSES_NULL,
  type Static,
  Type,
} from '../../platform/schema.ts'
import { firstCharacter } from '../../platform/template.ts'
import { accessFields } from '../permissions/access/access-fields.ts'
import { grantedRole } from '../permissions/access/grant.ts'
import { type Profile, writeProfiles } from '../permissions/profile.ts'

/** A short text about a user. Each record that names the user repeats it, so one call may write it a thousand times. */
const label = (description: string) => Type.Optional(Type.String({ maxLength: 256, description }))

/** How clients show a user. */
export const appearance = {
  photoUrl: Type.Optional(
    Type.String({ maxLength: 2000, description: 'Where a picture of the user is, kept as sent.' }),
  ),
  color: label('The color that stands for the user.'),
  textColor: label('The color of text upon `color`.'),
}

const further = {
  ...appearance,
  isAdmin: Type.Optional(Type.Boolean({ description: 'Whether the user is an administrator, for the clients.' })),
  plan: label('The plan of the user, for the clients.'),
  type: label('The kind of the user, for the clients.'),
  isReadOnly: Type.Optional(Type.Boolean({ description: 'Whether clients let the user only read.' })),
  isGuest: Type.Optional(Type.Boolean({ description: 'Whether the user is a guest, for the clients.' })),
}

const contacts = Type.Array(anyObject('A contact.'), {
  description: 'The contacts of the user, for the clients. Only lists of users give them back.',
})

/** A user as sent to add or update users. */
export const UserInput = Type.Object(
  {
    userId: identifier('Id of the user, chosen by the caller.'),
    name: Type.Optional(personName('Default: the stored name, then the id.')),
    email: Type.Optional(email('Address of the user.')),
    initial: Type.Optional(personName('Default: the first letters of the first and the last word of the name.')),
    accessRole: grantedRole('Default: the role that the user has at this level, else `editor`.'),
    accessFields: Type.Optional(accessFields),
    ...further,
    contacts: Type.Optional(contacts),
  },
  { description: `A user; ${SIZE_LIMIT}.` },
)
export type UserInput = Static<typeof UserInput>

/** A change of a user; null clears. What is cleared of name and initial is made of the id, or the name, again. */
export const UserChange = Type.Object(
  {
    ...UserInput.properties,
    name: clearedByNull(UserInput.properties.name),
    email: clearedByNull(
      email('Address of the user. Null: no email is sent, not even to an address named in passing.'),
    ),
    initial: clearedByNull(UserInput.properties.initial),
    accessFields: clearedByNull(accessFields),
    photoUrl: clearedByNull(further.photoUrl),
    color: clearedByNull(further.color),
    textColor: clearedByNull(further.textColor),
    isAdmin: clearedByNull(further.isAdmin),
    plan: clearedByNull(further.plan),
    type: clearedByNull(further.type),
    isReadOnly: clearedByNull(further.isReadOnly),
    isGuest: clearedByNull(further.isGuest),
    contacts: clearedByNull(contacts),
  },
  { ...REFUSES_NULL, description: `What changes; ${SIZE_LIMIT}. Null clears a field.` },
)
export type UserChange = Static<typeof UserChange>

/** The same in v1, which has no access roles and fields. */
export const UserInputV1 = Type.Omit(UserInput, ['accessRole', 'accessFields'])
export const UserChangeV1 = Type.Omit(UserChange, ['accessRole', 'accessFields'], REFUSES_NULL)

/** Removes what v1 does not know: the schema lets unknown fields pass. */
export const withoutAccess = <Sent extends UserChange>({ accessRole, accessFields, ...user }: Sent) => user

/** A user as returned, and as named in records and payloads. */
export const User = Type.Object({
  userId: Type.String(),
  name: Type.String(),
  email: Type.Optional(Type.String()),
  initial: Type.String(),
  photoUrl: Type.Optional(Type.String()),
  color: Type.Optional(Type.String()),
  textColor: Type.Optional(Type.String()),
  isAdmin: Type.Optional(Type.Boolean()),
  plan: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  isReadOnly: Type.Optional(Type.Boolean()),
  isGuest: Type.Optional(Type.Boolean()),
})
export type User = Static<typeof User>

/** The columns of `app_user as u` that `toUser` reads. */
export const userColumns = sql`u.id, u.name, u.email, u.initial, u.profile`

/** A row of `userColumns`. */
export interface UserRow {
  id: string
  name: string | null
  /** Null: none was ever given. Empty: it was cleared. */
  email: string | null
  initial: string | null
  profile: Omit<User, 'userId' | 'name' | 'email' | 'initial'> & { contacts?: Static<typeof contacts> }
}

/** A stored user as callers see it, and as records name it: without contacts. */
export function toUser({ id, name, email, initial, profile }: UserRow): User {
  const shown = name ?? id
  const { contacts: _, ...fields } = profile
  return { userId: id, name: shown, ...(email && { email }), initial: initial ?? initialOf(shown), ...fields }
}

/**
 * Sends a statement that adds users and updates those that exist, and a second one that clears what is null. The ids
 * must be distinct.
 */
export function upsertUsers(db: Transaction, tenant: ApiKeyTenant, users: UserChange[]): void {
  writeProfiles(db, tenant, users.map(toProfile))
  const cleared = users.filter((user) => Object.values(user).includes(null))
  if (cleared.length === 0) return
  db.send(sql`
    update app_user u
    set name = case when 'name' = any(c.fields) then null else u.name end,
      email = case when 'email' = any(c.fields) then '' else u.email end,
      initial = case when 'initial' = any(c.fields) then null else u.initial end,
      profile = u.profile - c.fields
    from (
      select key, fields::text[] as fields
      from unnest(
        ${cleared.map(({ userId }) => keyOf(userId))}::uuid[],
        ${cleared.map((user) => `{${clearedFieldsOf(user)}}`)}::text[]
      ) as c (key, fields)
    ) c
    where u.api_key = ${tenant.apiKey} and u.key = c.key`)
}

const clearedFieldsOf = (user: UserChange) =>
  Object.entries(user).flatMap(([field, value]) => (value === null ? [field] : []))

const FURTHER = [...(Object.keys(further) as (keyof typeof further)[]), 'contacts'] as const

function toProfile(user: UserChange): Profile {
  const more: Record<string, unknown> = {}
  for (const field of FURTHER) if (user[field] !== undefined && user[field] !== null) more[field] = user[field]
  const { userId, name, email, initial } = user
  return { userId, name: name ?? undefined, email: email ?? undefined, initial: initial ?? undefined, more }
}

/** The stored users with these ids, by id. */
export async function findUsers(db: Db, tenant: ApiKeyTenant, userIds: string[]): Promise<Map<string, User>> {
  if (userIds.length === 0) return new Map()
  const rows = await db.query<UserRow>(sql`
    select ${userColumns}
    from app_user u
    where u.api_key = ${tenant.apiKey} and u.key = any(${userIds.map(keyOf)}::uuid[])`)
  return new Map(rows.map((row) => [row.id, toUser(row)]))
}

/**
 * The people as they are stored. An address that was given in passing stays only where the store knows of none: a
 * stored one beats it, and so does one that was cleared.
 */
export async function asStored(db: Db, tenant: ApiKeyScope, people: User[]): Promise<User[]> {
  if (people.length === 0) return []
  const keys = [...new Set(people.map(({ userId }) => keyOf(userId)))]
  const rows = await db.query<UserRow>(sql`
    select ${userColumns}
    from app_user u
    where u.api_key = ${tenant.apiKey} and u.key = any(${keys}::uuid[])`)
  const stored = new Map(rows.map((row) => [row.id, row]))
  return people.map((person) => {
    const row = stored.get(person.userId)
    if (!row) return person
    const { email, ...others } = person
    return { ...others, ...(email !== undefined && row.email !== '' && { email }), ...toUser(row) }
  })
}

/** The first letters of the first and the last word, in upper case. */
export function initialOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], ...(words.length > 1 ? [words.at(-1)] : [])].map((word) => firstCharacter(word ?? ''))
  return letters.join('').toUpperCase()
}
