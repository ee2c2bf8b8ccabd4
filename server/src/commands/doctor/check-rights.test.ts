import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openNative } from '../../../test/native-database.ts'
import { freshNativeUrl } from '../../../test/running-service.ts'
import { findLackingRights } from './check-rights.ts'

/** A database of one role, and the same as another role, which has no rights but to connect. */
async function ownerAndOther() {
  const url = new URL(await freshNativeUrl())
  const admin = await openNative(url.href)
  const [owner, other] = ['owner', 'other'].map((name) => `${name}_${randomUUID().slice(0, 8)}`)
  for (const role of [owner, other]) await admin.script(`create role ${role} login password 'secret'`)
  await admin.script(`
    revoke all on schema public from public;
    create table migration (name text);
    create table document (id int);
    create table foreign_table (id int);
    alter table migration owner to ${owner};
    alter table document owner to ${owner}`)
  const database = await openNative(Object.assign(url, { username: other, password: 'secret' }).href)
  onTestFinished(async () => {
    await database.close()
    for (const role of [owner, other]) await admin.script(`drop owned by ${role}; drop role ${role}`)
    await admin.close()
  })
  return { admin, database, owner, other }
}

describe.runIf(process.env.TEST_DATABASE === 'postgres')('the rights of a role', () => {
  test('that owns nothing are named one after the other, with what gives them', async () => {
    const { admin, database, owner, other } = await ownerAndOther()
    const lacking = () => findLackingRights(database)
    expect(await lacking()).toMatchObject({
      status: 'failure',
      message: `The role ${other} may use no schema of its search_path.`,
      mend: expect.stringContaining(`grant usage, create on schema public to ${other}`),
    })
    await admin.script(`grant usage on schema public to ${other}; grant select on migration to ${other}`)
    expect(await lacking()).toMatchObject({
      status: 'failure',
      message: `The role ${other} may not read and write 2 tables of ${owner}, such as document.`,
      mend: expect.stringMatching(new RegExp(`name ${owner}, or .*: grant ${owner} to ${other}$`)),
    })
    await admin.script(`grant ${owner} to ${other}`)
    expect(await lacking()).toMatchObject({
      message: `The role ${other} may not create tables in the schema public.`,
      mend: expect.stringContaining(`grant usage, create on schema public to ${other}`),
    })
    await admin.script(`grant create on schema public to ${other}`)
    expect(await lacking()).toBeUndefined()
  })

  test('that may read and write the tables, but does not own them, are named as a warning', async () => {
    const { admin, database, owner, other } = await ownerAndOther()
    await admin.script(`
      grant usage, create on schema public to ${other};
      grant select, insert, update, delete on migration, document to ${other}`)
    const lacking = () => findLackingRights(database)
    expect(await lacking()).toMatchObject({
      status: 'warning',
      message: `The role ${other} may read and write the tables of ${owner}, but not change them, as migrations do.`,
      mend: expect.stringMatching(new RegExp(`name ${owner}, or .*: grant ${owner} to ${other}$`)),
    })
    await expect(database.script('alter table document add column name text')).rejects.toThrow('must be owner')
    await admin.script(`grant ${owner} to ${other}`)
    expect(await lacking()).toBeUndefined()
    await database.script('alter table document add column name text')
  })
})
