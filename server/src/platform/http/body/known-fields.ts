import { isObject } from '../../json-value.ts'
import type { TObject, TSchema } from '../../schema.ts'

/** Keeps of an object what its schema names, at any depth of objects. */
export function knownFields(schema: TSchema, value: unknown): unknown {
  const { properties } = schema as Partial<TObject>
  if (!properties || !isObject(value)) return value
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, property]) =>
      Object.hasOwn(value, key) ? [[key, knownFields(property, value[key])]] : [],
    ),
  )
}
