import { isDisposableEmailDomain } from 'disposable-email-domains-js'
import type { Config } from '../../platform/config.ts'

/** Whether an address has a disposable domain: by the maintained list, with the operator's additions and exceptions. */
export function isDisposable(
  email: string,
  config: Pick<Config, 'disposableDomains' | 'disposableDomainsAllow'>,
): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  // A subdomain of a listed domain is as disposable as the domain.
  const suffixes = domain.split('.').map((_, i, labels) => labels.slice(i).join('.'))
  if (suffixes.some((suffix) => config.disposableDomainsAllow.includes(suffix))) return false
  return suffixes.some((suffix) => config.disposableDomains.includes(suffix) || isDisposableEmailDomain(suffix))
}
