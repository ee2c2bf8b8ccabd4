import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { type Api, type CallOptions, createClient } from '../../../client/src/index.ts'
import { post } from './door.ts'
import type { ApiKey, Session, Workspace } from './session.ts'

/** What a page works on: the API key that is chosen, and calls as that key or its workspace. */
export interface Tenant {
  api: Api
  apiKey: ApiKey
  workspace: Workspace
  session: Session
}

export const TenantContext = createContext<Tenant | undefined>(undefined)

export function useTenant(): Tenant {
  const tenant = useContext(TenantContext)
  if (tenant === undefined) throw new Error('A page is shown inside the shell only.')
  return tenant
}

/** The client of the API, whose calls go through the session instead of a secret. It repeats nothing by itself. */
export function apiOf(workspaceId: string, apiKey: string): Api {
  const through: typeof fetch = (input, init) => {
    const { pathname } = new URL(String(input))
    const ofWorkspace = new Headers(init?.headers).has('x-service-workspace-id')
    const { data } = JSON.parse(String(init?.body))
    const caller = ofWorkspace ? { workspaceId } : { apiKey }
    return post('call', { ...caller, operation: pathname, data }, init?.signal)
  }
  return createClient({ baseUrl: location.origin, fetch: through, maxRetries: 0 })
}

type Read<T> = (api: Api, options: CallOptions) => Promise<T>

/** When what was read is read again, in ms: always as often, or by what was read last. */
interface More<T> {
  enabled?: boolean
  refetchInterval?: number | false | ((query: { state: { data: T | undefined } }) => number)
}

/** Reads with the chosen API key; `key` names what is read and with which filters. */
export function useRead<T>(key: unknown[], read: Read<T>, more: More<T> = {}) {
  const { api, apiKey } = useTenant()
  return useQuery({
    queryKey: [apiKey.id, ...key],
    queryFn: ({ signal }) => read(api, { signal }),
    placeholderData: keepPreviousData,
    ...more,
  })
}

export interface Page<Row> {
  rows: Row[]
  next?: string | null | undefined
}

/** Reads a list a page at a time; the rows of all pages read so far are `rows`. */
export function useReadPages<Row>(
  key: unknown[],
  read: (api: Api, pageToken: { pageToken?: string }, options: CallOptions) => Promise<Page<Row>>,
  more: More<{ pages: Page<Row>[] }> = {},
) {
  const { api, apiKey } = useTenant()
  const query = useInfiniteQuery({
    queryKey: [apiKey.id, ...key],
    queryFn: ({ signal, pageParam }) => read(api, pageParam ? { pageToken: pageParam } : {}, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }: Page<Row>) => next || undefined,
    placeholderData: keepPreviousData,
    ...more,
  })
  return { ...query, rows: query.data?.pages.flatMap(({ rows }) => rows) ?? [] }
}
