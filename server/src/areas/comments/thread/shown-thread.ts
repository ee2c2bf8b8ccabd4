import { type Static, Type } from '../../../platform/schema.ts'
import { CommentAnnotation } from './annotation.ts'

/** A thread as reads show it: with some of its comments, and how many it has. */
export const ShownThread = Type.Object({
  ...CommentAnnotation.properties,
  commentsTruncated: Type.Optional(
    Type.Boolean({ description: 'True: not all comments are shown; `commentannotations/comments/get` has them all.' }),
  ),
})
export type ShownThread = Static<typeof ShownThread>
