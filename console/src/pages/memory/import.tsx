import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action, useRefusal, valuesOf } from '../../ui/action.tsx'
import { Button } from '../../ui/button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Field, withoutEmpty } from '../../ui/filters.tsx'
import { save } from '../../ui/save.ts'
import { AsSource, Code, Panel } from '../../ui/show.tsx'
import { Failed } from '../../ui/states.tsx'
import { numberText, percentText } from '../../ui/text.ts'
import { notify } from '../../ui/toasts.tsx'
import { PlaceFields } from '../place-fields.tsx'
import { importJudgments, type Progress, type Refused } from './import-judgments.ts'

/** Judgments out of a file of JSON lines, and into the memory from one, or from a CSV file. */
export function ImportAndExport() {
  const { api, apiKey } = useTenant()
  const download = async () => {
    save(`judgments-${apiKey.id}.jsonl`, await api.memory.exportJudgments({}), 'application/jsonl')
    return t.import.exported
  }
  return (
    <Panel title={t.import.title} actions={<Action needs="review" reads label={t.import.export} run={download} />}>
      <p className="muted">{t.import.about}</p>
      <Code label={t.import.example} value={CSV_EXAMPLE} />
      <AsSource title={t.import.exampleJson}>
        <Code label={t.import.exampleJson} value={EXAMPLE} />
      </AsSource>
      <ImportForm />
    </Panel>
  )
}

const CSV_EXAMPLE = `decision,reasoning,content,reviewer,reviewerName,createdAt
approve,Thirty days is what legal signed off.,Refunds within 30 days of delivery.,maya,Maya Okafor,2026-01-31
reject,"Refund terms of 14 days are old, see the policy.",Refunds within 14 days.,priya,Priya Raman,2026-02-01`

const EXAMPLE = JSON.stringify({
  recordId: 'case-17',
  decision: 'approve',
  reasoning: 'Thirty days is what legal signed off.',
  content: 'Refunds within 30 days of delivery.',
  actionUser: { userId: 'maya', name: 'Maya Okafor' },
  createdAt: 1_767_225_600_000,
})

function ImportForm() {
  const { api } = useTenant()
  const queries = useQueryClient()
  const refusal = useRefusal('review', false)
  const [progress, setProgress] = useState<Progress>()
  const [state, setState] = useState<'idle' | 'running' | 'done' | 'stopped'>('idle')
  const [error, setError] = useState<unknown>()
  const running = useRef<AbortController>(undefined)
  // Whoever leaves the page stops it, and is told so.
  useEffect(() => () => running.current && stop(running.current), [])
  const start = async (event: FormEvent<HTMLFormElement>) => {
    const file = new FormData(event.currentTarget).get('file')
    const { organizationId = '', documentId = '' } = valuesOf(event)
    if (!(file instanceof File) || file.size === 0) return setError(new Error(t.import.noFile))
    const controller = new AbortController()
    const { signal } = controller
    running.current = controller
    setError(undefined)
    setState('running')
    const place = withoutEmpty({ organizationId, documentId })
    try {
      setProgress(await importJudgments({ api, file, place, tell: setProgress, signal }))
      setState('done')
    } catch (failure) {
      setState('stopped')
      if (!signal.aborted) setError(failure)
    }
    running.current = undefined
    await queries.invalidateQueries()
  }
  return (
    <form className="filters" onSubmit={(event) => void start(event)}>
      <Field label={t.import.file}>
        {(id) => <input id={id} name="file" type="file" accept=".csv,.jsonl,.ndjson,.json,.txt" required />}
      </Field>
      <PlaceFields labels={t.import} />
      {state === 'running' ? (
        <button type="button" onClick={() => running.current?.abort()}>
          {t.import.stop}
        </button>
      ) : (
        <Button type="submit" look="primary" refusal={refusal}>
          {t.import.start}
        </Button>
      )}
      {error !== undefined && <Failed error={error} />}
      {progress && <Shown progress={progress} state={state} />}
    </form>
  )
}

function stop(running: AbortController): void {
  running.abort()
  notify(t.import.stopped)
}

function Shown({ progress, state }: { progress: Progress; state: string }) {
  const { read, size, added, refused, examples } = progress
  return (
    <div className="whole" role="status">
      <p>
        <progress aria-label={t.import.start} max={size} value={read} /> {percentText(size === 0 ? 1 : read / size)} ·{' '}
        {t.import.progress(numberText(added), numberText(refused))}
      </p>
      {state === 'done' && <p className="good">{t.import.done}</p>}
      {state === 'stopped' && <p className="wait">{t.import.stopped}</p>}
      {examples.length > 0 && (
        <DataTable label={t.import.refused} columns={COLUMNS} rows={examples} idOf={({ line }) => String(line)} />
      )}
    </div>
  )
}

const COLUMNS: Column<Refused>[] = [
  { header: t.import.line, isNumber: true, cell: ({ line }) => numberText(line) },
  { header: t.import.reason, cell: ({ reason }) => <span className="told">{reason}</span> },
]
