import { expect } from 'vitest'
import { askConsole, byHttps } from './console.ts'
import type { Service } from './running-service.ts'

let caller = 0
/** A browser at an address of its own behind a proxy with https. It keeps its cookies and follows the issuer. */
export function browser(of: Service) {
  caller += 1
  const from = byHttps(`198.18.${Math.floor(caller / 250)}.${caller % 250}`)
  const jar = new Map<string, string>()
  const ask = async (path: string, data: unknown = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await askConsole(of, path, data, { ...from, cookie })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }
  return {
    address: from['x-forwarded-for'],
    jar,
    ask,
    /** Goes to the issuer and comes back: with the query of the address that it is sent back to. */
    async leave(): Promise<{ redirectUri: string; query: string }> {
      const begun = await ask('session/begin-oidc')
      const { address } = begun.body.result.data as { address: string }
      const { status, headers } = await fetch(address, { redirect: 'manual' })
      expect(status).toBe(302)
      const back = new URL(headers.get('location') ?? '')
      return { redirectUri: back.origin + back.pathname, query: back.search.slice(1) }
    },
    async signIn() {
      const { query } = await this.leave()
      return ask('session/sign-in', { answer: query })
    },
  }
}
