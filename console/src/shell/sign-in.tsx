import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Session, type SignIn, setPassword, signIn } from '../door/session.ts'
import { t } from '../strings.ts'
import { valuesOf } from '../ui/action.tsx'
import { TextField } from '../ui/filters.tsx'
import { Failed } from '../ui/states.tsx'

/** The doors of the console: a one-time link, an operator's password, the token of a workspace. */
export function SignInPage({ signedIn }: { signedIn: (session: Session) => void }) {
  const [asWorkspace, setAsWorkspace] = useState(false)
  const [byLink, setByLink] = useState<Session>()
  const enter = useMutation({
    mutationFn: (how: SignIn) => signIn(how),
    onSuccess: (session, how) => ('token' in how ? setByLink(session) : signedIn(session)),
  })
  useLinkToken((token) => enter.mutate({ token }))
  if (byLink) return <NewPassword done={() => signedIn(byLink)} />
  return (
    <main className="sign-in" id="page">
      <h1>{t.product}</h1>
      <form
        onSubmit={(event) => {
          const { email = '', password = '', workspaceId = '', authToken = '' } = valuesOf(event)
          enter.mutate(asWorkspace ? { workspaceId, authToken } : { email, password })
        }}
      >
        <h2>{asWorkspace ? t.signIn.asWorkspace : t.signIn.asOperator}</h2>
        {asWorkspace ? (
          <>
            <TextField label={t.signIn.workspaceId} name="workspaceId" required />
            <TextField label={t.signIn.authToken} name="authToken" type="password" required />
          </>
        ) : (
          <>
            <TextField label={t.signIn.email} name="email" type="email" required />
            <TextField label={t.signIn.password} name="password" type="password" required />
          </>
        )}
        {enter.error && <Failed error={enter.error} />}
        <button type="submit" className="primary" disabled={enter.isPending}>
          {t.signIn.submit}
        </button>
        <button type="button" className="link" onClick={() => setAsWorkspace(!asWorkspace)}>
          {asWorkspace ? t.signIn.asOperatorInstead : t.signIn.asWorkspaceInstead}
        </button>
      </form>
      <p>{t.signIn.help}</p>
    </main>
  )
}

/** Takes the one-time token out of the address, where it stands in the fragment, and out of the history. */
function useLinkToken(use: (token: string) => void): void {
  const taken = useRef(false)
  useEffect(() => {
    const token = new URLSearchParams(location.hash.slice(1)).get('token')
    if (token === null || taken.current) return
    taken.current = true
    history.replaceState(history.state, '', location.pathname + location.search)
    use(token)
  })
}

function NewPassword({ done }: { done: () => void }) {
  const set = useMutation({ mutationFn: setPassword, onSuccess: done })
  return (
    <main className="sign-in" id="page">
      <h1>{t.product}</h1>
      <form onSubmit={(event) => set.mutate(valuesOf(event).password ?? '')}>
        <h2>{t.signIn.newPassword}</h2>
        <TextField label={t.signIn.password} name="password" type="password" required />
        {set.error && <Failed error={set.error} />}
        <button type="submit" className="primary" disabled={set.isPending}>
          {t.signIn.setPassword}
        </button>
        <button type="button" className="link" onClick={done}>
          {t.signIn.later}
        </button>
      </form>
    </main>
  )
}
