import type { TSchema } from '../schema.ts'

/** What the checks of an input read of its schema. */
export interface InputSchema {
  type?: string
  properties?: Record<string, TSchema>
  additionalProperties?: unknown
  required?: string[]
  items?: TSchema
  maxItems?: number
  maxProperties?: number
  anyOf?: TSchema[]
  'x-read-only'?: readonly string[]
}

/** The path of a field of what stands at `path`, as errors and headers name it: `users[0].email`. */
export const fieldPath = (path: string, name: string) => (path ? `${path}.${name}` : name)
