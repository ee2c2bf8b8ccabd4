import type { TestProject } from 'vitest/node'
import { startCluster } from './postgres-cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    nativePostgresUrl: string
  }
}

/** Gives the tests of the project `postgres` the address of a native server: `inject('nativePostgresUrl')`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster()
  if ('unavailable' in cluster) throw new Error(`No native PostgreSQL for the tests:\n${cluster.unavailable}`)
  project.provide('nativePostgresUrl', cluster.url)
  return cluster.stop
}
