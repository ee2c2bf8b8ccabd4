import { isDeepStrictEqual } from 'node:util'
import { type Emit, internalEvent } from '../../../platform/event.ts'
import type { AnnotationRecord } from '../thread/annotation.ts'
import type { Thread } from '../thread/thread.ts'

export interface ChangedContext {
  organizationKey: string
  annotationKey: string
  /** Null: the thread has none any more. */
  context: NonNullable<AnnotationRecord['context']> | null
}

/** Threads got another context. What shows their text is from then on for whom the new context is. */
export const contextChanged = internalEvent<ChangedContext>('contextChanged')

/** Emits those of the updated threads whose context has changed. */
export async function emitContexts(
  emit: Emit,
  organizationKey: string,
  updates: { before: Thread; thread: Thread }[],
): Promise<void> {
  const changed = updates
    .filter(({ before, thread }) => !isDeepStrictEqual(before.record.context, thread.record.context))
    .map(({ thread: { key, record } }) => ({ organizationKey, annotationKey: key, context: record.context ?? null }))
  if (changed.length > 0) await emit(contextChanged, changed)
}
