import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { PrecedentError } from '../../../client/src/errors.ts'
import { base } from '../door/door.ts'
import { type Doors, getDoors, goToIssuer, type Session, type SignIn, setPassword, signIn } from '../door/session.ts'
import { t } from '../strings.ts'
import { valuesOf } from '../ui/action.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/filters.tsx'
import { Title } from '../ui/show.tsx'
import { Failed } from '../ui/states.tsx'

type Form = 'password' | 'workspace' | 'operatorToken'

/** The doors of the console: a one-time link, the issuer, a password, the token of a workspace or of the operator. */
export function SignInPage({ signedIn }: { signedIn: (session: Session) => void }) {
  const doors = useQuery({ queryKey: ['doors'], queryFn: getDoors, staleTime: Number.POSITIVE_INFINITY })
  const [byLink, setByLink] = useState<Session>()
  const enter = useMutation({
    mutationFn: (how: SignIn) => signIn(how),
    onSuccess: (session, how) => {
      if ('token' in how) setByLink(session)
      // The address is that of the sign-in, which is no page.
      else if ('answer' in how) location.replace(base)
      else signedIn(session)
    },
  })
  const leave = useMutation({ mutationFn: goToIssuer })
  useLinkToken((token) => enter.mutate({ token }))
  useIssuerAnswer((answer) => enter.mutate({ answer }))
  if (byLink && doors.data?.password) return <NewPassword email={byLink.operator.email} done={() => signedIn(byLink)} />
  if (byLink && doors.data) return <Finished done={() => signedIn(byLink)} />
  const error = enter.error ?? leave.error ?? doors.error
  // What was refused by one door is not said of another.
  const forget = () => {
    enter.reset()
    leave.reset()
  }
  return (
    <main className="sign-in" id="page">
      <Title />
      {doors.data?.oidc && (
        <Button look="primary" isBusy={leave.isPending} press={() => leave.mutate()}>
          {t.signIn.byIssuer(doors.data.oidc)}
        </Button>
      )}
      {error && <Failed error={error} advice={enter.error ? adviceOn(enter.error, enter.variables) : undefined} />}
      {doors.data && (
        <Forms doors={doors.data} enter={(how) => enter.mutate(how)} isPending={enter.isPending} changed={forget} />
      )}
      <p>{doors.data?.operatorToken ? t.signIn.helpWithToken : t.signIn.help}</p>
    </main>
  )
}

/** What helps who was not let in: no session has ended here. */
function adviceOn(error: Error, how: SignIn | undefined): string | undefined {
  if (!(error instanceof PrecedentError) || error.httpStatus !== 401 || how === undefined) return undefined
  if ('token' in how) return t.signIn.refused.link
  if ('answer' in how) return t.signIn.refused.issuer
  return 'password' in how ? t.signIn.refused.password : t.signIn.refused.token
}

interface FormsProps {
  doors: Doors
  enter: (how: SignIn) => void
  isPending: boolean
  /** Another form was chosen. */
  changed: () => void
}

/** One form at a time, and the ways to the others. */
function Forms({ doors, enter, isPending, changed }: FormsProps) {
  const open: Form[] = [
    ...(doors.password ? (['password'] as const) : []),
    'workspace',
    ...(doors.operatorToken ? (['operatorToken'] as const) : []),
  ]
  const [chosen = open[0] ?? 'workspace', choose] = useState<Form>()
  const { title, fields } = FORMS[chosen]
  const form = useRef<HTMLFormElement>(null)
  const change = (to: Form) => {
    // The pressed button goes away, and the keyboard goes on in the form that it has opened.
    flushSync(() => choose(to))
    form.current?.querySelector('input')?.focus()
    changed()
  }
  return (
    <form ref={form} onSubmit={(event) => enter(valuesOf(event) as unknown as SignIn)}>
      <h2>{title}</h2>
      {fields.map((field) => (
        <TextField key={field.name} {...field} required />
      ))}
      <Button type="submit" look={doors.oidc ? '' : 'primary'} isBusy={isPending}>
        {t.signIn.submit}
      </Button>
      {open
        .filter((each) => each !== chosen)
        .map((each) => (
          <button key={each} type="button" className="link" onClick={() => change(each)}>
            {FORMS[each].instead}
          </button>
        ))}
    </form>
  )
}

const FORMS: Record<
  Form,
  {
    title: string
    instead: string
    fields: { name: string; label: string; type: 'text' | 'email' | 'password'; autoComplete?: string }[]
  }
> = {
  password: {
    title: t.signIn.asOperator,
    instead: t.signIn.asOperatorInstead,
    fields: [
      { name: 'email', label: t.signIn.email, type: 'email', autoComplete: 'username' },
      { name: 'password', label: t.signIn.password, type: 'password', autoComplete: 'current-password' },
    ],
  },
  workspace: {
    title: t.signIn.asWorkspace,
    instead: t.signIn.asWorkspaceInstead,
    fields: [
      { name: 'workspaceId', label: t.signIn.workspaceId, type: 'text' },
      { name: 'authToken', label: t.signIn.authToken, type: 'password' },
    ],
  },
  operatorToken: {
    title: t.signIn.byToken,
    instead: t.signIn.byTokenInstead,
    fields: [{ name: 'operatorToken', label: t.signIn.operatorToken, type: 'password' }],
  },
}

/** Goes on at once: there is no password to set. */
function Finished({ done }: { done: () => void }) {
  useEffect(done, [done])
  return null
}

/** Whether the address signs somebody in, who may be another one than is signed in already. */
export const comesToSignIn = (): boolean => linkToken() !== null || holdsAnswer()

const linkToken = () => new URLSearchParams(location.hash.slice(1)).get('token')

const holdsAnswer = () =>
  location.pathname === `${base.pathname}sign-in` && new URLSearchParams(location.search).has('state')

/** Takes the answer of the issuer out of the address, and out of the history. */
function useIssuerAnswer(use: (answer: string) => void): void {
  const taken = useRef(false)
  useEffect(() => {
    if (!holdsAnswer() || taken.current) return
    taken.current = true
    const answer = location.search.slice(1)
    history.replaceState(history.state, '', base.pathname)
    use(answer)
  })
}

/** Takes the one-time token out of the address, where it stands in the fragment, and out of the history. */
function useLinkToken(use: (token: string) => void): void {
  const taken = useRef(false)
  useEffect(() => {
    const token = linkToken()
    if (token === null || taken.current) return
    taken.current = true
    history.replaceState(history.state, '', location.pathname + location.search)
    use(token)
  })
}

function NewPassword({ email, done }: { email: string; done: () => void }) {
  const set = useMutation({ mutationFn: (password: string) => setPassword(password), onSuccess: done })
  return (
    <main className="sign-in" id="page">
      <Title />
      <form onSubmit={(event) => set.mutate(valuesOf(event).password ?? '')}>
        <h2>{t.signIn.newPassword}</h2>
        <p>{t.signIn.nameAndLength(email)}</p>
        <TextField label={t.signIn.password} name="password" type="password" autoComplete="new-password" required />
        {set.error && <Failed error={set.error} />}
        <Button type="submit" look="primary" isBusy={set.isPending}>
          {t.signIn.setPassword}
        </Button>
        <button type="button" className="link" onClick={done}>
          {t.signIn.later}
        </button>
      </form>
    </main>
  )
}
