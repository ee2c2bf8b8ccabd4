import type { Config } from '../config.ts'

/** The addresses that stand for every one of the machine; people open it by another name. */
const OPENED_AS: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

/** The address under which people open the service: `PUBLIC_URL`, or where it listens. Without a slash at its end. */
export function serviceAddress({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '')
  const name = OPENED_AS[host] ?? (host.includes(':') ? `[${host}]` : host)
  return `http://${name}:${port}`
}
