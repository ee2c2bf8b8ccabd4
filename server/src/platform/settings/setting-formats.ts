import ipaddr from 'ipaddr.js'
import Format from 'typebox/format'
import { isHttpUrl } from '../schema.ts'

/** The format of list entries that may also name a file of such entries. */
export const DOMAIN = 'domain name or the path of a readable file'
/** The format of the address that the server listens on. */
export const HOST = 'address or host name, without scheme, port and brackets'
/** The format of addresses to which paths are added; credentials have settings of their own. */
export const BASE_URL = 'http(s) URL without user name, password, ? and #'
/** The format of the address of an OpenID Connect issuer: what it says must not be changed on its way. */
export const ISSUER = 'https URL, or http URL of this machine, without user name, password, ? and #'
/** The format of what is asked of the issuer (RFC 6749, section 3.3), which separates the scopes by blanks. */
export const SCOPE = 'scope; commas separate several'
/** The format of the roles that values of a claim give. */
export const ROLE_OF_VALUE = 'value=role with one of the roles operator, admin, developer, reviewer, viewer'
/** The format of secrets that travel in a header. */
export const TOKEN = 'token of ASCII characters without spaces'
const ENCODED = 'URL; special characters of a password are percent-encoded, such as / as %2F'
/** The formats of addresses that hold a password. */
export const POSTGRES_URL = `postgres:// ${ENCODED}`
export const SMTP_URL = `smtp:// or smtps:// ${ENCODED}`
/** The format of the sender of emails. */
export const SENDER = 'email address, alone or as Name <address>'

// `1` would be 0.0.0.1, and `10/8` 0.0.0.10/8.
const isAddress = (value: string) => ipaddr.IPv4.isValidFourPartDecimal(value) || ipaddr.IPv6.isValid(value)
const isRange = (value: string) => ipaddr.IPv4.isValidCIDRFourPartDecimal(value) || ipaddr.IPv6.isValidCIDR(value)

/**
 * False also where a / in the password ends the host: what is behind it would be sent elsewhere, and shown in errors.
 */
const isWhole = (value: string) => URL.canParse(value) && !new URL(value).pathname.includes('@')

const isBaseUrl = (value: string) =>
  isHttpUrl(value) && new URL(value).username + new URL(value).password === '' && !/[?#]/.test(value)

const isHostName = (value: string) => /^[\w-]+(\.[\w-]+)*\.?$/.test(value)

// The name of a format completes the sentence `must be a valid …`.
Format.Set('address or CIDR range', (value) => isAddress(value) || isRange(value))
Format.Set('CIDR range', isRange)
Format.Set(HOST, (value) => ipaddr.isValid(value) || isHostName(value))
Format.Set('lower-case header prefix', (value) => /^[a-z][a-z0-9-]*$/.test(value))
Format.Set(DOMAIN, (value) => /^[^\s@/.]+(\.[^\s@/.]+)+$/.test(value))
Format.Set(BASE_URL, isBaseUrl)
Format.Set(
  ISSUER,
  (value) => /^https:|^http:\/\/(localhost|127\.[\d.]+|\[::1\])[:/]/.test(`${value}/`) && isBaseUrl(value),
)
Format.Set(SCOPE, (value) => /^[!#-[\]-~]+$/.test(value))
Format.Set(ROLE_OF_VALUE, (value) => /^.+=(operator|admin|developer|reviewer|viewer)$/.test(value))
Format.Set(TOKEN, (value) => /^[\x21-\x7e]+$/.test(value))
Format.Set(POSTGRES_URL, (value) => /^postgres(ql)?:\/\//.test(value) && isWhole(value))
Format.Set(SMTP_URL, (value) => /^smtps?:\/\/./.test(value) && isWhole(value))
Format.Set(SENDER, (value) => /^([^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(value))
