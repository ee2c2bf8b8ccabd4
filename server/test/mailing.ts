import { onTestFinished } from 'vitest'
import { sql } from '../src/platform/db/db.ts'
import { type Mailbox, startMailbox } from './mailbox.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { newWorkspace, type Service, startConfigured, type TestWorkspace } from './running-service.ts'

export const ORGANIZATION = 'acme'
export const DOCUMENT = 'plan'

/** A service that sends through a mailbox and a local SendGrid, and a workspace whose people write comments. */
export interface Mailing {
  service: Service
  ws: TestWorkspace
  mailbox: Mailbox
  sendgrid: Receiver
  config(emailServiceConfig: object): Promise<void>
  /** Starts a thread and returns its id; by default Ada comments and mentions nobody. */
  thread(more?: object, comment?: object): Promise<string>
  reply(annotationId: string, from: object, comment?: object): Promise<number | undefined>
  /** Changes a thread, as Ada unless another is named. */
  update(annotationId: string, updatedData: object, more?: object): Promise<void>
  /** Sends everything that is due; returns the recipients in the mailbox, in the order of addresses. */
  sent(): Promise<string[]>
  /** The recorded emails of the workspace, oldest first. */
  recorded(): Promise<{ status: string; error: string | null; attempt: number }[]>
}

export const ada = { userId: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' }
export const bob = { userId: 'bob', name: 'Bob', email: 'bob@example.com' }
export const cyd = { userId: 'cyd', name: 'Cyd', email: 'cyd@example.com' }

/** Mentions users in a comment. */
export const mentioning = (...users: { userId: string; name?: string; email?: string }[]) => ({
  commentText: `Look ${users.map(({ userId }) => `{{${userId}}}`).join(' ')}`,
  taggedUserContacts: users.map((user) => ({ userId: user.userId, contact: user })),
})

/** Starts it with emails enabled; `env` overrides the settings of the service. */
export async function startMailing({
  type = 'default',
  env = {},
  credentials,
  smtpLogin,
  tls,
  accepts,
}: {
  type?: string
  env?: Record<string, string>
  /** The credentials that the mail server demands. */
  credentials?: { user: string; password: string }
  /** The credentials in SMTP_URL, as `user:password`. */
  smtpLogin?: string
  /** The mail server speaks TLS; `tls` is what SMTP_URL says of it. */
  tls?: { query: string }
  /** Until this has settled the mail server answers to no message. */
  accepts?: Promise<void>
} = {}): Promise<Mailing> {
  const mailbox = await startMailbox({
    tls: tls !== undefined,
    ...(credentials && { credentials }),
    ...(accepts && { accepts }),
  })
  const address = `${smtpLogin ? `${smtpLogin}@` : ''}${mailbox.host}:${mailbox.port}`
  const sendgrid = await startReceiver({ respond: () => ({ status: 202 }) })
  const service = await startConfigured({
    SMTP_URL: tls ? `smtps://${address}${tls.query}` : `smtp://${address}`,
    MAIL_FROM: 'Precedent <service@precedent.test>',
    SENDGRID_URL: sendgrid.url,
    ...env,
  })
  const ws = await mailingWorkspace(service, type)
  onTestFinished(async () => {
    // Otherwise the service of a later test, which has the same database, would send it.
    await service.database.query(sql`delete from email`)
    await service.app.http.close()
    await Promise.all([mailbox.close(), sendgrid.close()])
  })
  return { service, ws, mailbox, sendgrid, ...writing(ws), ...watching(service, ws, mailbox) }
}

/** A workspace with emails enabled, three people and a document. */
export async function mailingWorkspace(service: Service, type: string): Promise<TestWorkspace> {
  const ws = await newWorkspace(service)
  await ws.ok('/v2/users/add', { organizationId: ORGANIZATION, users: [ada, bob, cyd] })
  await ws.ok('/v2/organizations/documents/add', {
    organizationId: ORGANIZATION,
    documents: [{ documentId: DOCUMENT, documentName: 'The Plan' }],
  })
  await ws.ok('/v2/workspace/emailconfig/update', { useEmailService: true, emailServiceConfig: { type } })
  return ws
}

/** The actions of its people. */
export function writing(ws: TestWorkspace): Pick<Mailing, 'config' | 'thread' | 'reply' | 'update'> {
  const place = { organizationId: ORGANIZATION, documentId: DOCUMENT }
  return {
    async config(emailServiceConfig) {
      await ws.ok('/v2/workspace/emailconfig/update', { emailServiceConfig })
    },
    async thread(more = {}, comment = {}) {
      const commentData = [{ from: ada, commentText: 'Hello', ...comment }]
      const { data } = await ws.ok('/v2/commentannotations/add', {
        ...place,
        commentAnnotations: [{ commentData, ...more }],
      })
      return Object.keys(data)[0] ?? ''
    },
    async reply(annotationId, from, comment = {}) {
      const commentData = [{ from, commentText: 'I agree', ...comment }]
      const { data } = await ws.ok('/v2/commentannotations/comments/add', { ...place, annotationId, commentData })
      return data[0]
    },
    async update(annotationId, updatedData, more = {}) {
      const annotationIds = [annotationId]
      await ws.ok('/v2/commentannotations/update', { ...place, annotationIds, updatedData, actionUser: ada, ...more })
    },
  }
}

function watching(service: Service, ws: TestWorkspace, mailbox: Mailbox): Pick<Mailing, 'sent' | 'recorded'> {
  return {
    async sent() {
      await service.drainJobs()
      return mailbox
        .received()
        .flatMap(({ to }) => to)
        .sort()
    },
    recorded: () =>
      service.database.query(sql`
        select status, error, attempt
        from email
        where api_key = ${ws.apiKey}
        order by id`),
  }
}
