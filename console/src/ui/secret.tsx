import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { t } from '../strings.ts'
import { GuardedButton } from './action.tsx'
import { CopyButton } from './show.tsx'
import { Failed } from './states.tsx'

interface SecretProps {
  /** The button that asks for it. */
  label: string
  read: () => Promise<string>
  /** What replaces the secret; it calls `forget` then, because what is shown no longer holds. */
  actions?: (forget: () => void) => ReactNode
}

/** A secret, read only when it is asked for and forgotten when the page is left. */
export function Secret({ label, read, actions }: SecretProps) {
  const [secret, setSecret] = useState<string>()
  const reveal = useMutation({ mutationFn: read, onSuccess: setSecret })
  const hide = () => setSecret(undefined)
  return (
    <>
      <div className="actions">
        {secret !== undefined && (
          <>
            <code className="told">{secret}</code>
            <CopyButton text={secret} />
          </>
        )}
        {/* One button for both, so that it keeps the focus. */}
        <GuardedButton
          needs="develop"
          reads
          label={secret === undefined ? label : t.hide}
          isBusy={reveal.isPending}
          press={secret === undefined ? reveal.mutate : hide}
        />
        {actions?.(hide)}
      </div>
      {reveal.error && <Failed error={reveal.error} />}
    </>
  )
}
