import type { ApiKeyTenant } from '../../platform/context.ts'
import { type Db, sql } from '../../platform/db/db.ts'
import { keyOf } from '../../platform/id.ts'
import { email, identifier, personName, type Static, Type, text } from '../../platform/schema.ts'
import { accessFields } from '../permissions/access-fields.ts'
import { accessRole } from '../permissions/grant.ts'
import { type Profile, writeProfiles } from '../permissions/profile.ts'

const further = {
  photoUrl: Type.Optional(
    Type.String({ maxLength: 2000, description: 'Where a picture of the user is, kept as sent.' }),
  ),
  color: Type.Optional(text('The color that stands for the user.')),
  textColor: Type.Optional(text('The color of text upon `color`.')),
  isAdmin: Type.Optional(Type.Boolean({ description: 'Whether the user is an administrator, for the clients.' })),
}

/** A user as sent to add or update users. */
export const UserInput = Type.Object({
  userId: identifier('Id of the user, chosen by the caller.'),
  name: Type.Optional(personName('Default: the stored name, then the id.')),
  email: Type.Optional(email('Address of the user.')),
  initial: Type.Optional(personName('Default: the first letters of the first and the last word of the name.')),
  accessRole: Type.Optional(accessRole),
  accessFields: Type.Optional(accessFields),
  ...further,
})
export type UserInput = Static<typeof UserInput>

/** The same in v1, which has no access roles and fields. */
export const UserInputV1 = Type.Omit(UserInput, ['accessRole', 'accessFields'])

/** Removes what v1 does not know: the schema lets unknown fields pass. */
export const withoutAccess = ({ accessRole: _, accessFields: __, ...user }: UserInput): UserInput => user

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
})
export type User = Static<typeof User>

/** The columns of `app_user as u` that `toUser` reads. */
export const userColumns = sql`u.id, u.name, u.email, u.initial, u.profile`

export interface UserRow {
  id: string
  name: string | null
  email: string | null
  initial: string | null
  profile: Pick<User, 'photoUrl' | 'color' | 'textColor' | 'isAdmin'>
}

/** A stored user as callers see it. */
export function toUser({ id, name, email, initial, profile }: UserRow): User {
  const shown = name ?? id
  return { userId: id, name: shown, ...(email !== null && { email }), initial: initial ?? initialOf(shown), ...profile }
}

/** Adds users and updates those that exist, in one statement. Of several with one id, the last counts. */
export async function upsertUsers(db: Db, tenant: ApiKeyTenant, users: UserInput[]): Promise<void> {
  const distinct = new Map(users.map((user) => [user.userId, user]))
  await writeProfiles(db, tenant, [...distinct.values()].map(toProfile))
}

function toProfile({ userId, name, email, initial, photoUrl, color, textColor, isAdmin }: UserInput): Profile {
  const more = { photoUrl, color, textColor, isAdmin }
  return { userId, name, email, initial, more }
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

/** The first letters of the first and the last word, in upper case. */
export function initialOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], ...(words.length > 1 ? [words.at(-1)] : [])].map((word) => [...(word ?? '')][0] ?? '')
  return letters.join('').toUpperCase()
}
