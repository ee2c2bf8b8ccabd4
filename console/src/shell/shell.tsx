import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { PrecedentError } from '../../../client/src/errors.ts'
import { apiAddress, base } from '../door/door.ts'
import { getSession, type Session } from '../door/session.ts'
import { apiOf, TenantContext, useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { useFilters } from '../ui/filters.tsx'
import { Code, Title } from '../ui/show.tsx'
import { Empty, Failed, Loaded, Loading } from '../ui/states.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { Navigation } from './navigation.tsx'
import { Palette } from './palette.tsx'
import { comesToSignIn, SignInPage } from './sign-in.tsx'
import { SignOut, TopBar } from './top-bar.tsx'
import { useWorkspaces } from './workspaces.ts'

/** Everything around a page: who is signed in, which API key is chosen, the ways to the other pages. */
export function Shell() {
  const [isMenuOpen, setMenuOpen] = useState(false)
  const session = useQuery({ queryKey: ['session'], queryFn: getSession, staleTime: 60_000 })
  const queries = useQueryClient()
  const [comes, setComes] = useState(comesToSignIn)
  const signedIn = (started: Session) => {
    setComes(false)
    // What was read before may be for another one's eyes.
    queries.removeQueries({ predicate: ({ queryKey: [what] }) => what !== 'session' })
    queries.setQueryData(['session'], started)
  }
  if (session.isPending) return <Loading />
  if (comes || (session.error instanceof PrecedentError && session.error.httpStatus === 401)) {
    return <SignInPage signedIn={signedIn} />
  }
  if (session.data === undefined) {
    return (
      <main className="sign-in" id="page">
        <Title />
        <Failed error={session.error} retry={session.refetch} />
      </main>
    )
  }
  return (
    <WithTenant session={session.data}>
      <a className="skip" href="#page">
        {t.skip}
      </a>
      <TopBar isMenuOpen={isMenuOpen} toggleMenu={() => setMenuOpen(!isMenuOpen)} />
      <Navigation isOpen={isMenuOpen} chosen={() => setMenuOpen(false)} />
      <Main />
      <Palette />
      <Toasts />
    </WithTenant>
  )
}

/**
 * The page. When another one is opened it gets the focus, so that the keyboard and screen readers go on there. With
 * another API key it begins anew: it keeps nothing of the one before, such as a token.
 */
function Main() {
  const { apiKey } = useTenant()
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    // Home leads on at once, without anybody asking for it.
    if (shown.current !== '/') main.current?.focus()
    shown.current = pathname
  }, [pathname])
  return (
    <main key={apiKey.id} ref={main} id="page" tabIndex={-1}>
      <Outlet />
    </main>
  )
}

/** Gives pages the API key that the address names; the first one where it names none. */
function WithTenant({ session, children }: { session: Session; children: ReactNode }) {
  const workspaces = useWorkspaces()
  const [{ key }] = useFilters()
  const chosen = useMemo(() => {
    const all = (workspaces.data ?? []).flatMap((workspace) =>
      workspace.apiKeys.map((apiKey) => ({ workspace, apiKey, session, api: apiOf(workspace.id, apiKey.id) })),
    )
    return key === undefined ? all[0] : all.find(({ apiKey }) => apiKey.id === key)
  }, [workspaces.data, key, session])
  return (
    // The list itself is not shown. A page goes on without the newest one.
    <Loaded query={{ ...workspaces, error: workspaces.data ? null : workspaces.error }}>
      {() =>
        chosen ? (
          <TenantContext.Provider value={chosen}>{children}</TenantContext.Provider>
        ) : (
          <NoTenant named={key !== undefined} />
        )
      }
    </Loaded>
  )
}

const NoTenant = ({ named }: { named: boolean }) => (
  <>
    <main className="sign-in" id="page">
      <Title />
      {named ? (
        <Empty what={t.noKey} next={<a href={base.pathname}>{t.noKeyNext}</a>} />
      ) : (
        <>
          <Empty what={t.noWorkspace} next={t.noWorkspaceNext} />
          <Code label={t.noWorkspaceRequest} value={NEW_WORKSPACE} />
        </>
      )}
      <SignOut />
    </main>
    <Toasts />
  </>
)

const NEW_WORKSPACE = [
  `curl -s ${apiAddress}/v2/workspace/create -H 'content-type: application/json' \\`,
  `  -H "authorization: Bearer $OPERATOR_TOKEN" -d '{"data":{"ownerEmail":"you@example.com"}}'`,
].join('\n')
