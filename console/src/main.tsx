import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  RouterProvider,
} from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { PrecedentError } from '../../client/src/errors.ts'
import 'uplot/dist/uPlot.min.css'
import './console.css'
import './narrow.css'
import { base, loadPart } from './door/door.ts'
import { HOME, PAGES } from './shell/pages.ts'
import { Shell } from './shell/shell.tsx'
import { applyTheme } from './shell/theme.ts'
import { t } from './strings.ts'
import { Heading, Title } from './ui/show.tsx'
import { Failed, Loading } from './ui/states.tsx'

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => <Heading title={t.noPage} about={t.noPageNext} />,
})
const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: () => <Navigate to={HOME} search={(before: object) => before} replace />,
})
type PageModule = Awaited<ReturnType<(typeof PAGES)[number]['load']>>
const pages = PAGES.map(({ path, load }) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent<PageModule, 'Page'>(() => loadPart(load), 'Page'),
  }),
)

const router = createRouter({
  routeTree: root.addChildren([home, ...pages]),
  basepath: base.pathname,
  // The way back leads to the place where a page was left.
  scrollRestoration: true,
  // Filters are plain texts, so that an address can be read and written by hand.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search).toString()
    return text === '' ? '' : `?${text}`
  },
  defaultErrorComponent: ({ error }) => (
    <>
      <Title title={t.failing.title} />
      <Failed error={error} retry={() => router.invalidate()} />
    </>
  ),
  defaultPendingComponent: Loading,
})

const isRefused = (error: Error) => error instanceof PrecedentError && error.httpStatus < 500
const queries: QueryClient = new QueryClient({
  // Once the session has ended, the shell asks to sign in. The address stays.
  queryCache: new QueryCache({
    onError(error, { queryKey: [what] }) {
      const isOver = error instanceof PrecedentError && error.httpStatus === 401
      if (isOver && what !== 'session') void queries.invalidateQueries({ queryKey: ['session'] })
    },
  }),
  // A browser that is offline may still reach the server, which is often on the same machine. A change that cannot be
  // sent fails: if it waited for the network, it would be sent though whoever made it has given it up.
  defaultOptions: {
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 5_000,
      retry: (failures, error) => failures < 2 && !isRefused(error),
    },
    mutations: { networkMode: 'always' },
  },
})

applyTheme()
const place = document.getElementById('console')
if (place) {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
