import { randomUUID } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { migrate } from '../src/platform/migrate.ts'
import { createNativeDatabase, openNative, urlOfDatabase } from './native-database.ts'
import { startCluster } from './postgres-cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    nativePostgresUrl: string
    /** A database on it that has the schema and no rows; others are made as copies of it. */
    nativeTemplate: string
  }
}

/** Gives the tests of the project `postgres` a native server and a database to copy: `inject('nativePostgresUrl')`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster().catch(({ message }: Error) => {
    throw new Error(`No native PostgreSQL for the tests:\n${message}`)
  })
  project.provide('nativePostgresUrl', cluster.url)
  const template = `test_template_${randomUUID().replaceAll('-', '')}`
  await createNativeDatabase(cluster.url, template)
  const database = await openNative(urlOfDatabase(cluster.url, template))
  await migrate(database)
  await database.close()
  project.provide('nativeTemplate', template)
  return cluster.stop
}
