import { withFields } from '../../../platform/bulk.ts'
import type { ApiKeyTenant } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import { compileGuard } from '../../../platform/http/validate.ts'
import { email, identifier, personName, type Static, Type } from '../../../platform/schema.ts'
import { appearance, findUsers, initialOf, type User } from '../../users/user.ts'

/** A user as named in a comment, reaction or change. Omitted fields come from the stored user. */
export const Person = Type.Object({
  userId: identifier('Id of the user.'),
  name: Type.Optional(personName('Default: the stored name, then the id.')),
  email: Type.Optional(email('Address of the user.')),
  initial: Type.Optional(personName('Default: the first letters of the first and the last word of the name.')),
  ...appearance,
})
export type Person = Static<typeof Person>

/** Whether a value in a caller's own record is a user. */
export const isPerson = compileGuard(Person)

/** The users of the API key that were looked up. */
export interface People {
  /** The person, completed from the stored user. */
  complete(person: Person): User
  /** The stored user of this id. */
  find(userId: string): User | undefined
}

/** Looks up users in one statement. */
export async function lookUpPeople(db: Db, tenant: ApiKeyTenant, userIds: Iterable<string>): Promise<People> {
  const stored = await findUsers(db, tenant, [...new Set(userIds)])
  return {
    complete: (person) => complete(person, stored.get(person.userId)),
    find: (userId) => stored.get(userId),
  }
}

function complete(person: Person, stored: User | undefined): User {
  const { userId, photoUrl, color, textColor } = person
  const name = person.name ?? stored?.name ?? userId
  const initial = person.initial ?? (person.name === undefined ? stored?.initial : undefined) ?? initialOf(name)
  const address = person.email ?? stored?.email
  return withFields(stored ?? {}, {
    userId,
    name,
    initial,
    ...(address !== undefined && { email: address }),
    ...(photoUrl !== undefined && { photoUrl }),
    ...(color !== undefined && { color }),
    ...(textColor !== undefined && { textColor }),
  })
}
