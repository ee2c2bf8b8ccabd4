import type { Endpoint } from '../../../client/src/index.ts'
import { useRead, useReadPages, useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Action } from '../ui/action.tsx'
import { More } from '../ui/data-table.tsx'
import { SelectField } from '../ui/filters.tsx'
import { Secret } from '../ui/secret.tsx'
import { Badge, Facts, Heading, Panel } from '../ui/show.tsx'
import { Empty, Loaded } from '../ui/states.tsx'
import { numberText } from '../ui/text.ts'
import { CreateAction, EndpointActions } from './endpoint-changes.tsx'
import { EndpointHealth } from './endpoint-health.tsx'
import { byGroup, EventName } from './event-types.tsx'
import { BasicWebhook } from './settings/basic-webhook.tsx'
import { EndpointPayloads } from './settings/endpoint-payloads.tsx'

const PAGE_SIZE = 50

/** The webhook endpoints of the API key, with what each gets, how they do, and the changes to them. */
export function Page() {
  const config = useRead(['webhook-config'], (api, options) => api.webhooks.getAdvancedWebhookConfig({}, options))
  const isOn = config.data?.data.isEnabled === true
  return (
    <>
      <Heading title={t.endpoints.title} about={t.endpoints.about} actions={isOn && <CreateAction />} />
      <Loaded query={config}>
        {({ data }) =>
          data.isEnabled ? (
            <>
              <Endpoints />
              <EndpointPayloads form={data} />
            </>
          ) : (
            <Empty what={t.endpoints.off} next={<TurnOn />} />
          )
        }
      </Loaded>
      <BasicWebhook />
    </>
  )
}

/** Until webhooks are on, the service knows no endpoints. */
function TurnOn() {
  const { api } = useTenant()
  const turn = (isEnabled: boolean) => api.webhooks.updateAdvancedWebhookConfig({ isEnabled })
  const turnOn = async () => {
    await turn(true)
    return { said: t.endpoints.turnedOn, undo: () => turn(false) }
  }
  return (
    <>
      {t.endpoints.offNext} <Action needs="develop" label={t.endpoints.turnOn} run={turnOn} />
    </>
  )
}

function Endpoints() {
  const query = useReadPages(['endpoints', 'pages'], async (api, { pageToken }, options) => {
    const { data } = await api.webhooks.getEndpoints(
      { limit: PAGE_SIZE, ...(pageToken && { iterator: pageToken }) },
      options,
    )
    return { rows: data.endpoints, next: data.done ? null : data.iterator }
  })
  return (
    <>
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

function EndpointPanel({ endpoint }: { endpoint: Endpoint }) {
  const { id, url, description, channels, rateLimit, ordered = false, disabled } = endpoint
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
          [
            t.endpoints.rateLimit,
            rateLimit === null ? t.endpoints.noRateLimit : t.endpoints.perSecond(numberText(rateLimit)),
          ],
          [t.endpoints.order, ordered ? t.endpoints.inOrder : t.endpoints.anyOrder],
          [t.endpoints.channels, channels === null ? t.endpoints.allChannels : channels.join(', ')],
          [t.endpoints.id, id],
        ]}
      />
      <div className="columns">
        <EndpointHealth endpointId={id} />
        <Types endpoint={endpoint} />
      </div>
      <SigningSecret endpointId={id} />
    </Panel>
  )
}

const Types = ({ endpoint: { filterTypes } }: { endpoint: Endpoint }) => (
  <section>
    <h3>{t.endpoints.types}</h3>
    {filterTypes.length === 0 ? (
      <p>{t.endpoints.allTypes}</p>
    ) : (
      <Facts
        facts={byGroup(filterTypes).map(([name, types]) => [
          name,
          <ul key={name} className="plain">
            {types.map((type) => (
              <li key={type}>
                <EventName type={type} />
              </li>
            ))}
          </ul>,
        ])}
      />
    )}
  </section>
)

const OVERLAPS: [seconds: string, name: string][] = [
  ['0', t.endpoints.overlaps.none],
  ['3600', t.endpoints.overlaps.hour],
  ['86400', t.endpoints.overlaps.day],
  ['604800', t.endpoints.overlaps.week],
]

function SigningSecret({ endpointId }: { endpointId: string }) {
  const { api } = useTenant()
  const rotate =
    (forget: () => void) =>
    async ({ overlap }: Record<string, string>) => {
      await api.webhooks.rotateEndpointSecret({ endpointId, overlapSeconds: Number(overlap) })
      forget()
      return t.endpoints.rotated
    }
  const field = <SelectField label={t.endpoints.overlap} name="overlap" value="86400" options={OVERLAPS} />
  return (
    <Secret
      label={t.endpoints.reveal}
      read={async () => (await api.webhooks.getEndpointSecret({ endpointId })).data.secret}
      actions={(forget) => (
        <Action
          needs="develop"
          label={t.endpoints.rotate}
          confirm={t.endpoints.rotateConfirm}
          fields={field}
          run={rotate(forget)}
        />
      )}
    />
  )
}
