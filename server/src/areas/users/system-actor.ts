/** The actor where the caller names none: the holder of the API key. It is never a user, whatever ids users have. */
export const SYSTEM_ACTOR = { userId: 'api', name: 'API', isSystem: true }

/** Whether a stored or sent person is the system. Filters by user and erasure do not apply to it. */
export const isSystemActor = (person: unknown): boolean => {
  const { userId, isSystem } = (person ?? {}) as { userId?: unknown; isSystem?: unknown }
  return userId === SYSTEM_ACTOR.userId && isSystem === true
}
