import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { PrecedentError } from '../../../client/src/errors.ts'
import { getSession, listWorkspaces, type Session } from '../door/session.ts'
import { apiOf, TenantContext } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { useFilters } from '../ui/filters.tsx'
import { Empty, Failed, Loaded, Loading } from '../ui/states.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { Navigation } from './navigation.tsx'
import { Palette } from './palette.tsx'
import { SignInPage } from './sign-in.tsx'
import { TopBar } from './top-bar.tsx'

/** Everything around a page: who is signed in, which API key is chosen, the ways to the other pages. */
export function Shell() {
  const session = useQuery({ queryKey: ['session'], queryFn: getSession, staleTime: 60_000 })
  const queries = useQueryClient()
  if (session.isPending) return <Loading />
  if (session.error instanceof PrecedentError && session.error.httpStatus === 401) {
    return <SignInPage signedIn={(started) => queries.setQueryData(['session'], started)} />
  }
  if (session.error) return <Failed error={session.error} retry={session.refetch} />
  return (
    <WithTenant session={session.data}>
      <a className="skip" href="#page">
        {t.skip}
      </a>
      <TopBar />
      <Navigation />
      <main id="page" tabIndex={-1}>
        <Outlet />
      </main>
      <Palette />
      <Toasts />
    </WithTenant>
  )
}

/** Gives pages the API key that the address names, else the first one. */
function WithTenant({ session, children }: { session: Session; children: ReactNode }) {
  const workspaces = useQuery({ queryKey: ['workspaces'], queryFn: () => listWorkspaces(), staleTime: 60_000 })
  const [{ key }] = useFilters()
  const chosen = useMemo(() => {
    const all = (workspaces.data ?? []).flatMap((workspace) =>
      workspace.apiKeys.map((apiKey) => ({ workspace, apiKey, session, api: apiOf(workspace.id, apiKey.id) })),
    )
    return all.find(({ apiKey }) => apiKey.id === key) ?? all[0]
  }, [workspaces.data, key, session])
  return (
    <Loaded query={workspaces}>
      {() =>
        chosen ? (
          <TenantContext.Provider value={chosen}>{children}</TenantContext.Provider>
        ) : (
          <Empty what={t.noWorkspace} next={t.noWorkspaceNext} />
        )
      }
    </Loaded>
  )
}
