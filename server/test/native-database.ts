import { openPostgres } from '../src/platform/db/postgres.ts'

/** Opens a database on a native server as the service does. */
export const openNative = (url: string) =>
  openPostgres({ url, poolSize: 8, pipeline: true, statementTimeoutMs: 60_000, onError: () => {} })

/** Creates a database on a native server: an empty one, or a copy of another, which nobody has open. */
export async function createNativeDatabase(server: string, name: string, copyOf?: string): Promise<void> {
  const admin = await openNative(server)
  await admin.script(`create database ${name}${copyOf ? ` template ${copyOf}` : ''}`)
  await admin.close()
}

/** The address of another database on the same server. */
export function urlOfDatabase(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
