import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPostgres } from './db/postgres.ts'
import { migrate } from './migrate.ts'

const { TEST_DATABASE, TEST_DATABASE_URL = '' } = process.env

/** A database that sorts text by the rules of a language. */
async function databaseOf(language: string) {
  const open = (url: URL) =>
    openPostgres({ url: url.href, poolSize: 2, pipeline: true, statementTimeoutMs: 30_000, onError: () => {} })
  const name = `sorted_${randomUUID().replaceAll('-', '')}`
  const admin = await open(new URL(TEST_DATABASE_URL))
  onTestFinished(() => admin.close())
  await admin.script(`create database ${name} template template0 locale_provider icu icu_locale '${language}'`)
  const url = new URL(TEST_DATABASE_URL)
  url.pathname = `/${name}`
  const database = await open(url)
  onTestFinished(async () => {
    await database.close()
    await admin.script(`drop database ${name}`)
  })
  return database
}

describe.runIf(TEST_DATABASE === 'postgres')('a database that sorts text by the rules of a language', () => {
  test.each(['lt', 'cs', 'da', 'et'])('%s, by which ids are out of order, is refused', async (language) => {
    await expect(migrate(await databaseOf(language))).rejects.toThrow(
      new RegExp(`\\(${language}\\).*LC_COLLATE 'C' TEMPLATE template0`),
    )
  })

  test.each(['en-US', 'de'])('%s, by which they are in order, is migrated', async (language) => {
    await migrate(await databaseOf(language))
  })
})
