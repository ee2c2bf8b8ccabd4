import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, type Sql, sql } from '../../../platform/db/db.ts'
import { keyOf } from '../../../platform/id.ts'
import type { MemoryScope } from '../../memory/judgment/indexed-judgment.ts'
import { admits } from '../../memory/judgment/scope.ts'

/** A reviewer whom a question names. */
export interface Reviewer {
  userId: string
  name: string
}

/** Of reviewers of one name, so many are read. */
const MOST_OF_A_NAME = 20
/** So many reviewers are read, those named in full before others. Only a text that is made for it names more. */
const MOST_NAMED = 100
const MOST_WORDS = 6
const LONGEST_WORD = 100
/** As the index holds of a name, in characters. */
const LONGEST = 64

/**
 * Reads the reviewers in scope whom a text may name, each with the name of their last judgment there: those whose id is
 * a word of it, whose name is a run of up to six words, or whose first name is a word with a capital. The time depends
 * on the text, not on the number of reviewers. Of many it reads some.
 */
export async function reviewersNamed(
  db: Db,
  { apiKey }: ApiKeyTenant,
  scope: MemoryScope,
  text: string,
): Promise<Reviewer[]> {
  const spans = spansOf(text)
  const ids = wordsOf(text).filter(isId).slice(0, MOST_NAMED).map(keyOf)
  if (spans.length === 0 && ids.length === 0) return []
  return db.query<Reviewer>(sql`
    with recursive span as (
      select s.*
      from unnest(${spans.map(([low]) => low)}::text[], ${spans.map(([, high]) => high)}::text[]) as s (low, high)
    ), named (high, name, key, number) as (
      select s.high, f.*, 1
      from span s
      cross join lateral (${firstReviewer(apiKey, sql`${NAME} >= s.low and ${NAME} < s.high`)}) f
      union all
      select n.high, f.*, n.number + 1
      from named n
      cross join lateral (
        ${firstReviewer(apiKey, sql`(${NAME}, j.reviewer_key) > (n.name, n.key) and ${NAME} < n.high`)}
      ) f
      where n.number < ${MOST_OF_A_NAME}
    )
    select l.*
    from ((select key from named limit ${MOST_NAMED}) union select unnest(${ids}::uuid[])) r
    cross join lateral (
      select j.reviewer ->> 'userId' as "userId", j.reviewer ->> 'name' as name
      from judgment j
      where j.api_key = ${apiKey} and j.reviewer_key = r.key and ${admits(scope)}
      order by j.created_at desc, j.key desc
      limit 1
    ) l
    order by name, "userId"`)
}

/** SQL: the beginning of the name of a reviewer, as the index holds it. */
const NAME = sql`(left(j.reviewer ->> 'name', 64) collate "C")`

/** SQL: the first reviewer by name and key that meets a condition. */
const firstReviewer = (apiKey: string, condition: Sql): Sql => sql`
  select ${NAME} as name, j.reviewer_key as key
  from judgment j
  where j.api_key = ${apiKey} and j.reviewer_key is not null and ${condition}
  order by ${NAME}, j.reviewer_key
  limit 1`

/** Whether a word has what an id has and other words have not: letters together with digits or marks. */
export const isId = (word: string): boolean => /\p{L}/u.test(word) && /[\d_@-]/.test(word)

/** The words of a text without the marks around them, but for words too long for a name. */
export const wordsOf = (text: string): string[] => text.split(/\s+/).flatMap((word) => wordOf(word) || [])

const wordOf = (word: string) => (word.length > LONGEST_WORD ? '' : word.replace(MARKS, ''))
const MARKS = /^[^\p{L}\p{N}]+|(?:['’]s)?[^\p{L}\p{N}]*$/gu

type Span = [low: string, high: string]

/** The ranges of names that a text may hold, each from a name up to but without another. */
function spansOf(text: string): Span[] {
  const raw = text.split(/\s+/).filter((word) => wordOf(word) !== '')
  const names = new Set<string>()
  const spans: Span[] = []
  for (let start = 0; start < raw.length; start++) {
    for (let end = start + 2; end <= Math.min(raw.length, start + MOST_WORDS); end++) {
      const run = raw.slice(start, end)
      if (![run[0], run.at(-1)].some((word = '') => MAY_BEGIN.test(word))) continue
      // With the marks between the words, as in *Lee, Ann*, and without them.
      names.add(run.join(' ').replace(MARKS, '')).add(run.map(wordOf).join(' '))
    }
    const first = wordOf(raw[start] ?? '')
    if (start > 0 && first.length > 1 && first !== first.toLowerCase() && !names.has(first)) {
      names.add(first)
      spans.push([`${first} `, `${first}-`])
    }
  }
  return [...Array.from(names, toSpan), ...spans]
}

/** A capital, a letter of a script without them, or a digit. */
const MAY_BEGIN = /[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u

function toSpan(name: string): Span {
  const start = Array.from(name).slice(0, LONGEST).join('')
  return [start, `${start}\u0001`]
}
