/** Markup built by `html`, in which every text is escaped. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

/** Builds markup from a template. Texts among the values are escaped. */
export const html = (parts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html =>
  new Html(parts.map((part, index) => part + markupOf(values[index] ?? '')).join(''))

function markupOf(value: string | Html | Html[]): string {
  if (typeof value === 'string') return escaped(value)
  return Array.isArray(value) ? value.map(({ markup }) => markup).join('') : value.markup
}

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? character)

/** Wraps a body in a page that loads nothing. */
export const page = (title: string, body: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
</head>
<body style="margin:0;padding:24px;background:#f4f4f6;color:#1c1c22;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px">
${body}
</div>
</body>
</html>`.markup
