import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Right } from '../door/session.ts'
import { t } from '../strings.ts'
import { type Done, GuardedButton } from './action.tsx'
import { Badge, Panel } from './show.tsx'
import { Failed } from './states.tsx'

/** Makes a change and shows what it left. Without what was before, it cannot be undone. */
export type Update<Change> = (change: Change, before?: Change) => Promise<Done | string>

interface SettingsPanelProps<Settings, Change> {
  title: string
  /** What the settings are for, and which secret they hold. */
  about: string
  needs: Right
  read: () => Promise<Settings>
  /** Makes a change and returns what it left. */
  send: (change: Change) => Promise<Settings>
  actions: (settings: Settings, update: Update<Change>) => ReactNode
  children: (settings: Settings) => ReactNode
}

/** Settings that hold a secret: they are read only when they are asked for, because reading them is audited. */
export function SettingsPanel<Settings, Change>(props: SettingsPanelProps<Settings, Change>) {
  const { title, about, needs, read, send, actions, children } = props
  const [settings, setSettings] = useState<Settings>()
  const reveal = useMutation({ mutationFn: read, onSuccess: setSettings })
  const set = async (change: Change) => setSettings(await send(change))
  const update: Update<Change> = async (change, before) => {
    await set(change)
    return before ? { said: t.settings.changed, undo: () => set(before) } : t.settings.changed
  }
  return (
    <Panel title={title} actions={settings && actions(settings, update)}>
      {settings ? (
        children(settings)
      ) : (
        <>
          <p>
            {about} {t.settings.audited}
          </p>
          <div className="actions">
            <GuardedButton
              reads
              needs={needs}
              label={t.settings.reveal}
              isBusy={reveal.isPending}
              press={() => reveal.mutate()}
            />
          </div>
          {reveal.error && <Failed error={reveal.error} />}
        </>
      )}
    </Panel>
  )
}

export const OnOff = ({ isOn }: { isOn: boolean }) => (
  <Badge tone={isOn ? 'good' : 'plain'}>{isOn ? t.settings.on : t.settings.off}</Badge>
)

/** Whether a secret is there, which is all that the page says of it. */
export const setOrNot = (secret: string): string => (secret === '' ? t.settings.notSet : t.settings.isSet)
