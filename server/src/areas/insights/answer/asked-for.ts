import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'

interface Reviewer {
  userId: string
  name: string
}

/** What a question asks for besides its words. */
interface AskedFor {
  /** The one reviewer whom it names in full. */
  reviewer?: Reviewer
  /** What the reader should know of how it was understood. */
  warnings: string[]
}

/** An API key with more reviewers is asked about the first of them, by the order of their keys. */
const MOST_REVIEWERS = 1_000
/** After the first word: a capital, a letter of a script without them, or what an id has. */
const MAY_NAME = /\s\S*[\p{Lu}\p{Lt}\p{Lo}\d_@-]/u
const COUNTS = /\b(?:how (?:many|often)|number of|percentage of|share of)\b/i

/** Tells whom a question names, and whether it asks for a count, which an answer in quotes does not give. */
export async function askedFor(db: Db, tenant: ApiKeyTenant, question: string): Promise<AskedFor> {
  const warnings = COUNTS.test(question)
    ? ['An answer quotes judgments and counts none. `totalInScope` of a search with filters counts.']
    : []
  if (!MAY_NAME.test(question)) return { warnings }
  const { named, isInFull } = namedIn(question, await readReviewers(db, tenant))
  const [reviewer] = named
  if (reviewer === undefined) return { warnings }
  if (named.length > 1 || !isInFull) {
    const names = named.map(({ name }) => name).join(', ')
    return { warnings: [...warnings, `The question may name ${names}: set \`filters.reviewerId\` to ask of one.`] }
  }
  return {
    reviewer,
    warnings: [
      ...warnings,
      `Only judgments of ${reviewer.name} (${reviewer.userId}) were searched: the question names them.`,
    ],
  }
}

/**
 * The reviewers whose id or name stands in a question, in whole words. Where there are none: those whose first name does.
 * A single word counts where it is written with a capital and does not begin the question: *Will the plan do?* names nobody.
 */
export function namedIn(question: string, reviewers: readonly Reviewer[]): { named: Reviewer[]; isInFull: boolean } {
  const said = ` ${wordsOf(question).join(' ')} `
  const lower = said.toLowerCase()
  const rest = said.slice(said.indexOf(' ', 1))
  const isNamed = ({ userId, name }: Reviewer) => {
    const words = wordsOf(name)
    const [first = ''] = words
    const isFirst = first.length > 1 && first !== first.toLowerCase() && rest.includes(` ${first} `)
    const byName = words.length > 1 ? lower.includes(` ${words.join(' ').toLowerCase()} `) : isFirst
    const byId = /[\d_@-]/.test(userId) && lower.includes(` ${userId.toLowerCase()} `)
    return { isWhole: byName || byId, isFirst }
  }
  const found = reviewers.map((reviewer) => ({ reviewer, ...isNamed(reviewer) }))
  const isInFull = found.some(({ isWhole }) => isWhole)
  const named = found.filter(({ isWhole, isFirst }) => (isInFull ? isWhole : isFirst))
  return { named: named.map(({ reviewer }) => reviewer), isInFull }
}

/** The words of a text without the marks around them. */
const wordsOf = (text: string) =>
  text.split(/\s+/).flatMap((word) => word.replace(/^[^\p{L}\p{N}]+|(?:['’]s)?[^\p{L}\p{N}]*$/gu, '') || [])

/** Reads each reviewer with the name of their last judgment, from one place of the index to the next. */
function readReviewers(db: Db, { apiKey }: ApiKeyTenant): Promise<Reviewer[]> {
  return db.query<Reviewer>(sql`
    with recursive reviewer (key, number) as (
      (
        select reviewer_key, 1
        from judgment
        where api_key = ${apiKey} and reviewer_key is not null
        order by reviewer_key
        limit 1
      )
      union all
      select (
        select j.reviewer_key
        from judgment j
        where j.api_key = ${apiKey} and j.reviewer_key > r.key
        order by j.reviewer_key
        limit 1
      ), r.number + 1
      from reviewer r
      where r.key is not null and r.number < ${MOST_REVIEWERS}
    )
    select l.*
    from reviewer r
    cross join lateral (
      select reviewer ->> 'userId' as "userId", reviewer ->> 'name' as name
      from judgment
      where api_key = ${apiKey} and reviewer_key = r.key
      order by created_at desc, key desc
      limit 1
    ) l`)
}
