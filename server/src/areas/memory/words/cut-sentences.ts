const segmenter = new Intl.Segmenter('und', { granularity: 'sentence' })

/** A sentence as it stands in a text, with the space after it. */
export interface CutSentence {
  segment: string
  index: number
}

/**
 * Cuts a text into its sentences, in any language. A full stop after a single letter, a number of up to two digits or a
 * common abbreviation ends none: *z. B. als Datei*, *am 3. März*, *Dr. Meier*. The segments make up the text.
 */
export function* cutSentences(text: string): Generator<CutSentence> {
  let open: CutSentence | undefined
  for (const { segment, index } of segmenter.segment(text)) {
    if (open) open.segment += segment
    else open = { segment, index }
    if (isContinued(segment)) continue
    yield open
    open = undefined
  }
  if (open) yield open
}

/** Whether the next segment goes on with the sentence: only the end of this one is looked at. */
function isContinued(segment: string): boolean {
  const said = segment.trimEnd()
  return said.endsWith('.') && ABBREVIATED.test(said.slice(-LONGEST))
}

const LONGEST = 12

/**
 * How a segment ends that the next one continues. Words that often end a sentence too, such as *etc.*, are not here.
 */
const ABBREVIATED = new RegExp(
  `(?:^|[\\s(„“".])(?:\\p{L}|\\d{1,2}|${[
    'dr|prof|mr|mrs|ms|messrs|jr|fig|vol|vs|approx|incl',
    'abb|abs|allg|anl|bzgl|bzw|ca|einschl|evtl|exkl|ggf|hr|inkl|ing|nr|sog|st|tsd|vgl|zzgl',
    'ex|mme|mlle|sr|sra|núm|pág|dott|sig|pag|см|стр|рис|напр',
  ].join('|')})\\.$`,
  'iu',
)
