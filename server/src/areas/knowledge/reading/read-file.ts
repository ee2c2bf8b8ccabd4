import { firstMessage, ThreadError, type ThreadFailure } from '../../../platform/threads/watched-thread.ts'
import type { IndexedText } from './indexed-text.ts'
import { type MimeType, ReadingError, type ReadingFailure } from './reading.ts'

/** What was read of a file. */
export type FileText = IndexedText & { usedRawFallback: boolean }

interface Limits {
  /** How long reading may take, the start of the thread included. */
  deadlineMs?: number
  /** The most JavaScript memory of the thread, and by how much the process may grow meanwhile. */
  heapMb?: number
  growthMb?: number
}

type Message = { read: FileText } | { reason: ReadingFailure; detail: string }

const REASONS: Record<ThreadFailure, ReadingFailure> = {
  timeout: 'reading-timed-out',
  memory: 'file-too-large',
  growth: 'file-too-large',
  died: 'file-unreadable',
}

/**
 * Whether a file was given up because the process had grown too much: another file, read meanwhile, may be to blame.
 */
export const mayBeOfAnother = (error: ReadingError): boolean =>
  error.cause instanceof ThreadError && error.cause.failure === 'growth'

/**
 * Reads a file in a worker thread of its own, which is ended at the deadline or when it takes too much memory. So a
 * hostile file holds nobody else up. Throws `ReadingError` if the file cannot be read.
 */
export async function readFile(
  file: { bytes: Uint8Array; mimeType: MimeType },
  { deadlineMs = 30_000, heapMb = 384, growthMb = 768 }: Limits = {},
): Promise<FileText> {
  const resourceLimits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }
  const limits = { deadlineMs, growthMb, resourceLimits }
  const message = await firstMessage<Message>('knowledge-reader', import.meta.url, file, limits).catch((error) => {
    throw error instanceof ThreadError ? new ReadingError(REASONS[error.failure], error) : error
  })
  if ('read' in message) return message.read
  throw new ReadingError(message.reason, message.detail)
}
