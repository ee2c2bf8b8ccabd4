import { useRead } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Facts, Heading, Panel } from '../ui/show.tsx'
import { Loaded } from '../ui/states.tsx'
import { Tabs, useView } from '../ui/tabs.tsx'
import { numberText, percentText, timeText } from '../ui/text.ts'
import { Alerts } from './memory/alerts.tsx'
import { Answers } from './memory/answer.tsx'
import { Ask } from './memory/ask.tsx'
import { ImportAndExport } from './memory/import.tsx'
import { Judgments } from './memory/judgments.tsx'
import { Knowledge } from './memory/knowledge.tsx'
import { Model } from './memory/model.tsx'
import { Patterns } from './memory/patterns.tsx'
import { Quality } from './memory/quality.tsx'
import { Reviewers } from './memory/reviewers.tsx'

const TABS: [view: string, name: string][] = [
  ['ask', t.memory.tabs.ask],
  ['question', t.memory.tabs.question],
  ['knowledge', t.memory.tabs.knowledge],
  ['alerts', t.memory.tabs.alerts],
  ['quality', t.memory.tabs.quality],
  ['patterns', t.memory.tabs.patterns],
  ['reviewers', t.memory.tabs.reviewers],
  ['judgments', t.memory.tabs.judgments],
]

/** The decision memory: what it would decide and why, how well it would have done, and what it holds. */
export function Page() {
  const view = useView(TABS)
  return (
    <>
      <Heading title={t.memory.title} about={t.memory.about} />
      <Tabs label={t.memory.title} tabs={TABS} />
      {view === 'ask' && <Ask />}
      {view === 'question' && <Answers />}
      {view === 'knowledge' && <Knowledge />}
      {view === 'alerts' && <Alerts />}
      {view === 'quality' && <Quality />}
      {view === 'patterns' && <Patterns />}
      {view === 'reviewers' && <Reviewers />}
      {view === 'judgments' && (
        <>
          <Judgments />
          <Size />
          <ImportAndExport />
        </>
      )}
    </>
  )
}

const REFRESH_MS = 5_000

/** How much the memory holds, and how far its embeddings are. */
function Size() {
  const query = useRead(['memory', 'size'], (api, options) => api.memory.getMemoryStats({}, options), {
    refetchInterval: REFRESH_MS,
  })
  return (
    <Panel title={t.memory.size}>
      <Loaded query={query}>
        {({ totalActivities, totalProfiles, embedding, learning: { status, learnedAt } }) => (
          <>
            <Facts
              facts={[
                [t.memory.judgments, numberText(totalActivities)],
                [t.memory.reviewers, numberText(totalProfiles)],
                [t.memory.model, <Model key="model" model={embedding?.model} />],
                [t.memory.embedded, embedding && numberText(embedding.embedded)],
                [t.memory.toEmbed, embedding && numberText(embedding.pending)],
                [
                  t.memory.suggestions,
                  status === 'ready' ? t.memory.learning.ready(timeText(learnedAt)) : t.memory.learning[status],
                ],
              ]}
            />
            {embedding && totalActivities > 0 && (
              <p>
                <progress aria-label={t.memory.embedded} max={totalActivities} value={embedding.embedded} />{' '}
                {embedding.pending === 0
                  ? t.memory.indexReady
                  : t.memory.indexing(percentText(embedding.embedded / totalActivities))}
              </p>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}
