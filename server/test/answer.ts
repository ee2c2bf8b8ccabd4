import type { Api, OPERATIONS } from '../../client/src/api.ts'
import type { ErrorStatus, Issue } from '../src/platform/errors.ts'

type Operations = typeof OPERATIONS

/** The response type of each operation's path, from the client's types. */
type Declared = {
  [Area in keyof Operations]: {
    [Name in keyof Operations[Area] & keyof Api[Area]]: {
      path: Operations[Area][Name] extends { path: infer Path extends string } ? Path : never
      result: Api[Area][Name] extends (...input: never[]) => Promise<infer Result> ? Result : never
    }
  }[keyof Operations[Area] & keyof Api[Area]]
}[keyof Operations]

type Results = { [Each in Declared as Each['path']]: Each['result'] }

/** The rest of the operations' paths with this prefix. */
export type Under<Prefix extends string> = keyof {
  [Path in keyof Results as Path extends `${Prefix}${infer Rest}` ? Rest : never]: unknown
}

/**
 * The declared `result` of the operation at a path, or at the path of its older twin; unknown if the path is not a
 * literal.
 */
export type Result<Path extends string> = Path extends keyof Results
  ? Results[Path]
  : Path extends `/v1/${infer Rest}`
    ? `/v2/${Rest}` extends infer Twin extends keyof Results
      ? Results[Twin]
      : unknown
    : unknown

/** The body of an error. `details` is declared as for invalid input, which names at least one field. */
export interface Refusal {
  status: ErrorStatus
  message: string
  code: number
  details: { issues: [Issue, ...Issue[]] }
}

/**
 * A received response. Its body has either `result` or `error`, or is the text itself for a stream. A test reads the
 * one that it expects and fails if the other came. The calls of a service assert that the response is as declared.
 */
export interface Answer<Path extends string = string> {
  status: number
  headers: Headers
  body: { result: Result<Path>; error: Refusal } & (Result<Path> extends string ? string : unknown)
}

/** The records of a response that would be a map if groups had been requested. */
export function ungrouped<Item>(data: Item[] | Record<string, Item[]>): Item[] {
  if (!Array.isArray(data)) throw new Error('The records came in groups.')
  return data
}

/** A page of records of any operation, for tests that loop over several. */
export interface AnyPage {
  data: {
    id?: string
    annotationId?: string
    location?: object
    metadata?: { location?: object }
    [field: string]: unknown
  }[]
  pageToken?: string | null
  nextPageToken?: string | null
}
