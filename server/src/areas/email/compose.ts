import type { Config } from '../../platform/config.ts'
import type { Mail } from '../../platform/outbound/mail.ts'
import type { Secrets } from '../../platform/secret.ts'
import type { EmailContent, EmailItem } from './email-item.ts'
import { headline, linkOf, quoteOf, shortName, subjectOf } from './email-text.ts'
import { type Html, html, page } from './html.ts'
import { type TemplateProperties, templateProperties } from './template-properties.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

/** A message ready to be sent: as text and HTML, or as the values of a provider's template. */
export interface Message extends Omit<Mail, 'replyTo'> {
  properties: TemplateProperties
  /** Whether all its activities are mentions of the user. */
  areAllMentions: boolean
}

interface ComposeContext {
  /** What seals the unsubscribe link. */
  links: Secrets
  config: Config
  /** The company that the sender's name mentions. */
  company: string
}

/** Composes the message of an email, as text and as HTML. */
export function compose(content: EmailContent, { links, config, company }: ComposeContext): Message {
  const { id, to, activities } = content
  const subject = subjectOf(content)
  const unsubscribe = unsubscribeUrl(content, links, config)
  const fromName = senderOf(activities, shortName(company))
  return {
    id,
    fromName,
    to: { name: shortName(to.name), address: to.address },
    subject,
    text: textBody(content, unsubscribe),
    html: page(subject, htmlBody(content, unsubscribe)),
    // RFC 2369; RFC 8058 for one-click unsubscription.
    headers: { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    properties: templateProperties(content, { subject, fromName, unsubscribe }),
    areAllMentions: activities.every(({ kind }) => kind === 'mention'),
  }
}

/** `Ada via Acme`; only the company if several people acted. */
function senderOf(activities: EmailItem[], company: string): string {
  const actors = new Map(activities.map(({ details: { actor } }) => [actor?.userId, actor]))
  const [actor] = actors.values()
  return actors.size === 1 && actor ? `${shortName(actor.name)} via ${company}` : company
}

const WHY = 'You get this because you take part in these threads or follow them.'

function textBody({ activities, to }: EmailContent, unsubscribe: string): string {
  const parts = activities.map((item) => {
    const quoted = quoteOf(item).replaceAll(/^/gm, '> ')
    return [`${headline(item, to.userId)} in ${shortName(item.document.name)}`, quoted, linkOf(item) ?? ''].join('\n')
  })
  return `${parts.join('\n\n')}\n\n-- \n${WHY}\nNo more emails: ${unsubscribe}\n`
}

function htmlBody({ activities, to }: EmailContent, unsubscribe: string): Html {
  return html`${activities.map((item) => activityHtml(item, to.userId))}
<p style="margin:24px 0 0;color:#6a6a75;font-size:13px">${WHY} <a href="${unsubscribe}">Unsubscribe</a></p>`
}

function activityHtml(item: EmailItem, userId: string): Html {
  const link = linkOf(item)
  return html`<div style="margin:0 0 20px">
<p style="margin:0 0 8px"><strong>${headline(item, userId)}</strong> in ${shortName(item.document.name)}</p>
<blockquote dir="auto" style="margin:0;padding:0 12px;border-left:3px solid #d8d8e0;white-space:pre-wrap">${quoteOf(item)}</blockquote>
${link === undefined ? '' : html`<p style="margin:8px 0 0"><a href="${link}">Open the thread</a></p>`}
</div>`
}
