import { useState } from 'react'
import { type AuditRecord, exportAudit, readAudit, type Verdict, verifyAudit } from '../../door/operators.ts'
import { useReadPages } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { type Column, PagedTable } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FilterForm, TextField, TimeField, useFilters, withoutEmpty } from '../../ui/filters.tsx'
import { save } from '../../ui/save.ts'
import { Code, Facts, Panel } from '../../ui/show.tsx'
import { Empty } from '../../ui/states.tsx'
import { numberText, timeText } from '../../ui/text.ts'
import { FormatField, formatOf } from '../export-format.tsx'

/** What was administered: filtered, one record in full, exported, and the check of the chains. */
export function Audit({ mayVerify }: { mayVerify: boolean }) {
  const [{ record }, change] = useFilters()
  const query = useAudit()
  return (
    <Panel
      title={t.audit.title}
      actions={
        <>
          <Export filters={query.filters} />
          {mayVerify && <Verify chain={query.filters.workspaceId} />}
        </>
      }
    >
      <AuditFilters />
      <PagedTable
        query={query}
        empty={<Empty what={t.audit.none} next={t.audit.noneNext} />}
        label={t.audit.list}
        columns={COLUMNS}
        idOf={({ seq }) => String(seq)}
        open={({ seq }) => change({ record: String(seq) })}
      >
        {record && (
          <Details
            record={query.rows.find(({ seq }) => String(seq) === record)}
            close={() => change({ record: undefined })}
          />
        )}
      </PagedTable>
    </Panel>
  )
}

function useAudit() {
  const [{ actor, action, workspaceId, apiKey, start, end }] = useFilters()
  const filters = {
    ...withoutEmpty({ actor, action, workspaceId, apiKey }),
    // What is no time becomes null, which the server refuses with the name of the field.
    ...(start && { from: Date.parse(start) }),
    ...(end && { to: Date.parse(end) }),
  }
  const query = useReadPages(['audit', filters], (_api, pageToken, { signal }) =>
    readAudit({ filters, ...pageToken }, signal),
  )
  return { ...query, filters }
}

/** The records that the filters admit, as a file. */
function Export({ filters }: Pick<ReturnType<typeof useAudit>, 'filters'>) {
  const run = async (values: Record<string, string>) => {
    const { format, ending, type } = formatOf(values)
    const { text, count } = await exportAudit(filters, format)
    save(`audit.${ending}`, text, type)
    return t.audit.exported(numberText(count))
  }
  return <Action needs="administer" reads label={t.audit.export} fields={<FormatField />} run={run} />
}

function AuditFilters() {
  const [{ actor = '', action = '', workspaceId = '', apiKey = '', start = '', end = '' }] = useFilters()
  return (
    <FilterForm>
      <TextField label={t.audit.actor} name="actor" value={actor} />
      <TextField label={t.audit.action} name="action" value={action} placeholder="/v2/workspace/apikey/create" />
      <TextField label={t.operator.workspaceId} name="workspaceId" value={workspaceId} />
      <TextField label={t.audit.apiKey} name="apiKey" value={apiKey} />
      <TimeField label={t.from} name="start" value={start} />
      <TimeField label={t.until} name="end" value={end} />
    </FilterForm>
  )
}

const COLUMNS: Column<AuditRecord>[] = [
  { header: t.audit.at, cell: ({ at }) => timeText(at) },
  { header: t.audit.actor, cell: ({ actor }) => actor },
  { header: t.audit.action, cell: ({ action }) => action },
  { header: t.audit.address, cell: ({ address }) => address || t.none },
  { header: t.operator.workspaceId, cell: ({ workspaceId }) => workspaceId ?? t.none },
]

function Details({ record, close }: { record: AuditRecord | undefined; close: () => void }) {
  return (
    <Dialog title={t.audit.one} close={close} wide>
      {record ? <RecordFacts record={record} /> : <Empty what={t.audit.notShown} next={t.audit.notShownNext} />}
    </Dialog>
  )
}

function RecordFacts({ record }: { record: AuditRecord }) {
  const { seq, at, actor, role, door, address, action, workspaceId, apiKey, requestId, hash } = record
  return (
    <>
      <Facts
        facts={[
          [t.audit.number, numberText(seq)],
          [t.audit.at, timeText(at)],
          [t.audit.actor, actor],
          [t.operator.role, role],
          [t.audit.door, door],
          [t.audit.address, address || t.none],
          [t.audit.action, action],
          [t.operator.workspaceId, workspaceId],
          [t.audit.apiKey, apiKey],
          [t.audit.request, requestId],
          [t.audit.hash, hash],
        ]}
      />
      <States record={record} />
    </>
  )
}

const States = ({ record: { detail, before, after } }: { record: AuditRecord }) => (
  <>
    <h3>{t.audit.sent}</h3>
    <Code value={detail} label={t.audit.sent} />
    {(before ?? after) && (
      <>
        <h3>{t.audit.before}</h3>
        <Code value={before ?? t.none} label={t.audit.before} />
        <h3>{t.audit.after}</h3>
        <Code value={after ?? t.none} label={t.audit.after} />
      </>
    )}
  </>
)

/**
 * Checks the chain of the workspace that is filtered by, or every chain. The answer stays until the page is left, so
 * that its hash can be copied.
 */
function Verify({ chain }: { chain: string | undefined }) {
  const [verdict, setVerdict] = useState<Verdict>()
  const verify = async () => {
    setVerdict(await verifyAudit(chain))
    return undefined
  }
  return (
    <>
      <Action label={t.audit.verify} needs="operate" run={verify} reads />
      {verdict && (
        <Dialog title={t.audit.verify} close={() => setVerdict(undefined)}>
          <p className={verdict.valid ? 'good' : 'bad'} role="status">
            {verdict.valid
              ? t.audit.valid(numberText(verdict.records))
              : t.audit.broken(numberText(verdict.brokenAt ?? 0))}
          </p>
          {verdict.chains === 1 && <Facts facts={[[t.audit.head, verdict.head]]} />}
          <p>{verdict.chains === 1 ? t.audit.headHelp : t.audit.chainHelp}</p>
        </Dialog>
      )}
    </>
  )
}
