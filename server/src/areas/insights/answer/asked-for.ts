import type { ApiKeyTenant } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { MemoryScope } from '../../memory/judgment/indexed-judgment.ts'
import { isId, type Reviewer, reviewersNamed, wordsOf } from './reviewers-named.ts'

/** What a question asks for besides its words. */
interface AskedFor {
  /** The one reviewer whom it names in full. */
  reviewer?: Reviewer
  /** The names and ids of the reviewers whom it names, or may name. */
  names: string[]
  /** What the reader should know of how it was understood. */
  warnings: string[]
}

/** Of a long question, the start tells whom it names. */
const START = 2_000
const MOST_TOLD = 5
/** After the first word a capital, or a letter of a script without them; or what an id has. */
const MAY_NAME = /\s\S*[\p{Lu}\p{Lt}\p{Lo}]|[\d_@-]/u
const COUNTS = new RegExp(
  `(?<!\\p{L})(?:${[
    'how (?:many|often)|number of|percentage of|share of|wie (?:viele|oft|häufig)|combien|hoeveel|ile razy',
    'cuánt[oa]s|quantas|quantos|quante volte|quant[ie]|сколько|скільки|kaç|كم|何件|何回',
  ].join('|')})(?!\\p{L})`,
  'iu',
)

/** Whether a question asks how many or how often, in one of the languages that are asked most. */
export const asksForCount = (question: string): boolean => COUNTS.test(question)

/**
 * Tells whom of the reviewers in a scope a question names, and whether it asks for a count, which an answer in quotes
 * does not give.
 */
export async function askedFor(db: Db, tenant: ApiKeyTenant, query: string, scope: MemoryScope): Promise<AskedFor> {
  const question = query.slice(0, START)
  const warnings = asksForCount(question)
    ? ['An answer quotes judgments and counts none. `totalInScope` of a search with filters counts.']
    : []
  if (!MAY_NAME.test(question)) return { names: [], warnings }
  const { named, isInFull } = namedIn(question, await reviewersNamed(db, tenant, scope, question))
  const [reviewer] = named
  const all = named.flatMap(({ name, userId }) => [name, userId])
  if (reviewer === undefined) return { names: [], warnings }
  if (named.length > 1 || !isInFull) {
    const told = named.slice(0, MOST_TOLD).map(({ name, userId }) => `${name} (${userId})`)
    const names = [...told, ...(named.length > MOST_TOLD ? ['others'] : [])].join(', ')
    return {
      names: all,
      warnings: [...warnings, `The question may name ${names}: set \`filters.reviewerId\` to ask of one.`],
    }
  }
  return {
    reviewer,
    names: all,
    warnings: [
      ...warnings,
      `Only judgments of ${reviewer.name} (${reviewer.userId}) were searched: the question names them. \`memory/profiles/get\` tells how they decide.`,
    ],
  }
}

/**
 * The reviewers whose name of several words, or whose id of letters and digits or marks, stands in a question as
 * written: it names them in full. Where there are none: those whose first name does, with a capital and not as the
 * first word. *Will the plan do?* names nobody.
 */
export function namedIn(question: string, reviewers: readonly Reviewer[]): { named: Reviewer[]; isInFull: boolean } {
  const said = ` ${wordsOf(question).join(' ')} `
  const rest = said.slice(said.indexOf(' ', 1))
  const isNamed = ({ userId, name }: Reviewer) => {
    const words = wordsOf(name)
    const [first = ''] = words
    const isFirst = first.length > 1 && first !== first.toLowerCase() && rest.includes(` ${first} `)
    const byName = words.length > 1 && said.includes(` ${words.join(' ')} `)
    const byId = isId(userId) && said.includes(` ${userId} `)
    return { isWhole: byName || byId, isFirst }
  }
  const found = reviewers.map((reviewer) => ({ reviewer, ...isNamed(reviewer) }))
  const isInFull = found.some(({ isWhole }) => isWhole)
  const named = found.filter(({ isWhole, isFirst }) => (isInFull ? isWhole : isFirst))
  return { named: named.map(({ reviewer }) => reviewer), isInFull }
}
