import { Fragment } from 'react'
import type { Comment } from '../../../../client/src/index.ts'

type File = Comment['attachments'][number]

/** Files that belong to something, by their names. */
export const Attached = ({ files }: { files: File[] }) =>
  files.map((file, n) => (
    <Fragment key={file.attachmentId}>
      {n > 0 && ', '}
      <FileName file={file} />
    </Fragment>
  ))

/** The name of a file, which opens it beside the console. An address that is not of the web is none to follow. */
function FileName({ file: { name, attachmentId, url = '' } }: { file: File }) {
  const label = name || attachmentId
  if (!/^https?:/i.test(url)) return <bdi>{label}</bdi>
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {label}
    </a>
  )
}
