import { plainText } from '../../../platform/embedder/plain-text.ts'
import { mayBeEnglish } from '../words/english.ts'
import { stemsOf } from '../words/tokenize.ts'

/**
 * How an English sentence judges: above 0 it praises, below 0 it blames. Words of praise and of blame count by 1. After
 * a negation or blame, praise counts nothing; blame after a negation is praise. To wish for something is to blame. Of a
 * sentence with a *but*, what follows it counts; of one that begins with *although*, what follows the comma. Of a
 * sentence in another language nothing is known: it is 0, as *plus* praises in English only. `stems`: those of the
 * sentence, where they are known.
 */
export function opinionOf(sentence: string, stems?: readonly string[]): number {
  const opinion = englishOpinionOf(sentence)
  return opinion !== 0 && mayBeEnglish(stems ?? stemsOf(sentence)) ? opinion : 0
}

function englishOpinionOf(sentence: string): number {
  let opinion = 0
  /** Whether blame or a negation stands before, in the same clause. */
  let isBlamed = false
  /** How many more words a negation, or a verb such as *prevent*, reaches; what blame within its reach counts. */
  let reach = 0
  let blameCounts = 0
  for (const word of wordsOf(pointOf(plain(sentence)))) {
    reach--
    if (STOPS.has(word)) {
      isBlamed = false
      reach = 0
    } else if (NEGATIONS.has(word) || word.endsWith("n't")) {
      if (!isBlamed) opinion--
      isBlamed = true
      reach = REACH
      blameCounts = 2
    } else if (AGAINST.has(word)) {
      reach = REACH
      blameCounts = 0
    } else if (PRAISE.has(word) && !isBlamed) {
      opinion++
    } else if (BLAME.has(word) && reach > 0) {
      opinion += blameCounts
      isBlamed = false
      reach = 0
    } else if (word === WISH || BLAME.has(word)) {
      opinion--
      isBlamed = true
    }
  }
  return opinion
}

const REACH = 5
const WISH = 'wish'

const plain = (sentence: string) => plainText(sentence).replaceAll('’', "'").replace(IDIOMS, ' ')

const IDIOMS = /\b(?:not only|no (?:less|wonder|matter))\b/g

/** The words and marks of a text, each phrase that wishes for something as one word. */
const wordsOf = (text: string) => text.replace(WISHES, ` ${WISH} `).match(/[\p{L}\p{N}\p{M}']+|[.,;:!?()]/gu) ?? []

/** The part of a sentence that makes its point. */
function pointOf(sentence: string): string {
  const parts = sentence.split(TURN)
  const last = parts.at(-1) ?? ''
  const point = parts.length > 1 && last.split(/\s+/).length > 3 ? last : sentence
  const comma = CONCESSION.test(point) ? point.indexOf(',') : -1
  return (comma < 0 ? point : point.slice(comma)).replace(CONCEDED, '')
}

const TURN = /[,;:.–-]?\s+(?:but(?! also)|however)\b/
const CONCESSION = /^\W*(?:although|though|even|while|whilst|despite|in spite|notwithstanding)\b/
const CONCEDED = /\s(?:although|even though|despite)\s.*/

const WISHES = new RegExp(
  `\\b(?:${[
    "(?:would|'d|should|could|might) (?:also |really |perhaps |definitely )*(?:have )?(?:like|love|prefer|appreciate|recommend|suggest|advise|want|hope)d?",
    '(?:would|could|might|should) (?:also |perhaps )?(?:be|have been) (?:\\w+ )?(?:great|good|nice|helpful|useful|better|beneficial|interesting|ideal|best) (?:to|if)',
    '(?:could|can|should|must|might) (?:also |still |definitely )*(?:be|have been) (?:\\w+ )?(?:improved|better|clearer|more|further|added|included|considered|clarified|explained|described|refined)',
    '(?:should|could|must) (?:also )?(?:have|include|provide|add|give|consider|elaborate|explain|describe|benefit|clarify|state)',
    'needs? (?:to|more|further|better|some|clarity|clarification)',
    'requires? (?:more|further|a more|some)',
    'more (?:specific |in-depth |thorough )?(?:details?|detailed|information|info|clarity|specifics?|explanations?|evidence|elaboration|context)',
    'further (?:details?|information|explanation|elaboration|development|clarification)',
    'benefit from|room for|instead of|rather than|would help|clearer|please|i wish|i recommend|i suggest|i advise|i missed|too',
  ].join('|')})\\b`,
  'g',
)

const setOf = (words: string) => new Set(words.split(/\s+/))
const STOPS = setOf('. , ; : ! ? ( )')
const NEGATIONS = setOf(
  'no not never none nothing nor neither nobody without hardly barely scarcely cannot lack lacks lacking lacked',
)
const PRAISE = setOf(
  `able accurate achievable adequate adequately admirable agree aligned align aligns amazing appropriate attractive
  auditable awesome beautiful benefit benefits beneficial best brilliant capable clarity clear clearly coherent
  committed compelling competent comprehensive concise confident confidence convinced convincing credible crucial
  decent definitely deserves detailed easy easily effective effectively efficient elegant enough enormous essential
  excellent excited exciting expertise experienced fantastic feasible fits fulfills good great helpful honest huge
  impressed impressive important innovative interesting love measurable necessary nice perfect perfectly plausible
  plus precise professional promising proven qualified realistic reasonable reasonably relevant reliable reputable
  robust satisfies secure simple skilled skills solid sound straightforward strong successfully sufficient
  sufficiently suitable thorough trackable transparent trustworthy understandable useful valid valuable verifiable
  viable welcome well wonderful worthy`,
)
const BLAME = setOf(
  `absent absence abstract abuse abusive ambiguous bad badly breach broken complicated concern concerns concerned
  confused confusing contradictory contradicts costly danger dangerous deceptive deficiencies deficient difficult
  difficulty disagree disappointing dishonest doubt doubts doubtful duplicate excessive expensive fail fails failed
  failure fake flaw flawed flaws fraud harm harmful harms hard hate illegal impossible inaccurate inadequate
  inappropriate incapable incomplete inconsistent incorrect inexperienced insecure insufficient insulting irrelevant
  limited minimal misleading mislead misleads mismatch miss misses missing mistake mistakes obsolete offends offensive
  omits outdated overlooks overpriced poor poorly prohibited questionable redundant reject reservation reservations
  risk risks risky rough rude sadly scam short skeptical sceptical spam suspicious threat toxic unable unacceptable
  uncertain unclear unconvincing undefined unexplained unfeasible unfortunately unjustified unknown unlikely
  unnecessary unprofessional unproven unrealistic unreasonable unrelated unsafe unspecified unsuitable unsupported
  useless vague vaguely violates violation vulnerable weak weakness worried worthless wrong yet`,
)
/** Verbs that speak against what they name, so that it is no blame. */
const AGAINST = setOf(
  `avoid avoids combat combating fight fights identified identify identifying identifies mitigate mitigates prevent
  prevents protect protects reduce reduces solve solves eliminate eliminates`,
)
