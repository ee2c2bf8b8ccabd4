import type { Db } from '../../platform/db/db.ts'

/**
 * Callers at the same time share a reading. One that began before the call may have missed what was committed since, so
 * that those who call meanwhile share the next one.
 */
export function shared(read: (db: Db) => Promise<void>) {
  let reading: Promise<void> | undefined
  let following: Promise<void> | undefined

  function run(db: Db): Promise<void> {
    if (!reading) {
      reading = read(db).finally(() => {
        reading = undefined
      })
      return reading
    }
    following ??= reading
      .catch(() => {})
      .then(() => {
        following = undefined
        return run(db)
      })
    return following
  }

  return {
    run,
    get isRunning() {
      return reading !== undefined
    },
  }
}
