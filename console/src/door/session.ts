import { ask, askData } from './door.ts'

export type Role = 'operator' | 'admin' | 'developer' | 'reviewer' | 'viewer'

/** What an operation of the API needs: to look, to review, and so on. */
export type Right = 'look' | 'review' | 'develop' | 'administer' | 'operate'

/** Who is signed in, and for which workspaces. */
export interface Session {
  operator: { name: string; email: string; role: Role }
  rights: Right[]
  scope: string
  readOnly: boolean
  /** How it was opened. */
  door: 'link' | 'password' | 'oidc' | 'workspace token' | 'operator token'
  expiresAt: number
}

export interface ApiKey {
  id: string
  apiKeyName: string
  type?: string
  disabled?: boolean
}

export interface Workspace {
  id: string
  name: string
  apiKeys: ApiKey[]
}

export type SignIn =
  | { token: string }
  | { email: string; password: string }
  | { workspaceId: string; authToken: string }
  | { operatorToken: string }
  | { answer: string }

/** The doors besides a link and the token of a workspace; `oidc` is what its button is named after. */
export interface Doors {
  password: boolean
  operatorToken: boolean
  oidc: string | null
}

export const getDoors = () => askData<Doors>('session/doors')

/** Opens the issuer. It sends the browser back to the page `sign-in`. */
export async function goToIssuer(): Promise<void> {
  const { address } = await askData<{ address: string }>('session/begin-oidc')
  location.assign(address)
}

export const getSession = () => askData<Session>('session/get')
export const signIn = (how: SignIn) => askData<Session>('session/sign-in', how)
export const signOut = () => ask<unknown>('session/sign-out')

/** Sets one's own password. Without the old one it must have been a link that opened the session, a short time ago. */
export const setPassword = (password: string, oldPassword?: string) =>
  ask<unknown>('session/set-password', { password, ...(oldPassword && { oldPassword }) })

/** The workspaces that the session may see, by a part of their name. */
export const listWorkspaces = (search = '') =>
  askData<Workspace[]>('workspaces/list', { pageSize: 100, ...(search && { search }) })
