import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useRead, useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action, useRefusal, valuesOf } from '../../ui/action.tsx'
import { Button } from '../../ui/button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Field, TextField, useFilters } from '../../ui/filters.tsx'
import { Panel } from '../../ui/show.tsx'
import { Empty, Failed, Loaded } from '../../ui/states.tsx'
import { numberText, timeText } from '../../ui/text.ts'
import { notify } from '../../ui/toasts.tsx'
import { PlaceFields } from '../place-fields.tsx'
import { ACCEPTED, addKnowledge } from './add-knowledge.ts'
import { SearchKnowledge } from './knowledge-search.tsx'
import { KnowledgeSource } from './knowledge-source.tsx'
import { type Source, StateBadge } from './knowledge-state.tsx'

const REFRESH_MS = 5_000
/** While a source is read. */
const READING_MS = 1_000
const isReading = ({ embeddingStatus }: Source) => embeddingStatus === 'processing'

/** Files and texts with rules to decide by: what there is, how far each is read, and a search in all. */
export function Knowledge() {
  const [{ source }, change] = useFilters()
  const query = useRead(['knowledge'], (api, options) => api.knowledge.listKnowledge({}, options), {
    refetchInterval: ({ state }) => (state.data?.some(isReading) ? READING_MS : REFRESH_MS),
  })
  return (
    <Loaded query={query}>
      {(sources) => (
        <>
          <Panel title={t.knowledge.title} actions={<AddText />}>
            <p className="muted">{t.knowledge.about}</p>
            <UploadForm />
            {sources.length === 0 ? (
              <Empty what={t.knowledge.none} next={t.knowledge.noneNext} />
            ) : (
              <DataTable
                label={t.knowledge.list}
                columns={COLUMNS}
                rows={sources}
                idOf={({ id }) => id}
                open={({ id }) => change({ source: id })}
              />
            )}
          </Panel>
          {sources.length > 0 && <SearchKnowledge sources={sources} />}
          {source && (
            <KnowledgeSource
              id={source}
              listed={sources.find(({ id }) => id === source)}
              close={() => change({ source: undefined })}
            />
          )}
        </>
      )}
    </Loaded>
  )
}

const COLUMNS: Column<Source>[] = [
  { header: t.knowledge.file, cell: ({ fileName }) => fileName },
  { header: t.knowledge.type, cell: ({ mimeType }) => t.knowledge.types[mimeType] ?? mimeType },
  { header: t.knowledge.state, cell: ({ embeddingStatus }) => <StateBadge state={embeddingStatus} /> },
  { header: t.knowledge.rules, isNumber: true, cell: ({ ruleCount }) => numberText(ruleCount) },
  { header: t.knowledge.pieces, isNumber: true, cell: ({ chunkCount }) => numberText(chunkCount) },
  {
    header: t.knowledge.version,
    isNumber: true,
    cell: ({ metadata }) => (metadata ? numberText(metadata.version) : t.none),
  },
  { header: t.knowledge.added, cell: ({ uploadedAt }) => timeText(uploadedAt) },
]

function AddText() {
  const { api } = useTenant()
  const add = async ({ name = '', text = '', ...place }: Record<string, string>) => {
    const fileName = /\.(txt|md)$/i.test(name) ? name : `${name}.md`
    await addKnowledge(api, new File([text], fileName), place)
    return t.knowledge.taken(fileName)
  }
  return (
    <Action
      needs="review"
      label={t.knowledge.addText}
      fields={
        <>
          <TextField label={t.knowledge.textName} name="name" required />
          <TextField label={t.knowledge.text} name="text" rows={10} required />
          <PlaceFields labels={t.knowledge.holdsFor} />
        </>
      }
      run={add}
    />
  )
}

function UploadForm() {
  const { api } = useTenant()
  const queries = useQueryClient()
  const refusal = useRefusal('review', false)
  const upload = useMutation({
    mutationFn: async ({ file, place }: { file: File; place: Record<string, string>; form: HTMLFormElement }) => {
      await addKnowledge(api, file, place)
    },
    onSuccess: async (_, { file, form }) => {
      form.reset()
      notify(t.knowledge.taken(file.name))
      await queries.invalidateQueries()
    },
  })
  const start = (event: FormEvent<HTMLFormElement>) => {
    const form = event.currentTarget
    const file = new FormData(form).get('file')
    const { organizationId = '', documentId = '' } = valuesOf(event)
    if (file instanceof File) upload.mutate({ file, place: { organizationId, documentId }, form })
  }
  return (
    <form className="filters" onSubmit={start}>
      <Field label={t.knowledge.uploadFile}>
        {(id) => <input id={id} name="file" type="file" accept={ACCEPTED} required />}
      </Field>
      <PlaceFields labels={t.knowledge.holdsFor} />
      <Button type="submit" look="primary" isBusy={upload.isPending} refusal={refusal}>
        {upload.isPending ? t.working : t.knowledge.upload}
      </Button>
      {upload.error && <Failed error={upload.error} />}
    </form>
  )
}
