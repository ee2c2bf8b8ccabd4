/** What a reader sees of a message: decoded headers by lower-case name, and its bodies. */
export interface Message {
  headers: Record<string, string>
  subject: string
  text: string
  html: string
}

/** Parses an RFC 5322 message: folded and encoded headers, transfer encodings, nested multiparts. */
export function parseMessage(raw: string): Message {
  const { headers, bodies } = parsePart(raw)
  return { headers, subject: headers.subject ?? '', text: bodies['text/plain'] ?? '', html: bodies['text/html'] ?? '' }
}

function parsePart(raw: string): { headers: Record<string, string>; bodies: Record<string, string> } {
  const [, head = '', body = ''] = /^([\s\S]*?)\r?\n\r?\n([\s\S]*)$/.exec(raw) ?? [raw, raw]
  const headers = parseHeaders(head)
  const contentType = headers['content-type'] ?? 'text/plain'
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1]
  if (!boundary) {
    const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
    return { headers, bodies: { [type]: decode(body, headers['content-transfer-encoding'] ?? '') } }
  }
  const parts = body.split(`--${boundary}`).slice(1, -1)
  return {
    headers,
    bodies: Object.assign({}, ...parts.map((part) => parsePart(part.replace(/^\r?\n|\r?\n$/g, '')).bodies)),
  }
}

function parseHeaders(head: string): Record<string, string> {
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())]
    }),
  )
}

/** Decodes `=?utf-8?Q?…?=` and `=?utf-8?B?…?=`; white space between two of them is dropped. */
function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, encoding: string, text: string) =>
      encoding.toUpperCase() === 'B' ? decode(text, 'base64') : decode(text.replaceAll('_', ' '), 'quoted-printable'),
    )
}

function decode(text: string, encoding: string): string {
  if (encoding.toLowerCase() === 'base64') return Buffer.from(text, 'base64').toString('utf8')
  if (encoding.toLowerCase() !== 'quoted-printable') return text
  const bytes = Buffer.from(text.replace(/=\r?\n/g, ''), 'utf8').toString('latin1')
  const decoded = bytes.replace(/=([0-9A-F]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(decoded, 'latin1').toString('utf8')
}
