import { askData } from './door.ts'

/** A process of the installation as it was at its last beat. */
export interface Process {
  id: string
  host: string
  pid: number
  role: string
  version: string
  startedAt: number
  seenAt: number
  eventLoopDelayMs: number
  /** By how much its clock is behind that of the database. */
  clockOffsetMs: number
  memoryBytes: number
  index: { lexicalBytes: number; vectorBytes: number; limitBytes: number }
  /** Whether it sends emails through the mail server of the installation; absent of an earlier version. */
  sendsMail?: boolean
  connections: { most: number; open: number; inUse: number; waiting: number }
}

export interface Queue {
  queue: string
  type?: string
  depth: number
  oldestAt: number | null
  oldestAgeMs: number
}

/** What runs: processes, queues, database, retention and the embedding model. */
export interface Installation {
  /** By the database, in epoch milliseconds. */
  time: number
  processes: Process[]
  queues: Queue[]
  database: { kind: string; version: string; bytes: number }
  retention: { webhookDays: number; recentRequestMinutes: number }
  embedder: { kind: string; model: string | null; unembeddedChanges: number }
}

export const readInstallation = (signal?: AbortSignal) => askData<Installation>('installation/get', {}, signal)
