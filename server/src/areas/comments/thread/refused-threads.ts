import type { AnnotationInput } from './annotation-input.ts'
import { PRIVATE_COMMENTS_DISABLED } from './visibility.ts'

/** Whether a new thread is not for everybody. */
export const isPrivate = ({ visibility }: AnnotationInput) => visibility && visibility.type !== 'public'

/** Who wrote the comments that a thread begins with. */
export const authorsOf = ({ commentData }: AnnotationInput) => commentData.map(({ from }) => from.userId)

/**
 * Why new threads are refused, by id: they are private where private comments are off, or an author has no access to the
 * document.
 */
export function refusals(
  threads: (AnnotationInput & { id: string })[],
  privateAllowed: boolean,
  denied: ReadonlySet<string>,
): Map<string, string> {
  const reasonOf = (item: AnnotationInput) => {
    if (!privateAllowed && isPrivate(item)) return PRIVATE_COMMENTS_DISABLED
    const author = authorsOf(item).find((userId) => denied.has(userId))
    return author === undefined ? undefined : `The user ${author} has no access to the document.`
  }
  return new Map(
    threads.flatMap((item) => {
      const reason = reasonOf(item)
      return reason === undefined ? [] : [[item.id, reason]]
    }),
  )
}
