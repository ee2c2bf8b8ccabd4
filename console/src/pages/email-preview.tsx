import { useState } from 'react'
import { useRead, useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Action } from '../ui/action.tsx'
import { PickField } from '../ui/pick-field.tsx'
import { AsSource, Code, Facts, Panel } from '../ui/show.tsx'
import { Loaded } from '../ui/states.tsx'
import { Tabs, useView } from '../ui/tabs.tsx'
import { ORGANIZATIONS_TO_PICK, peopleToPick } from './choices.ts'

const KINDS = ['mention', 'thread', 'reply', 'assignment', 'status', 'priority'] as const
const TABS = KINDS.map((kind): [string, string] => [kind, t.email.kinds[kind]])

/** How each kind of email looks, by a thread that nobody wrote, and a test that is sent to a stored user. */
export function EmailPreview() {
  const view = useView(TABS, 'kind')
  const kind = KINDS.find((each) => each === view) ?? 'mention'
  const query = useRead(['email-preview', kind], (api, options) => api.email.previewEmail({ kind }, options))
  return (
    <Panel title={t.email.preview} actions={<TestAction />}>
      <Tabs label={t.email.preview} tabs={TABS} filter="kind" />
      <Loaded query={query}>
        {({ data: { fromName, subject, text, html, properties } }) => (
          <>
            <Facts
              facts={[
                [t.email.fromName, fromName],
                [t.email.subject, subject],
              ]}
            />
            <Code label={t.email.body} value={text} />
            <AsSource title={t.email.html}>
              <Code label={t.email.html} value={html} />
            </AsSource>
            <AsSource title={t.email.properties}>
              <Code label={t.email.properties} value={properties} />
            </AsSource>
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function TestAction() {
  const { api } = useTenant()
  const send = async ({ organizationId = '', userId = '' }: Record<string, string>) => {
    await api.email.sendTestEmail({ organizationId, userId })
    return t.email.tested
  }
  return (
    <Action needs="develop" label={t.email.test} confirm={t.email.testConfirm} fields={<TestFields />} run={send} />
  )
}

function TestFields() {
  const [held, setHeld] = useState('')
  return (
    <>
      <PickField
        label={t.organization}
        name="organizationId"
        required
        source={ORGANIZATIONS_TO_PICK}
        changed={setHeld}
      />
      <PickField label={t.person} name="userId" required source={peopleToPick(held)} />
    </>
  )
}
