import type { ApiKeyTenant } from '../../../platform/context.ts'
import { type Db, sql } from '../../../platform/db/db.ts'
import { mapWithRests } from '../../../platform/turns/yield.ts'
import type { DirectRead } from '../../memory/judgment/direct-read.ts'
import type { JudgmentFilters, MemoryScope, TextField } from '../../memory/judgment/indexed-judgment.ts'
import { countJudgments, quotedColumns, quotedContentColumns } from '../../memory/judgment/judgment.ts'
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
 * configured model. If what was judged holds more of it, it is about the judgments on that. If it names nothing but a
 * reviewer, it is about their newest judgments.
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
  const search = (field: TextField) => {
    const wanted = { query: question, scope, filters, limit: READ, sharesWords: true }
    const columns = field === 'content' ? quotedContentColumns : quotedColumns
    return findJudgments(db, tenant, services, { ...wanted, field, columns })
  }
  const { found, wording, totalInScope, warnings } = await search('review')
  // Only now it is known whether the judgments are English, and so by which words one asks.
  const subject = subjectOf(question, names, wording)
  const ofReviewer = readOfReviewer(subject, scope, filters)
  if (ofReviewer) return readDirectly(db, tenant, ofReviewer, subject)
  const said = await onSubject(found, subject, totalInScope)
  const mayName = subject.words.length > 0 && said.share <= 1 - MORE_NAMED
  const judged = mayName ? await onNamed(await search('content'), question, names) : NOTHING
  const isOfNamed = judged.found.length > 0 && judged.share >= said.share + MORE_NAMED
  return {
    found: isOfNamed ? judged.found : said.found,
    subject,
    totalInScope,
    // Whether what was found fits is decided by the subject.
    warnings: [...warnings.filter((warning) => warning !== NOTHING_FITS), ...(isOfNamed ? [OF_NAMED] : [])],
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
    db.query<Findings['found'][number]['judgment']>(sql`
      select ${quotedColumns}
      from judgment j
      where j.api_key = ${tenant.apiKey} and ${condition}
      order by ${order}
      limit ${READ}`),
    countJudgments(db, tenant, condition),
  ])
  const found = judgments.map((judgment) => ({ judgment, similarity: 1 }))
  return { found, subject, totalInScope, warnings: [], whyNone: NO_JUDGMENT }
}

/** Judgments, and the largest part of a subject that one of them holds. */
interface Held {
  found: Findings['found']
  share: number
}

const NOTHING: Held = { found: [], share: 0 }

/**
 * Those that are on a subject: near it by vectors, or similar to it or holding enough of it, where `count` judgments
 * were searched.
 */
async function onSubject(found: Findings['found'], subject: Subject, count: number): Promise<Held> {
  const enoughShared = leastShare(subject, count)
  const enoughSimilarity = subject.isEnglish ? leastSimilarity(count) : Number.POSITIVE_INFINITY
  const isOn = ({ similarity, isNear }: Findings['found'][number], share: number) =>
    isNear || (subject.words.length > 0 && (similarity >= enoughSimilarity || share >= enoughShared))
  const shares = await sharesOf(found, subject, reviewText)
  const kept = shares.filter(({ each, share }) => isOn(each, share))
  return { found: kept.map(({ each }) => each), share: mostOf(kept) }
}

/** What was judged must hold so much of a subject to be what a question names, and so much more than judgments say. */
const LEAST_NAMED = 0.65
const MORE_NAMED = 0.1

/** The judgments on what a question names: of those with the content that holds most of it. */
async function onNamed({ found, wording }: Findings, question: string, names: string[]): Promise<Held> {
  const shares = await sharesOf(found, subjectOf(question, names, wording), ({ content = '' }) => content)
  const share = mostOf(shares)
  if (share < LEAST_NAMED) return NOTHING
  return { found: shares.filter((each) => each.share === share).map(({ each }) => each), share }
}

type Share = { each: Findings['found'][number]; share: number }

/** The part of a subject that a text of each judgment holds. */
const sharesOf = (
  found: Findings['found'],
  subject: Subject,
  textOf: (judgment: Findings['found'][number]['judgment']) => string,
): Promise<Share[]> =>
  mapWithRests(found, (each) => {
    const stems = indexedStems(comparedText(textOf(each.judgment)))
    return { each, share: shareOf(subject, stems) }
  })

const mostOf = (shares: Share[]) => Math.max(0, ...shares.map(({ share }) => share))

const OF_NAMED = 'The question names what was judged: quoted are the judgments on that.'
const NO_JUDGMENT = 'No answer: there is no judgment here that the filters admit.'
const NAMES_NOTHING =
  'No answer: the question names nothing that a judgment could be about. `memory/patterns/get` tells recurring reasons.'
const MOST_TOLD = 6

function whyNone({ words }: Subject): string {
  if (words.length === 0) return NAMES_NOTHING
  const told = [...words.slice(0, MOST_TOLD), ...(words.length > MOST_TOLD ? ['…'] : [])]
  return `No answer: no judgment holds most of what the question names (${told.join(', ')}).`
}
