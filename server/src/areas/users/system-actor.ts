/** Who acted where the caller named nobody: the holder of the API key. It is no user, whatever users are called. */
export const SYSTEM_ACTOR = { userId: 'api', name: 'API', isSystem: true }

/** Whether a stored or sent person stands for the system, which no filter by user and no erasure concerns. */
export const isSystemActor = (person: unknown): boolean => {
  const { userId, isSystem } = (person ?? {}) as { userId?: unknown; isSystem?: unknown }
  return userId === SYSTEM_ACTOR.userId && isSystem === true
}
