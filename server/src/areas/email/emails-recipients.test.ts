import { beforeAll, describe, expect, test } from 'vitest'
import { ada, bob, cyd, DOCUMENT, type Mailing, mentioning, ORGANIZATION, startMailing } from '../../../test/mailing.ts'
import { startService } from '../../../test/running-service.ts'
import { untilWaiting } from '../../../test/until-waiting.ts'
import { sql } from '../../platform/db/db.ts'

beforeAll(startService)

const at = { organizationId: ORGANIZATION, documentId: DOCUMENT }
const subjects = ({ mailbox }: Mailing) => mailbox.received().map(({ subject }) => subject)
const prefer = (mailing: Mailing, userId: string, email: string, documentIds?: string[]) =>
  mailing.ws.ok('/v2/notifications/config/set', {
    organizationId: ORGANIZATION,
    userIds: [userId],
    config: { email },
    ...(documentIds && { documentIds }),
  })

describe('an email is sent', () => {
  test('on a mention, to the mentioned user', async () => {
    const mailing = await startMailing()
    await mailing.thread({}, mentioning(bob))
    expect(await mailing.sent()).toEqual(['bob@example.com'])
    expect(subjects(mailing)).toEqual(['Ada Lovelace mentioned you in The Plan'])
    const [mail] = mailing.mailbox.received()
    expect(mail?.headers.from).toBe('Ada Lovelace via Precedent <service@precedent.test>')
    expect(mail?.text).toContain('> Look @Bob')
    expect(mail?.html).toContain('Look @Bob')
  })

  test('on a mention that an edit adds, and on no other edit', async () => {
    const mailing = await startMailing()
    const annotationId = await mailing.thread()
    const commentId = await mailing.reply(annotationId, ada)
    const edit = (updatedData: object) =>
      mailing.ws.ok('/v2/commentannotations/comments/update', {
        ...at,
        annotationId,
        commentIds: [commentId],
        updatedData,
        actionUser: ada,
      })
    await edit(mentioning(cyd))
    expect(await mailing.sent()).toEqual(['cyd@example.com'])
    await edit({ ...mentioning(cyd), commentText: 'Look again {{cyd}}' })
    expect(await mailing.sent()).toEqual(['cyd@example.com'])
  })

  test('on a reply, an assignment, a change of status and of priority, to those taking part but the actor', async () => {
    const mailing = await startMailing()
    const annotationId = await mailing.thread({}, { from: bob })
    await mailing.reply(annotationId, ada)
    await mailing.update(annotationId, { assignedTo: bob })
    await mailing.update(annotationId, { status: { id: 'RESOLVED' } })
    await mailing.update(annotationId, { priority: { id: 'P0', name: 'Urgent' } })
    expect(new Set(await mailing.sent())).toEqual(new Set(['bob@example.com']))
    expect(subjects(mailing).sort()).toEqual([
      'Ada Lovelace assigned a thread to you in The Plan',
      'Ada Lovelace changed the priority to Urgent in The Plan',
      'Ada Lovelace changed the status to Resolved in The Plan',
      'Ada Lovelace replied in The Plan',
    ])
  })

  test('to nobody while useEmailService is off', async () => {
    const mailing = await startMailing()
    await mailing.ws.ok('/v2/workspace/emailconfig/update', { useEmailService: false })
    await mailing.thread({}, mentioning(bob))
    expect(await mailing.sent()).toEqual([])
    expect(await mailing.recorded()).toEqual([])
  })

  test('only where the trigger of the event is on', async () => {
    const mailing = await startMailing()
    await mailing.config({ triggers: { 'comment.add': false } })
    const annotationId = await mailing.thread({}, { from: bob })
    await mailing.reply(annotationId, ada)
    expect(await mailing.sent()).toEqual([])
    await mailing.update(annotationId, { status: { id: 'RESOLVED' } })
    expect(await mailing.sent()).toEqual(['bob@example.com'])
  })

  test('not with triggerNotification: false', async () => {
    const mailing = await startMailing()
    await mailing.thread({}, { ...mentioning(bob), triggerNotification: false })
    const annotationId = await mailing.thread({}, { from: bob })
    await mailing.update(annotationId, { status: { id: 'RESOLVED' } }, { triggerNotification: false })
    expect(await mailing.sent()).toEqual([])
  })

  test('to the stored address of a user, which beats one named in passing; to nobody without an address', async () => {
    const mailing = await startMailing()
    await mailing.thread({}, mentioning({ ...bob, email: 'else@example.com' }, { userId: 'dan' }))
    expect(await mailing.sent()).toEqual(['bob@example.com'])
    expect(await mailing.recorded()).toHaveLength(1)
  })

  test('to no address that was cleared, whoever names it in passing, until there is one again', async () => {
    const mailing = await startMailing()
    const setAddress = (email: string | null) =>
      mailing.ws.ok('/v2/users/update', { organizationId: ORGANIZATION, users: [{ userId: 'bob', email }] })
    const annotationId = await mailing.thread({}, { from: bob })
    await mailing.reply(annotationId, ada)
    await setAddress(null)
    expect(await mailing.sent()).toEqual([])
    await mailing.reply(annotationId, ada, mentioning(bob))
    expect(await mailing.sent()).toEqual([])
    expect((await mailing.recorded()).map(({ status }) => status)).toEqual(['skipped'])
    await setAddress('new@example.com')
    await mailing.reply(annotationId, ada)
    expect(await mailing.sent()).toEqual(['new@example.com'])
  })
})

describe("a user's email preference", () => {
  test('NONE: nothing, not even a mention', async () => {
    const mailing = await startMailing()
    await prefer(mailing, 'bob', 'NONE')
    await mailing.thread({}, mentioning(bob, cyd))
    expect(await mailing.sent()).toEqual(['cyd@example.com'])
  })

  test('MINE, the default, leaves out what a user only subscribed to; ALL does not', async () => {
    const mailing = await startMailing()
    const annotationId = await mailing.thread()
    await mailing.ws.ok('/v2/commentannotations/update', {
      ...at,
      annotationIds: [annotationId],
      subscribeUsers: [bob, cyd],
    })
    await prefer(mailing, 'cyd', 'ALL')
    await mailing.reply(annotationId, ada)
    expect(await mailing.sent()).toEqual(['cyd@example.com'])
  })

  test('that of the document beats that of the organization', async () => {
    const mailing = await startMailing()
    await prefer(mailing, 'bob', 'NONE')
    await prefer(mailing, 'bob', 'MINE', [DOCUMENT])
    await mailing.thread({}, mentioning(bob))
    expect(await mailing.sent()).toEqual(['bob@example.com'])
  })
})

describe('nobody gets an email of what they may not see', () => {
  const isolated = async () => {
    const mailing = await startMailing()
    await mailing.ws.ok('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true })
    return mailing
  }

  test('of a thread that is restricted to others', async () => {
    const mailing = await isolated()
    await mailing.thread({ visibility: { type: 'restricted', userIds: ['cyd'] } }, mentioning(bob, cyd))
    expect(await mailing.sent()).toEqual(['cyd@example.com'])
  })

  test('of a document that is restricted to others', async () => {
    const mailing = await startMailing()
    await mailing.ws.ok('/v2/organizations/documents/access/update', {
      organizationId: ORGANIZATION,
      documentIds: [DOCUMENT],
      accessType: 'restricted',
    })
    await mailing.ws.ok('/v2/users/add', { ...at, users: [cyd] })
    await mailing.thread({}, mentioning(bob, cyd))
    expect(await mailing.sent()).toEqual(['cyd@example.com'])
  })

  test('when the user leaves the organization that the thread is private to before the email is sent', async () => {
    const mailing = await isolated()
    await mailing.thread({ visibility: { type: 'organizationPrivate' } }, mentioning(bob, cyd))
    await mailing.ws.ok('/v2/users/delete', { organizationId: ORGANIZATION, userIds: ['bob'] })
    expect(await mailing.sent()).toEqual(['cyd@example.com'])
  })

  test('of before they were removed from the organization, though they are members again before it is due', async () => {
    const mailing = await startMailing()
    const { ws } = mailing
    const users = { organizationId: ORGANIZATION, users: [bob] }
    await mailing.thread({}, mentioning(bob, cyd))
    await ws.ok('/v2/users/delete', { organizationId: ORGANIZATION, userIds: ['bob'] })
    await ws.ok('/v2/users/add', users)
    expect(await mailing.sent()).toEqual(['cyd@example.com'])
    expect(await mailing.recorded()).toMatchObject([
      { status: 'skipped', error: 'The user was removed from the organization.' },
      { status: 'sent' },
    ])
    await mailing.thread({}, mentioning(bob))
    expect(await mailing.sent()).toContain('bob@example.com')
  })

  // The embedded database runs one transaction after the other.
  test.runIf(process.env.TEST_DATABASE === 'postgres')(
    'that is written while they are being removed, though they are members again before it is due',
    async () => {
      const mailing = await startMailing()
      const { ws, service } = mailing
      const annotationId = await mailing.thread({}, { from: bob })
      await mailing.reply(annotationId, ada)
      await mailing.sent()
      const users = { organizationId: ORGANIZATION, users: [bob] }
      // Holds the change up once it has found whom to tell: what it stores of the email waits.
      const { changed, removed } = await service.database.transaction(async (db) => {
        await db.query(sql`lock table email_activity in exclusive mode`)
        const changed = mailing.update(annotationId, { priority: { id: 'P0', name: 'Urgent' } })
        await untilWaiting(service.database, 1)
        const removed = ws.ok('/v2/users/delete', { organizationId: ORGANIZATION, userIds: ['bob'] })
        await Promise.race([removed, untilWaiting(service.database, 2)])
        return { changed, removed }
      })
      await Promise.all([changed, removed])
      await ws.ok('/v2/users/add', users)
      expect(await mailing.sent()).toHaveLength(1)
      expect(await mailing.recorded()).toMatchObject([
        { status: 'sent' },
        { status: 'skipped', error: 'The user was removed from the organization.' },
      ])
    },
  )

  test('when the thread takes an access field that the user lacks, before the email is sent', async () => {
    const mailing = await isolated()
    const annotationId = await mailing.thread({}, mentioning(bob))
    await mailing.update(annotationId, { context: { access: { team: 'legal' } } })
    expect(await mailing.sent()).toEqual([])
  })

  test('when the thread is restricted, or deleted, before the email is sent', async () => {
    const mailing = await isolated()
    const restricted = await mailing.thread({}, mentioning(bob))
    await mailing.update(restricted, { visibility: { type: 'restricted', userIds: ['cyd'] } })
    const deleted = await mailing.thread({}, mentioning(bob))
    await mailing.ws.ok('/v2/commentannotations/delete', { ...at, annotationIds: [deleted] })
    expect(await mailing.sent()).toEqual([])
    expect((await mailing.recorded()).map(({ status }) => status)).toEqual(['skipped', 'skipped'])
  })
})

describe('what people write', () => {
  const evil = '<script>alert(1)</script> & "quoted"'
  const escaped = '&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quoted&quot;'

  test('is text in every part of an email, whatever it looks like', async () => {
    const mailing = await startMailing()
    const pageInfo = { url: 'https://app.test/plan?a="><script>' }
    await mailing.thread({ pageInfo }, { ...mentioning(bob), from: { userId: 'eve', name: evil }, commentText: evil })
    await mailing.sent()
    const [mail] = mailing.mailbox.received()
    expect(mail?.html).not.toContain('<script')
    expect(mail?.html.split(escaped)).toHaveLength(4)
    expect(mail?.text).toContain(`> ${evil}`)
    expect(mail?.subject).toBe(`${evil} mentioned you in The Plan`)
    expect(mail?.html).toContain('https://app.test/plan?a=%22%3E%3Cscript%3E&amp;scommentId=')
  })

  test('cannot add a header, nor a link that is not http', async () => {
    const mailing = await startMailing()
    const name = 'Eve\r\nBcc: victim@example.com\r\n\r\nbody'
    const pageInfo = { url: 'javascript:alert(1)' }
    await mailing.thread({ pageInfo }, { ...mentioning(bob), from: { userId: 'eve', name } })
    expect(await mailing.sent()).toEqual(['bob@example.com'])
    const [mail] = mailing.mailbox.received()
    expect(mail?.subject).toBe('Eve Bcc: victim@example.com body mentioned you in The Plan')
    expect(mail?.headers.bcc).toBeUndefined()
    expect(mail?.html).not.toContain('javascript:')
  })

  test('is quoted from HTML where there is no text, and cut where it is long', async () => {
    const mailing = await startMailing()
    const tagged = mentioning(bob).taggedUserContacts
    const from = { from: ada, taggedUserContacts: tagged }
    for (const text of [{}, { commentText: '' }]) {
      const commentData = [{ ...from, ...text, commentHtml: '<p>One &lt; <b>two</b></p>' }]
      await mailing.ws.ok('/v2/commentannotations/add', { ...at, commentAnnotations: [{ commentData }] })
      await mailing.sent()
    }
    await mailing.thread({}, { ...from, commentText: '\u{1f600}'.repeat(5000) })
    await mailing.sent()
    const [plain, empty, long] = mailing.mailbox.received()
    expect(plain?.text).toContain('> One < two')
    expect(empty?.text).toContain('> One < two')
    expect(long?.text.match(/\u{1f600}/gu)).toHaveLength(999)
  })
})
