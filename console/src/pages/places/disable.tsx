import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'

interface DisableProps {
  name: string
  disabled: boolean
  disable: (to: boolean) => Promise<unknown>
}

/** Disables or enables an organization or a document, with a way back. */
export function Disable({ name, disabled, disable }: DisableProps) {
  const toggle = async () => {
    await disable(!disabled)
    return { said: disabled ? t.places.enabled(name) : t.places.disabled(name), undo: () => disable(disabled) }
  }
  return <Action needs="administer" label={disabled ? t.enable : t.disable} run={toggle} />
}
