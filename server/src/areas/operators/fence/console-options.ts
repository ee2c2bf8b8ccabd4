import type { Services } from '../../../platform/context.ts'
import type { Database } from '../../../platform/db/db.ts'
import type { Call } from '../../../platform/http/execute.ts'
import type { Bounds } from '../../../platform/http/limits/bounds.ts'
import type { NamedOperation, Stream } from '../../../platform/operation.ts'

/** Runs a call of one operation: validation, transaction, handler, response. */
export type Execute = (call: Call) => Promise<string | Stream>

/** What the door of the console is made of. */
export interface ConsoleOptions {
  /** The operations of the console itself. */
  own: NamedOperation[]
  /** The one of them that counts and records a refused sign-in. */
  noteRefusal: NamedOperation
  /** Those of the API, which `call` reaches. */
  operations: NamedOperation[]
  executorOf: (operation: NamedOperation) => Execute
  database: Database
  services: Services
  /** What callers may take of the process. A session takes no more than an API key. */
  bounds: Bounds
}
