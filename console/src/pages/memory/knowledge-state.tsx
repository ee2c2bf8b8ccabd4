import type { Api } from '../../../../client/src/index.ts'
import { t } from '../../strings.ts'
import { Badge } from '../../ui/show.tsx'

export type Source = Awaited<ReturnType<Api['knowledge']['listKnowledge']>>[number]

const TONES = { processing: 'wait', completed: 'good', failed: 'bad' } as const

/** How far a source is read. */
export const StateBadge = ({ state }: { state: Source['embeddingStatus'] }) => (
  <Badge tone={TONES[state]}>{t.knowledge.states[state]}</Badge>
)
