import { useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { Facts, Panel } from '../../ui/show.tsx'
import { PayloadFields, type PayloadForm, payloadFacts, payloadOf } from './payload-form.tsx'

/** In which form all endpoints of the API key get events. */
export function EndpointPayloads({ form }: { form: PayloadForm }) {
  const { webhooks } = useTenant().api
  const { encodeData, encryptData, publicKey, enableDataProtection } = form
  const before = { encodeData, encryptData, publicKey, enableDataProtection }
  const change = async (values: Record<string, string>) => {
    await webhooks.updateAdvancedWebhookConfig(payloadOf(values))
    return { said: t.settings.changed, undo: () => webhooks.updateAdvancedWebhookConfig(before) }
  }
  const action = <Action needs="develop" label={t.payload.change} fields={<PayloadFields form={form} />} run={change} />
  return (
    <Panel title={t.payload.title} actions={action}>
      <p className="muted">{t.payload.about}</p>
      <Facts facts={payloadFacts(form)} />
    </Panel>
  )
}
