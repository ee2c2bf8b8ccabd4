import type { Api, OPERATIONS } from '../../client/src/api.ts'
import type { ErrorStatus, Issue } from '../src/platform/errors.ts'

type Operations = typeof OPERATIONS

/** Each operation's path with what the client's call of it answers. */
type Declared = {
  [Area in keyof Operations]: {
    [Name in keyof Operations[Area] & keyof Api[Area]]: {
      path: Operations[Area][Name] extends { path: infer Path extends string } ? Path : never
      result: Api[Area][Name] extends (...input: never[]) => Promise<infer Result> ? Result : never
    }
  }[keyof Operations[Area] & keyof Api[Area]]
}[keyof Operations]

type Results = { [Each in Declared as Each['path']]: Each['result'] }

/** What remains of the paths of operations that begin so. */
export type Under<Prefix extends string> = keyof {
  [Path in keyof Results as Path extends `${Prefix}${infer Rest}` ? Rest : never]: unknown
}

/** The declared `result` of the operation at a path, an older twin's too; unknown for a path that is no literal. */
export type Result<Path extends string> = Path extends keyof Results
  ? Results[Path]
  : Path extends `/v1/${infer Rest}`
    ? `/v2/${Rest}` extends infer Twin extends keyof Results
      ? Results[Twin]
      : unknown
    : unknown

/** What a refusal tells; `details` as refusals of bad input have them, which name at least one field. */
export interface Refusal {
  status: ErrorStatus
  message: string
  code: number
  details: { issues: [Issue, ...Issue[]] }
}

/**
 * An answer as received. Its body has either `result` or `error`, or is the text itself where the operation streams: a
 * test reads the one that it expects and fails if the other came. The calls of a service assert that it is as declared.
 */
export interface Answer<Path extends string = string> {
  status: number
  headers: Headers
  body: { result: Result<Path>; error: Refusal } & (Result<Path> extends string ? string : unknown)
}

/** The records of an answer that would be a map if groups had been asked for. */
export function ungrouped<Item>(data: Item[] | Record<string, Item[]>): Item[] {
  if (!Array.isArray(data)) throw new Error('The records came in groups.')
  return data
}

/** A page of records as any operation lists them, for tests that go through several. */
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
