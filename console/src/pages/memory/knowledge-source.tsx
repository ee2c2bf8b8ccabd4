import type { Api } from '../../../../client/src/index.ts'
import { useRead, useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/filters.tsx'
import { save } from '../../ui/save.ts'
import { Facts } from '../../ui/show.tsx'
import { Loaded } from '../../ui/states.tsx'
import { numberText, timeText } from '../../ui/text.ts'
import { ownAddress } from './add-knowledge.ts'
import { type Source, StateBadge } from './knowledge-state.tsx'

type Status = Awaited<ReturnType<Api['knowledge']['getKnowledgeStatus']>>
type Rule = Awaited<ReturnType<Api['knowledge']['listKnowledgeRules']>>[number]

const REFRESH_MS = 2_000

interface Props {
  id: string
  /** What the list says of it; the list holds the newest sources alone. */
  listed: Source | undefined
  close: () => void
}

/** One source: how far it is read, its rules, and what can be done with it. */
export function KnowledgeSource({ id, listed, close }: Props) {
  const query = useRead(
    ['knowledge', 'source', id],
    async (api, options) => {
      const [status, rules] = await Promise.all([
        api.knowledge.getKnowledgeStatus({ sourceId: id }, options),
        api.knowledge.listKnowledgeRules({ sourceId: id }, options),
      ])
      return { status, rules }
    },
    { refetchInterval: REFRESH_MS },
  )
  const name = listed?.fileName ?? id
  return (
    <Dialog title={name} close={close} wide>
      <Loaded query={query}>
        {({ status, rules }) => (
          <>
            <SourceFacts status={status} sha256={listed?.sha256} />
            {status.failureReason && (
              <p className="bad">{t.knowledge.failures[status.failureReason] ?? status.failureReason}</p>
            )}
            {status.metadata?.usedRawFallback && <p className="wait">{t.knowledge.rawText}</p>}
            {status.status === 'completed' && <RuleList rules={rules} />}
            <footer>
              {status.originalDownloadUrl && (
                <a href={ownAddress(status.originalDownloadUrl).href} download>
                  {t.knowledge.download}
                </a>
              )}
              <Changes id={id} name={name} status={status} close={close} />
            </footer>
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

const SourceFacts = ({ status, sha256 }: { status: Status; sha256: string | undefined }) => (
  <Facts
    facts={[
      [t.knowledge.state, <StateBadge key="state" state={status.status} />],
      [t.knowledge.type, t.knowledge.types[status.mimeType] ?? status.mimeType],
      [t.knowledge.rules, counted(status.extractedRulesCount)],
      [t.knowledge.pieces, counted(status.chunkCount)],
      [t.knowledge.version, counted(status.metadata?.version)],
      [t.knowledge.added, timeText(status.startedAt)],
      [t.knowledge.mirrors, status.dedupOf],
      [t.knowledge.id, status.sourceId],
      [t.knowledge.sha256, sha256],
    ]}
  />
)

const counted = (count: number | undefined) => (count !== undefined ? numberText(count) : undefined)

function RuleList({ rules }: { rules: Rule[] }) {
  if (rules.length === 0) return <p className="muted">{t.knowledge.noRules}</p>
  return (
    <>
      <h3>{t.knowledge.rules}</h3>
      <DataTable label={t.knowledge.rules} columns={RULES} rows={rules} idOf={({ id }) => id} />
    </>
  )
}

const RULES: Column<Rule>[] = [
  { header: t.knowledge.rule, cell: ({ content }) => <span className="told">{content}</span> },
  { header: t.knowledge.heading, cell: ({ category }) => category ?? t.none },
]

function Changes({ id, name, status, close }: { id: string; name: string; status: Status; close: () => void }) {
  const { api } = useTenant()
  const isRead = status.status === 'completed'
  const text = useRead(
    ['knowledge', 'text', id, status.updatedAt],
    async (of, options) => ({
      markdown: await of.knowledge.downloadKnowledge({ sourceId: id }, options),
    }),
    { enabled: isRead },
  )
  const { markdown } = text.data ?? {}
  const replace = async ({ newContent = '' }: Record<string, string>) => {
    const { diff } = await api.knowledge.updateKnowledge({ sourceId: id, newContent })
    return t.knowledge.replaced(diff.added.length, diff.removed.length, diff.unchanged)
  }
  const remove = async () => {
    const { deletedRules } = await api.knowledge.deleteKnowledge({ sourceId: id })
    close()
    return t.knowledge.deleted(deletedRules)
  }
  const download = async () => {
    save(`${name}.md`, markdown ?? '', 'text/markdown')
    return t.knowledge.textSaved
  }
  return (
    <>
      {isRead && markdown && (
        <>
          <Action needs="look" reads label={t.knowledge.downloadText} run={download} />
          <Action
            needs="review"
            label={t.knowledge.replace}
            fields={<TextField label={t.knowledge.newText} name="newContent" value={markdown} rows={14} required />}
            run={replace}
          />
        </>
      )}
      <Action needs="review" label={t.delete} danger confirm={t.knowledge.confirmDelete(name)} run={remove} />
    </>
  )
}
