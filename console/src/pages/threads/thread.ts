import type { Thread } from '../../../../client/src/index.ts'
import { t } from '../../strings.ts'
import { shortened, textOf } from './comment-text.ts'

/** The beginning of the first comment: what a thread is known by. */
export const titleOf = ({ comments: [first] }: Thread): string =>
  shortened((first && textOf(first).trim()) || t.threads.noText)

/** The id of its document. */
export const documentOf = ({ metadata }: Thread) => (metadata as { documentId: string }).documentId

/** What somebody is called. */
export const whoIs = ({ name, userId }: { name?: string; userId: string }) => name || userId
