import type { Parameter } from './parameters.ts'

/** What the worker thread does: create the cluster in an empty folder, or serve one. */
export interface WorkerTask {
  task: 'create' | 'serve'
  /** The folder of the cluster, or 'memory'. */
  cluster: string
  /** The file of a prepared cluster that a new one begins with; default: an empty one. */
  prepared?: string | undefined
}

/** Orders to the worker thread, carried out in the order they arrive. All but `begin` are answered. */
export type Order =
  | { do: 'run'; id: number; text: string; values: Parameter[] }
  | { do: 'script' | 'listen'; id: number; text: string }
  | { do: 'copy'; id: number; to: string }
  | { do: 'begin' }
  | { do: 'commit' | 'rollback' | 'close'; id: number }

/** The rows of a statement in Postgres's text form; `type` is the oid of the column's type. */
export interface Result {
  columns: { name: string; type: number }[]
  rows: (string | null)[][]
}

/** Why Postgres refused a statement, as plain data. */
export interface Refusal {
  message: string
  code: string
  constraint: string | undefined
}

export type Answer = { id: number; result: Result } | { id: number; refusal: Refusal }

/**
 * What the worker thread sends: that it is ready, answers, names of notified channels, or that the database is lost.
 */
export type Report =
  | { ready: true }
  | { answers: Answer[] }
  | { notified: string[] }
  | { warning: string }
  | { lost: string }
