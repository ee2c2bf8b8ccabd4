import { type HeldRight, rightOf } from './right.ts'

/** Every role, the most powerful first. */
export const ROLES = ['operator', 'admin', 'developer', 'reviewer', 'viewer'] as const

export type Role = (typeof ROLES)[number]

/** What each role may do. */
export const rightsOf: Record<Role, HeldRight[]> = {
  operator: ['look', 'review', 'develop', 'administer', 'operate'],
  admin: ['look', 'review', 'develop', 'administer'],
  developer: ['look', 'develop'],
  reviewer: ['look', 'review'],
  viewer: ['look'],
}

/**
 * Whether the role of a session may call an operation, by its path and data. False for a path that is not classified.
 */
export function mayCall(role: Role, path: string, data?: { workspace?: unknown }): boolean {
  const right = rightOf(path, data)
  return rightsOf[role].some((held) => held === right)
}
