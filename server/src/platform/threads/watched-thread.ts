import type { ResourceLimits } from 'node:worker_threads'
import { startWorkerThread } from './worker-thread.ts'

/**
 * Why a thread was ended before it posted a message. `memory`: its own heap; `growth`: the process grew, which may be
 * the work of others.
 */
export type ThreadFailure = 'timeout' | 'memory' | 'growth' | 'died'

/** A thread posted nothing. */
export class ThreadError extends Error {
  override name = 'ThreadError'
  readonly failure: ThreadFailure
  constructor(failure: ThreadFailure, cause?: unknown) {
    super(failure, { cause })
    this.failure = failure
  }
}

interface Limits {
  /** How long it may take, its start included. */
  deadlineMs: number
  resourceLimits: ResourceLimits
  /** By how much the process may grow meanwhile: buffers are outside of the thread's heap. */
  growthMb: number
}

const WATCH_EVERY_MS = 50

/**
 * Starts the module `name` beside `from` in a thread of its own and returns its first message. The thread is ended
 * then, at the deadline, or when it takes too much memory; without a message it throws `ThreadError`.
 */
export function firstMessage<Message>(
  name: string,
  from: string,
  workerData: unknown,
  { deadlineMs, resourceLimits, growthMb }: Limits,
): Promise<Message> {
  // First, because it may throw, where the process may open no more files: nobody would hear of the thread's own error.
  const before = process.memoryUsage.rss()
  const thread = startWorkerThread(name, from, workerData, { resourceLimits })
  return new Promise<Message>((resolve, reject) => {
    const fail = (failure: ThreadFailure, cause?: unknown) => reject(new ThreadError(failure, cause))
    const deadline = setTimeout(() => fail('timeout'), deadlineMs)
    const watch = setInterval(() => {
      if ((sizeOfProcess() ?? before) - before > growthMb * 2 ** 20) fail('growth')
    }, WATCH_EVERY_MS)
    thread.once('message', resolve)
    thread.once('error', (error: NodeJS.ErrnoException) =>
      fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'died', error),
    )
    thread.once('exit', () => {
      clearTimeout(deadline)
      clearInterval(watch)
      fail('died')
    })
  }).finally(() => thread.terminate())
}

/** Undefined where the process may open no more files: the system tells in one. */
function sizeOfProcess(): number | undefined {
  try {
    return process.memoryUsage.rss()
  } catch {
    return undefined
  }
}
