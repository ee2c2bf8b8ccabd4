import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Api } from '../../../client/src/index.ts'
import { useReadPages, useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Action } from '../ui/action.tsx'
import { More } from '../ui/data-table.tsx'
import { TextField } from '../ui/filters.tsx'
import { Badge, Facts, Heading, Panel } from '../ui/show.tsx'
import { Empty, Failed, Loaded } from '../ui/states.tsx'
import { numberText } from '../ui/text.ts'

type Endpoint = Awaited<ReturnType<Api['webhooks']['getEndpoints']>>['data']['endpoints'][number]

const PAGE_SIZE = 50

/** The webhook endpoints of the API key, with what each gets, and the changes to them. */
export function Page() {
  const query = useReadPages(['endpoints', 'pages'], async (api, { pageToken }, options) => {
    const { data } = await api.webhooks.getEndpoints(
      { limit: PAGE_SIZE, ...(pageToken && { iterator: pageToken }) },
      options,
    )
    return { rows: data.endpoints, next: data.done ? null : data.iterator }
  })
  return (
    <>
      <Heading title={t.endpoints.title} about={t.endpoints.about} actions={<CreateAction />} />
      <Loaded query={query}>
        {() =>
          query.rows.length === 0 ? (
            <Empty what={t.endpoints.none} next={t.endpoints.noneNext} />
          ) : (
            query.rows.map((endpoint) => <EndpointPanel key={endpoint.id} endpoint={endpoint} />)
          )
        }
      </Loaded>
      <More query={query} />
    </>
  )
}

function CreateAction() {
  const { api } = useTenant()
  const create = async ({ url = '', description = '', types = '' }: Record<string, string>) => {
    const filterTypes = listOf(types)
    await api.webhooks.createEndpoint({ url, description, ...(filterTypes.length > 0 && { filterTypes }) })
    return t.endpoints.created
  }
  const fields = (
    <>
      <TextField label={t.endpoints.url} name="url" type="url" placeholder="https://example.com/webhooks" required />
      <TextField label={t.endpoints.description} name="description" />
      <TextField label={t.endpoints.types} name="types" placeholder="comment.add, comment_annotation.add" />
    </>
  )
  return <Action label={t.endpoints.create} fields={fields} run={create} />
}

/** The words of a list that is written with commas or blanks. */
const listOf = (text: string) => text.split(/[\s,]+/).filter(Boolean)

function EndpointPanel({ endpoint }: { endpoint: Endpoint }) {
  const { id, url, description, filterTypes, rateLimit, ordered = false, disabled } = endpoint
  return (
    <Panel title={description || url} actions={<EndpointActions endpoint={endpoint} />}>
      <Facts
        facts={[
          [
            t.status,
            <Badge key="status" tone={disabled ? 'bad' : 'good'}>
              {disabled ? t.disabled : t.enabled}
            </Badge>,
          ],
          [t.endpoints.url, url],
          [t.endpoints.types, filterTypes.length === 0 ? t.endpoints.allTypes : filterTypes.join(', ')],
          [t.endpoints.rateLimit, rateLimit === null ? t.endpoints.noRateLimit : numberText(rateLimit)],
          [t.endpoints.order, ordered ? t.endpoints.inOrder : t.endpoints.anyOrder],
          [t.endpoints.id, id],
        ]}
      />
      <Secret endpointId={id} />
    </Panel>
  )
}

function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const { api } = useTenant()
  const { id: endpointId, url, description, filterTypes, rateLimit, ordered = false, disabled } = endpoint
  const update = async (values: Record<string, string>) => {
    const types = listOf(values.types ?? '')
    await api.webhooks.updateEndpoint({
      endpointId,
      url: values.url ?? url,
      description: values.description ?? description,
      filterTypes: types.length > 0 ? types : null,
      rateLimit: values.rateLimit ? Number(values.rateLimit) : null,
    })
    return t.endpoints.updated
  }
  const change = async (changed: { disabled: boolean } | { ordered: boolean }) => {
    await api.webhooks.updateEndpoint({ endpointId, ...changed })
    return t.endpoints.updated
  }
  const remove = async () => {
    await api.webhooks.deleteEndpoint({ endpointId })
    return t.endpoints.deleted
  }
  const fields = (
    <>
      <TextField label={t.endpoints.url} name="url" type="url" value={url} required />
      <TextField label={t.endpoints.description} name="description" value={description} />
      <TextField label={t.endpoints.types} name="types" value={filterTypes.join(', ')} />
      <TextField label={t.endpoints.rateLimit} name="rateLimit" type="number" value={rateLimit?.toString()} />
    </>
  )
  return (
    <>
      <Action label={t.edit} fields={fields} run={update} />
      <Action
        label={ordered ? t.endpoints.unorder : t.endpoints.putInOrder}
        run={() => change({ ordered: !ordered })}
      />
      <Action label={disabled ? t.enable : t.disable} run={() => change({ disabled: !disabled })} />
      <Action label={t.delete} confirm={t.endpoints.deleteConfirm} danger run={remove} />
    </>
  )
}

/** The signing secret, read only when it is asked for and forgotten when the page is left. */
function Secret({ endpointId }: { endpointId: string }) {
  const { api } = useTenant()
  const [secret, setSecret] = useState<string>()
  const reveal = useMutation({
    mutationFn: () => api.webhooks.getEndpointSecret({ endpointId }),
    onSuccess: ({ data }) => setSecret(data.secret),
  })
  const rotate = async () => {
    await api.webhooks.rotateEndpointSecret({ endpointId })
    setSecret(undefined)
    return t.endpoints.rotated
  }
  return (
    <div className="actions">
      {secret === undefined ? (
        <button type="button" onClick={() => reveal.mutate()} disabled={reveal.isPending}>
          {t.endpoints.reveal}
        </button>
      ) : (
        <>
          <code className="told">{secret}</code>
          <button type="button" onClick={() => setSecret(undefined)}>
            {t.endpoints.hide}
          </button>
        </>
      )}
      <Action label={t.endpoints.rotate} confirm={t.endpoints.rotateConfirm} run={rotate} />
      {reveal.error && <Failed error={reveal.error} />}
    </div>
  )
}
