import { useState } from 'react'
import type { Api } from '../../../../client/src/index.ts'
import { useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField, withoutEmpty } from '../../ui/filters.tsx'
import { CopyButton, Facts } from '../../ui/show.tsx'

type Created = Awaited<ReturnType<Api['workspaces']['createWorkspace']>>['data']

/** Creates a workspace, and shows once what its owner signs in with. It is kept in memory only. */
export function CreateWorkspace() {
  const { api } = useTenant()
  const [created, setCreated] = useState<Created>()
  const create = async ({ ownerEmail = '', name, workspaceName }: Record<string, string>) => {
    const { data } = await api.workspaces.createWorkspace({ ownerEmail, ...withoutEmpty({ name, workspaceName }) })
    setCreated(data)
    return t.operator.created(data.name)
  }
  const fields = (
    <>
      <TextField label={t.keys.owner} name="ownerEmail" type="email" required />
      <TextField label={t.operator.ownerName} name="name" />
      <TextField label={t.operator.workspaceName} name="workspaceName" />
    </>
  )
  return (
    <>
      <Action needs="operate" label={t.operator.create} confirm={t.operator.createHelp} fields={fields} run={create} />
      {created && (
        <Dialog title={t.operator.handOver} close={() => setCreated(undefined)}>
          <p>{t.operator.handOverHelp}</p>
          <Facts
            facts={[
              [t.operator.workspaceId, created.id],
              [t.operator.authToken, <code key="token">{created.authToken}</code>],
            ]}
          />
          <CopyButton text={created.authToken} />
        </Dialog>
      )}
    </>
  )
}
