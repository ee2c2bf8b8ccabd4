import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import Format from 'typebox/format'

export { type Static, type TObject, type TProperties, type TSchema, Type }

const CONTROL_CHARACTER = /\p{Cc}/u

// Longer values break the length limit of their schema, and some expressions would take too long or overflow on them.
const MAX_FORMATTED = 8_192

const setFormat = (name: string, isValid: (value: string) => boolean) =>
  Format.Set(name, (value) => value.length <= MAX_FORMATTED && isValid(value))

setFormat('identifier', (value) => !CONTROL_CHARACTER.test(value))
// RFC 5322 §3.2.3: with its special characters a parser reads an address as several, as a group or as a comment.
setFormat('email-address', (value) =>
  /^[^\s\p{C}@"(),:;<>[\]\\]+@[^\s\p{C}@."(),:;<>[\]\\]+(\.[^\s\p{C}@."(),:;<>[\]\\]+)*$/u.test(value),
)
setFormat('http-url', isHttpUrl)
// A body is at most as long as its limit, and this reads a text once.
Format.Set('not-blank', (value) => value.trim() !== '')

/** An id that the caller chose: 1 to 256 code points, no control characters, compared exactly. */
export const identifier = (description: string) =>
  Type.String({ minLength: 1, maxLength: 256, format: 'identifier', description })

/**
 * One email address. Only its form is checked; RFC 5321 leaves the rest to the receiving host. A quoted local part is
 * refused.
 */
export const email = (description: string) => Type.String({ maxLength: 320, format: 'email-address', description })

/** The name of a person, or their initials. */
export const personName = (description: string) => Type.String({ maxLength: 512, description })

/** The key of another service, of characters allowed in a header; may be empty. */
export const headerKey = (description: string) =>
  Type.String({ maxLength: 1000, pattern: '^[\\x21-\\x7e]*$', description })

/** An absolute http or https URL of at most 2,000 characters. */
export const httpUrl = (description: string) => Type.String({ maxLength: 2000, format: 'http-url', description })

/**
 * Text that says something: not empty, and not only blanks. At most `maxLength` characters; without it the body limit
 * applies.
 */
export const requiredText = (description: string, maxLength?: number) =>
  Type.String({ minLength: 1, ...(maxLength !== undefined && { maxLength }), format: 'not-blank', description })

/** Text without a length limit of its own; the body limit applies. */
export const text = (description: string) => Type.String({ description })

/** A time in epoch milliseconds, which its description says. */
export const timestamp = (description: string) =>
  Type.Integer({
    minimum: 0,
    maximum: 8_640_000_000_000_000,
    description: /epoch/i.test(description) ? description : `${description} Epoch milliseconds.`,
  })

/** A whole number from 0 on, that JSON holds exactly (RFC 8259 §6). */
export const wholeNumber = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description })

/** Any JSON object, kept as sent. */
export const anyObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })

/** A map from ids that the caller chose to results. */
export const mapOf = <Value extends TSchema>(value: Value, description: string) =>
  Type.Record(Type.String(), value, { description })

/** One of the literal strings, as a JSON Schema enum. */
export const oneOf = <const Values extends string[]>(values: [...Values], description: string) =>
  Type.Enum(values, { description })

/**
 * Option of an object schema for updates: null for a field whose schema does not admit null is an error. Elsewhere it
 * means that an optional field is absent.
 */
export const REFUSES_NULL = { 'x-null': 'refused' } as const

/** A value or null: sent by callers to clear a field, or returned where there is none. */
export const nullable = <Schema extends TSchema>(schema: Schema) => {
  const { description } = schema as { description?: string }
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description })
}

/** An optional field of an update that null clears. */
export const clearedByNull = <Schema extends TSchema>(schema: Schema) => Type.Optional(nullable(schema))

/** The result of one item of a bulk operation. */
export const itemResult = (extra: TProperties = {}) =>
  Type.Object({ success: Type.Boolean(), message: Type.String(), ...extra })

/**
 * Whether a text is an absolute http or https URL that can be called. The URL parser alone would skip control
 * characters.
 */
export function isHttpUrl(value: string): boolean {
  if (!/^https?:\/\//i.test(value) || CONTROL_CHARACTER.test(value) || !URL.canParse(value)) return false
  const { hostname, port } = new URL(value)
  return hostname !== '' && port !== '0'
}
