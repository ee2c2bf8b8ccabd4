import type { Api, Comment, Thread } from '../../../../client/src/index.ts'
import { allDone } from '../../door/all-done.ts'
import { useTenant } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Action } from '../../ui/action.tsx'
import { SelectField, TextField } from '../../ui/filters.tsx'
import { textOf } from './comment-text.ts'
import { documentOf } from './thread.ts'
import { useWriteAs } from './write-as.tsx'

interface OfComment {
  thread: Thread
  organizationId: string
  comment: Comment
}

type Update = Parameters<Api['comments']['updateComments']>[0]['updatedData']
type Values = Record<string, string>

/** What can be done with one comment: react to it, edit it, delete it. */
export const CommentActions = (props: OfComment) => (
  <>
    <React {...props} />
    <EditComment {...props} />
    <DeleteComment {...props} />
  </>
)

/** Where a comment is, and in whose name something is done with it. */
function useComment({ thread, organizationId, comment: { commentId } }: OfComment) {
  const { api } = useTenant()
  const { field, writer } = useWriteAs(organizationId)
  const document = { organizationId, documentId: documentOf(thread) }
  return { api, field, writer, document, annotationId: thread.annotationId, commentId }
}

/** Any text can be a reaction. These are offered. */
const ICONS = ['👍', '👎', '❤️', '🎉', '👀', '✅']

function React(props: OfComment) {
  const { api, field, writer, document, annotationId, commentId } = useComment(props)
  const react = async (values: Values) => {
    const actionUser = writer(values)
    const reactions = [{ icon: values.icon ?? '', from: actionUser }]
    const { data } = await allDone(api.reactions.addReactions({ ...document, annotationId, commentId, reactions }))
    const reactionIds = Object.keys(data)
    return {
      said: t.threads.reacted,
      undo: () => allDone(api.reactions.deleteReactions({ ...document, reactionIds, actionUser })),
    }
  }
  const fields = (
    <>
      <SelectField label={t.threads.reaction} name="icon" options={ICONS} />
      {field}
    </>
  )
  return <Action needs="review" label={t.threads.react} fields={fields} run={react} />
}

/** Changes the text of a comment. The service drops the HTML that it had, unless it is told to keep one. */
function EditComment(props: OfComment) {
  const { api, field, writer, document, annotationId, commentId } = useComment(props)
  const { commentText = '', commentHtml = null } = props.comment
  const update = (updatedData: Update, actionUser: { userId: string }) =>
    allDone(
      api.comments.updateComments({ ...document, annotationId, commentIds: [commentId], updatedData, actionUser }),
    )
  const edit = async (values: Values) => {
    const actionUser = writer(values)
    await update({ commentText: values.commentText ?? '' }, actionUser)
    return { said: t.threads.commentEdited, undo: () => update({ commentText, commentHtml }, actionUser) }
  }
  const fields = (
    <>
      <TextField
        label={t.threads.text}
        name="commentText"
        value={commentText || textOf(props.comment)}
        rows={6}
        required
      />
      {field}
    </>
  )
  const mentions = commentText.includes('{{')
  return (
    <Action
      needs="review"
      label={t.threads.editComment}
      {...(mentions && { confirm: t.threads.mentionHelp })}
      fields={fields}
      run={edit}
    />
  )
}

function DeleteComment(props: OfComment) {
  const { api, field, writer, document, annotationId, commentId } = useComment(props)
  const remove = async (values: Values) => {
    const comment = { ...document, annotationId, commentIds: [commentId] }
    await allDone(api.comments.deleteComments({ ...comment, actionUser: writer(values) }))
    return t.threads.commentDeleted
  }
  const { deleteComment, deleteCommentConfirm } = t.threads
  return (
    <Action needs="review" label={deleteComment} confirm={deleteCommentConfirm} fields={field} danger run={remove} />
  )
}
