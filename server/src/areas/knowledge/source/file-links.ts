import type { Config } from '../../../platform/config.ts'
import type { Secrets } from '../../../platform/secret.ts'
import { serviceAddress } from '../../../platform/settings/service-address.ts'

/** What a link leads to: the upload of a file, the file, or its text. */
export interface FileLink {
  apiKey: string
  key: string
  what: 'upload' | 'original' | 'markdown'
  expiresAt: number
}

interface LinkServices {
  secrets: Secrets
  config: Pick<Config, 'publicUrl' | 'host' | 'port'>
}

/** The paths, below the address of the service, that links to upload and to download lead to. */
export const UPLOAD_PATH = '/knowledge/upload'
export const FILE_PATH = '/knowledge/file'
/** How long a link leads anywhere. */
export const LINK_MS = 15 * 60_000

const PURPOSE = 'knowledge-file'

/** A link that nobody can forge. It holds all that is needed, so any process can serve it. */
export function fileUrl(link: FileLink, { secrets, config }: LinkServices): string {
  const token = secrets.seal(JSON.stringify(link), PURPOSE)
  return `${serviceAddress(config)}${link.what === 'upload' ? UPLOAD_PATH : FILE_PATH}?token=${token}`
}

/** What a token leads to; undefined if it is forged or has expired. */
export function openFileLink(query: unknown, secrets: Secrets, now: number): FileLink | undefined {
  const { token } = Object(query) as { token?: unknown }
  if (typeof token !== 'string') return undefined
  try {
    const link: FileLink = JSON.parse(secrets.open(token, PURPOSE))
    return link.expiresAt > now ? link : undefined
  } catch {
    return undefined
  }
}

/** The links to the file of a source and to its text. */
export function downloadUrls(
  { apiKey, key }: { apiKey: string; key: string },
  { clock, ...services }: LinkServices & { clock: { now(): number } },
) {
  const link = { apiKey, key, expiresAt: clock.now() + LINK_MS }
  return {
    originalDownloadUrl: fileUrl({ ...link, what: 'original' }, services),
    canonicalMdDownloadUrl: fileUrl({ ...link, what: 'markdown' }, services),
  }
}
