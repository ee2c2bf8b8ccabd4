import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { mapWithRests } from '../../../platform/turns/yield.ts'
import type { DirectRead } from '../../memory/judgment/direct-read.ts'
import type { JudgmentFilters, MemoryScope } from '../../memory/judgment/indexed-judgment.ts'
import { countJudgments, readJudgments } from '../../memory/judgment/judgment.ts'
import { comparedText, reviewText } from '../../memory/judgment/judgment-text.ts'
import { admits } from '../../memory/judgment/scope.ts'
import { type Findings, findJudgments, type SearchServices } from '../../memory/search/find-judgments.ts'
import { NOTHING_FITS } from '../../memory/search/fit.ts'
import { indexedStems } from '../../memory/words/tokenize.ts'
import { leastShare, leastSimilarity, type Subject, shareOf, subjectOf } from './subject.ts'

interface Asked {
  question: string
  scope: MemoryScope
  filters: JudgmentFilters
  /** Names in the question, which tell whom it asks about. */
  names: string[]
  /** The judgments of a thread, all of which are on the question. */
  thread?: DirectRead | undefined
}

interface JudgmentsOn {
  /** The judgments that are on the question. */
  found: Findings['found']
  subject: Subject
  /** How many judgments scope and filters admit. */
  totalInScope: number
  warnings: string[]
  /** Why none is on the question. */
  whyNone: string
}

/** Of so many judgments, the best are quoted. */
const READ = 24

/**
 * Finds the judgments that a question is about: those that hold most of what it names, or are near by the vectors of a
 * configured model. If it names nothing but a reviewer, it is about their newest judgments.
 */
export async function judgmentsOn(
  db: Db,
  tenant: ApiKeyTenant,
  services: SearchServices,
  { question, scope, filters, names, thread }: Asked,
): Promise<JudgmentsOn> {
  const asked = subjectOf(question, names)
  const direct = thread ?? readOfReviewer(asked, scope, filters)
  if (direct) return readDirectly(db, tenant, direct, asked)
  const wanted = { field: 'review', query: question, scope, filters, limit: READ, sharesWords: true } as const
  const { found, wording, totalInScope, warnings } = await findJudgments(db, tenant, services, wanted)
  // Only now it is known whether the judgments are English, and so by which words one asks.
  const subject = subjectOf(question, names, wording)
  const ofReviewer = readOfReviewer(subject, scope, filters)
  if (ofReviewer) return readDirectly(db, tenant, ofReviewer, subject)
  return {
    found: await onSubject(found, subject, totalInScope),
    subject,
    totalInScope,
    // Whether what was found fits is decided by the subject.
    warnings: warnings.filter((warning) => warning !== NOTHING_FITS),
    whyNone: totalInScope === 0 ? NO_JUDGMENT : whyNone(subject),
  }
}

/** What reads the newest judgments of the reviewer, if the question is about nothing else. */
function readOfReviewer({ words }: Subject, scope: MemoryScope, filters: JudgmentFilters): DirectRead | undefined {
  if (words.length > 0 || filters.reviewerId === undefined) return undefined
  return { condition: admits(scope, filters), order: sql`j.created_at desc, j.key desc` }
}

/** Reads judgments that are all on the question, without a search. */
async function readDirectly(
  db: Db,
  tenant: ApiKeyTenant,
  { condition, order }: DirectRead,
  subject: Subject,
): Promise<JudgmentsOn> {
  const [judgments, totalInScope] = await Promise.all([
    readJudgments(db, tenant, { condition, order, limit: READ }),
    countJudgments(db, tenant, condition),
  ])
  const found = judgments.map((judgment) => ({ judgment, similarity: 1 }))
  return { found, subject, totalInScope, warnings: [], whyNone: NO_JUDGMENT }
}

/**
 * Those that are on a subject: near it by vectors, or similar to it or holding enough of it, where `count` judgments
 * were searched.
 */
async function onSubject(found: Findings['found'], subject: Subject, count: number) {
  const enoughShared = leastShare(subject, count)
  const enoughSimilarity = subject.isEnglish ? leastSimilarity(count) : Number.POSITIVE_INFINITY
  const isOn = ({ judgment: { decision, reasoning }, similarity, isNear }: Findings['found'][number]) => {
    if (isNear) return true
    if (subject.words.length === 0) return false
    if (similarity >= enoughSimilarity) return true
    // To tell the stems takes longest.
    const stems = indexedStems(reviewText({ decision, reasoning: comparedText(reasoning) }))
    return shareOf(subject, stems) >= enoughShared
  }
  const kept = await mapWithRests(found, (each) => (isOn(each) ? [each] : []))
  return kept.flat()
}

const NO_JUDGMENT = 'No answer: there is no judgment here that the filters admit.'
const NAMES_NOTHING =
  'No answer: the question names nothing that a judgment could be about. `memory/patterns/get` tells recurring reasons.'
const MOST_TOLD = 6

function whyNone({ words }: Subject): string {
  if (words.length === 0) return NAMES_NOTHING
  const told = [...words.slice(0, MOST_TOLD), ...(words.length > MOST_TOLD ? ['…'] : [])]
  return `No answer: no judgment holds most of what the question names (${told.join(', ')}).`
}
