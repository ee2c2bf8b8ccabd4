/** The types of JSON; `integer` is a number without a fraction. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array'

/** A field of an operation, as its declaration has it. */
export interface Field {
  /** Its name, after the names of the objects that it is within. */
  path: string[]
  types: JsonType[]
  /** The types of the items of a list. */
  items?: JsonType[]
  /** The only values that it, or an item of it, may have. */
  values?: string[]
  required?: true
  about?: string
}

/** What the command line knows of an operation. */
export interface OperationFields {
  summary: string
  fields: Field[]
  /** The data of a typical call. */
  example: Record<string, unknown>
}

/** The flag of a field without its dashes: `dateRange.start` is `date-range.start`. */
export function flagOf({ path }: Field): string {
  return path.map(kebab).join('.')
}

/** `addUsers` is `add-users`. */
export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
