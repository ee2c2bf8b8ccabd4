import { startWorkerThread } from '../../../platform/worker-thread.ts'
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

const WATCH_EVERY_MS = 50

type Message = { read: FileText } | { reason: ReadingFailure; detail: string }

/**
 * Reads a file in a worker thread of its own, which is ended at the deadline or when it takes too much memory. So a
 * hostile file holds nobody else up. Throws `ReadingError` if the file cannot be read.
 */
export function readFile(
  file: { bytes: Uint8Array; mimeType: MimeType },
  { deadlineMs = 30_000, heapMb = 384, growthMb = 768 }: Limits = {},
): Promise<FileText> {
  const resourceLimits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }
  const thread = startWorkerThread('knowledge-reader', import.meta.url, file, { resourceLimits })
  const before = process.memoryUsage.rss()
  return new Promise<FileText>((resolve, reject) => {
    const fail = (reason: ReadingFailure, cause?: unknown) => reject(new ReadingError(reason, cause))
    const deadline = setTimeout(() => fail('reading-timed-out'), deadlineMs)
    // Buffers are outside of the thread's heap limit, so the process is watched too.
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > growthMb * 2 ** 20) fail('file-too-large')
    }, WATCH_EVERY_MS)
    thread.once('message', (message: Message) => {
      if ('read' in message) resolve(message.read)
      else fail(message.reason, message.detail)
    })
    thread.once('error', (error: NodeJS.ErrnoException) =>
      fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'file-too-large' : 'file-unreadable', error),
    )
    thread.once('exit', () => {
      clearTimeout(deadline)
      clearInterval(watch)
      fail('file-unreadable')
    })
  }).finally(() => thread.terminate())
}
