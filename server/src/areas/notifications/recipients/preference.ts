import type { ApiKeyScope } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { oneOf, type Static, Type } from '../../../platform/schema.ts'

const level = (description: string) => oneOf(['ALL', 'MINE', 'NONE'], description)

/** How much a user wants to be notified of, by channel. */
export const Preference = Type.Object({
  inbox: level('ALL: everything that concerns the user; MINE: only what is addressed to the user; NONE: nothing.'),
  email: level('The same for emails.'),
  slack: Type.Optional(level('The same for Slack; kept for the clients.')),
})
export type Preference = Static<typeof Preference>
export type Level = Preference['inbox']

// The preferences of a user who set none.
const DEFAULT_PREFERENCE: Preference = { inbox: 'ALL', email: 'MINE' }

/** Whether a preference level includes a notification. */
export const wants = (level: Level, isAddressed: boolean): boolean =>
  level === 'ALL' || (level === 'MINE' && isAddressed)

interface PreferenceRow extends Partial<Record<keyof Preference, Level | null>> {
  userKey: string
  documentKey: string | null
}

/** Reads the preferences of users in an organization and some of its documents. */
export async function readPreferences(
  db: Db,
  tenant: ApiKeyScope,
  organizationKey: string,
  { userKeys, documentKeys }: { userKeys: string[]; documentKeys: string[] },
): Promise<PreferenceLookup> {
  const rows = await db.query<PreferenceRow>(sql`
    select user_key as "userKey", document_key as "documentKey", inbox, email, slack
    from notification_preference
    where api_key = ${tenant.apiKey} and organization_key = ${organizationKey}
      and user_key = any(${userKeys}::uuid[])
      and (document_key is null or document_key = any(${documentKeys}::uuid[]))`)
  const stored = new Map(rows.map((row) => [`${row.userKey} ${row.documentKey}`, row]))
  return {
    of: (userKey, documentKey = null) => {
      const own = documentKey === null ? undefined : stored.get(`${userKey} ${documentKey}`)
      const general = stored.get(`${userKey} null`)
      const slack = own?.slack ?? general?.slack
      return {
        inbox: own?.inbox ?? general?.inbox ?? DEFAULT_PREFERENCE.inbox,
        email: own?.email ?? general?.email ?? DEFAULT_PREFERENCE.email,
        ...(slack && { slack }),
      }
    },
  }
}

/**
 * The preference of a user in a document, or (null) in the organization. A document without its own uses the
 * organization's.
 */
export interface PreferenceLookup {
  of(userKey: string, documentKey?: string | null): Preference
}
