import { type Sql, sql } from '../../../platform/db/db.ts'

/**
 * In the answer, a person of a thread takes about so many bytes besides what is stored of them, and a reaction so many.
 */
const [ANSWERED_PERSON, ANSWERED_REACTION] = [250, 4]

interface Held {
  apiKey: string
  organizationKey: string
  /** The bytes that each person counts for besides what is stored. Default: those in an answer. */
  perPerson?: number
}

/** SQL: the bytes of the people of the thread `a` and of the ids of its reactions. */
export const heldBytes = ({ apiKey, organizationKey, perPerson = ANSWERED_PERSON }: Held): Sql => sql`
  (
    select coalesce(sum(octet_length(person::text) + ${perPerson}::bigint), 0)::bigint
    from comment_participant
    where api_key = ${apiKey} and organization_key = ${organizationKey} and annotation_key = a.key
  ) + (
    select coalesce(sum(octet_length(id) + ${ANSWERED_REACTION}::bigint), 0)::bigint
    from reaction
    where api_key = ${apiKey} and organization_key = ${organizationKey} and annotation_key = a.key
  )`
