import type { Endpoint } from '../../../client/src/index.ts'
import { useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Action } from '../ui/action.tsx'
import { TextField } from '../ui/filters.tsx'
import { chosenTypes, TypeFields } from './event-types.tsx'

/** Creates an endpoint. */
export function CreateAction() {
  const { api } = useTenant()
  const create = async (values: Record<string, string>) => {
    const { filterTypes, channels, rateLimit, ...words } = contentOf(values)
    await api.webhooks.createEndpoint({
      ...words,
      ...(filterTypes && { filterTypes }),
      ...(channels && { channels }),
      ...(rateLimit !== null && { rateLimit }),
    })
    return t.endpoints.created
  }
  return <Action needs="develop" label={t.endpoints.create} fields={<Fields endpoint={NEW} />} run={create} />
}

/** The changes to an endpoint. All but the deletion can be undone. */
export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const { api } = useTenant()
  const { id: endpointId, url, description, filterTypes, channels, rateLimit, ordered = false, disabled } = endpoint
  const stored = {
    url,
    description,
    filterTypes: filterTypes.length > 0 ? filterTypes : null,
    channels,
    rateLimit,
    ordered,
    disabled,
  }
  const change = async (changed: Partial<typeof stored>) => {
    await api.webhooks.updateEndpoint({ endpointId, ...changed })
    return { said: t.endpoints.updated, undo: () => api.webhooks.updateEndpoint({ endpointId, ...stored }) }
  }
  const remove = async () => {
    await api.webhooks.deleteEndpoint({ endpointId })
    return t.endpoints.deleted
  }
  return (
    <>
      <Action
        needs="develop"
        label={t.edit}
        fields={<Fields endpoint={endpoint} />}
        run={(values) => change(contentOf(values))}
      />
      <Action
        needs="develop"
        label={ordered ? t.endpoints.unorder : t.endpoints.putInOrder}
        run={() => change({ ordered: !ordered })}
      />
      <Action needs="develop" label={disabled ? t.enable : t.disable} run={() => change({ disabled: !disabled })} />
      <Action
        needs="develop"
        label={t.delete}
        confirm={t.endpoints.deleteConfirm(description || url)}
        danger
        run={remove}
      />
    </>
  )
}

type Content = Pick<Endpoint, 'url' | 'description' | 'filterTypes' | 'channels' | 'rateLimit'>

const NEW: Content = { url: '', description: '', filterTypes: [], channels: null, rateLimit: null }

const Fields = ({ endpoint: { url, description, filterTypes, channels, rateLimit } }: { endpoint: Content }) => (
  <>
    <TextField
      label={t.endpoints.url}
      name="url"
      type="url"
      value={url}
      placeholder="https://example.com/webhooks"
      required
    />
    <TextField label={t.endpoints.description} name="description" value={description} />
    <TextField label={t.endpoints.rateLimitField} name="rateLimit" type="number" value={rateLimit?.toString()} />
    <TextField label={t.endpoints.channelsField} name="channels" value={channels?.join('\n')} rows={2} />
    <TypeFields chosen={filterTypes} />
  </>
)

/** What the fields hold; null is no limit. */
function contentOf({ url = '', description = '', rateLimit, channels = '', ...values }: Record<string, string>) {
  const [types, places] = [chosenTypes(values), listOf(channels)]
  return {
    url,
    description,
    filterTypes: types.length > 0 ? types : null,
    channels: places.length > 0 ? places : null,
    rateLimit: rateLimit ? Number(rateLimit) : null,
  }
}

/** The lines of a text. An id may hold blanks and commas. */
const listOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
