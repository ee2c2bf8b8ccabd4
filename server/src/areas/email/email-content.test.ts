import { expect, test } from 'vitest'
import { bob, cyd, startMailing } from '../../../test/mailing.ts'
import { sql } from '../../platform/db/db.ts'
import type { Claimed } from './claim.ts'
import { readEmailContent } from './email-content.ts'
import { templateProperties } from './template-properties.ts'

test('of a long thread an email reads the first comment, what it tells of, the comments before, and the number', async () => {
  const { service, ws, ...mailing } = await startMailing()
  const annotationId = await mailing.thread({}, { commentText: 'first', from: cyd })
  for (const commentText of ['1', '2', '3', '4', '5']) await mailing.reply(annotationId, bob, { commentText })
  await mailing.update(annotationId, { status: { id: 'RESOLVED' } })
  const claims = await service.database.query<Claimed>(sql`
    select id, api_key as "apiKey", organization_key as "organizationKey", user_key as "userKey", person, activities
    from email
    where api_key = ${ws.apiKey} and person ->> 'userId' = ${cyd.userId}
    order by id`)
  const shown = []
  for (const claimed of claims) {
    const content = await readEmailContent(service.database, { apiKey: ws.apiKey }, claimed)
    if (!content) throw new Error('The email has no content.')
    const { firstComment, prevComment, latestComment, commentsCount, commentsCountMoreThanThree } = templateProperties(
      content,
      { subject: '', fromName: '', unsubscribe: '' },
    )
    expect([firstComment?.commentText, commentsCount, commentsCountMoreThanThree]).toEqual(['first', 6, true])
    const [{ annotation }] = content.activities
    const read = annotation.comments.map(({ commentText }) => commentText)
    shown.push({ read, shown: [prevComment?.commentText, latestComment?.commentText] })
  }
  const last = { read: ['first', '4', '5'], shown: ['4', '5'] }
  expect(shown).toEqual(
    expect.arrayContaining([
      { read: ['first', '1', '4', '5'], shown: ['first', '1'] },
      { read: ['first', '1', '2', '4', '5'], shown: ['1', '2'] },
      { read: ['first', '2', '3', '4', '5'], shown: ['2', '3'] },
      { read: ['first', '3', '4', '5'], shown: ['3', '4'] },
      last,
      // The change of status tells of no comment.
      last,
    ]),
  )
  expect(shown).toHaveLength(6)
})
